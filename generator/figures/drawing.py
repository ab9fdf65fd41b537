"""Lengths in mm and words go in; SVG shapes in black and white come out, escaped and ready for a page.

What stands for a value is told apart by line style, line width and hatching, never by colour or grey, so that
a copy of a copy still reads.
"""

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, Literal

from markupsafe import Markup, escape

from generator.basics.fonts import printable

Pattern = Literal["white", "black", "/", "\\", "x", "-", "|", "+"]
Marker = Literal["disc", "square", "triangle", "diamond"]
Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]

SERIES: Final[tuple[Pattern, ...]] = ("white", "/", "black", "-", "x", "|", "\\", "+")
COPIED_TWICE: Final = 0.4  # mm; a thinner line fades in a light copy of a copy
DASHES: Final = ("", "2.6 1.3", "0.5 1.1", "4 1.1 0.5 1.1")
MARKERS: Final[tuple[Marker, ...]] = ("disc", "square", "triangle", "diamond")
_QUARTER: Final = 0.5522847498  # of the radius: how far the control points of a quarter circle stand
_SPLIT: Final = 0.6  # mm, of a thread with a white edge
TEXT_SIZE: Final = 3.0  # mm, 8.5 pt
_NARROW: Final = frozenset("iljtfrI.,;:!|()'„“ \N{NO-BREAK SPACE}")
_WIDE: Final = frozenset("mwMWÄÖÜ@%—…")


class Canvas:
    """Shapes drawn one over the other on a sheet whose top left corner is (0, 0)."""

    def __init__(self) -> None:
        self._shapes: list[str] = []

    @property
    def shapes(self) -> Markup:
        return Markup("".join(self._shapes))

    def line(
        self, start: Point, end: Point, width: float = 0.25, dash: str = "", *, white: bool = False
    ) -> None:
        self._stroke(f"M{_pair(start)}L{_pair(end)}", width, dash, white=white)

    def lines(self, ends: Iterable[tuple[Point, Point]], width: float) -> None:
        """Many straight lines as one shape, which is laid out faster."""
        self._stroke("".join(f"M{_pair(start)}L{_pair(end)}" for start, end in ends), width)

    def path(self, points: Iterable[Point], width: float = 0.3, dash: str = "") -> None:
        """A polyline."""
        self._stroke("M" + "L".join(f"{_mm(x)} {_mm(y)}" for x, y in points), width, dash)

    def leader(self, start: Point, end: Point) -> None:
        """From a label to what it names, with a white edge that shows on black too."""
        self.line(start, end, 0.6, white=True)
        self.line(start, end, 0.2)

    def half_circle(self, middle: Point, radius: float) -> None:
        """Above its middle, dashed."""
        (x, y), k = middle, radius * _QUARTER
        left = f"{_pair((x - radius, y))}C{_pair((x - radius, y - k))} {_pair((x - k, y - radius))} "
        right = f"{_pair((x + k, y - radius))} {_pair((x + radius, y - k))} {_pair((x + radius, y))}"
        self._stroke(f"M{left}{_pair((x, y - radius))}C{right}", 0.2, "0.9 0.9")

    def arch(self, feet: Point, edge: float, rise: float, width: float, dash: str = "") -> None:
        """A line from one foot on the line at `edge` to the other, as high as `rise`."""
        start, end = feet
        top = edge - 4 / 3 * rise
        self._stroke(
            f"M{_pair((start, edge))}C{_pair((start, top))} {_pair((end, top))} {_pair((end, edge))}",
            width,
            dash,
        )

    def ribbon(self, edge: float, feet: Sequence[float], rises: Point, *, white: bool = False) -> None:
        """An arch with two feet on the line at `edge`: outer foot, outer end, inner end, inner foot.

        rises: of its outer and its inner edge; negative ones hang below the line.
        """
        (start, end, back, home), (outer, inner) = feet, (edge - 4 / 3 * rise for rise in rises)
        path = "".join(
            (f"M{_pair((start, edge))}C{_pair((start, outer))} {_pair((end, outer))} {_pair((end, edge))}",
             f"L{_pair((back, edge))}C{_pair((back, inner))} {_pair((home, inner))} {_pair((home, edge))}Z")
        )  # fmt: skip
        edge_colour, wide = ("#000", "0.25") if white else ("#fff", "0.4")
        self._add('<path d="{}" fill="#fff" stroke="{}" stroke-width="{}"/>', path, edge_colour, wide)
        if not white:
            self._add('<path d="{}" fill="#000"/>', path)

    def arrow(self, points: Sequence[Point], width: float = 0.35, head: float = 1.4, dash: str = "") -> None:
        """A polyline with a head at its end."""
        self.path(points, width, dash)
        (x1, y1), (x2, y2) = points[-2:]
        length = math.hypot(x2 - x1, y2 - y1) or 1.0
        along, across = ((x2 - x1) / length, (y2 - y1) / length), (-(y2 - y1) / length, (x2 - x1) / length)
        back = (x2 - head * along[0], y2 - head * along[1])
        self.path(
            [(back[0] + side * 0.6 * head * across[0], back[1] + side * 0.6 * head * across[1])
             if side else (x2, y2) for side in (1, 0, -1)],
            width,
        )  # fmt: skip

    def circle(self, at: Point, radius: float, width: float = 0.3, *, filled: bool = False) -> None:
        self._add(
            '<circle cx="{}" cy="{}" r="{}" fill="{}" stroke="#000" stroke-width="{}"/>',
            _mm(at[0]), _mm(at[1]), _mm(radius), "#000" if filled else "#fff", _mm(width),
        )  # fmt: skip

    def rectangle(
        self, corner: Point, size: Point, pattern: Pattern = "white", gap: float = 1.1, width: float = 0.25
    ) -> None:
        """A frame from its top left corner, filled with a pattern whose lines are `gap` apart."""
        (x, y), (w, h) = corner, size
        fill = "#000" if pattern == "black" else "#fff"
        box = f"M{_mm(x)} {_mm(y)}h{_mm(w)}v{_mm(h)}h{_mm(-w)}z"
        if pattern not in ("white", "black"):
            self._add('<path d="{}" fill="#fff"/>', box)
            self._stroke(hatching(corner, size, pattern, gap), 0.22)
            fill = "none"
        self._add('<path d="{}" fill="{}" stroke="#000" stroke-width="{}"/>', box, fill, _mm(width))

    def thread(self, start: Point, end: Point, wide: float) -> None:
        """A band from one upper corner to another further right, `wide` mm high at both ends."""
        (x, y), (u, v) = start, end
        turn = (x + u) / 2
        above = f"M{_pair((x, y))}C{_pair((turn, y))} {_pair((turn, v))} {_pair((u, v))}"
        y, v = y + wide, v + wide
        below = f"L{_pair((u, v))}C{_pair((turn, v))} {_pair((turn, y))} {_pair((x, y))}Z"
        if wide >= _SPLIT:  # so that threads are told apart where they cross
            self._stroke(above + below, 0.5, white=True)
        self._add('<path d="{}" fill="#000"/>', above + below)

    def blank(self, corner: Point, size: Point) -> None:
        """White over what is below, to write on."""
        (x, y), (w, h) = corner, size
        self._add('<path d="{}" fill="#fff"/>', f"M{_mm(x)} {_mm(y)}h{_mm(w)}v{_mm(h)}h{_mm(-w)}z")

    def disc(self, at: Point, radius: float) -> None:
        """Black with a white edge, so that it is told from one below it."""
        x, y = map(_mm, at)
        self._add('<circle cx="{}" cy="{}" r="{}" fill="#fff"/>', x, y, _mm(radius + 0.3))
        self._add('<circle cx="{}" cy="{}" r="{}" fill="#000"/>', x, y, _mm(radius))

    def frame(self, corner: Point, size: Point, width: float) -> None:
        """The outline of a rectangle, not filled."""
        (x, y), (w, h) = corner, size
        self._stroke(f"M{_mm(x)} {_mm(y)}h{_mm(w)}v{_mm(h)}h{_mm(-w)}z", width)

    def marker(self, kind: Marker, at: Point) -> None:
        x, y = (_mm(length) for length in at)
        outlines = {
            "square": "m-1 -1h2v2h-2z",
            "triangle": "m0 -1.4l1.3 2.3h-2.6z",
            "diamond": "m0 -1.5l1.3 1.5l-1.3 1.5l-1.3 -1.5z",
        }
        if kind == "disc":
            self._add('<circle cx="{}" cy="{}" r="1.05"/>', x, y)
        else:
            outline = f"M{x} {y}{outlines[kind]}"
            self._add('<path d="{}" fill="#fff" stroke="#000" stroke-width="0.35"/>', outline)

    def text(
        self,
        at: Point,
        words: str,
        size: float = TEXT_SIZE,
        anchor: Anchor = "start",
        *,
        turned: bool = False,
        bold: bool = False,
        white: bool = False,
    ) -> None:
        """Words on their baseline; turned, they read from below to above. white: on black."""
        x, y = (_mm(length) for length in at)
        turn = f' transform="rotate(-90 {x} {y})"' if turned else ""
        weight = ' font-weight="700"' if bold else ""
        self._add(
            '<text x="{}" y="{}" font-size="{}" text-anchor="{}"{}{}{}>{}</text>',
            x, y, _mm(size), anchor, weight, ' fill="#fff"' if white else "", turn, escape(printable(words)),
        )  # fmt: skip

    def _stroke(self, path: str, width: float, dash: str = "", *, white: bool = False) -> None:
        if path:
            dashes = f' stroke-dasharray="{dash}"' if dash else ""
            style = 'fill="none" stroke="{}" stroke-width="{}"{}'
            self._add('<path d="{}" ' + style + "/>", path, "#fff" if white else "#000", _mm(width), dashes)

    def _add(self, shape: str, *values: str) -> None:
        """Of values only words can hold a sign that is to be escaped, and `text` does it."""
        self._shapes.append(shape.format(*values))


def hatching(corner: Point, size: Point, pattern: Pattern, gap: float) -> str:
    """The lines of a pattern inside a rectangle, as one SVG path. Rectangles side by side continue it."""
    left, top = corner
    right, bottom = left + size[0], top + size[1]
    step = gap * math.sqrt(2)
    lines: list[tuple[Point, Point]] = []
    if pattern in ("/", "x"):
        for c in _multiples(step, left + top, right + bottom):
            x1, x2 = max(left, c - bottom), min(right, c - top)
            lines.append(((x1, c - x1), (x2, c - x2)))
    if pattern in ("\\", "x"):
        for c in _multiples(step, top - right, bottom - left):
            x1, x2 = max(left, top - c), min(right, bottom - c)
            lines.append(((x1, x1 + c), (x2, x2 + c)))
    if pattern in ("-", "+"):
        lines += [((left, y), (right, y)) for y in _multiples(gap, top, bottom)]
    if pattern in ("|", "+"):
        lines += [((x, top), (x, bottom)) for x in _multiples(gap, left, right)]
    return "".join(f"M{_pair(start)}L{_pair(end)}" for start, end in lines)


def text_width(words: str, size: float = TEXT_SIZE) -> float:
    """About how wide words are, rather too wide than too narrow."""
    ems = {True: 0.32, False: 0.58}
    return size * sum(
        0.92 if sign in _WIDE else 0.68 if sign.isupper() else ems[sign in _NARROW] for sign in words
    )


def shortened(words: str, room: float, size: float = TEXT_SIZE) -> str:
    """The words, cut off with … where they are wider than the room."""
    if text_width(words, size) <= room:
        return words
    while words and text_width(words + "…", size) > room:
        words = words[:-1]
    return words.rstrip() + "…"


def widest(words: Sequence[str], size: float = TEXT_SIZE) -> float:
    return max((text_width(word, size) for word in words), default=0.0)


def _pair(point: Point) -> str:
    return f"{_mm(point[0])} {_mm(point[1])}"


def _multiples(step: float, low: float, high: float) -> list[float]:
    first, last = math.floor(low / step) + 1, math.ceil(high / step)
    return [k * step for k in range(first, last)]


@lru_cache(maxsize=10_000)
def _mm(length: float) -> str:
    return f"{length:.2f}".rstrip("0").rstrip(".") if abs(length) >= 0.005 else "0"
