"""Station 4a: one word listens to the others, as a picture in which one computes.

It has one size whatever the numbers are, so that sheets with other numbers have the same layout.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

from generator.figures.drawing import Canvas, Point, text_width
from generator.figures.labels import BETWEEN, Box, Labels, Place, around, overlaps, spread
from generator.figures.parts import quoted, value
from generator.sheet.desk import Desk
from generator.sheet.sheet import Drawing, Figure
from generator.stations.self_attention.listener import LETTERS, PLANE, WIDTH, Listener

STRIP: Final = 7.0  # mm
BAR: Final = 1.8
STEPS: Final = 60  # of a curve
_EDGE: Final = 3.0
_TITLE: Final = 3.4
_FLAT_PLANE: Final = 19.0
_CURVE: Final = 29.0
_TICK: Final = 9.0  # mm, so that numbers stay apart
_AXIS: Final = 7.0  # mm that the axis between plane and curve takes
_MIX, _FLAT_MIX = 48.0, 24.0
_DISC: Final = 6.5  # mm, radius of the weight 1
_SMALLEST_DISC: Final = 0.4
_FLAT: Final = 0.02
_DASHED: Final = "1.1 0.9"
_NEAR: Final = 8  # places around a point from which a label needs no line to it
_HIGH_BAR: Final = 6.0  # mm: has its name above, a lower one below the axis


def pictures(of: Listener) -> tuple[Figure, Figure]:
    """Two halves, so that a page of large print holds each.

    ① the keys beside q, ② e^x of the same scores; ③ the bars end to end, ④ the values in balance.
    """
    seek, mix, word = Canvas(), Canvas(), quoted(of.desk.words[of.token])
    foot = _seek_and_amplify(seek, of, 0.0) + 5.0
    first = Drawing(seek.shapes, of.scores_in_words())
    _title(mix, 3, "Teilen", 3.8)
    draw_strip(mix, of, (0.0, 5.4), WIDTH)
    top = 5.4 + STRIP + 6.4
    points = of.points()
    end = top + (_MIX if of.desk.sizes.d_head > 1 else _FLAT_MIX)
    draw_balance(mix, of, (0.0, top, WIDTH, end), drawn=True, title="Mischen")
    axes = " und ".join(str(c + 1) for c in of.components)
    values = ", ".join(f"{quoted(of.desk.words[j])} ({of.pair(points[j])})" for j in sorted(of.seen))
    said = (
        f"{of.weights_in_words()} Values in Komponente {axes}: {values}; "
        f"ihr Schwerpunkt o liegt bei ({of.pair(of.output())})."
    )
    return (
        Figure(f"Wem hört {word} zu? Suchen und Verstärken", WIDTH, round(foot, 1), first),
        Figure(f"Wem hört {word} zu? Teilen und Mischen", WIDTH, round(end, 1), Drawing(mix.shapes, said)),
    )


def _title(canvas: Canvas, number: int, words: str, base: float) -> Box:
    box = (0.0, base - _TITLE, 5.4 + 1.1 * text_width(words, _TITLE), base + 1.0)
    canvas.blank(box[:2], (box[2], _TITLE + 1.0))
    canvas.circle((2.0, base - 1.2), 1.9, 0.3)
    canvas.text((2.0, base - 0.1), str(number), 3.0, "middle", bold=True)
    canvas.text((5.0, base), words, _TITLE, bold=True)
    return box


def _seek_and_amplify(canvas: Canvas, of: Listener, top: float) -> float:
    """Draws the first two panels from `top` on; where the second one's axis runs."""
    desk, scores = of.desk, of.scores()
    across = of.across or dict.fromkeys(of.seen, 0.0)
    flat = max(map(abs, across.values())) < _FLAT
    low, high = min(0.0, *scores.values()), max(0.0, *scores.values())
    high = max(high, -0.25 * low, low + 0.5)
    up, down = max(0.0, *across.values()), min(0.0, *across.values())
    plane = top + (PLANE if desk.sizes.d_head == 2 else _FLAT_PLANE)
    room = WIDTH - 2 * _EDGE - 12.0
    unit = room / (high - low) if flat else min(room / (high - low), (PLANE - 11.0) / (up - down))
    left = _EDGE + 6.0 + (room - (high - low) * unit) / 2

    def x_of(score: float) -> float:
        return left + (score - low) * unit

    line = (
        plane - (12.0 if desk.sizes.d_head == 2 else 4.0) if flat else top + 7.0 + up * unit
    )  # where the line of q runs
    axis = plane + 1.0
    foot = axis + _AXIS + _CURVE
    tallest = max(value(desk, of.at + "exp", of.token, j) for j in of.seen)

    def y_of(power: float) -> float:
        return foot - (_CURVE - 5.0) * power / (tallest or 1.0)

    labels = Labels(canvas, (0.0, top, WIDTH, plane))
    canvas.line((1.0, line), (WIDTH - 1.0, line), 0.2)
    canvas.arrow([(x_of(0), line), (WIDTH - 1.0, line)], 0.9, 2.4)
    labels.block((0.0, line - 0.5, WIDTH, line + 0.5), _title(canvas, 1, "Suchen", top + 3.4))
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
    for j in of.seen:
        at = (x_of(scores[j]), line - across[j] * unit)
        _name(labels, f"{of.word(j)} {of.text(of.name.rpartition('.')[2], j)}", at, 1.2)
    along = [(WIDTH - 2.0 - 4.0 * k, y, "end") for y in (line + 3.2, line - 1.6) for k in range(20)]
    labels.put("Richtung von q →", along, LETTERS, bold=True)  # type: ignore[arg-type]
    _scale(canvas, desk, (low, high), x_of, axis)
    _curve(canvas, (low, high), x_of, y_of, foot)
    _bars(canvas, of, (low, high), x_of, y_of, foot)
    return foot


def _name(labels: Labels, text: str, at: Point, gap: float) -> None:
    """Beside a point; where others cover that, farther off and joined to it."""
    if not labels.put(text, around(at, LETTERS, gap)[:_NEAR], LETTERS):
        for away in (gap + 2.5, gap + 12.5):
            if labels.put(text, around(at, LETTERS, away), LETTERS, leader=at):
                return


def _scale(
    canvas: Canvas, desk: Desk, ends: tuple[float, float], x_of: Callable[[float], float], y: float
) -> None:
    """The axis of the scores, with a number at whole steps."""
    low, high = ends
    step = round_step(high - low, max(1, int((x_of(high) - x_of(low)) / _TICK)))
    canvas.line((1.0, y), (WIDTH - 1.0, y), 0.3)
    k = math.ceil(low / step - 1e-9)
    while k * step <= high + 1e-9:
        x = x_of(k * step)
        canvas.line((x, y - 0.8), (x, y + 0.8), 0.3)
        text = desk.constant(k * step, 0 if step >= 1 else 1)
        canvas.blank((x - text_width(text, 2.5) / 2, y + 1.2), (text_width(text, 2.5), 2.4))
        canvas.text((x, y + 3.4), text, 2.5, "middle")
        k += 1


def round_step(reach: float, most: int) -> float:
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
    canvas.line((1.0, foot), (WIDTH - 1.0, foot), 0.3)
    canvas.path(_curve_points(ends, x_of, y_of, foot), 0.35)


def _curve_points(
    ends: tuple[float, float], x_of: Callable[[float], float], y_of: Callable[[float], float], foot: float
) -> list[Point]:
    low, high = ends
    places = [low + (high - low) * k / STEPS for k in range(STEPS + 1)]
    top = foot - _CURVE + 4.0
    return [(x_of(x), y_of(math.exp(x))) for x in places if y_of(math.exp(x)) >= top]


def _bars(
    canvas: Canvas,
    of: Listener,
    ends: tuple[float, float],
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
    curve = _curve_points(ends, x_of, y_of, foot)
    for a, b in pairwise(curve):
        labels.avoid(a, b)
    labels.block((0.0, foot - 0.4, WIDTH, foot + 5.0))
    title = _title(canvas, 2, "Verstärken", foot - _CURVE + 3.4)
    labels.block(title, e_at_the_curve(canvas, curve, title))
    below: list[int] = []
    for j in of.seen:
        x, top = x_of(scores[j]), y_of(value(of.desk, of.at + "exp", of.token, j))
        above = _above_bar(x, top) if foot - top >= _HIGH_BAR else ()
        if not labels.put(f"{of.word(j)} {of.text('exp', j)}", above, LETTERS):
            below.append(j)
    named = [(x_of(scores[j]), f"{of.word(j)} {of.text('exp', j)}") for j in reversed(below)]
    for x, text in named[draw_below(canvas, named, foot, (0.0, WIDTH)) :]:
        _name(labels, text, (x, foot - 1.0), 4.0)


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
        foot = min(max(middle, place - wide / 2 + 0.5), place + wide / 2 - 0.5), edge + 1.8
        canvas.line((middle, edge), foot, 0.15)
        canvas.text((place, edge + 4.0), text, LETTERS, "middle")
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
    e_to_the_x(canvas, (left, base))
    return box


def e_to_the_x(canvas: Canvas, at: Point) -> None:
    canvas.text(at, "e", 4.0, bold=True)
    canvas.text((at[0] + 2.3, at[1] - 1.4), "x", 2.8)


def draw_strip(canvas: Canvas, of: Listener, corner: Point, length: float) -> None:
    """In the order of the sentence, the longest piece black; what is too short for its label has it below."""
    x, y = corner
    whole = value(of.desk, of.at + "exp_sum", of.token)
    canvas.frame(corner, (length, STRIP), 0.45)
    ends: dict[int, tuple[float, float]] = {}
    for j in sorted(of.seen):
        wide = length * value(of.desk, of.at + "exp", of.token, j) / whole
        ends[j], x = (x, x + wide), x + wide
    for j in of.seen:
        left, right = ends[j]
        black = j == of.seen[0]
        if right > left:
            canvas.rectangle((left, y), (right - left, STRIP), "black" if black else "white", width=0.3)
    below: list[tuple[float, str]] = []
    for j in of.seen:
        left, right = ends[j]
        text, middle = f"{of.word(j)} {of.text('weight', j)}", (left + right) / 2
        if text_width(text, LETTERS) * 1.06 <= right - left - 0.8:
            base = y + STRIP / 2 + 1.0
            canvas.text((middle, base), text, LETTERS, "middle", bold=True, white=j == of.seen[0])
        else:
            below.append((middle, text))
    draw_below(canvas, below, y + STRIP, (corner[0], corner[0] + length))


def draw_balance(canvas: Canvas, of: Listener, frame: Box, *, drawn: bool, title: str = "") -> None:
    """drawn: with the weights and o; else the points alone."""
    points, o = of.points(), of.output()
    left, top, right, bottom = frame
    every = [*points.values(), (0.0, 0.0)]
    (x0, x1), (y0, y1) = ((min(axis), max(axis)) for axis in zip(*every, strict=True))
    room = right - left - 26.0, bottom - top - 18.0
    unit = min(
        (r / (b - a) for r, a, b in zip(room, (x0, y0), (x1, y1), strict=True) if b - a > _FLAT), default=10.0
    )

    def place(point: Point) -> Point:
        x = (left + right) / 2 + (point[0] - (x0 + x1) / 2) * unit
        return x, (top + bottom) / 2 - (point[1] - (y0 + y1) / 2) * unit

    labels, origin = Labels(canvas, frame), place((0.0, 0.0))
    if title:
        labels.block(_title(canvas, 4, title, top + 3.4))
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
        _name(labels, text, spots[j], radius[j] + 0.7)
    _ticks(canvas, of.desk, labels, frame, origin, unit, flat=flat)


def _ticks(
    canvas: Canvas, desk: Desk, labels: Labels, frame: Box, origin: Point, unit: float, *, flat: bool
) -> None:
    left, top, right, bottom = frame
    step = round_step((right - left) / unit, 8)
    reach = int(max(right - left, bottom - top) / unit / step) + 1
    for k in range(-reach, reach + 1):
        x, y = origin[0] + k * step * unit, origin[1] - k * step * unit
        text = desk.constant(k * step, 0 if step >= 1 else 1 if step >= 0.1 else 2)
        if k and left + 2 < x < right - 2:
            canvas.line((x, origin[1] - 0.8), (x, origin[1] + 0.8), 0.2)
            labels.put(text, [(x, origin[1] + 3.2, "middle"), (x, origin[1] - 1.4, "middle")], 2.5)
        if k and not flat and top + 2 < y < bottom - 2:
            canvas.line((origin[0] - 0.8, y), (origin[0] + 0.8, y), 0.2)
            labels.put(
                text,
                [
                    (origin[0] + side * away, y + 0.9, "start" if side > 0 else "end")
                    for away in (1.2, 4.0, 7.0)
                    for side in (-1, 1)
                ],
                2.5,
            )


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
