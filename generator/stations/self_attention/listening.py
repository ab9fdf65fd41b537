"""Station 4a: one word listens to the others, as pictures in which one computes; and the same to draw oneself.

Every picture has one size whatever the numbers are, so that sheets with other numbers have the same layout.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

import numpy as np

from engine.numbers.arrays import Floats
from generator.figures.drawing import Canvas, Point, shortened, text_width
from generator.figures.labels import Box, Labels, around
from generator.figures.parts import quoted, value
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH
from generator.sheet.sheet import Drawing, Figure
from generator.stations.attention import seen_by

WIDTH: Final = 112.0  # mm, beside the words that explain it
_EDGE: Final = 3.0
_SIZE: Final = 2.8
_LONGEST: Final = 24.0  # mm, of a word
_PLANE, _FLAT_PLANE = 46.0, 19.0
_CURVE: Final = 42.0
_AXIS: Final = 7.0  # mm that the axis between plane and curve takes
_BAR: Final = 1.8
_MIX, _FLAT_MIX = 56.0, 26.0
_DISC: Final = 6.5  # mm, radius of the weight 1
_SMALLEST_DISC: Final = 0.4
_LEAST_SCALE: Final = 0.45  # a plane that would shrink the scores further is left out
_FLAT: Final = 0.02
_STEPS: Final = 60
_STRIP: Final = 8.0
_DASHED: Final = "1.1 0.9"


@dataclass(frozen=True)
class Listener:
    """What a token's row of one head is made of, as it is written by hand."""

    desk: Desk
    at: str
    token: int

    @cached_property
    def seen(self) -> list[int]:
        """The tokens that it sees, the largest weight first."""
        weights = self.desk.quantity(self.at + "weight").values[self.token]
        return sorted(seen_by(self.desk, self.at + "weight", self.token), key=lambda j: (-weights[j], j))

    @property
    def name(self) -> str:
        """Of the scores that e^x is taken of."""
        return self.at + ("scaled" if self.desk.options.skalierung else "score")

    def scores(self) -> dict[int, float]:
        return {j: value(self.desk, self.name, self.token, j) for j in self.seen}

    def weight(self, j: int) -> float:
        return value(self.desk, self.at + "weight", self.token, j)

    def text(self, quantity: str, j: int) -> str:
        return self.desk.number(self.at + quantity, self.token, j).text

    def word(self, j: int) -> str:
        return shortened(self.desk.words[j], _LONGEST, _SIZE)

    @cached_property
    def across(self) -> dict[int, float] | None:
        """How far each key stands to the left of q, in the measure of the scores; None without a plane."""
        if self.desk.sizes.d_head != 2:
            return None
        q = self.desk.quantity(self.at + "query").values[self.token]
        keys = self.desk.quantity(self.at + "key").values
        scores = self.scores()
        root = math.sqrt(2) if self.desk.options.skalierung else 1.0
        found = {j: float(q[0] * keys[j][1] - q[1] * keys[j][0]) / root for j in self.seen}
        wide = max([*scores.values(), 0.0]) - min([*scores.values(), 0.0])
        high = max([*found.values(), 0.0]) - min([*found.values(), 0.0])
        fits = high * _LEAST_SCALE * (WIDTH - 2 * _EDGE) <= wide * (_PLANE - 10.0)
        return found if fits else None

    @property
    def components(self) -> list[int]:
        """The components of the values that are drawn: those in which the words differ most."""
        values = self.desk.quantity(self.at + "value").values[self.seen]
        spread = values.max(0) - values.min(0)
        return sorted(sorted(range(len(spread)), key=lambda c: (-spread[c], c))[:2])

    def points(self) -> dict[int, Point]:
        values = self.desk.quantity(self.at + "value").values
        return {j: self._shown(values[j]) for j in self.seen}

    def output(self) -> Point:
        return self._shown(self.desk.quantity(self.at + "output").values[self.token])

    def _shown(self, vector: Floats) -> Point:
        first, *second = self.components
        return float(vector[first]), float(vector[second[0]]) if second else 0.0


def seek_and_amplify(of: Listener) -> Figure:
    """① the keys, q to the right, with their perpendiculars; ② below them e^x of the same scores."""
    desk, scores = of.desk, of.scores()
    across = of.across or dict.fromkeys(of.seen, 0.0)
    flat = max(map(abs, across.values())) < _FLAT
    low, high = min(0.0, *scores.values()), max(0.0, *scores.values())
    high = max(high, low + 1.25 * (0.0 - low), low + 0.5)
    up, down = max(0.0, *across.values()), min(0.0, *across.values())
    plane = _FLAT_PLANE if flat else _PLANE
    unit = (WIDTH - 2 * _EDGE - 12.0) / (high - low)
    if not flat:
        unit = min(unit, (plane - 10.0) / (up - down))
    left = _EDGE + 6.0 + (WIDTH - 2 * _EDGE - 12.0 - (high - low) * unit) / 2

    def x_of(score: float) -> float:
        return left + (score - low) * unit

    canvas = Canvas()
    line = 6.0 + up * unit if not flat else plane - 4.0  # where the line of q runs
    axis = plane + 1.0
    foot = axis + _AXIS + _CURVE
    tallest = max(value(desk, of.at + "exp", of.token, j) for j in of.seen)

    def y_of(power: float) -> float:
        return foot - (_CURVE - 7.0) * power / (tallest or 1.0)

    labels = Labels(canvas, (0.0, 0.0, WIDTH, plane))
    canvas.line((1.0, line), (WIDTH - 1.0, line), 0.2)
    canvas.arrow([(x_of(0), line), (WIDTH - 1.0, line)], 0.9, 2.4)
    labels.block((0.0, line - 0.5, WIDTH, line + 0.5))
    for j in of.seen:
        x, y = x_of(scores[j]), line - across[j] * unit
        canvas.line((x, y), (x, y_of(value(desk, of.at + "exp", of.token, j))), 0.15, _DASHED)
        if of.across is not None:
            canvas.line((x_of(0), line), (x, y), 0.25)
            labels.avoid((x_of(0), line), (x, y))
        labels.avoid((x, y), (x, plane))
        labels.block((x - 0.9, y - 0.9, x + 0.9, y + 0.9))
    for j in of.seen:
        canvas.circle((x_of(scores[j]), line - across[j] * unit), 0.9, filled=True)
    labels.put("Richtung von q", [(WIDTH - 2.0, line - 1.6, "end"), (WIDTH - 2.0, line + 3.2, "end"),
                                  (2.0, line - 1.6, "start"), (2.0, line + 3.2, "start")], _SIZE, bold=True)  # fmt: skip
    for j in of.seen:
        at = (x_of(scores[j]), line - across[j] * unit)
        labels.put(f"{of.word(j)} {of.text(of.name.rpartition('.')[2], j)}", around(at, _SIZE, 1.2), _SIZE)
    _scale(canvas, desk, (low, high), x_of, axis)
    _curve(canvas, (low, high), x_of, y_of, foot)
    _bars(canvas, of, x_of, y_of, foot)
    return Figure(
        f"Suchen und Verstärken: {quoted(desk.words[of.token])}",
        WIDTH,
        round(foot + 5.0, 1),
        Drawing(canvas.shapes, _scores_in_words(of)),
    )


def _scores_in_words(of: Listener) -> str:
    score = of.name.rpartition(".")[2]
    said = "; ".join(
        f"{quoted(of.desk.words[j])} Score {of.text(score, j)}, e hoch Score {of.text('exp', j)}"
        for j in sorted(of.seen)
    )
    flat = "" if of.across is not None else " Gezeichnet ist nur die Achse von q."
    return f"q zeigt nach rechts; das Lot jedes Keys auf q trifft die Achse beim Score, darüber steht e hoch Score. {said}.{flat}"


def _scale(
    canvas: Canvas, desk: Desk, ends: tuple[float, float], x_of: Callable[[float], float], y: float
) -> None:
    """The axis of the scores, with a number at whole steps."""
    low, high = ends
    step = _step(high - low, 8)
    canvas.line((1.0, y), (WIDTH - 1.0, y), 0.3)
    k = math.ceil(low / step - 1e-9)
    while k * step <= high + 1e-9:
        x = x_of(k * step)
        canvas.line((x, y - 0.8), (x, y + 0.8), 0.3)
        text = desk.constant(k * step, 0 if step >= 1 else 1)
        canvas.blank((x - text_width(text, 2.5) / 2, y + 1.2), (text_width(text, 2.5), 2.4))
        canvas.text((x, y + 3.4), text, 2.5, "middle")
        k += 1


def _step(reach: float, most: int) -> float:
    """A round distance that divides a reach into at most so many parts."""
    power = 10.0 ** math.floor(math.log10(max(reach, 1e-6) / most))
    return next(power * f for f in (1, 2, 5, 10) if reach <= most * power * f)


def _curve(
    canvas: Canvas,
    ends: tuple[float, float],
    x_of: Callable[[float], float],
    y_of: Callable[[float], float],
    foot: float,
) -> None:
    low, high = ends
    canvas.line((1.0, foot), (WIDTH - 1.0, foot), 0.3)
    places = [low + (high - low) * k / _STEPS for k in range(_STEPS + 1)]
    top = foot - _CURVE + 4.0
    canvas.path([(x_of(x), y_of(math.exp(x))) for x in places if y_of(math.exp(x)) >= top], 0.35)


def _bars(
    canvas: Canvas, of: Listener, x_of: Callable[[float], float], y_of: Callable[[float], float], foot: float
) -> None:
    labels = Labels(canvas, (0.0, foot - _CURVE, WIDTH, foot + 5.0))
    scores = of.scores()
    for j in of.seen:
        x, top = x_of(scores[j]), y_of(value(of.desk, of.at + "exp", of.token, j))
        canvas.rectangle((x - _BAR / 2, top), (_BAR, max(0.0, foot - top)), "black", width=0.0)
        labels.block((x - _BAR / 2, top, x + _BAR / 2, foot))
    labels.block((0.0, foot - 0.4, WIDTH, foot + 0.4))
    labels.put("eˣ", [(2.0, foot - _CURVE + 6.0, "start"), (30.0, foot - 12.0, "start")], 4.0, bold=True)
    for j in of.seen:
        x, top = x_of(scores[j]), y_of(value(of.desk, of.at + "exp", of.token, j))
        text = of.text("exp", j)
        labels.put(text, [(x, top - 0.9, "middle"), (x - 1.5, top + 2.0, "end"), (x + 1.5, top + 2.0, "start"),
                          (x, top - 4.0, "middle")], _SIZE)  # fmt: skip
        labels.put(of.word(j), [(x, foot + 3.4, "middle"), (x + 2.0, foot + 3.4, "end"),
                                (x - 2.0, foot + 3.4, "start")], _SIZE)  # fmt: skip


def strip(of: Listener) -> Figure:
    """③ The bars laid end to end: together they are 1."""
    canvas = Canvas()
    _strip(canvas, of, (0.0, 0.2), TEXT_WIDTH)
    said = ", ".join(f"{quoted(of.desk.words[j])} {of.text('weight', j)}" for j in sorted(of.seen))
    return Figure(
        f"Der Streifen der Länge 1 von {quoted(of.desk.words[of.token])}",
        TEXT_WIDTH,
        _STRIP + 8.4,
        Drawing(canvas.shapes, f"Von links nach rechts: {said}."),
    )


def _strip(canvas: Canvas, of: Listener, corner: Point, length: float) -> None:
    """In the order of the sentence, the longest piece black; what is too short for its label has it below."""
    x, y = corner
    frame = (x, y, x + length, y + _STRIP + 8.2)
    labels = Labels(canvas, frame)
    labels.block((x, y, x + length, y + _STRIP + 0.3))
    whole = value(of.desk, of.at + "exp_sum", of.token)
    canvas.frame(corner, (length, _STRIP), 0.3)
    ends: dict[int, tuple[float, float]] = {}
    for j in sorted(of.seen):
        wide = length * value(of.desk, of.at + "exp", of.token, j) / whole
        ends[j], x = (x, x + wide), x + wide
    for j in of.seen:
        left, right = ends[j]
        black = j == of.seen[0]
        if right > left:
            canvas.rectangle((left, y), (right - left, _STRIP), "black" if black else "white", width=0.3)
    for j in of.seen:
        left, right = ends[j]
        text, middle = f"{of.word(j)} {of.text('weight', j)}", (left + right) / 2
        if text_width(text, _SIZE) * 1.06 <= right - left - 0.8:
            base = y + _STRIP / 2 + 1.0
            canvas.text((middle, base), text, _SIZE, "middle", bold=True, white=j == of.seen[0])
        else:
            row = y + _STRIP + 3.2
            labels.put(text, [(middle, row, "middle"), (middle + 3.0, row, "end"), (middle - 3.0, row, "start"),
                              (middle, row + 4.0, "middle"), (middle + 3.0, row + 4.0, "end"),
                              (middle - 3.0, row + 4.0, "start")], _SIZE)  # fmt: skip


def mix(of: Listener) -> Figure:
    """④ The values as discs as heavy as their weights, and o where they balance."""
    points = of.points()
    flat = len({round(y, 6) for _, y in (*points.values(), (0.0, 0.0))}) == 1
    canvas, height = Canvas(), _FLAT_MIX if flat else _MIX
    _balance(canvas, of, (0.0, 0.0, WIDTH, height), drawn=True)
    axes = " und ".join(str(c + 1) for c in of.components)
    said = ", ".join(
        f"{quoted(of.desk.words[j])} Gewicht {of.text('weight', j)} bei ({_pair(of, points[j])})"
        for j in sorted(of.seen)
    )
    o = _pair(of, of.output())
    return Figure(
        f"Mischen: der Schwerpunkt der Values von {quoted(of.desk.words[of.token])}",
        WIDTH,
        height,
        Drawing(canvas.shapes, f"Values in Komponente {axes}: {said}; ihr Schwerpunkt o liegt bei ({o})."),
    )


def _pair(of: Listener, point: Point) -> str:
    return " | ".join(of.desk.constant(x, of.desk.options.nachkommastellen) for x in point[: len(of.components)])


def _balance(canvas: Canvas, of: Listener, frame: Box, *, drawn: bool) -> None:
    """drawn: with the weights and o; else the points alone."""
    points, o = of.points(), of.output()
    left, top, right, bottom = frame
    every = [*points.values(), (0.0, 0.0)]
    (x0, x1), (y0, y1) = ((min(axis), max(axis)) for axis in zip(*every, strict=True))
    room = right - left - 26.0, bottom - top - 18.0
    unit = min((r / (b - a) for r, a, b in zip(room, (x0, y0), (x1, y1), strict=True) if b - a > _FLAT), default=10.0)

    def place(point: Point) -> Point:
        x = (left + right) / 2 + (point[0] - (x0 + x1) / 2) * unit
        return x, (top + bottom) / 2 - (point[1] - (y0 + y1) / 2) * unit

    labels, origin = Labels(canvas, frame), place((0.0, 0.0))
    spots = {j: place(point) for j, point in points.items()}
    flat = y1 - y0 <= _FLAT
    canvas.line((left, origin[1]), (right, origin[1]), 0.2)
    labels.avoid((left, origin[1]), (right, origin[1]))
    if not flat:
        canvas.line((origin[0], top), (origin[0], bottom), 0.2)
        labels.avoid((origin[0], top), (origin[0], bottom))
    corners = _hull(list(spots.values()))
    for a, b in pairwise([*corners, corners[0]]):
        canvas.line(a, b, 0.3, _DASHED)
        labels.avoid(a, b)
    middle = place(o)
    radius = {j: max(_SMALLEST_DISC, _DISC * math.sqrt(of.weight(j))) if drawn else 0.7 for j in of.seen}
    for j in of.seen if drawn else ():
        canvas.line(middle, spots[j], 0.2)
        labels.avoid(middle, spots[j])
    for j in of.seen:
        x, y = spots[j]
        canvas.disc((x, y), radius[j])
        labels.block((x - radius[j], y - radius[j], x + radius[j], y + radius[j]))
    if drawn:
        canvas.circle(middle, 1.9, 0.7)
        canvas.circle(middle, 0.4, filled=True)
        labels.block((middle[0] - 2.3, middle[1] - 2.3, middle[0] + 2.3, middle[1] + 2.3))
        labels.put("o", around(middle, 4.0, 2.6), 4.0, bold=True)
    for j in of.seen:
        text = of.word(j) + (f" {of.text('weight', j)}" if drawn else "")
        labels.put(text, around(spots[j], _SIZE, radius[j] + 0.7), _SIZE)
    _ticks(canvas, of.desk, labels, frame, origin, unit, flat=flat)


def _ticks(
    canvas: Canvas, desk: Desk, labels: Labels, frame: Box, origin: Point, unit: float, *, flat: bool
) -> None:
    left, top, right, bottom = frame
    step = _step((right - left) / unit, 8)
    reach = int(max(right - left, bottom - top) / unit / step) + 1
    for k in range(-reach, reach + 1):
        x, y = origin[0] + k * step * unit, origin[1] - k * step * unit
        text = desk.constant(k * step, 0 if step >= 1 else 1 if step >= 0.1 else 2)
        if k and left + 2 < x < right - 2:
            canvas.line((x, origin[1] - 0.8), (x, origin[1] + 0.8), 0.2)
            labels.put(text, [(x, origin[1] + 3.2, "middle"), (x, origin[1] - 1.4, "middle")], 2.5)
        if k and not flat and top + 2 < y < bottom - 2:
            canvas.line((origin[0] - 0.8, y), (origin[0] + 0.8, y), 0.2)
            labels.put(text, [(origin[0] - 1.2, y + 0.9, "end"), (origin[0] + 1.2, y + 0.9, "start")], 2.5)


def _hull(points: Sequence[Point]) -> list[Point]:
    """The corners of the smallest polygon around points."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered

    def half(run: Sequence[Point]) -> list[Point]:
        found: list[Point] = []
        for p in run:
            while len(found) > 1 and _turn(found[-2], found[-1], p) <= 0:
                found.pop()
            found.append(p)
        return found[:-1]

    return half(ordered) + half(ordered[::-1])


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


# --- The same, to draw -----------------------------------------------------------------------------------------

_GRID: Final = (100.0, 46.0)  # mm of millimetre paper
_OWN_STRIP: Final = 100.0  # mm: a hundredth is a millimetre
_VALUES: Final = 60.0


def own_picture(of: Listener) -> Figure:
    """The curve on millimetre paper, the strip and the values; the pupil's bars, pieces and o are the key's."""
    height = _GRID[1] + 6.0 + _STRIP + 12.0

    def draw(filled: bool) -> Drawing:
        canvas = Canvas()
        _paper(canvas, of, filled)
        y = _GRID[1] + 7.0
        _ruler(canvas, of.desk, (0.0, y))
        if filled:
            _strip(canvas, of, (0.0, y), _OWN_STRIP)
        _balance(canvas, of, (TEXT_WIDTH - _VALUES, 0.0, TEXT_WIDTH, height), drawn=filled)
        said = (
            f"{_scores_in_words(of)} Streifen: "
            + ", ".join(f"{quoted(of.desk.words[j])} {of.text('weight', j)}" for j in sorted(of.seen))
            + f". o liegt bei ({_pair(of, of.output())})."
        )
        empty = "Links die Kurve e hoch x auf Millimeterpapier, darunter ein Streifen von 100 mm, rechts die Values."
        return Drawing(canvas.shapes, said if filled else empty)

    title = f"Zum Zeichnen: Wem hört {quoted(of.desk.words[of.token])} zu?"
    return Figure(title, TEXT_WIDTH, round(height, 1), draw(True), draw(False))


def _paper(canvas: Canvas, of: Listener, filled: bool) -> None:
    (wide, high), desk = _GRID, of.desk
    for k in range(int(wide) + 1):
        canvas.line((k, 0.0), (k, high), 0.16 if k % 10 == 0 else 0.05)
    for k in range(int(high) + 1):
        canvas.line((0.0, high - k), (wide, high - k), 0.16 if k % 10 == 0 else 0.05)
    every = np.abs(desk.quantity(of.name).values[desk.quantity(of.name).shown])
    reach = next((r for r in (1, 2, 3, 4, 5) if every.max(initial=0.0) <= r), math.ceil(every.max(initial=0.0)))
    unit = wide / (2 * reach)

    def x_of(score: float) -> float:
        return wide / 2 + score * unit

    def y_of(power: float) -> float:
        return high - (high - 2.0) * power / math.exp(reach)

    places = [-reach + 2 * reach * k / _STEPS for k in range(_STEPS + 1)]
    canvas.path([(x_of(x), y_of(math.exp(x))) for x in places], 0.5)
    canvas.line((0.0, high), (wide, high), 0.4)
    for k in range(-reach, reach + 1):
        x = x_of(k)
        canvas.text((min(max(x, 2.0), wide - 2.0), high + 3.2), desk.constant(k, 0), 2.5, "middle")
    canvas.blank((2.0, 3.4), (6.0, 5.0))
    canvas.text((3.0, 7.0), "eˣ", 4.0, bold=True)
    if filled:
        for j in of.seen:
            x, top = x_of(of.scores()[j]), y_of(value(desk, of.at + "exp", of.token, j))
            canvas.rectangle((x - _BAR / 2, top), (_BAR, max(0.0, high - top)), "black", width=0.0)


def _ruler(canvas: Canvas, desk: Desk, corner: Point) -> None:
    x, y = corner
    canvas.frame(corner, (_OWN_STRIP, _STRIP), 0.45)
    for k in range(101):
        canvas.line((x + k, y), (x + k, y - (1.6 if k % 10 == 0 else 0.8)), 0.1)
    for text, place in (("0", 0.0), (desk.constant(0.5, 1), 50.0), ("1", 100.0)):
        canvas.text((min(max(x + place, 1.0), 99.0), y - 2.0), text, 2.3, "middle")
