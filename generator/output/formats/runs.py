"""Runs of text out of a page: words in their face, numbers, blanks, formulas, spaces as shown."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from html import unescape
from typing import Any, Final
from xml.etree.ElementTree import Element, fromstring

from markupsafe import Markup

from generator.output.formats.tree import Blank, Break, Field, Formula, Printed, Run, Runs, Words
from generator.output.formulas.shapes import ROOM
from generator.output.formulas.typeset import Typesetter
from generator.output.formulas.wording import source
from generator.sheet import page
from generator.sheet.page import Objects, fragment, unbroken
from generator.sheet.sheet import Number

# They repeat what stands elsewhere, or hold no text.
_LEFT_OUT: Final = ("nav", "summary", "colgroup", "script", "style", "template")
_LEFT_OUT_PARTS: Final = ("turn", "foot", "leaf")
_FIELD_WIDTHS: Final = {"name": 47, "class": 17, "date": 17}
PLAIN, BOLD = Words(""), Words("", bold=True)  # how text is set
_SPACES: Final = re.compile(r"[ \t\r\n\f]+")
_ENTITY: Final = re.compile(r"&(?!amp;|lt;|gt;|quot;)[A-Za-z]+;")  # XML does not know its name


class RunReader:
    """Reads a page's elements as runs of text; objects: of the sheet, that its elements stand for."""

    def __init__(self, objects: Objects) -> None:
        self.objects = objects

    def runs_of(self, element: Element, face: Words = PLAIN) -> Iterator[Run]:
        """An inline element with all that stands in it."""
        kind, _, which = element.get("as", "").partition(" ")
        if is_left_out(element):
            return
        if (thing := self.objects.of(element)) is not None:
            yield from _runs_of_thing(thing, face)
        elif element.tag == "br":
            yield Break()
        elif kind == "field":
            written = "".join(map(plain, element))
            yield Field(plain(element).removesuffix(written), _FIELD_WIDTHS[which], written)
        elif kind == "points":
            yield Field("", 8)
        else:
            yield from self.inner(element, face_in(element, face))

    def inner(self, element: Element, face: Words = PLAIN) -> Iterator[Run]:
        yield from words_of(element.text, face)
        for child in element:
            yield from self.runs_of(child, face)
            yield from words_of(child.tail, face)

    def markup(self, said: str, face: Words = PLAIN) -> Runs:
        """The runs of what a template or a caption wrote."""
        if isinstance(said, Markup):
            return tidy(self.inner(fragment(said), face))
        return tidy(words_of(unbroken(said), face))


def _runs_of_thing(thing: Any, face: Words) -> Iterator[Run]:
    match thing:
        case Number():
            yield number(thing, face)
        case page.Numbers(row):
            yield from numbers(row, face)
        case page.Formula(latex, alt, display):
            yield formula(latex, alt, display)


def number(n: Number, face: Words = PLAIN) -> Run:
    if not n.blank:
        return Printed(n.cell, n.text, face.bold, n.changed)
    accepted = n.accepted.replace(" bis ", "…") if n.text else ""
    return Blank(n.cell, n.places, n.text, accepted, n.changed)


def numbers(row: Sequence[Number], face: Words = PLAIN) -> Iterator[Run]:
    """Side by side in brackets."""
    yield from words_of("(", face)
    for place, n in enumerate(row):
        if place:
            yield from words_of("\N{NO-BREAK SPACE}| ", face)
        yield number(n, face)
    yield from words_of(")", face)


@lru_cache(maxsize=1_000)
def formula(latex: str, alt: str | None, display: bool) -> Formula:
    said = Typesetter("screen").set(latex, alt, display)
    mathml = fromstring(_ENTITY.sub(lambda entity: unescape(entity[0]), said))
    return Formula(source(latex.replace(ROOM, "")), mathml, display)


_BEFORE_A_FACTOR: Final = re.compile(r"[·+−]\s$|[\d)]\s*:\s$")
_AFTER_A_FACTOR: Final = re.compile(r"\s·\s")


def is_factor(runs: Sequence[Run], place: int) -> bool:
    """Whether a run is part of a product, sum or quotient, where a negative number stands in brackets."""
    around = (runs[n] if 0 <= n < len(runs) else None for n in (place - 1, place + 1))
    before, after = (each.text if isinstance(each, Words) else "" for each in around)
    return bool(_BEFORE_A_FACTOR.search(before) or _AFTER_A_FACTOR.match(after))


def bracketed(runs: Sequence[Run]) -> Runs:
    """The numbers that fill blanks in brackets where they need them."""
    return tuple(
        replace(run, text=f"({run.text})")
        if isinstance(run, Blank) and run.text.startswith("\N{MINUS SIGN}") and is_factor(runs, n)
        else run
        for n, run in enumerate(runs)
    )


def face_in(element: Element, face: Words) -> Words:
    """How text in an element is set. face: around it."""
    classes = element.get("class", "").split()
    if element.tag in ("b", "strong") or "value" in classes:
        return replace(face, bold=True, mark="changed" if "changed" in classes else face.mark)
    if element.tag in ("i", "em"):
        return replace(face, italic=True)
    if element.tag == "sub":
        return replace(face, level="sub")
    if element.tag == "sup":
        return replace(face, level="sup")
    return replace(face, mark="small") if element.tag == "small" else face


def words_of(text: str | None, face: Words) -> Iterator[Words]:
    if text:
        yield replace(face, text=text)


def tidy(runs: Iterable[Run]) -> Runs:
    """White space as a browser shows it: one space between words, none at the ends; like faces joined."""
    out: list[Run] = []
    for run in runs:
        if not isinstance(run, Words):
            if isinstance(run, Break):
                _end_line(out)
            out.append(run)
            continue
        text = _SPACES.sub(" ", run.text).replace("\N{FIGURE SPACE}", "")  # sets commas below each other
        before = out[-1] if out else Break()
        ended = isinstance(before, Break) or (isinstance(before, Words) and before.text.endswith(" "))
        if ended:
            text = text.removeprefix(" ")
        if text and isinstance(before, Words) and replace(before, text="") == replace(run, text=""):
            out[-1] = replace(before, text=before.text + text)
        elif text:
            out.append(replace(run, text=text))
    _end_line(out)
    while out and isinstance(out[-1], Break):
        out.pop()
    return tuple(out)


def _end_line(out: list[Run]) -> None:
    last = out[-1] if out else None
    if isinstance(last, Words) and last.text.endswith(" "):
        text = last.text.removesuffix(" ")
        out[-1:] = [replace(last, text=text)] if text else []


def plain(element: Element) -> str:
    return _SPACES.sub(" ", "".join(element.itertext())).replace("\N{FIGURE SPACE}", "").strip(" ")


def is_left_out(element: Element) -> bool:
    return element.tag in _LEFT_OUT or element.get("as") in _LEFT_OUT_PARTS
