"""Station 4a: one word listens to the others, as a picture in which one computes; and one to draw.

It has one size whatever the numbers are, so that sheets with other numbers have the same layout.
The pupil's own word has the curve e^x in a grid, a strip and the values.
"""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from generator.figures.drawing import Canvas, Point, text_width
from generator.figures.labels import Box, Labels, around
from generator.figures.parts import quoted, value
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH
from generator.sheet.sheet import Drawing, Figure
from generator.stations.self_attention.attention_row import (
    BAR,
    DASHED,
    FLAT,
    LETTERS,
    STEPS,
    STRIP,
    TICKS,
    WIDTH,
    AttentionRow,
    draw_below,
    e_at_the_curve,
    name_beside,
    round_step,
    seek_and_amplify,
    title_of,
)

_MIX, _FLAT_MIX = 48.0, 24.0
_DISC: Final = 6.5  # mm, radius of the weight 1
_SMALLEST_DISC: Final = 0.4
_SHOWS_A_LINE: Final = 2.6  # mm, radius
_WIDE: Final = 100.0  # mm of the grid
_HIGH: Final = 33.0
_LOW: Final = 23.0  # where a page has little room: below many words, and in large print
_FEW: Final = 4  # words
_OWN_STRIP: Final = 100.0  # mm: a hundredth is a millimetre
_VALUES: Final = 60.0
_INDENT: Final = 8.0  # mm that bars stand off the numbers


def pictures(of: AttentionRow) -> tuple[Figure, Figure]:
    """Two halves, so that a page of large print holds each.

    ① the keys beside q, ② e^x of the same scores; ③ the bars end to end, ④ the values in balance.
    """
    seek, mix, word = Canvas(), Canvas(), quoted(of.desk.words[of.token])
    foot = seek_and_amplify(seek, of) + 5.0
    first = Drawing(seek.shapes, of.scores_in_words())
    title_of(mix, 3, "Teilen", 3.8)
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


def draw_strip(canvas: Canvas, of: AttentionRow, corner: Point, length: float) -> None:
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


def draw_balance(canvas: Canvas, of: AttentionRow, frame: Box, *, drawn: bool, title: str = "") -> None:
    """drawn: with the weights and o; else the points alone, and the numbers of the axes before the words."""
    points, o = of.points(), of.output()
    left, top, right, bottom = frame
    every = [*points.values(), (0.0, 0.0)]
    (x0, x1), (y0, y1) = ((min(axis), max(axis)) for axis in zip(*every, strict=True))
    room = right - left - 26.0, bottom - top - 18.0
    unit = min(
        (r / (b - a) for r, a, b in zip(room, (x0, y0), (x1, y1), strict=True) if b - a > FLAT), default=10.0
    )

    def place(point: Point) -> Point:
        x = (left + right) / 2 + (point[0] - (x0 + x1) / 2) * unit
        return x, (top + bottom) / 2 - (point[1] - (y0 + y1) / 2) * unit

    labels, origin = Labels(canvas, frame), place((0.0, 0.0))
    if title:
        labels.block(title_of(canvas, 4, title, top + 3.4))
    spots = {j: place(point) for j, point in points.items()}
    flat = y1 - y0 <= FLAT
    canvas.line((left, origin[1]), (right, origin[1]), 0.25)
    labels.avoid((left, origin[1]), (right, origin[1]))
    if not flat:
        canvas.line((origin[0], top), (origin[0], bottom), 0.25)
        labels.avoid((origin[0], top), (origin[0], bottom))
    corners = _hull(list(spots.values()))
    for a, b in pairwise([*corners, corners[0]]):
        canvas.line(a, b, 0.3, DASHED)
        labels.avoid(a, b)
    middle = place(o)
    radius = {
        j: max(_SMALLEST_DISC, _DISC * math.sqrt(max(0.0, of.weight(j)))) if drawn else 0.7 for j in of.seen
    }
    for j in of.seen if drawn else ():
        canvas.line(middle, spots[j], 0.25)
        labels.avoid(middle, spots[j])
    for j in of.seen:
        x, y = spots[j]
        canvas.disc((x, y), radius[j])
        for wide, high in ((1.0, 0.7), (0.7, 1.0)):
            wide, high = wide * radius[j], high * radius[j]
            labels.block((x - wide, y - high, x + wide, y + high))
    sizes = {spots[j]: radius[j] for j in reversed(of.seen)}
    for a, b in pairwise([*corners, corners[0]]):
        for start, end in ((a, b), (b, a)):
            if sizes[start] >= _SHOWS_A_LINE:  # the dashed line goes on, in white
                part = min(1.0, sizes[start] / (math.dist(a, b) or 1.0))
                there = start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])
                canvas.line(start, there, 0.3, DASHED, white=True)
    if drawn:
        canvas.circle(middle, 1.9, 0.7)
        canvas.circle(middle, 0.4, filled=True)
        labels.block((middle[0] - 2.3, middle[1] - 2.3, middle[0] + 2.3, middle[1] + 2.3))
        labels.put("o", around(middle, 4.0, 2.6), 4.0, bold=True)
    if not drawn:
        _ticks(canvas, of.desk, labels, frame, origin, unit, flat=flat)
    for j in of.seen:
        text = of.word(j) + (f" {of.text('weight', j)}" if drawn else "")
        name_beside(labels, text, spots[j], radius[j] + 0.7)
    if drawn:
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
            canvas.line((x, origin[1] - 0.8), (x, origin[1] + 0.8), 0.25)
            labels.put(text, [(x, origin[1] + 3.2, "middle"), (x, origin[1] - 1.4, "middle")], TICKS)
        if k and not flat and top + 2 < y < bottom - 2:
            canvas.line((origin[0] - 0.8, y), (origin[0] + 0.8, y), 0.25)
            labels.put(
                text,
                [
                    (origin[0] + side * away, y + 0.9, "start" if side > 0 else "end")
                    for away in (1.2, 4.0, 7.0)
                    for side in (-1, 1)
                ],
                TICKS,
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


def own_picture(of: AttentionRow) -> Figure:
    """The key has the bars, the pieces of the strip and o."""
    high = _HIGH if of.desk.options.schrift is None and len(of.seen) <= _FEW else _LOW
    height = high + 9.5 + STRIP + 6.4

    def draw(filled: bool) -> Drawing:
        canvas = Canvas()
        _paper(canvas, of, high, filled)
        y = high + 9.5
        _ruler(canvas, of.desk, (0.0, y))
        if filled:
            draw_strip(canvas, of, (0.0, y), _OWN_STRIP)
        draw_balance(canvas, of, (TEXT_WIDTH - _VALUES, 0.0, TEXT_WIDTH, height), drawn=filled)
        said = f"{of.scores_in_words()} {of.weights_in_words()} o liegt bei ({of.pair(of.output())})."
        empty = "Links die Kurve e^x in einem Gitter, darunter ein Streifen (100 mm), rechts die Values."
        return Drawing(canvas.shapes, said if filled else empty)

    title = f"Zum Zeichnen: Wem hört {quoted(of.desk.words[of.token])} zu?"
    return Figure(title, TEXT_WIDTH, round(height, 1), draw(True), draw(False))


def _paper(canvas: Canvas, of: AttentionRow, high: float, filled: bool) -> None:
    wide, desk = _WIDE, of.desk
    scores = of.scores().values()
    low, most = math.floor(min(0.0, *scores)), max(1, math.ceil(max(scores)))
    unit = (wide - 2 * _INDENT) / (most - low)
    tallest = max(value(desk, of.at + "exp", of.token, j) for j in of.seen) or 1.0

    def x_of(score: float) -> float:
        return _INDENT + (score - low) * unit

    def y_of(power: float) -> float:
        return high - (high - 4.0) * power / tallest

    stride, rise = max(1, math.ceil((most - low) / 10)), round_step(tallest, 5)
    columns, rows = range(low, most + 1, stride), range(1, int(tallest / rise + 1e-9) + 1)
    canvas.lines((((x_of(k), 0.0), (x_of(k), high)) for k in columns), 0.18)
    canvas.lines((((0.0, y_of(k * rise)), (wide, y_of(k * rise))) for k in rows), 0.18)
    parts = _parts(stride * unit)
    marks = [(k, x_of(low + k * stride / parts)) for k in range((most - low) * parts // stride + 1)]
    canvas.lines((((x, high), (x, high - _tick(k, parts))) for k, x in marks), 0.1)
    parts = _parts(high - y_of(rise))
    marks = [(k, y_of(k * rise / parts)) for k in range(int(tallest / rise * parts) + 1)]
    canvas.lines((((0.0, y), (_tick(k, parts), y)) for k, y in marks), 0.1)
    places = [low + (most - low) * k / STEPS for k in range(STEPS + 1)]
    curve = [(x_of(x), y_of(math.exp(x))) for x in places if y_of(math.exp(x)) >= 0.0]
    canvas.path(curve, 0.5)
    canvas.line((0.0, 0.0), (0.0, high), 0.4)
    for k in rows:
        y, text = y_of(k * rise), desk.constant(k * rise, 0 if rise >= 1 else 1 if rise >= 0.1 else 2)
        if y > 2.0:
            canvas.blank((2.6, y - 1.2), (text_width(text, TICKS) + 1.0, 2.4))
            canvas.text((3.2, y + 0.9), text, TICKS)  # far from the mark, which is no minus
    canvas.line((0.0, high), (wide, high), 0.4)
    for k in columns:
        canvas.text((min(max(x_of(k), 2.0), wide - 2.0), high + 3.2), desk.constant(k, 0), TICKS, "middle")
    e_at_the_curve(canvas, curve)
    if filled:
        for j in of.seen:
            x, top = x_of(of.scores()[j]), y_of(value(desk, of.at + "exp", of.token, j))
            canvas.rectangle((x - BAR / 2, top), (BAR, max(0.0, high - top)), "black", width=0.0)


def _parts(length: float) -> int:
    """Into how many parts marks divide a step of so many mm: at least one apart."""
    return next((parts for parts in (10, 5, 2) if length >= parts), 1)


def _tick(k: int, longer: int) -> float:
    """mm, of a mark; each `longer`-th stands out."""
    return 1.6 if k % longer == 0 else 0.8


def _ruler(canvas: Canvas, desk: Desk, corner: Point) -> None:
    x, y = corner
    canvas.frame(corner, (_OWN_STRIP, STRIP), 0.45)
    canvas.lines((((x + k, y), (x + k, y - _tick(k, 10))) for k in range(101)), 0.1)
    for text, place in (("0", 0.0), (desk.constant(0.5, 1), 50.0), ("1", 100.0)):
        canvas.text((min(max(x + place, 1.0), 99.0), y - 2.0), text, TICKS, "middle")
