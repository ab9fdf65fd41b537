"""What is known of a laid out document: its pages as operators, what stands where, what may be lacking."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Final

from generator.output.markup import tag_name, text_of
from generator.output.shared.flows import Flow
from generator.output.shared.metrics import Fonts

Operators = list[bytes]
_REPEATED: Final = frozenset({"title", "h1", "h2", "h3", "h4", "h5", "h6"})


@dataclass(frozen=True)
class TextSlot:
    """A text as drawn: places of its operators on the page, and where it stands."""

    page: int
    matrix: int
    shown: tuple[int, ...]
    line: int
    x: float
    y: float
    text: str


@dataclass(frozen=True)
class PictureSlot:
    """A picture as drawn: places of its operators, where it stands, how large, in which size of text."""

    page: int
    clip: int
    matrix: int
    scale: int
    outlines: int
    x: float
    y: float
    width: float
    height: float
    font_size: float
    element: int  # the number of its structure element


@dataclass(frozen=True)
class FigureSlot:
    """A figure as drawn: its operators from begin to end, where it stands, CSS px to a unit, its XObjects."""

    page: int
    begin: int
    end: int
    x: float
    y: float
    scale: float
    width: float
    height: float
    element: int
    parts: tuple[int, ...]


@dataclass(frozen=True)
class AreaSlot:
    """A painted rectangle: places of its operators (rectangles, filling), and its sides."""

    page: int
    rectangles: tuple[int, ...]
    fill: int
    x: float
    y: float
    width: float
    height: float


@dataclass
class Captured:
    """A laid out document taken apart.

    tokens: its HTML; parents: of each token the tag around it; ends: of each tag the tag that ends it;
    bookmarks: heading -> number of its entry. flows: of each block; slots: (flow, token) -> its texts as
    drawn; flows_of: token -> the flows it stands in; flows_in: box in a line -> the flows in it.
    widths: of pictures and boxes in lines, with their margins; atoms: flow -> item -> where it begins.
    shrinking: boxes as wide as what they hold; framed: boxes with a frame or background. areas: of bars and
    shades. heads: of each picture's structure element, what comes before its place and words. weights: the
    font of normal and of bold text. shown: of each optional tag, page and place of its texts' operators.
    """

    tokens: list[str]
    parents: dict[int, int] = field(default_factory=dict)
    pages: list[Operators] = field(default_factory=list)
    flows: list[Flow] = field(default_factory=list)
    slots: dict[tuple[int, int], list[TextSlot]] = field(default_factory=dict)
    flows_of: dict[int, tuple[int, ...]] = field(default_factory=dict)
    flows_in: dict[int, tuple[int, ...]] = field(default_factory=dict)
    widths: dict[int, float] = field(default_factory=dict)
    atoms: dict[int, dict[int, float]] = field(default_factory=dict)
    shrinking: set[int] = field(default_factory=set)
    framed: set[int] = field(default_factory=set)
    pictures: dict[int, PictureSlot] = field(default_factory=dict)
    figures: dict[int, FigureSlot] = field(default_factory=dict)
    areas: dict[int, AreaSlot] = field(default_factory=dict)
    shown: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    ends: dict[int, int] = field(default_factory=dict)
    bookmarks: dict[int, int] = field(default_factory=dict)
    heads: dict[int, bytes] = field(default_factory=dict)
    weights: tuple[str, str] = ("", "")
    fonts: Fonts = field(default_factory=Fonts)

    @cached_property
    def optional(self) -> list[tuple[int, str]]:
        """The tags that a document may lack, and their classes."""
        tags = ((place, optional(self.tokens[place])) for place in range(1, len(self.tokens), 2))
        return [(place, kind) for place, kind in tags if kind]

    @cached_property
    def repeated(self) -> dict[int, int]:
        """Text -> the title or heading that it stands in: what a PDF repeats elsewhere."""
        tags = (i for i in range(1, len(self.tokens), 2) if tag_name(self.tokens[i]) in _REPEATED)
        return {text: tag for tag in tags for text in range(tag + 1, self.ends[tag], 2)}

    def heading(self, tag: int, tokens: Sequence[str]) -> str:
        """A heading's text, as bookmarks repeat it. tokens: of this document or a sharing one."""
        text = "".join(text_of(tokens[i]) for i in range(tag + 1, self.ends[tag], 2))
        return re.sub("[ \t\n]+", " ", text).strip(" ")

    @cached_property
    def depths(self) -> list[int]:
        """How many boxes in lines each flow stands in.

        A box whose content is left as it is belongs to the flow in it as well: each box counts once.
        """
        return [self._depth(flow) for flow in range(len(self.flows))]

    def _depth(self, flow: int) -> int:
        seen: set[int | None] = {None}
        deep, flows = 0, {flow}
        while boxes := {self.flows[each].inside for each in flows} - seen:
            seen |= boxes
            flows = {outer for box in boxes if box is not None for outer in self.flows_of.get(box, ())}
            deep += 1
        return deep

    def register(self, token: int, flow: int) -> None:
        """A token stands in a flow."""
        flows = self.flows_of.get(token, ())
        if flow not in flows:
            self.flows_of[token] = (*flows, flow)


def numbers(*values: float) -> bytes:
    """Numbers as PDF writes them."""
    return b" ".join(map(_number, values))


@lru_cache(maxsize=10_000)
def _number(value: float) -> bytes:
    # + 0.0: −0 is remembered as 0
    return f"{value + 0.0:.6f}".rstrip("0").rstrip(".").encode("ascii")


_OPTIONAL: Final = re.compile(r'<\w+ class="(value|accepted|expected|gauge|rule|pupil)\b')


class NotShared(Exception):  # noqa: N818
    """The document has another layout."""


@lru_cache(maxsize=10_000)
def optional(tag: str) -> str:
    """The class of an element that a document may lack; "" for all others."""
    found = _OPTIONAL.match(tag)
    return found[1] if found else ""


def aligned(found: Captured, tokens: list[str]) -> tuple[list[str], list[int]]:
    """The document's tokens, each in the place that it has in the layout; and the tags that it lacks.

    In the places of what it lacks the layout's own tokens stand. Raises NotShared.
    """
    placed: list[str] = []
    lacking: list[int] = []
    there = 0  # in the document
    for tag, kind in found.optional:
        if tag < len(placed):
            continue  # in what is lacking
        before, there = there, there + tag - len(placed)
        placed += tokens[before:there]
        if there >= len(tokens):
            break
        if (optional(tokens[there]), tag_name(tokens[there])) != (kind, tag_name(found.tokens[tag])):
            lacking.append(tag)
            after = found.ends[tag] + 2
            placed += found.tokens[tag:after]
            if placed[-1].strip():
                raise NotShared("text after what is lacking")
    placed += tokens[there:]
    if len(placed) != len(found.tokens):
        raise NotShared("other tags")
    return placed, lacking


Shift = tuple[float, float]  # to the right and down, CSS px
Edit = tuple[int, int, bytes]  # page, place on it, operator


GAUGE: Final = re.compile(r'<span class="gauge" style="width:(\d+)%">')
_HALF: Final = '<span class="gauge" style="width:50%">'
_VIEW: Final = re.compile(r"\b(worksheet|key)( both)?\b")


def canonical(html: str) -> str:
    """The HTML as it is laid out to be shared: every bar has something to write over."""
    return GAUGE.sub(_HALF, html)


def of_either(body: str) -> str:
    """The tag of a page's body, be it the worksheet's or the key's."""
    return _VIEW.sub("", body)
