"""Where other text stands in a block of a laid out page, if the block stays as it is.

A flow is what one block holds in lines: texts, pictures and boxes side by side, broken at spaces. Arranged
with other numbers it has to keep its lines, or the page would not be the same; whatever is not certain here
(another number of lines, a line that only just fits, something tall on another line) gives None.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from generator.output.shared.metrics import Fonts
from generator.output.shared.pango import PICTURE, line_ends

_DIGIT: Final = re.compile("[0-9]")
_SPACES: Final = re.compile(r"[ \t\n\r\f]+")
_ENDS: Final = " \u200b…"
"""After these a line that may end is sure to; at other places (a hyphen, a picture) it is laid out anew."""
_CERTAIN: Final = 0.15  # CSS px
_AMPLE: Final = 1.0  # CSS px
_ROUNDED: Final = 1 / 1024
"""Pango rounds the advance of each sign and each kern to a whole one of these (CSS px)."""


@dataclass(frozen=True)
class Text:
    """A piece of text. token: its place in the HTML. size: CSS px. tall: it may not change its line."""

    token: int
    font: str
    size: float
    tall: bool = False


@dataclass(frozen=True)
class Atom:
    """Something in a line that is not text: a picture, a box, an edge. token: its place in the HTML."""

    token: int
    width: float
    tall: bool = True


@dataclass(frozen=True)
class Break:
    """A line ends here."""


Item = Text | Atom | Break


@dataclass(frozen=True)
class Placed:
    """What stands where: item, line, left edge (CSS px from the flow's) and the text."""

    item: int
    line: int
    x: float
    text: str = ""


@dataclass
class Flow:
    """The inline content of one block. x, width, baselines: CSS px; lines: of each item as laid out."""

    page: int
    x: float
    width: float
    align: str
    wraps: bool
    baselines: list[float]
    items: list[Item]
    lines: list[int] = field(default_factory=list)
    room: bool = False
    """Whether it may have fewer lines: it is as high either way."""
    inside: int | None = None
    """The token of the box in a line of another flow that this one stands in."""
    longest: float = -1.0
    """How wide its longest line is; less than nothing as long as that is being found out."""
    decides: bool = False
    """Whether the width of a column depends on it."""
    tight: set[str] = field(default_factory=set)
    """What just fits or just does not, as laid out, its digits as 0: other digits are as wide."""


def arrange(
    flow: Flow,
    fonts: Fonts,
    text_of: Callable[[int], str],
    width_of: Callable[[Atom], float],
) -> tuple[list[Placed], float] | None:
    """The flow with other contents: what stands where, and the width of its longest line."""
    try:
        lines = _broken(flow, fonts, text_of, width_of)
    except KeyError:
        return None  # a sign beyond the alphabet
    if lines is None or len(lines) > len(flow.baselines):
        return None
    if len(lines) < len(flow.baselines) and not flow.room:
        return None
    placed: list[Placed] = []
    longest = 0.0
    for number, line in enumerate(lines):
        pieces, total = _line(flow, line, fonts, width_of)
        longest = max(longest, total)
        room = max(0.0, flow.width - total)
        start = {"center": room / 2, "end": room, "right": room}.get(flow.align, 0.0)
        placed += [Placed(item, number, start + x, text) for item, x, text in pieces]
    if flow.lines and len(flow.baselines) > 1:
        for piece in placed:
            item = flow.items[piece.item]
            if not isinstance(item, Break) and item.tall and flow.lines[piece.item] != piece.line:
                return None
    return placed, longest


Segment = tuple[int, str]  # item and its text, "" for an atom


def _line(
    flow: Flow, line: Sequence[Segment], fonts: Fonts, width_of: Callable[[Atom], float]
) -> tuple[list[tuple[int, float, str]], float]:
    """The pieces of one line, each with its left edge, and the line's width without the space at its end."""
    merged: list[list[int | str]] = []
    for number, text in line:
        if merged and merged[-1][0] == number and text:
            merged[-1][1] = str(merged[-1][1]) + text
        else:
            merged.append([number, text])
    while merged and isinstance(flow.items[int(merged[-1][0])], Text):
        merged[-1][1] = str(merged[-1][1]).rstrip(" ")  # before U+200B a space is none at the end of the line
        if merged[-1][1]:
            break
        merged.pop()
    pieces, x = [], 0.0
    for entry in merged:
        number, text = int(entry[0]), str(entry[1])
        pieces.append((number, x, text))
        item = flow.items[number]
        if isinstance(item, Text):
            x += fonts.width(item.font, text) * item.size / 1000
        elif isinstance(item, Atom):
            x += width_of(item)
    return pieces, x


def _broken(
    flow: Flow,
    fonts: Fonts,
    text_of: Callable[[int], str],
    width_of: Callable[[Atom], float],
) -> list[list[Segment]] | None:
    texts = list(_texts(flow, text_of))
    ample = _width(flow, texts, fonts, width_of) < flow.width - _AMPLE or not flow.wraps
    if ample and not any(isinstance(item, Break) for item in flow.items):
        return [texts]
    lines: list[list[Segment]] = [[]]
    x = 0.0
    chunk: list[Segment] = []
    unsure_ends = False  # whether a line could end within the chunk
    known = flow.longest >= 0  # else the result is compared with what was laid out
    unsure = flow.wraps and known and (len(flow.baselines) > 1 or flow.width - flow.longest > _CERTAIN)

    def close() -> bool:
        """Puts the words that belong together on this line or the next; False where that is not certain."""
        nonlocal x
        if not chunk:
            return True
        number, text = chunk[-1]
        before = _width(flow, chunk[:-1], fonts, width_of)
        width = before + _width(flow, chunk[-1:], fonts, width_of)
        inked = before + _width(flow, [(number, text.rstrip(" "))], fonts, width_of)
        over = x + inked - flow.width
        if flow.wraps and abs(over) < _AMPLE and abs(over) < _rounding(lines[-1], chunk):
            said = f"{_DIGIT.sub('0', ''.join(text for _, text in (*lines[-1], *chunk)))}{over:.6f}"
            if not known:
                flow.tight.add(said)
            elif unsure and said not in flow.tight:
                return False
        if flow.wraps and lines[-1] and over > 0:
            if unsure_ends or _overhangs(flow, chunk, x, fonts, width_of):
                return False
            lines.append([])
            x = 0.0
        if flow.wraps and x + inked > flow.width + 0.01:
            return False
        lines[-1].extend(chunk)
        x += width
        chunk.clear()
        return True

    for number, text, may_end, ends in _words(flow, texts):
        if isinstance(flow.items[number], Break):
            if not close():
                return None
            lines.append([])
            x = 0.0
            continue
        unsure_ends = (unsure_ends and bool(chunk)) or may_end
        chunk.append((number, text))
        if ends and not close():
            return None
    return lines if close() else None


def _rounding(*parts: Sequence[Segment]) -> float:
    """How far Pango may be from our width of a line; one fuller or emptier by less is not decided here."""
    return (1 + sum(len(text) for part in parts for _, text in part)) * _ROUNDED


def _overhangs(
    flow: Flow, chunk: Sequence[Segment], x: float, fonts: Fonts, width_of: Callable[[Atom], float]
) -> bool:
    """Whether only the no-break space before a picture is beyond the line: WeasyPrint breaks earlier then."""
    for place, (number, text) in enumerate(chunk[:-1], 1):
        if text.endswith("\N{NO-BREAK SPACE}") and isinstance(flow.items[chunk[place][0]], Atom):
            end = x + _width(flow, chunk[:place], fonts, width_of)
            space = _width(flow, [(number, "\N{NO-BREAK SPACE}")], fonts, width_of)
            if end - space - _CERTAIN < flow.width < end + _CERTAIN:
                return True
    return False


def _width(flow: Flow, chunk: Sequence[Segment], fonts: Fonts, width_of: Callable[[Atom], float]) -> float:
    total = 0.0
    for number, text in chunk:
        item = flow.items[number]
        if isinstance(item, Text):
            total += fonts.width(item.font, text) * item.size / 1000
        elif isinstance(item, Atom):
            total += width_of(item)
    return total


def _texts(flow: Flow, text_of: Callable[[int], str]) -> Iterator[Segment]:
    """Items in order, white space collapsed."""
    after_space = True
    for number, item in enumerate(flow.items):
        text = ""
        if isinstance(item, Text):
            text = _SPACES.sub(" ", text_of(item.token))
            if after_space:
                text = text.removeprefix(" ")
            if not text:
                continue
            after_space = text.endswith(" ")
        elif isinstance(item, Break) or item.token >= 0:
            after_space = isinstance(item, Break)
        yield number, text


def _words(flow: Flow, texts: Sequence[Segment]) -> Iterator[tuple[int, str, bool, bool]]:
    """Word by word; whether a line may end in or before it, which is not sure, and whether after it."""
    said = "".join(text or _sign(flow.items[number]) for number, text in texts)
    ends = line_ends(said)
    place, sure = 0, True
    for number, text in texts:
        item = flow.items[number]
        end = place + len(text or _sign(item))
        cuts = [cut for cut in range(place + 1, end + 1) if cut in ends and said[cut - 1] in _ENDS]
        for start, stop in pairwise(sorted({place, *cuts, end})):
            inside = range(start + sure, stop)
            yield number, text[start - place : stop - place], not ends.isdisjoint(inside), stop in cuts
            sure = stop in cuts
        if place == end:
            yield number, "", False, False
        place, sure = end, sure or isinstance(item, Break)


def _sign(item: Item) -> str:
    if isinstance(item, Break):
        return "\n"
    return PICTURE if isinstance(item, Atom) and item.token >= 0 else ""
