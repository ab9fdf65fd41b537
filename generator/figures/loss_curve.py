"""The loss after so many steps goes in; its curve over the training comes out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from generator.basics.numbers import NumberFormat
from generator.figures.drawing import Canvas, text_width
from generator.sheet.sheet import Drawing, Figure

_WIDTH: Final = 84.0  # mm
_HIGH: Final = 30.0
_LEFT, _TOP, _FOOT = 14.0, 3.0, 11.0
_MOST_TICKS: Final = 5  # beside that of 0


def loss_curve(curve: Sequence[tuple[int, float]], numbers: NumberFormat) -> Figure:
    """curve: step and loss, from the first step to the last."""
    last, highest = curve[-1][0], max(loss for _, loss in curve)
    right, bottom = _WIDTH - 6.0, _TOP + _HIGH

    def at(step: float, loss: float) -> tuple[float, float]:
        return _LEFT + (right - _LEFT) * step / last, bottom - _HIGH * loss / highest

    canvas = Canvas()
    canvas.line(at(0, 0), at(last, 0), 0.3)
    canvas.line(at(0, 0), at(0, highest), 0.3)
    for step in _ticks(last):
        x, _ = at(step, 0)
        canvas.line((x, bottom), (x, bottom + 1.2), 0.2)
        canvas.text((x, bottom + 4.6), numbers.text(step, 0), anchor="middle")
    for loss in _ticks(highest):
        _, y = at(0, loss)
        canvas.line((_LEFT - 1.2, y), (_LEFT, y), 0.2)
        canvas.text((_LEFT - 2.0, y + 1.0), numbers.text(loss, 0), anchor="end")
    canvas.path([at(step, loss) for step, loss in curve], 0.5)
    canvas.text((right - text_width("Schritte"), bottom + 8.8), "Schritte")
    canvas.text((_LEFT + 2.0, _TOP + 1.5), "Loss")
    first, end = (numbers.text(loss, 1) for loss in (curve[0][1], curve[-1][1]))
    steps = numbers.text(last, 0)
    said = f"Der Loss fällt von {first} vor dem ersten Schritt auf {end} nach {steps} Schritten."
    return Figure("Loss während des Trainings", _WIDTH, bottom + _FOOT, Drawing(canvas.shapes, said))


def _ticks(highest: float) -> range:
    """Whole numbers from 0 on, 1, 2 or 5 times a power of ten apart."""
    apart = next(
        digit * 10**power
        for power in range(12)
        for digit in (1, 2, 5)
        if highest / (digit * 10**power) <= _MOST_TICKS
    )
    return range(0, math.floor(highest) + 1, apart)
