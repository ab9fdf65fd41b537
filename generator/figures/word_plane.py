"""Word vectors and the last vector go in; points in the plane of two components, and its arrow, come out."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Final

import numpy as np

from generator.figures.drawing import Canvas, Point, shortened, text_width
from generator.figures.parts import quoted
from generator.sheet.desk import Desk
from generator.sheet.sheet import Drawing, Figure

_SIDE: Final = 50.0
_LEFT, _TOP, _FOOT = 8.0, 3.0, 8.0
_LABEL: Final = 2.5
_RIGHT: Final = 12.0


Vectors = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def telling_components(vectors: Vectors, last: Vectors) -> tuple[int, int]:
    """The two components that by themselves put the predicted word farthest ahead of the others."""
    best = int(np.argmax(vectors @ last))

    def lead(pair: tuple[int, int]) -> float:
        parts = vectors[:, pair] @ last[list(pair)]
        return float(parts[best] - np.delete(parts, best).max()) if len(parts) > 1 else 0.0

    return max(combinations(range(vectors.shape[1]), 2), key=lead)


def word_plane(desk: Desk, vectors: Vectors, last: str, token: int, *, blank: bool) -> Figure:
    """Every word of the vocabulary as a point; the last token's vector as an arrow.

    vectors: (word, component). last: the quantity of the last vectors. blank: the pupil draws the arrow.
    """
    every = desk.quantity(last).values
    a, b = telling_components(vectors, every[token])
    arrow = tuple(float(every[token, c]) for c in (a, b))
    reach = max(2, *(math.ceil(float(np.abs(values[:, [a, b]]).max())) for values in (vectors, every)))
    unit = _SIDE / (2 * reach)

    def place(x: float, y: float) -> Point:
        return _LEFT + _SIDE / 2 + x * unit, _TOP + _SIDE / 2 - y * unit

    def draw(filled: bool) -> Drawing:
        canvas = Canvas()
        _axes(canvas, desk, reach, place, (a, b))
        points = [place(*map(float, vector)) for vector in vectors[:, [a, b]]]
        for point in points:
            canvas.marker("disc", point)
        _labels(canvas, points, desk.vocabulary)
        if filled:
            canvas.arrow([place(0, 0), place(*arrow)], 0.8, 2.2)
        return Drawing(canvas.shapes, _said(desk, vectors, (a, b), arrow if filled else None))

    title = f"Wortvektoren in den Komponenten {a + 1} und {b + 1}"
    return Figure(
        title, _LEFT + _SIDE + _RIGHT, _TOP + _SIDE + _FOOT, draw(True), draw(False) if blank else None
    )


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


def _labels(canvas: Canvas, points: Sequence[Point], words: Sequence[str]) -> None:
    """Each word beside its point, moved up or down where another word stands already."""
    taken: list[tuple[float, float, float]] = []
    for (x, y), word in sorted(zip(points, words, strict=True), key=lambda pair: pair[0][1]):
        text = shortened(word, 16.0, _LABEL)
        wide = text_width(text, _LABEL)
        left = x + 1.5 if x + 1.5 + wide <= _LEFT + _SIDE + _RIGHT else x - 1.5 - wide
        for shift in (-1.1, 2.9, -3.7, 5.5, -6.3):
            base = y + shift
            if all(
                abs(base - other) >= _LABEL or left > end or left + wide < begin
                for begin, end, other in taken
            ):
                break
        else:
            continue  # no room for its name
        taken.append((left, left + wide, base))
        canvas.text((left, max(_LABEL, base)), text, _LABEL)


def _said(
    desk: Desk,
    vectors: Vectors,
    components: tuple[int, int],
    arrow: tuple[float, ...] | None,
) -> str:
    words = (
        f"{quoted(word)} ({' | '.join(desk.constant(float(vector[c]), 1) for c in components)})"
        for word, vector in zip(desk.vocabulary, vectors, strict=True)
    )
    said = ", ".join(words) + "."
    if arrow is None:
        return said + " Der Pfeil zu y fehlt noch."
    end = " | ".join(desk.constant(x, desk.options.nachkommastellen) for x in arrow)
    return f"{said} Der Pfeil y endet bei ({end})."
