"""Station 6: the network with its weights, and the graph of ReLU."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from engine.numbers.arrays import Floats
from generator.figures.drawing import Canvas, Point
from generator.figures.parts import quoted, subscript, value
from generator.sheet.desk import Desk
from generator.sheet.sheet import Drawing, Figure

_MOST_LINES: Final = 140  # weights other than 0 that can still be told apart
_PITCH: Final = 4.0  # mm from one hidden node to the next
_HIGHEST: Final = 48.0
_TOP: Final = 5.0
_LAYERS: Final = (6.0, 33.0, 60.0)  # x of the nodes
_RADIUS: Final = 1.5
_WIDTH: Final = 66.0
_REACH: Final = 20.0  # mm of the graph of ReLU to either side
_NEGATIVE: Final = "1.4 0.9"


def network(desk: Desk, at: str, token: int) -> Figure | None:
    """Solid lines for positive, dashed for negative weights, thick for large ones; None where too many.

    Hidden nodes that ReLU sets to 0 for the token are black.
    """
    weights = desk.calculation.model.weights
    first, second = weights[at + "W_1"], weights[at + "W_2"]
    if np.count_nonzero(first) + np.count_nonzero(second) > _MOST_LINES:
        return None
    counts = (first.shape[0], first.shape[1], second.shape[1])
    high = min(_PITCH * max(counts), _HIGHEST)
    radius = min(_RADIUS, 0.36 * high / max(counts))
    off = [k for k in range(counts[1]) if value(desk, at + "hidden", token, k) <= 0]
    canvas = Canvas()
    nodes = [
        [(x, _TOP + high * (k + 0.5) / count) for k in range(count)]
        for x, count in zip(_LAYERS, counts, strict=True)
    ]
    _lines(canvas, first, nodes[0], nodes[1])
    _lines(canvas, second, nodes[1], nodes[2])
    for layer, (letter, places) in enumerate(zip(("z", "u", "f"), nodes, strict=True)):
        canvas.text((_LAYERS[layer], 2.6), letter, 3.4, "middle", bold=True)
        for k, place in enumerate(places):
            canvas.circle(place, radius, 0.35, filled=layer == 1 and k in off)
            side = (-2.4, "end") if layer == 0 else (2.2, "start")
            if layer != 1:
                canvas.text(
                    (place[0] + side[0], place[1] + 0.9), str(k + 1), 2.4, "end" if layer == 0 else "start"
                )
    for x, name in ((19.5, "W₁"), (46.5, "W₂")):
        canvas.text((x, 2.6), name, 2.8, "middle")
    foot = _TOP + high + 3.2
    canvas.line((2.0, foot - 0.9), (8.0, foot - 0.9), 0.5)
    canvas.text((9.0, foot), "positiv", 2.6)
    canvas.line((24.0, foot - 0.9), (30.0, foot - 0.9), 0.5, _NEGATIVE)
    canvas.text((31.0, foot), "negativ", 2.6)
    canvas.circle((47.0, foot - 0.9), _RADIUS, 0.35, filled=True)
    canvas.text((49.4, foot), "durch ReLU 0", 2.6)
    nothing = ", ".join(f"u{subscript(k + 1)}" for k in off)
    said = (
        f"{counts[0]} Eingänge, {counts[1]} innere Knoten, {counts[2]} Ausgänge. "
        f"Bei {quoted(desk.words[token])} setzt ReLU auf 0: {nothing or 'nichts'}."
    )
    return Figure("Das Netz mit seinen Gewichten", _WIDTH, round(foot + 1.5, 1), Drawing(canvas.shapes, said))


def _lines(canvas: Canvas, matrix: Floats, left: list[Point], right: list[Point]) -> None:
    largest = float(np.abs(matrix).max()) or 1.0
    for i, start in enumerate(left):
        for j, end in enumerate(right):
            if weight := float(matrix[i, j]):
                canvas.line(start, end, 0.2 + 0.7 * abs(weight) / largest, "" if weight > 0 else _NEGATIVE)


def relu_graph(desk: Desk, at: str, token: int) -> Figure:
    """ReLU with a token's numbers u as points on it."""
    hidden = [value(desk, at + "hidden", token, k) for k in range(desk.sizes.d_ff)]
    reach = max(1, math.ceil(max(map(abs, hidden))))
    unit = _REACH / reach
    zero = (_REACH + 3.0, _REACH + 6.0)
    canvas = Canvas()
    canvas.arrow([(zero[0] - _REACH - 2.0, zero[1]), (zero[0] + _REACH + 4.0, zero[1])], 0.3)
    canvas.arrow([(zero[0], zero[1] + 2.0), (zero[0], 2.0)], 0.3)
    canvas.text((zero[0] + _REACH + 4.0, zero[1] - 1.4), "u", 3.2, "end", bold=True)
    canvas.text((zero[0] - 1.4, 4.0), "ReLU(u)", 2.8, "end")
    for tick in {-reach, reach}:
        canvas.line((zero[0] + tick * unit, zero[1] - 0.8), (zero[0] + tick * unit, zero[1] + 0.8), 0.3)
        canvas.text((zero[0] + tick * unit, zero[1] + 4.0), desk.constant(tick, 0), 2.6, "middle")
    canvas.line((zero[0] - 0.8, zero[1] - reach * unit), (zero[0] + 0.8, zero[1] - reach * unit), 0.3)
    canvas.text((zero[0] - 1.4, zero[1] - reach * unit + 1.0), desk.constant(reach, 0), 2.6, "end")
    canvas.path([(zero[0] - _REACH, zero[1]), zero, (zero[0] + _REACH, zero[1] - _REACH)], 0.7)
    for number in hidden:
        canvas.marker("disc", (zero[0] + number * unit, zero[1] - max(0.0, number) * unit))
    points = ", ".join(n.text for n in desk.numbers(at + "hidden", token))
    said = (
        f"Links von 0 liegt der Graph auf der Achse, rechts steigt er mit 45 Grad. Punkte bei u = {points}."
    )
    return Figure("Graph von ReLU", 2 * _REACH + 8.0, _REACH + 11.0, Drawing(canvas.shapes, said))
