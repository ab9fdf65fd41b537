"""Station 4a: millimetre paper with the curve e^x, a strip and the values, for the pupil's own word."""

from __future__ import annotations

import math
from typing import Final

from generator.figures.drawing import Canvas, Point
from generator.figures.parts import quoted, value
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH
from generator.sheet.sheet import Drawing, Figure
from generator.stations.self_attention.listener import Listener
from generator.stations.self_attention.listening import (
    BAR,
    STEPS,
    STRIP,
    draw_balance,
    draw_strip,
    e_at_the_curve,
    round_step,
)

_WIDE: Final = 100.0  # mm of millimetre paper
_HIGH: Final = 33.0
_LOW: Final = 21.0  # in large print, where all is larger
_OWN_STRIP: Final = 100.0  # mm: a hundredth is a millimetre
_VALUES: Final = 60.0
_LINE: Final = 5  # mm between the lines of the paper: each millimetre would drown what is drawn
_INDENT: Final = 8.0  # mm that bars stand off the numbers


def own_picture(of: Listener) -> Figure:
    """The key has the bars, the pieces of the strip and o."""
    high = _HIGH if of.desk.options.schrift is None else _LOW
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
        empty = "Links die Kurve e^x auf Millimeterpapier, darunter ein Streifen (100 mm), rechts die Values."
        return Drawing(canvas.shapes, said if filled else empty)

    title = f"Zum Zeichnen: Wem hört {quoted(of.desk.words[of.token])} zu?"
    return Figure(title, TEXT_WIDTH, round(height, 1), draw(True), draw(False))


def _paper(canvas: Canvas, of: Listener, high: float, filled: bool) -> None:
    wide, desk = _WIDE, of.desk
    for k in range(0, int(wide) + 1, _LINE):
        canvas.line((k, 0.0), (k, high), 0.05)
    for k in range(0, int(high) + 1, _LINE):
        canvas.line((0.0, high - k), (wide, high - k), 0.05)
    for k in range(int(wide) + 1):
        canvas.line((k, high), (k, high - (1.6 if k % _LINE == 0 else 0.8)), 0.1)
    for k in range(int(high) + 1):
        canvas.line((0.0, high - k), (1.6 if k % _LINE == 0 else 0.8, high - k), 0.1)
    scores = of.scores().values()
    low, most = math.floor(min(0.0, *scores)), max(1, math.ceil(max(scores)))
    unit = (wide - 2 * _INDENT) / (most - low)
    tallest = max(value(desk, of.at + "exp", of.token, j) for j in of.seen) or 1.0

    def x_of(score: float) -> float:
        return _INDENT + (score - low) * unit

    def y_of(power: float) -> float:
        return high - (high - 4.0) * power / tallest

    places = [low + (most - low) * k / STEPS for k in range(STEPS + 1)]
    curve = [(x_of(x), y_of(math.exp(x))) for x in places if y_of(math.exp(x)) >= 0.0]
    canvas.path(curve, 0.5)
    canvas.line((0.0, 0.0), (0.0, high), 0.4)
    rise = round_step(tallest, 5)
    for k in range(1, int(tallest / rise + 1e-9) + 1):
        y, text = y_of(k * rise), desk.constant(k * rise, 0 if rise >= 1 else 1 if rise >= 0.1 else 2)
        canvas.line((0.0, y), (2.6, y), 0.3)
        if y > 2.0:
            canvas.text((3.0, y + 0.9), text, 2.5)
    canvas.line((0.0, high), (wide, high), 0.4)
    stride = max(1, math.ceil((most - low) / 10))
    for k in range(low, most + 1, stride):
        x = x_of(k)
        canvas.line((x, high - 2.6), (x, high), 0.3)
        canvas.text((min(max(x, 2.0), wide - 2.0), high + 3.2), desk.constant(k, 0), 2.5, "middle")
    e_at_the_curve(canvas, curve)
    if filled:
        for j in of.seen:
            x, top = x_of(of.scores()[j]), y_of(value(desk, of.at + "exp", of.token, j))
            canvas.rectangle((x - BAR / 2, top), (BAR, max(0.0, high - top)), "black", width=0.0)


def _ruler(canvas: Canvas, desk: Desk, corner: Point) -> None:
    x, y = corner
    canvas.frame(corner, (_OWN_STRIP, STRIP), 0.45)
    for k in range(101):
        canvas.line((x + k, y), (x + k, y - (1.6 if k % 10 == 0 else 0.8)), 0.1)
    for text, place in (("0", 0.0), (desk.constant(0.5, 1), 50.0), ("1", 100.0)):
        canvas.text((min(max(x + place, 1.0), 99.0), y - 2.0), text, 2.3, "middle")
