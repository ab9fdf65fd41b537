"""The pages that formats are written from, and what a reader of the page sees, block by block."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any
from xml.etree.ElementTree import Element

import pytest
from cases import made, thorough_but
from markupsafe import Markup, escape
from reading import classes, tree

from engine.trace import CellAddress
from generator.output.formats.questions import Asked, Expected, Material
from generator.output.formats.read import read
from generator.output.formulas.shapes import ROOM
from generator.output.formulas.typeset import Typesetter
from generator.output.formulas.wording import source as tex_source
from generator.output.render import Document, render
from generator.production.exports import asked_of, export
from generator.production.worksheet import documents
from generator.sheet.fields import page_format
from generator.sheet.page import Objects, Page
from generator.sheet.sheet import Sheet
from generator.stations.make_sheet import make_sheet, page_values
from generator.teacher.review import review
from tests.laid_out import written as shown_as

CASES = ("example", "plain", "all_tokens", "six_places", "two_sentences")
_THOROUGH = pytest.mark.thorough
EVERY = thorough_but(("example", "two_sentences"), CASES)
NAMES = ("arbeitsblatt", "loesung", "lehrkraft")
# Of the further sheets the key stands for the worksheet, which says less in the same places.
PAGES = [
    pytest.param(case, name, marks=() if case == "example" or (usual and name == "loesung") else _THOROUGH)
    for case, usual in ((case, case == "two_sentences") for case in CASES)
    for name in NAMES
]
BLANK = "____"
_SKIPPED = ("nav", "summary", "style", "colgroup")
_SKIPPED_CLASSES = {"turn", "foot-left", "task-points", "task-number"}
_IN_BRACKETS = re.compile(r"\((\N{MINUS SIGN}[\d,.]+)\)")  # where a page has a frame around a factor
_NEAR = 300  # signs that may stand between: no block is missing unnoticed because a later one is like it
_INLINE = ("b", "i", "em", "strong", "span", "sub", "sup", "small", "a", "br", "math", "code", "img")


@dataclass(frozen=True)
class Source:
    """made: name -> worksheet, key and teacher's pages. document: rechnung.json."""

    made: dict[str, Document]
    asked: Asked
    document: dict[str, Any]

    @property
    def expected(self) -> Mapping[CellAddress, Expected]:
        return self.asked.expected


class WithSource(Typesetter):
    """Every formula carries its LaTeX too."""

    def set(self, latex: str, alt: str | None = None, display: bool = False) -> Markup:
        tex = escape(tex_source(latex.replace(ROOM, "")))
        return Markup(str(super().set(latex, alt, display)).replace("<math ", f'<math data-tex="{tex}" ', 1))


@cache
def source(case: str) -> Source:
    built = made(case).built
    whole = make_sheet(built)
    sheet, desk, ranges = whole.sheet, whole.desk, whole.ranges
    reviewed = review(sheet, desk, ranges)
    return Source({each.name: each for each in documents(whole, reviewed)}, asked_of(whole), whole.record())


def page_in(case: str, name: str) -> Page:
    return source(case).made[name].page


@cache
def html_in(case: str, name: str) -> str:
    """With the source of every formula."""
    return shown_as(page_in(case, name), WithSource("screen"))


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


@cache
def visible(html: str, without: str = "") -> tuple[str, ...]:
    """What stands in every paragraph, cell, heading and figure, in the order of the page.

    without: classes of elements that the format leaves out.
    """
    body = tree(html).find("body")
    for parent in list(body.iter()):
        for child in [each for each in parent if set(without.split()) & classes(each)]:
            parent.remove(child)
    return tuple(text for text in map(squeezed, _leaves(body)) if text)


def squeezed(text: str) -> str:
    """Without any white space."""
    return re.sub(r"[\s\u200b\u00ad]+", "", text)


def _leaves(element: Element) -> Iterator[str]:
    kind = classes(element)
    if _tag(element) in _SKIPPED or kind & _SKIPPED_CLASSES:
        return
    if _tag(element) == "svg":
        yield from (_text(part) for part in element if _tag(part) in ("title", "desc"))
    elif "slots" in kind:  # in a table the names stand above the boxes
        yield _text(element[0])
        yield from (_text(part) for part in element.iter() if "blank" in classes(part))
    elif "formula-row" in kind:  # the shape floats to the right of the formula
        for part in (element[0], element[2], element[1]):
            yield from _leaves(part)
    elif _tag(element) == "math" or all(_is_inline(part) for part in element.iter() if part is not element):
        yield _text(element)
    else:
        pending = element.text or ""
        for child in element:
            if all(map(_is_inline, child.iter())):
                pending += _text(child)
            else:
                yield pending
                pending = ""
                yield from _leaves(child)
            pending += child.tail or ""
        yield pending


def _is_inline(element: Element) -> bool:
    in_a_formula = element.tag.startswith("{") and _tag(element).startswith("m")
    return _tag(element) in _INLINE or in_a_formula


def _tag(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def _text(element: Element) -> str:
    """What is read in an element and before its end; formulas as LaTeX, blanks as their value or a sign."""
    if element.get("data-tex") is not None:
        return f"${element.get('data-tex')}$"
    kind = classes(element)
    if kind & {"task-points", "points-line", "aloud"}:  # aloud: what a formula beside it says
        return ""
    if "blank" in kind and not "".join(element.itertext()):
        return BLANK
    inside = (element.text or "") + "".join(_text(child) + (child.tail or "") for child in element)
    return f"({inside})" if "accepted" in kind else inside


def parts_out_of_order(wanted: tuple[str, ...], found: str) -> list[str]:
    """Those blocks that do not stand in the text after the blocks before them."""
    place, missing = 0, []
    found = _IN_BRACKETS.sub(r"\1", found)
    for text in (_IN_BRACKETS.sub(r"\1", each) for each in wanted):
        at = found.find(text, place, place + len(text) + _NEAR)
        if at < 0:
            missing.append(text)
        else:
            place = at + len(text)
    return missing
