"""A page as its templates make it: a tree of what they write, in which the sheet's objects stand.

A template writes prose; of a number, a table, a formula or a picture it writes an element that names the
object (`Objects.put`). All that is read once. What a page is written as (`output/html.py`, `output/formats`)
and what it asks (`record.py`) are walks over the tree. An element may also say

- `as`: what it is to who asks what is to be done: wording, expected, check, aside, row, leaf
- `only`: the one medium that it is written for; `tags`: the one that its tags are written for
- `pdf-…`, `screen-…`: an attribute for one medium.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from markupsafe import Markup, escape

from generator.basics.greek import GREEK_LETTERS
from generator.sheet.fields import PageFormat
from generator.sheet.sheet import Number, Row, Solution, Station, Table, Task, Words

NAMED: Final = "o"  # the attribute that names an object, and an element that is nothing beside it
_EMPTY_ELEMENT: Final = re.compile(r"<(br|col|hr|img|meta)\b([^>]*?)/?>")
_ENTITIES: Final = {"&nbsp;": "\N{NO-BREAK SPACE}", "&shy;": "\N{SOFT HYPHEN}"}  # all others are XML's too
_IN_A_SUM: Final = re.compile(r"\+ (?<=[\d)>] \+ )(?=[\d(<\N{MINUS SIGN}])")


@dataclass(frozen=True)
class Formula:
    """alt: how it is read aloud, by default made from the LaTeX. display: in a line of its own."""

    latex: str
    alt: str | None = None
    display: bool = False


@dataclass(frozen=True)
class Numbers:
    """Side by side in brackets. whole: on one line."""

    row: tuple[Number, ...]
    whole: bool = False


@dataclass(frozen=True)
class Grid:
    """A table with the heads of its columns, the first one's too.

    pads: what stands before each number of each cell. asked_by: a task that comes later.
    """

    table: Table
    heads: tuple[Markup, ...]
    caption: str = ""
    pads: Sequence[Sequence[Sequence[str]]] = ()
    asked_by: Task | None = None

    @property
    def asks(self) -> bool:
        """Whether a number is to be written in it."""
        return any(isinstance(cell, Number) and cell.blank for row in self.table.rows for cell in row.cells)


@dataclass(frozen=True)
class Slots:
    """A row to fill in boxes below its table."""

    row: Row
    heads: tuple[Markup, ...]


@dataclass(frozen=True)
class Room:
    """Room to write a solution; label: what it is the solution of."""

    solution: Solution
    label: str | Markup


@dataclass(frozen=True)
class Answer:
    """Room for an answer in words."""

    lines: int


@dataclass(frozen=True)
class Heading:
    """Of a station: its sign and its title."""

    badge: str
    title: str


@dataclass(frozen=True)
class Sides:
    """Of a lesson: the ids with which its pages begin and end, and where the lesson before it ended."""

    first: str
    last: str
    had: str = ""


class Objects:
    """What the pages of a sheet show; they may quote each other."""

    def __init__(self) -> None:
        self._all: list[Any] = []
        self._formulas: dict[Formula, Markup] = {}

    def put(self, thing: object) -> Markup:
        """The attribute by which an element of the page stands for this object of the sheet."""
        self._all.append(thing)
        return _markup(f'{NAMED}="{len(self._all) - 1}"')

    def formula(self, latex: str, alt: str | None = None) -> Markup:
        """A formula within a line of text."""
        return self._formula(Formula(latex, alt))

    def displayed(self, latex: str, alt: str | None = None) -> Markup:
        return Markup(f'<div class="formula">{self._formula(Formula(latex, alt, display=True))}</div>')

    def _formula(self, formula: Formula) -> Markup:
        if formula not in self._formulas:
            self._formulas[formula] = _markup(f"<o {self.put(formula)}/>")
        return self._formulas[formula]

    def of(self, element: Element) -> Any:
        """The object of the sheet that an element stands for; None where it is prose."""
        place = element.get(NAMED)
        return None if place is None else self._all[int(place)]


def _markup(text: str) -> Markup:
    return str.__new__(Markup, text)


@dataclass
class Part:
    """A station of a page that is being made."""

    station: Station
    root: Element
    heading: Heading


@dataclass
class Page:
    """root: of the whole document. parts: its stations."""

    objects: Objects
    format: PageFormat
    parts: list[Part] = field(default_factory=list)
    root: Element = field(default_factory=lambda: Element("html"))
    said: set[str] = field(default_factory=set)

    def first(self, what: str) -> bool:
        """Whether the page says this for the first time."""
        new = what not in self.said
        self.said.add(what)
        return new

    def users_of_signs(self, here: str) -> Callable[[Iterable[str]], list[str]]:
        """Who uses one of some signs: stations so far, "" for the markup here; no answer of a key counts."""
        roots = [*((part.station.id, part.root) for part in self.parts), ("", fragment(here))]
        used = {name: set[str]().union(*map(signs_in, self._formulas_in(root))) for name, root in roots}
        return lambda signs: [name for name, found in used.items() if not found.isdisjoint(signs)]

    def _formulas_in(self, element: Element) -> Iterator[str]:
        if element.get("as") == "expected":
            return
        thing = self.objects.of(element)
        if isinstance(thing, Formula):
            yield thing.latex
        for head in thing.heads if isinstance(thing, Grid | Slots) else ():
            yield head
            if "<" in head:
                yield from self._formulas_in(fragment(head))
        for child in element:
            yield from self._formulas_in(child)

    def station(self, station: Station, markup: str) -> Part:
        """A station with all that its template wrote."""
        root = parsed(f"<o>{markup}</o>")
        found = (self.objects.of(element) for element in root.iter("h1"))
        heading = next((each for each in found if isinstance(each, Heading)), Heading(station.id, station.id))
        self.parts.append(Part(station, root, heading))
        return self.parts[-1]

    def finish(self, markup: str) -> None:
        """The whole document; its stations stand where it names them."""
        self.root = parsed(markup.partition("<!doctype html>")[2])
        for element in list(self.root.iter("o")):
            if isinstance(part := self.objects.of(element), Part):
                element.append(part.root)


@lru_cache(maxsize=500)
def fragment(markup: str) -> Element:
    """A piece of markup; it is not to be changed."""
    return parsed(f"<o>{markup}</o>")


def inner(element: Element) -> Markup:
    """What stands in an element, as a template would write it."""
    parts = (ElementTree.tostring(child, "unicode") for child in element)
    return Markup("".join([escape(element.text or ""), *parts]).strip())


def parsed(markup: str) -> Element:
    """What a template wrote; no line of it ends with + in a sum or begins with ≈."""
    markup = _EMPTY_ELEMENT.sub(r"<\1\2/>", markup)
    for entity, sign in _ENTITIES.items():
        markup = markup.replace(entity, sign)
    return ElementTree.fromstring(unbroken(markup))


def unbroken(markup: str) -> str:
    """No line ends with + in a sum or begins with ≈."""
    *before, last = _IN_A_SUM.sub("+\N{NO-BREAK SPACE}", markup).split("≈")
    joined = (part.rstrip() + "\N{NO-BREAK SPACE}" if part[-1:].isspace() else part for part in before)
    return "≈".join([*joined, last])


def lines_of(element: Element) -> list[str]:
    """The text of an element, cut where it breaks."""
    parts = [element.text or ""]
    for child in element:
        if child.tag == "br":
            parts.append("")
        else:
            parts[-1] += "".join(child.itertext())
        parts[-1] += child.tail or ""
    return [" ".join(part.split()) for part in parts]


def name_of_row(row: Row) -> str:
    """What a row is called; where rows only have numbers, the word beside it is its name."""
    said = plain(row.head).rstrip(":")
    first = row.cells[0] if row.cells else None
    if said.isdigit() and (isinstance(first, Words) or (isinstance(first, Number) and not first.blank)):
        return first.text or said
    return said


@lru_cache(maxsize=500, typed=True)
def plain(markup: str) -> str:
    """The text of what a page prints, without tags."""
    return "".join(fragment(markup).itertext()).strip() if isinstance(markup, Markup) else markup.strip()


def only_formula(element: Element, objects: Objects) -> Formula | None:
    """The formula that an element holds, if it holds nothing else."""
    inside = list(element)
    if len(inside) != 1 or f"{element.text or ''}{inside[0].tail or ''}".strip():
        return None
    found = objects.of(inside[0])
    return found if isinstance(found, Formula) else None


# --- Which signs stand in a formula: those of LaTeX, read as a person reads them.

_NUMBERS: Final = re.compile(r"\\begin\{pmatrix\}.*?\\end\{pmatrix\}", re.DOTALL)
_WHOLE: Final = {  # what is read as one sign
    r"^{\mathsf{T}}": r"\transposed ",
    r"_{\mathrm{ff}}": "_ff",
    r"_{\mathrm{model}}": "",
    r"_{\mathrm{neu}}": "",
    r"\mathit{pos}": r"\pos ",
    r"\tilde{s}": r"\tilde ",
    r"\hat{x}": r"\hat ",
    r"\bar{a}": "a",
    "e^": r"\exp ",
}
_FUNCTION: Final = re.compile(r"\\(?:mathrm|text)\{[^}]*\}")
_LETTER: Final = re.compile(r"(\\?[a-z]{2,}|[A-Za-z])\s*(?:_\{?(\w+))?")
_NAMED_BY_INDEX: Final = {"W_Q", "W_K", "W_V", "W_O", "W_1", "W_2", "d_k", "d_ff", "p_r"}
_PLACES: Final = "ijm"  # indices that are signs of their own
_COMMANDS: Final = {
    "\\" + name
    for name in (*GREEK_LETTERS, "varphi", "transposed", "pos", "tilde", "hat", "exp", "partial", "sum")
}
_IN_HEADING: Final = re.compile("<i>([A-Za-z])</i>")


@lru_cache(maxsize=500, typed=True)
def signs_in(formula: str) -> set[str]:
    """The signs of LaTeX, or of a heading in which letters are <i>: of p_i the p and the i, W_Q as it is."""
    if isinstance(formula, Markup):
        return set(_IN_HEADING.findall(formula))
    formula = _NUMBERS.sub("", formula)
    for name, sign in _WHOLE.items():
        formula = formula.replace(name, sign)
    signs: set[str] = set()
    for letter, index in _LETTER.findall(_FUNCTION.sub("", formula)):
        if len(letter) > 1 and letter not in _COMMANDS:
            continue
        whole = f"{letter}_{index}"
        signs |= {whole} if whole in _NAMED_BY_INDEX else {letter, *(set(index) & set(_PLACES))}
    return signs
