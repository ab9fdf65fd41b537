"""Station 8: bars of the next word's probabilities, and the words in the plane of two components."""

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Final

import numpy as np

from engine.forward.forward import temperature_name
from generator.figures.drawing import SERIES, Canvas, Point, shortened, text_width
from generator.figures.labels import Labels, around
from generator.figures.parts import legend, legend_height, named, quoted, value
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH
from generator.sheet.sheet import Drawing, Figure
from generator.stations.next_word import ASKED_AGAIN

_MOST_WORDS: Final = 6  # that are drawn as points
_COLUMNS: Final = 3  # of words side by side
_NAME: Final = 4.2  # mm, for the word above its bars
_INSET: Final = 1.5
_BAR: Final = 3.2  # mm
_BETWEEN: Final = 2.0
_GAP: Final = 8.0  # mm between two columns
_AXIS: Final = 6.0
_TICKS: Final = 5
_SIDE: Final = 50.0
_LEFT, _TOP, _FOOT = 8.0, 3.0, 8.0
LABEL: Final = 2.5
_RIGHT: Final = 12.0
_WIDEST_LABEL: Final = 26.0
Vectors = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def shown_words(desk: Desk, most: int = _MOST_WORDS) -> list[int]:
    """The most probable words, in the vocabulary's order."""
    logits = desk.quantity("logit").values
    return sorted(sorted(range(len(logits)), key=lambda word: (-logits[word], word))[:most])


def probability_bars(desk: Desk) -> Figure:
    """A bar for each of the most probable words and each temperature, above an axis from 0 to 1.

    The worksheet gets the axis alone.
    """
    temperatures = desk.calculation.model.rules.temperatures
    names = [temperature_name(t) + ".probability" for t in temperatures]
    entries = [f"T = {desk.constant(t)}" for t in temperatures]
    words = shown_words(desk, ASKED_AGAIN)
    places = desk.quantity(names[0]).places or 0
    columns = min(len(words), _COLUMNS)
    per_column = math.ceil(len(words) / columns)
    room = (TEXT_WIDTH - _GAP * (columns - 1)) / columns
    bar = min(_BAR, 26.0 / len(names))
    group = _NAME + bar * len(names) + _BETWEEN
    longest = room - _INSET - text_width(desk.constant(1, places), 2.6) - 1.5
    top = legend_height(entries, TEXT_WIDTH) + 1.0
    foot = top + per_column * group

    def draw(filled: bool) -> Drawing:
        canvas = Canvas()
        legend(canvas, (0, 0), entries, _sample, TEXT_WIDTH)
        for column in range(columns):
            _axis(canvas, desk, (column * (room + _GAP) + _INSET, top + _NAME - 1.0), foot, longest)
        for place, word in enumerate(words):
            left = place // per_column * (room + _GAP) + _INSET
            y = top + place % per_column * group + _NAME
            canvas.text((left, y - 2.0), shortened(desk.vocabulary[word], longest), bold=True)
            for k, name in enumerate(names):
                at, share = (left, y + k * bar), value(desk, name, word)
                if not filled:  # a line for each bar to stand on
                    canvas.line((left, at[1] + bar - 0.5), (left + longest, at[1] + bar - 0.5), 0.18)
                    continue
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
    return Figure(title, TEXT_WIDTH, round(foot + _AXIS, 1), draw(True), draw(False))


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
    """The most probable words and those ahead as points; the last token's vector as an arrow.

    vectors: (word, component). last: the quantity of the last vectors. ahead: words whose perpendiculars on
    the arrow's line the key has. blank: the pupil draws the arrow.
    """
    every = desk.quantity(last).values
    a, b = telling_components(vectors, every[token])
    words = sorted({*shown_words(desk), *ahead})
    arrow = tuple(float(every[token, c]) for c in (a, b))
    reach = max(2, math.ceil(float(np.abs(np.vstack([vectors[words], every])[:, [a, b]]).max())))
    unit = _SIDE / (2 * reach)

    def place(x: float, y: float) -> Point:
        return _LEFT + _SIDE / 2 + x * unit, _TOP + _SIDE / 2 - y * unit

    points = {word: place(*map(float, vectors[word, [a, b]])) for word in words}

    def draw(filled: bool) -> Drawing:
        canvas = Canvas()
        _axes(canvas, desk, reach, place, (a, b))
        _named_points(canvas, desk, points, place(0, 0), None if blank else place(*arrow))
        if filled or not blank:
            canvas.arrow([place(0, 0), place(*arrow)], 0.8, 2.2)
        for word in ahead if filled else ():
            foot = _foot((float(vectors[word, a]), float(vectors[word, b])), arrow)
            canvas.line(place(0, 0), place(*foot), 0.3, "0.5 1.1")
            canvas.line(points[word], place(*foot), 0.35, "2.6 1.3")
        said = _points_in_words(desk, vectors, words, (a, b), arrow if filled or not blank else None)
        return Drawing(canvas.shapes, said)

    title = f"Punkte der Wörter in den Komponenten {a + 1} und {b + 1}"
    return Figure(title, _LEFT + _SIDE + _RIGHT, _TOP + _SIDE + _FOOT, draw(True), draw(False))


def _named_points(
    canvas: Canvas, desk: Desk, points: Mapping[int, Point], middle: Point, arrow: Point | None
) -> None:
    """Words at one point share a label. arrow: its end, where it is given; else making way would tell it."""
    names: dict[Point, list[str]] = {}
    for word, (x, y) in points.items():
        names.setdefault((round(x, 1), round(y, 1)), []).append(named(desk.vocabulary[word]))
    labels = Labels(canvas, (_LEFT, 0.0, _LEFT + _SIDE + _RIGHT, _TOP + _SIDE + 0.5))
    labels.avoid((_LEFT, middle[1]), (_LEFT + _SIDE, middle[1]), 0.8)
    labels.avoid((middle[0], _TOP), (middle[0], _TOP + _SIDE), 0.8)
    if arrow:
        labels.avoid(middle, arrow, 1.4)
    labels.block(*((x - 1.2, y - 1.2, x + 1.2, y + 1.2) for x, y in names))
    for (x, y), own in names.items():
        canvas.marker("disc", (x, y))
        text = shortened(", ".join(own), _WIDEST_LABEL, LABEL)
        labels.put(text, around((x, y), LABEL, 1.5), LABEL)


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


def _points_in_words(
    desk: Desk,
    vectors: Vectors,
    words: Sequence[int],
    components: tuple[int, int],
    arrow: tuple[float, ...] | None,
) -> str:
    points = ((w, " | ".join(desk.constant(float(vectors[w, c]), 1) for c in components)) for w in words)
    said = ", ".join(f"{quoted(desk.vocabulary[w])} ({point})" for w, point in points) + "."
    if arrow is None:
        return said + " Der Pfeil zu y fehlt noch."
    end = " | ".join(desk.constant(x, desk.options.nachkommastellen) for x in arrow)
    return f"{said} Der Pfeil y endet bei ({end})."
