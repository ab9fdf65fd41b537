"""Station 3: the curves of the positional encoding, and its pairs of sine and cosine as hands of clocks."""

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.forward.forward import alternating, angles
from generator.basics.numbers import NumberFormat
from generator.figures.drawing import DASHES, MARKERS, Canvas, Point
from generator.figures.parts import WordRow, figure_of, legend, quoted, subscript, value
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH
from generator.sheet.sheet import Drawing, Figure

NAME: Final = "positional_encoding"
_LEFT: Final = 12.0
_PLOT: Final = 18.0  # mm from −1 to 1
_LEGEND: Final = 6.5
_PANEL: Final = _LEGEND + _PLOT + 2.5
_MOST: Final = 4  # components
_DASHED: Final = 6.5  # mm, two whole dashes of the second curve and their gap
_STEPS: Final = 12  # of a curve from one position to the next
_LARGEST: Final = 6.0  # mm, radius
_ROWS: Final = 2  # pairs that are drawn: the first and the last


def position_curves(desk: Desk, labels: Sequence[str], withheld: Collection[int]) -> Figure:
    """The first components over the positions, a plot for each pair.

    labels: the formula of each component, e.g. sin(pos : 100).
    """
    shown = min(len(labels), _MOST)
    pairs = [range(c, min(c + 2, shown)) for c in range(0, shown, 2)]
    pitch, centres = _columns(desk)
    words = WordRow(desk.words, [pitch] * desk.n)
    entries = [f"Komponente {c + 1}: {labels[c]}" for c in range(shown)]
    foot = len(pairs) * _PANEL

    def draw(tokens: Collection[int]) -> Drawing:
        canvas = Canvas()
        for k, pair in enumerate(pairs):
            top = k * _PANEL
            own = [entries[c] for c in pair]
            legend(canvas, (_LEFT, top), own, _sample, TEXT_WIDTH - _LEFT)
            _plot(canvas, desk, pair, tokens, centres, top + _LEGEND)
        for place, x in enumerate(centres):
            canvas.text((x, foot + 2.2), str(place), anchor="middle")
        canvas.text((_LEFT - 1.2, foot + 2.2), "pos", anchor="end")
        words.draw(canvas, foot + 3.2, centres)
        return Drawing(canvas.shapes, _in_words(desk, entries, tokens))

    title = "Kurven des Positional Encoding"
    return figure_of(title, foot + 4.0 + words.height, draw, withheld, desk.n)


def _columns(desk: Desk) -> tuple[float, list[float]]:
    """The room of a position and the middles of all: the same for curves and clocks."""
    pitch = (TEXT_WIDTH - _LEFT - 4.0) / desk.n
    return pitch, [_LEFT + (i + 0.5) * pitch for i in range(desk.n)]


def _plot(
    canvas: Canvas, desk: Desk, pair: range, tokens: Collection[int], centres: Sequence[float], top: float
) -> None:

    def height_of(share: float) -> float:
        return top + (1 - share) * _PLOT / 2

    for tick in (-1.0, 0.0, 1.0):
        y = height_of(tick)
        canvas.line((_LEFT, y), (TEXT_WIDTH - 4, y), 0.3 if tick == 0 else 0.2)
        canvas.text((_LEFT - 1.2, y + 1), desk.constant(tick, 0), anchor="end")
    for x in centres:
        canvas.line((x, height_of(1)), (x, height_of(-1)), 0.2)
    for k, c in enumerate(pair):
        canvas.path(_curve(desk, c, centres, height_of), 0.35, DASHES[k])
    for k, c in enumerate(pair):
        for token in tokens:
            canvas.marker(MARKERS[k], (centres[token], height_of(value(desk, NAME, token, c))))


def _sample(canvas: Canvas, k: int, at: Point) -> None:
    middle, half = at[0] + 4, _DASHED / 2
    canvas.line((middle - half, at[1]), (middle + half, at[1]), 0.35, DASHES[k])
    canvas.marker(MARKERS[k], (middle, at[1]))


def _curve(desk: Desk, c: int, centres: Sequence[float], height_of: Callable[[float], float]) -> list[Point]:
    position = np.arange(0, (desk.n - 1) * _STEPS + 1) / _STEPS
    angle = position[:, None] * angles(2, desk.sizes.d_model)[1]  # (steps, d_model)
    heights = alternating(np.sin(angle), np.cos(angle))[:, c]  # (steps,)
    pitch = (centres[-1] - centres[0]) / max(1, desk.n - 1)
    return [
        (centres[0] + pitch * float(x), height_of(float(y))) for x, y in zip(position, heights, strict=True)
    ]


def _in_words(desk: Desk, entries: Sequence[str], tokens: Collection[int]) -> str:
    places = desk.quantity(NAME).places
    lines = []
    for c, entry in enumerate(entries):
        points = (
            f"{quoted(desk.words[i])} (Position {i}) {desk.constant(value(desk, NAME, i, c), places)}"
            for i in tokens
        )
        lines.append(f"{entry}: " + ", ".join(points))
    return "; ".join(lines) + "."


def position_clocks(desk: Desk, withheld: Collection[int]) -> Figure:
    """A clock for each word, once for the first and once for the last pair; its hand begins at 12 o'clock.

    The sine is how far the hand points to the right, the cosine how far up.
    """
    d = desk.sizes.d_model // 2 * 2
    shown = [0, d - 2][: min(_ROWS, d // 2)]
    pitch, centres = _columns(desk)
    radius = min(_LARGEST, pitch / 2 - 0.6)
    words = WordRow(desk.words, [pitch] * desk.n)
    step = 2 * radius + 2.4

    def draw(tokens: Collection[int]) -> Drawing:
        canvas, said = Canvas(), []
        for row, first in enumerate(shown):
            y = radius + 0.6 + row * step
            pair = f"PE{subscript(first + 1)}, PE{subscript(first + 2)}"
            canvas.text((_LEFT - 1.2, y + 1.0), pair, 2.6, "end")
            for token, x in enumerate(centres):
                canvas.circle((x, y), radius, 0.3)
                canvas.line((x, y - radius), (x, y - 0.8 * radius), 0.3)
                if token in tokens:
                    sine, cosine = (value(desk, NAME, token, c) for c in (first, first + 1))
                    canvas.arrow(
                        [(x, y), (x + 0.92 * radius * sine, y - 0.92 * radius * cosine)], 0.6, radius / 4
                    )
            said.append(f"{pair}: " + ", ".join(_turn(desk, token, first) for token in tokens))
        words.draw(canvas, len(shown) * step, centres)
        return Drawing(canvas.shapes, "; ".join(said) + ".")

    return figure_of("Zeiger zu jedem Platz", len(shown) * step + words.height, draw, withheld, desk.n)


def _turn(desk: Desk, token: int, first: int) -> str:
    sine, cosine = (value(desk, NAME, token, c) for c in (first, first + 1))
    return f"{quoted(desk.words[token])} {math.degrees(math.atan2(sine, cosine)) % 360:.0f}°"


# --- The divisors that the angles are worked out with.


_MOST_PLACES: Final = 9
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class PositionDivisors:
    """One divisor for each component; the angles pos : divisor, in radians, have at most `angle_places`."""

    divisors: tuple[Decimal, ...]
    angle_places: int
    format: NumberFormat

    def text(self, component: int) -> str:
        return self.format.text(self.divisors[component], None)

    def angle_text(self, position: int, component: int) -> str:
        return self.format.text(self._angle(position, component), None)

    def is_exact(self, position: int, component: int) -> bool:
        return self._angle(position, component) * self.divisors[component] == position

    def _angle(self, position: int, component: int) -> Decimal:
        unit = Decimal(1).scaleb(-self.angle_places)
        return (Decimal(position) / self.divisors[component]).quantize(unit, ROUND_HALF_UP)


def divisors_of(desk: Desk) -> PositionDivisors:
    """The divisors of the desk's model."""
    d_model = desk.sizes.d_model
    true = 1 / angles(2, d_model)[1]  # (d_model,)
    written = desk.quantity("positional_encoding")
    position = np.arange(desk.n)[:, None]  # (n, 1)
    unit = 10.0 ** (written.places or 0)

    def agrees(angle: Floats) -> bool:
        value = alternating(np.sin(angle), np.cos(angle)) * unit  # (n, d_model)
        half_up = np.sign(value) * np.floor(np.abs(value) + 0.5)
        return bool(np.array_equal(half_up, np.rint(written.values * unit)))

    places = _first(lambda p: agrees(position / np.round(true, p)))
    divisors = np.round(true, places)
    angle_places = _first(lambda p: agrees(np.round(position / divisors, p)))
    return PositionDivisors(
        tuple(Decimal(repr(float(d))).normalize() for d in divisors), angle_places, desk.format
    )


def _first(enough: Callable[[int], bool]) -> int:
    return next((p for p in range(1, _MOST_PLACES) if enough(p)), _MOST_PLACES)
