"""Station 4a: what a token's row of a head is made of; how it seeks and amplifies, as a picture."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

from engine.numbers.arrays import Floats
from engine.trace import place_of
from generator.figures.bars import level_scale
from generator.figures.drawing import COPIED_TWICE, Canvas, Point, shortened, text_width
from generator.figures.labels import BETWEEN, Box, Labels, Place, around, overlaps, spread
from generator.figures.parts import quoted, value
from generator.sheet.desk import Desk
from generator.stations.worked_lines import seen_by

STRIP: Final = 7.0  # mm
BAR: Final = 1.8
STEPS: Final = 60  # of a curve
_EDGE: Final = 3.0
_TITLE: Final = 3.4
_FLAT_PLANE: Final = 19.0
_CURVE: Final = 29.0
_TICK: Final = 9.0  # mm, so that numbers stay apart
_AXIS: Final = 7.0  # mm that the axis between plane and curve takes
FLAT: Final = 0.02
DASHED: Final = "1.1 0.9"
_NEAR: Final = 8  # places around a point from which a label needs no line to it
_HIGH_BAR: Final = 6.0  # mm: has its name above, a lower one below the axis
WIDTH: Final = 112.0  # mm of the picture, beside the words that explain it
_PLANE: Final = 35.5  # mm that the keys have
LETTERS: Final = 2.8
TICKS: Final = 2.6  # of the numbers at an axis
_LONGEST: Final = 24.0  # mm, of a word
_LEAST_SCALE: Final = 0.25  # a plane that would shrink the scores further is left out


@dataclass(frozen=True)
class AttentionRow:
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
        """The name of the scores from which e^x is taken."""
        return self.at + ("scaled" if self.desk.options.skalierung else "score")

    def scores(self) -> dict[int, float]:
        return {j: value(self.desk, self.name, self.token, j) for j in self.seen}

    def weight(self, j: int) -> float:
        return value(self.desk, self.at + "weight", self.token, j)

    def text(self, quantity: str, j: int) -> str:
        return self.desk.number(self.at + quantity, self.token, j).text

    def word(self, j: int) -> str:
        return shortened(self.desk.words[j], _LONGEST, LETTERS)

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
        fits = high * _LEAST_SCALE * (WIDTH - 6.0) <= wide * (_PLANE - 10.0)
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

    def scores_in_words(self) -> str:
        score = place_of(self.name).last
        said = "; ".join(
            f"{quoted(self.desk.words[j])} Score {self.text(score, j)}, e^x {self.text('exp', j)}"
            for j in sorted(self.seen)
        )
        flat = "" if self.across is not None else " Gezeichnet ist nur die Achse von q."
        begin = "q zeigt nach rechts; das Lot jedes Keys trifft die Achse beim Score, darunter steht e^x."
        return f"{begin} {said}.{flat}"

    def weights_in_words(self) -> str:
        said = ", ".join(f"{quoted(self.desk.words[j])} {self.text('weight', j)}" for j in sorted(self.seen))
        return f"Im Streifen der Länge 1 von links nach rechts: {said}."

    def pair(self, point: Point) -> str:
        """The components that are drawn, as text."""
        places = self.desk.options.nachkommastellen
        return " | ".join(self.desk.constant(x, places) for x in point[: len(self.components)])


def title_of(canvas: Canvas, number: int, words: str, base: float) -> Box:
    box = (0.0, base - _TITLE, 5.4 + 1.1 * text_width(words, _TITLE), base + 1.0)
    canvas.blank(box[:2], (box[2], _TITLE + 1.0))
    canvas.circle((2.0, base - 1.2), 1.9, 0.3)
    canvas.text((2.0, base - 0.1), str(number), 3.0, "middle", bold=True)
    canvas.text((5.0, base), words, _TITLE, bold=True)
    return box


def seek_and_amplify(canvas: Canvas, of: AttentionRow) -> float:
    """Draws the first two panels; where the second one's axis runs."""
    desk, scores = of.desk, of.scores()
    across = of.across or dict.fromkeys(of.seen, 0.0)
    flat = max(map(abs, across.values())) < FLAT
    low, high = min(0.0, *scores.values()), max(0.0, *scores.values())
    high = max(high, -0.25 * low, low + 0.5)
    up, down = max(0.0, *across.values()), min(0.0, *across.values())
    plane = _PLANE if desk.sizes.d_head == 2 else _FLAT_PLANE
    room = WIDTH - 2 * _EDGE - 12.0
    unit = room / (high - low) if flat else min(room / (high - low), (_PLANE - 11.0) / (up - down))
    left = _EDGE + 6.0 + (room - (high - low) * unit) / 2

    def x_of(score: float) -> float:
        return left + (score - low) * unit

    # Where the line of q runs.
    line = plane - (12.0 if desk.sizes.d_head == 2 else 4.0) if flat else 7.0 + up * unit
    axis = plane + 1.0
    foot = axis + _AXIS + _CURVE
    tallest = max(value(desk, of.at + "exp", of.token, j) for j in of.seen)

    def y_of(power: float) -> float:
        return foot - (_CURVE - 5.0) * power / (tallest or 1.0)

    labels = Labels(canvas, (0.0, 0.0, WIDTH, plane))
    canvas.line((1.0, line), (WIDTH - 1.0, line), 0.25)
    canvas.arrow([(x_of(0), line), (WIDTH - 1.0, line)], 0.9, 2.4)
    labels.block((0.0, line - 0.5, WIDTH, line + 0.5), title_of(canvas, 1, "Suchen", 3.4))
    for j in of.seen:
        x, y = x_of(scores[j]), line - across[j] * unit
        canvas.line((x, y), (x, y_of(value(desk, of.at + "exp", of.token, j))), COPIED_TWICE, DASHED)
        if of.across is not None:
            canvas.line((x_of(0), line), (x, y), 0.3)
            labels.avoid((x_of(0), line), (x, y))
        labels.avoid((x, y), (x, plane))
        labels.block((x - 0.9, y - 0.9, x + 0.9, y + 0.9))
    for j in of.seen:
        canvas.circle((x_of(scores[j]), line - across[j] * unit), 0.9, filled=True)
    for j in of.seen:
        at = (x_of(scores[j]), line - across[j] * unit)
        name_beside(labels, f"{of.word(j)} {of.text(place_of(of.name).last, j)}", at, 1.7)
    along = [(WIDTH - 6.0 - 4.0 * k, y, "end") for y in (line + 3.4, line - 1.6) for k in range(20)]
    labels.put("Richtung von q →", along, LETTERS, bold=True)  # type: ignore[arg-type]
    _scale(canvas, desk, (low, high), x_of, axis)
    canvas.line((1.0, foot), (WIDTH - 1.0, foot), 0.3)
    scores_between = (low + (high - low) * k / STEPS for k in range(STEPS + 1))
    curve = [(x_of(x), y_of(math.exp(x))) for x in scores_between if y_of(math.exp(x)) >= foot - _CURVE + 4.0]
    canvas.path(curve, 0.35)
    _bars(canvas, of, curve, x_of, y_of, foot)
    return foot


def name_beside(labels: Labels, text: str, at: Point, gap: float) -> None:
    """Beside a point, rather where no line is; where others cover that, farther off and joined to it."""
    for clear in (True, False):
        if labels.put(text, around(at, LETTERS, gap)[:_NEAR], LETTERS, clear=clear):
            return
        for away in (gap + 2.5, gap + 12.5):
            if labels.put(text, around(at, LETTERS, away), LETTERS, leader=at, clear=clear):
                return


def _scale(
    canvas: Canvas, desk: Desk, ends: tuple[float, float], x_of: Callable[[float], float], y: float
) -> None:
    """The axis of the scores, with a number at whole steps."""
    low, high = ends
    step = round_step(high - low, max(1, int((x_of(high) - x_of(low)) / _TICK)))
    ticks = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    places = max(0, -math.floor(math.log10(step) + 1e-9))
    marks = {x_of(k * step): desk.constant(k * step, places) for k in ticks}
    level_scale(canvas, y, (1.0, WIDTH - 1.0), marks)


def round_step(reach: float, most: int) -> float:
    """A round distance that divides a reach into at most so many parts."""
    power = 10.0 ** math.floor(math.log10(max(reach, 1e-6) / most))
    return next(power * f for f in (1, 2, 5, 10) if reach <= most * power * f)


def _bars(
    canvas: Canvas,
    of: AttentionRow,
    curve: Sequence[Point],
    x_of: Callable[[float], float],
    y_of: Callable[[float], float],
    foot: float,
) -> None:
    labels = Labels(canvas, (0.0, foot - _CURVE, WIDTH, foot + 5.0))
    scores = of.scores()
    for j in of.seen:
        x, top = x_of(scores[j]), y_of(value(of.desk, of.at + "exp", of.token, j))
        canvas.rectangle((x - BAR / 2, top), (BAR, max(0.0, foot - top)), "black", width=0.0)
        labels.block((x - BAR / 2, top, x + BAR / 2, foot))
        labels.avoid((x, foot - _CURVE), (x, top))
    for a, b in pairwise(curve):
        labels.avoid(a, b)
    labels.block((0.0, foot - 0.4, WIDTH, foot + 5.0))
    title = title_of(canvas, 2, "Verstärken", foot - _CURVE + 3.4)
    labels.block(title, e_at_the_curve(canvas, curve, title))
    below: list[int] = []
    for j in of.seen:
        x, top = x_of(scores[j]), y_of(value(of.desk, of.at + "exp", of.token, j))
        above = _above_bar(x, top) if foot - top >= _HIGH_BAR else ()
        if not labels.put(f"{of.word(j)} {of.text('exp', j)}", above, LETTERS):
            below.append(j)
    named = [(x_of(scores[j]), f"{of.word(j)} {of.text('exp', j)}") for j in reversed(below)]
    for x, text in named[draw_below(canvas, named, foot, (0.0, WIDTH)) :]:
        name_beside(labels, text, (x, foot - 1.0), 4.0)


def _above_bar(x: float, top: float) -> list[Place]:
    side = BAR / 2
    return [
        (x + side, top - 0.9, "end"), (x, top - 0.9, "middle"), (x - side, top - 0.9, "start"),
        (x + side + 0.8, top + 2.4, "start"), (x - side - 0.8, top + 2.4, "end"),
    ]  # fmt: skip


def draw_below(
    canvas: Canvas, named: Sequence[tuple[float, str]], edge: float, ends: tuple[float, float]
) -> int:
    """Labels in a row below an edge, joined to their places on it; how many have room, the first ones."""
    room, count = ends[1] - ends[0] + BETWEEN, 0
    for _, text in named:
        room -= text_width(text, LETTERS) + BETWEEN
        count += room >= 0
    row = sorted(named[:count])
    widths = [text_width(text, LETTERS) for _, text in row]
    places = spread([middle for middle, _ in row], widths, ends)
    for (middle, text), place, wide in zip(row, places, widths, strict=True):
        foot = min(max(middle, place - wide / 2 + 0.5), place + wide / 2 - 0.5), edge + 1.4
        canvas.line((middle, edge), foot, 0.2)
        canvas.text((place, edge + 4.2), text, LETTERS, "middle")
    return count


def e_at_the_curve(canvas: Canvas, curve: Sequence[Point], title: Box | None = None) -> Box:
    """„e^x“ left of a curve where it is steep, at its end if the title stands there; the box it takes."""
    end = curve[-1]
    high = end[1] + 0.4 * (curve[0][1] - end[1])
    x, y = next(point for point in reversed(curve) if point[1] >= high)
    for left, base in ((x - 7.0, y), (end[0] + 2.0, end[1] + 5.0)):
        box = (left - 0.6, base - 3.6, left + 5.4, base + 0.8)
        if title is None or not overlaps(box, [title]):
            break
    canvas.blank(box[:2], (box[2] - box[0], box[3] - box[1]))
    canvas.text((left, base), "e", 4.0, bold=True)
    canvas.text((left + 2.3, base - 1.4), "x", 2.8)
    return box
