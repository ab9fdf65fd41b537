"""The pages that formats are written from, and what a reader of a file sees or hears."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import dataclass, replace
from functools import cache
from typing import Any
from xml.etree import ElementTree

from cases import made, thorough_but

from generator.output.formats.questions import Asked, Material
from generator.output.formats.read import read
from generator.output.render import Document, render
from generator.production.exports import asked_of, export
from generator.production.worksheet import documents
from generator.sheet.fields import page_format
from generator.sheet.page import Objects, Page
from generator.sheet.sheet import Sheet
from generator.stations.make_sheet import make_sheet, page_values
from generator.teacher.review import review

CASES = ("example", "plain", "all_tokens", "six_places", "two_sentences")
EVERY = thorough_but(("example", "two_sentences"), CASES)
NAMES = ("arbeitsblatt", "loesung", "lehrkraft")
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"


@dataclass(frozen=True)
class Source:
    """made: name -> worksheet, key and teacher's pages. document: rechnung.json."""

    made: dict[str, Document]
    asked: Asked
    document: dict[str, Any]


@cache
def source(case: str) -> Source:
    whole = make_sheet(made(case).built)
    reviewed = review(whole.sheet, whole.desk, whole.ranges)
    return Source({each.name: each for each in documents(whole, reviewed)}, asked_of(whole), whole.record())


def page_in(case: str, name: str) -> Page:
    return source(case).made[name].page


def page_with(body: str, *things: object, zoom: float = 1.0) -> Page:
    """A page of its own; what stands at {0}, {1} … of its body."""
    page = Page(Objects(), replace(page_format(), zoom=zoom))
    named = body.format(*map(page.objects.put, things))
    page.finish(f"<!doctype html><html><head><title>x</title></head><body>{named}</body></html>")
    return page


def written(kind: str, page: Page) -> bytes:
    """One page in a format that has a file for each page."""
    return next(iter(export([kind], [Document("page", "", page)]).values()))


@cache
def written_of(kind: str, case: str, name: str) -> bytes:
    return written(kind, page_in(case, name))


@cache
def material(case: str) -> Material:
    asked = replace(source(case).asked, stations=source(case).made["loesung"].stations)
    return Material(read(page_in(case, "arbeitsblatt")), read(page_in(case, "loesung")), asked)


def worksheet_of(case: str, change) -> Page:
    """The worksheet of a sheet that `change` has changed."""
    whole = made(case)
    sheet: Sheet = replace(whole.sheet, stations=change(whole.sheet.stations))
    return render(sheet, "worksheet", page_values(whole.desk, sheet))


def squeezed(text: str) -> str:
    """Without any white space."""
    return re.sub(r"[\s\u200b\u00ad]+", "", text)


# What a reader of a file sees or hears.


def in_word(data: bytes) -> str:
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        body = ElementTree.fromstring(package.read("word/document.xml"))
    return "\n".join(map(_paragraph, body.iter(f"{W}p")))


def _paragraph(paragraph: ElementTree.Element) -> str:
    parts = (
        each.text or ""
        if each.tag in (f"{W}t", f"{M}t")
        else f" {each.get('descr')} " * bool(each.get("descr"))
        for each in paragraph.iter()
    )
    return re.sub(r"<[^>]*>", " ", "".join(parts)).replace("{,}", ",")


def in_markdown(data: bytes) -> str:
    """Subscripts and superscripts of words are formulas of their own."""
    said = re.sub(r"\$[_^]\{(?:\\text\{)?([^{}$]*)\}{1,2}\$", r" \1", data.decode())
    return re.sub(r"!\[\]\([^)]*\)", "", said).replace("\\", "").replace("{,}", ",")


def in_a_question_bank(data: bytes) -> str:
    """What questions say before anybody has answered them."""
    texts = "\n".join(each.findtext("questiontext/text") or "" for each in ElementTree.fromstring(data))
    shown = re.sub(r"\{\d+:NUMERICAL:[^{}]*\}", " ", texts)  # what only Moodle knows until it is asked
    return re.sub(r"<img [^>]*alt=\"([^\"]*)\"[^>]*>", r" \1 ", shown).replace("{,}", ",")


SHOWN = {
    "docx": in_word,
    "ebuch": in_word,
    "md": in_markdown,
    "moodle": in_a_question_bank,
    "stack": in_a_question_bank,
}
