"""Station 8: bars of the next word's probabilities, and the words in the plane of two components."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Final

import numpy as np

from engine.forward.forward import temperature_name
from generator.figures.drawing import SERIES, Canvas, Point, shortened, text_width, widest
from generator.figures.parts import legend, legend_height, quoted, value
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH
from generator.sheet.sheet import Drawing, Figure

_MOST_WORDS: Final = 6  # whose bars are drawn
_COLUMNS_FROM: Final = 4  # words
_BAR: Final = 4.4  # mm
_BETWEEN: Final = 2.4
_GAP: Final = 8.0  # mm between two columns
_AXIS: Final = 6.0
_TICKS: Final = 5
_SIDE: Final = 50.0
_LEFT, _TOP, _FOOT = 8.0, 3.0, 8.0
LABEL: Final = 2.5
_RIGHT: Final = 12.0
_WIDEST_LABEL: Final = 26.0
_STEPS: Final = 40  # of the arrow
_NAME, _POINT, _LINE, _ARROW = 1000.0, 30.0, 30.0, 0.4  # what it costs a label to cover one
_NEARER: Final = 6.0  # to be near another word's point
_NEAR: Final = 2.0  # mm
_ON_AXIS: Final = 0.2  # mm
_ACROSS: Final = 10.0  # to stand on the other side of an axis than its point
_FARTHER: Final = 0.25  # for each place that comes before
_AROUND: Final = (
    *((1.7, 0.9), (-1.7, 0.9), (1.5, -1.3), (1.5, 3.0), (-1.5, -1.3), (-1.5, 3.0), (0.0, -1.9), (0.0, 3.9)),
    *((1.5, -3.2), (1.5, 4.9), (-1.5, -3.2), (-1.5, 4.9), (3.5, -2.0), (3.5, 3.8), (-3.5, -2.0), (-3.5, 3.8)),
    *((1.5, -5.2), (1.5, 6.9), (-1.5, -5.2), (-1.5, 6.9)),
)  # mm from the point to the nearer end of a label's baseline: beside it, above, below
Vectors = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
Box = tuple[float, float, float, float]


def shown_words(desk: Desk) -> list[int]:
    """The most probable words, in the vocabulary's order."""
    logits = desk.quantity("logit").values
    return sorted(sorted(range(len(logits)), key=lambda word: (-logits[word], word))[:_MOST_WORDS])


def probability_bars(desk: Desk, *, blank: bool = False) -> Figure:
    """A bar for each of the most probable words and each temperature, above an axis from 0 to 1.

    blank: the worksheet gets the axis alone.
    """
    temperatures = desk.calculation.model.rules.temperatures
    names = [temperature_name(t) + ".probability" for t in temperatures]
    entries = [f"T = {desk.constant(t)}" for t in temperatures]
    words = shown_words(desk)
    places = desk.quantity(names[0]).places or 0
    columns = 2 if len(words) >= _COLUMNS_FROM else 1
    per_column = math.ceil(len(words) / columns)
    room = (TEXT_WIDTH - _GAP * (columns - 1)) / columns
    labels = min(room / 3, widest([desk.vocabulary[word] for word in words]) + 2.0)
    bar = min(_BAR, 26.0 / len(names))
    group = bar * len(names) + _BETWEEN
    longest = room - labels - text_width(desk.constant(1, places), 2.6) - 1.5
    top = legend_height(entries, TEXT_WIDTH) + 2.0
    foot = top + per_column * group

    def draw(filled: bool) -> Drawing:
        canvas = Canvas()
        legend(canvas, (0, 0), entries, _sample, TEXT_WIDTH)
        for column in range(columns):
            _axis(canvas, desk, (column * (room + _GAP) + labels, top - 1.0), foot, longest)
        for place, word in enumerate(words):
            left = place // per_column * (room + _GAP) + labels
            y = top + place % per_column * group
            name = shortened(desk.vocabulary[word], labels - 2.0)
            canvas.text((left - 1.5, y + bar * len(names) / 2 + 1.0), name, anchor="end")
            for k, name in enumerate(names if filled else ()):
                at, share = (left, y + k * bar), value(desk, name, word)
                if share > 0:
                    canvas.rectangle(at, (share * longest, bar - 0.5), SERIES[k], 0.9)
                text, size = desk.number(name, word).text, min(2.6, bar)
                end = left + share * longest + 1.0
                if end + text_width(text, size) > left + longest:  # the line at 1 would cross it
                    end = left + longest + 1.0
                canvas.text((end, at[1] + bar / 2 + 0.7), text, size)
        return Drawing(
            canvas.shapes, _in_words(desk, words, names, entries) if filled else "Die Balken fehlen noch."
        )

    title = "Wahrscheinlichkeiten des nächsten Wortes"
    empty = draw(False) if blank else None
    return Figure(title, TEXT_WIDTH, round(foot + _AXIS, 1), draw(True), empty)


def _axis(canvas: Canvas, desk: Desk, corner: Point, foot: float, longest: float) -> None:
    left, top = corner
    canvas.line((left, foot), (left + longest, foot), 0.3)
    for tick in range(_TICKS + 1):
        x = left + longest * tick / _TICKS
        canvas.line(
            (x, top if tick in (0, _TICKS) else foot - 1.2), (x, foot + 1.0), 0.3 if tick == 0 else 0.15
        )
        canvas.text((x, foot + 4.2), desk.constant(tick / _TICKS, 1), 2.6, anchor="middle")


def _sample(canvas: Canvas, k: int, at: Point) -> None:
    canvas.rectangle((at[0], at[1] - 1.5), (8.0, 3.0), SERIES[k], 0.9)


def _in_words(desk: Desk, shown: list[int], names: list[str], entries: list[str]) -> str:
    lines = []
    for name, entry in zip(names, entries, strict=True):
        words = (f"{quoted(desk.vocabulary[w])} {desk.number(name, w).text}" for w in shown)
        lines.append(f"{entry}: " + ", ".join(words))
    return "; ".join(lines) + "."


def telling_components(vectors: Vectors, last: Vectors) -> tuple[int, int]:
    """The two components that by themselves put the predicted word farthest ahead of the others."""
    best = int(np.argmax(vectors @ last))

    def lead(pair: tuple[int, int]) -> float:
        parts = vectors[:, pair] @ last[list(pair)]
        return float(parts[best] - np.delete(parts, best).max()) if len(parts) > 1 else 0.0

    return max(combinations(range(vectors.shape[1]), 2), key=lead)


def word_plane(
    desk: Desk, vectors: Vectors, last: str, token: int, ahead: Sequence[int], *, blank: bool
) -> Figure:
    """Every word of the vocabulary as a point; the last token's vector as an arrow.

    vectors: (word, component). last: the quantity of the last vectors. ahead: words whose perpendiculars on
    the arrow's line the key has. blank: the pupil draws the arrow.
    """
    every = desk.quantity(last).values
    a, b = telling_components(vectors, every[token])
    arrow = tuple(float(every[token, c]) for c in (a, b))
    reach = max(2, *(math.ceil(float(np.abs(values[:, [a, b]]).max())) for values in (vectors, every)))
    unit = _SIDE / (2 * reach)

    def place(x: float, y: float) -> Point:
        return _LEFT + _SIDE / 2 + x * unit, _TOP + _SIDE / 2 - y * unit

    points = [place(*map(float, vector)) for vector in vectors[:, [a, b]]]
    labels = placed_labels(points, desk.vocabulary, (place(0, 0), place(*arrow)))

    def draw(filled: bool) -> Drawing:
        canvas = Canvas()
        _axes(canvas, desk, reach, place, (a, b))
        for point in points:
            canvas.marker("disc", point)
        for corner, text in labels:
            canvas.text(corner, text, LABEL)
        if filled or not blank:
            canvas.arrow([place(0, 0), place(*arrow)], 0.8, 2.2)
        for word in ahead if filled else ():
            foot = _foot((float(vectors[word, a]), float(vectors[word, b])), arrow)
            canvas.line(place(0, 0), place(*foot), 0.3, "0.5 1.1")
            canvas.line(points[word], place(*foot), 0.35, "2.6 1.3")
        said = _said(desk, vectors, (a, b), arrow if filled or not blank else None)
        return Drawing(canvas.shapes, said)

    title = f"Punkte der Wörter in den Komponenten {a + 1} und {b + 1}"
    return Figure(title, _LEFT + _SIDE + _RIGHT, _TOP + _SIDE + _FOOT, draw(True), draw(False))


def _foot(point: Point, along: tuple[float, ...]) -> Point:
    """Where the perpendicular from a point meets the line from 0 along a vector."""
    square = along[0] ** 2 + along[1] ** 2
    share = (point[0] * along[0] + point[1] * along[1]) / square if square else 0.0
    return share * along[0], share * along[1]


def _axes(
    canvas: Canvas,
    desk: Desk,
    reach: int,
    place: Callable[[float, float], Point],
    components: tuple[int, int],
) -> None:
    left, right, middle = place(-reach, 0), place(reach, 0), place(0, 0)
    canvas.line(left, right, 0.3)
    canvas.line(place(0, -reach), place(0, reach), 0.3)
    step = max(1, reach // 3)
    for tick in range(-reach, reach + 1, step):
        x, y = place(tick, 0)[0], place(0, tick)[1]
        canvas.line((x, middle[1] - 0.8), (x, middle[1] + 0.8), 0.3)
        canvas.line((middle[0] - 0.8, y), (middle[0] + 0.8, y), 0.3)
        canvas.text((x, _TOP + _SIDE + 3.0), desk.constant(tick, 0), 2.4, "middle")
        canvas.text((_LEFT - 1.6, y + 0.9), desk.constant(tick, 0), 2.4, "end")
    canvas.text((_LEFT + _SIDE / 2, _TOP + _SIDE + 6.6), f"Komponente {components[0] + 1}", 2.6, "middle")
    canvas.text((2.4, _TOP + _SIDE / 2), f"Komponente {components[1] + 1}", 2.6, "middle", turned=True)


def placed_labels(
    points: Sequence[Point], words: Sequence[str], arrow: tuple[Point, Point]
) -> list[tuple[Point, str]]:
    """Each point's name with its left end on the baseline, where the least is in its way.

    Words at one point share a label. A name that would cover another one is left out.
    """
    names: dict[Point, list[str]] = {}
    for (x, y), word in zip(points, words, strict=True):
        names.setdefault((round(x, 1), round(y, 1)), []).append(word)
    (x0, y0), (x1, y1) = arrow
    steps = [k / _STEPS for k in range(_STEPS + 1)]
    in_the_way = [
        *(((x - 1.1, y - 1.1, x + 1.1, y + 1.1), _POINT) for x, y in names),
        *(((x, y, x, y), _ARROW) for s in steps for x, y in [(x0 + s * (x1 - x0), y0 + s * (y1 - y0))]),
        ((_LEFT, y0, _LEFT + _SIDE, y0), _LINE),
        ((x0, _TOP, x0, _TOP + _SIDE), _LINE),
    ]
    placed: list[tuple[Point, str]] = []
    for (x, y), own in sorted(names.items(), key=lambda item: item[0][1]):
        text = shortened(", ".join(own), _WIDEST_LABEL, LABEL)
        wide = text_width(text, LABEL)
        near = [
            ((left - _NEAR, top - _NEAR, left + _NEAR, top + _NEAR), _NEARER)
            for left, top in names
            if (left, top) != (x, y)
        ]
        boxes = [
            (x + right - (0.0 if right > 0 else wide if right < 0 else wide / 2), y + up, text)
            for right, up in _AROUND
        ]
        costs = [
            _cost(box, [*in_the_way, *near]) + _ACROSS * _is_across(box, (x, y), (x0, y0)) + _FARTHER * tried
            for tried, (left, base, _) in enumerate(boxes)
            for box in [(left, base - LABEL * 0.8, left + wide, base + 0.4)]
        ]
        cost, (left, base, _) = min(zip(costs, boxes, strict=True), key=lambda found: found[0])
        if cost >= _NAME:
            continue
        placed.append(((left, base), text))
        in_the_way.append(((left, base - LABEL * 0.8, left + wide, base + 0.4), _NAME))
    return placed


def _cost(box: Box, in_the_way: Sequence[tuple[Box, float]]) -> float:
    left, top, right, bottom = box
    outside = left < _LEFT or top < 0 or right > _LEFT + _SIDE + _RIGHT or bottom > _TOP + _SIDE + 0.5
    met = (
        cost
        for (x0, y0, x1, y1), cost in in_the_way
        if x0 < right and left < x1 + 1e-9 and y0 < bottom and top < y1 + 1e-9
    )
    return sum(met) + (_NAME if outside else 0.0)


def _is_across(box: Box, point: Point, middle: Point) -> bool:
    """Whether an axis through the middle parts the box from its point."""
    sides = ((box[0], box[2], point[0], middle[0]), (box[1], box[3], point[1], middle[1]))
    return any(
        (place > axis + _ON_AXIS and end <= axis) or (place < axis - _ON_AXIS and start >= axis)
        for start, end, place, axis in sides
    )


def _said(desk: Desk, vectors: Vectors, components: tuple[int, int], arrow: tuple[float, ...] | None) -> str:
    words = (
        f"{quoted(word)} ({' | '.join(desk.constant(float(vector[c]), 1) for c in components)})"
        for word, vector in zip(desk.vocabulary, vectors, strict=True)
    )
    said = ", ".join(words) + "."
    if arrow is None:
        return said + " Der Pfeil zu y fehlt noch."
    end = " | ".join(desk.constant(x, desk.options.nachkommastellen) for x in arrow)
    return f"{said} Der Pfeil y endet bei ({end})."
