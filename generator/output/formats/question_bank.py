"""Questions go in, the bytes of a Moodle XML file come out; the files of several variants become one."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from typing import Final
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

FILES: Final = "@@PLUGINFILE@@/"  # where Moodle keeps the pictures of a question


def new_bank() -> Element:
    return Element("quiz")


def add_category(bank: Element, *names: str) -> None:
    """The questions that follow belong here; names: from the outermost to the innermost."""
    inner = "/".join(name.replace("\N{NO-BREAK SPACE}", " ").replace("/", "//") for name in names)
    add_text(SubElement(bank, "question", type="category"), "category", f"$course$/top/Papierformer/{inner}")


def add_question(
    bank: Element, kind: str, name: str, html: str, pictures: Mapping[str, bytes] | None = None
) -> Element:
    """A question with its text; pictures: file name -> PNG. What else its kind needs is added to it."""
    question = SubElement(bank, "question", type=kind)
    add_text(question, "name", name)
    text = add_text(question, "questiontext", html, format="html")
    for file_name, data in (pictures or {}).items():
        file = SubElement(text, "file", name=file_name, path="/", encoding="base64")
        file.text = base64.b64encode(data).decode()
    add_text(question, "generalfeedback", "", format="html")
    return question


def add_note(bank: Element, name: str, html: str) -> None:
    """Something to read that asks for nothing."""
    note = add_question(bank, "description", name, html)
    add_values(note, defaultgrade="0", penalty="0", hidden="0")


def add_values(parent: Element, **values: str) -> None:
    for tag, value in values.items():
        SubElement(parent, tag).text = value


def add_text(parent: Element, tag: str, text: str, **attributes: str) -> Element:
    element = SubElement(parent, tag, attributes)
    SubElement(element, "text").text = text
    return element


def written(bank: Element) -> bytes:
    ElementTree.indent(bank)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(bank, "unicode")}\n'.encode()


def merged(files: Iterable[bytes]) -> bytes:
    """One file of all: each category once, with the questions of all files; what is the same stands once."""
    categories: dict[str, tuple[Element, dict[str, Element]]] = {}
    for file in files:
        questions: dict[str, Element] = {}
        for question in ElementTree.fromstring(file):
            if question.get("type") == "category":
                path = question.findtext("category/text", "")
                questions = categories.setdefault(path, (question, {}))[1]
            else:
                questions.setdefault(_content(question), question)
    bank = new_bank()
    for category, questions in categories.values():
        bank.append(category)
        bank.extend(questions.values())
    return written(bank)


def _content(question: Element) -> str:
    """All of a question but its name."""
    return "".join(ElementTree.tostring(part, "unicode") for part in question if part.tag != "name")
