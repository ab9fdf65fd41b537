"""A sheet goes in, a Moodle question bank comes out: one Cloze question for each exercise with numbers.

A blank accepts exactly the range that `pruefe` accepts; the number of a typical mistake gets its hint.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from html import escape
from typing import Final
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from generator.formats.html import OPEN, HtmlWriter
from generator.formats.material import Exercise, Expected, Material, exercises

_FILES: Final = "@@PLUGINFILE@@/"
_PENALTY: Final = "0.3333333"
_MOST_HINTS: Final = 4
_HALF: Final = Decimal("0.5")


def write(material: Material) -> bytes:
    """The bank of one sheet."""
    return bank([material])


def bank(materials: Sequence[Material]) -> bytes:
    """The bank of several variants of one sheet; a category with one question each to draw from at random."""
    quiz = Element("quiz")
    top = _category_name(materials[0].sheet.title)
    for material in materials:
        left_out: list[Exercise] = []
        category = ""
        for exercise in exercises(material.sheet):
            if exercise.missing:
                left_out.append(exercise)
                continue
            station = _category_name(exercise.station)
            drawn = f"/Aufgabe {exercise.number}" if len(materials) > 1 else ""
            if f"{station}{drawn}" != category:
                category = f"{station}{drawn}"
                _add_category(quiz, f"{top}/{category}")
            _add_question(quiz, exercise, material)
        if left_out and material is materials[0]:
            _add_category(quiz, top)
            _add_left_out(quiz, left_out)
    ElementTree.indent(quiz)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(quiz, "unicode")}\n'.encode()


def _category_name(name: str) -> str:
    """A slash in a name stands twice."""
    return name.replace("\N{NO-BREAK SPACE}", " ").replace("/", "//")


def _add_category(quiz: Element, path: str) -> None:
    question = SubElement(quiz, "question", type="category")
    _text(question, "category", f"$course$/top/Papierformer/{path}")


def _add_question(quiz: Element, exercise: Exercise, material: Material) -> None:
    given = HtmlWriter(lambda blank: OPEN, _FILES)
    asked = HtmlWriter(lambda blank: cloze(material.answers[blank.name, blank.index]), _FILES)
    before, task = given.blocks(exercise.given), asked.blocks(exercise.blocks)
    told = f"<details><summary>Angaben und Erklärung</summary>{before}</details>" if before else ""
    variant = f" ({material.variant})" if material.variant else ""
    question = SubElement(quiz, "question", type="cloze")
    _text(question, "name", f"{exercise.station}, Aufgabe {exercise.number}{variant}")
    text = _text(question, "questiontext", told + task, format="html")
    for name, data in (given.pictures | asked.pictures).items():
        file = SubElement(text, "file", name=name, path="/", encoding="base64")
        file.text = base64.b64encode(data).decode()
    _text(question, "generalfeedback", "", format="html")
    SubElement(question, "penalty").text = _PENALTY
    SubElement(question, "hidden").text = "0"


def _add_left_out(quiz: Element, left_out: Iterable[Exercise]) -> None:
    rows = "".join(
        f"<li>{escape(each.station)}, Aufgabe {each.number}: {each.missing}</li>" for each in left_out
    )
    question = SubElement(quiz, "question", type="description")
    _text(question, "name", "Nicht in Moodle: Aufgaben in Worten und Zeichnungen")
    said = f"<p>Diese Aufgaben stehen nur auf dem Blatt:</p><ul>{rows}</ul>"
    _text(question, "questiontext", said, format="html")
    _text(question, "generalfeedback", "", format="html")
    SubElement(question, "defaultgrade").text = "0"
    SubElement(question, "penalty").text = "0"
    SubElement(question, "hidden").text = "0"


def cloze(expected: Expected) -> str:
    """A blank as Moodle's embedded answer: the value, the whole accepted range, the numbers of mistakes."""
    middle, reach = (expected.low + expected.high) / 2, (expected.high - expected.low) / 2
    answers = [f"={_plain(expected.value)}:0"]
    if reach:
        answers.append(f"%100%{_plain(middle)}:{_plain(reach)}")
    unit = Decimal(1).scaleb(int(expected.value.as_tuple().exponent))
    for number, hint in expected.hints[:_MOST_HINTS]:
        answers.append(f"%0%{_plain(number)}:{_plain(unit * _HALF / 2)}#{_feedback(hint)}")
    return "{1:NUMERICAL:" + "~".join(answers) + "}"


def _feedback(hint: str) -> str:
    """A hint in which nothing ends the answer."""
    return escape(re.sub(r"[{}~\\]", " ", hint), quote=False)


def _plain(number: Decimal) -> str:
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _text(parent: Element, tag: str, text: str, **attributes: str) -> Element:
    element = SubElement(parent, tag, attributes)
    SubElement(element, "text").text = text
    return element
