"""Station 11: the parabola w² with steps of learning on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from generator.basics.numbers import NumberFormat
from generator.figures.drawing import DASHES, Canvas, Point
from generator.sheet.sheet import Drawing, Figure

_REACH: Final = 1.6  # to either side of the valley
_UNIT: Final = 16.0  # mm
_HIGH: Final = 13.0  # mm for a loss of 1
_LEFT, _TOP = 2.0, 4.0
_POINTS: Final = 16  # of half the curve


@dataclass(frozen=True)
class Step:
    """rate: as printed; end: where the number lands."""

    rate: str
    end: Decimal


def downhill(start: Decimal, steps: Sequence[Step], numbers: NumberFormat) -> Figure:
    zero = (_LEFT + _REACH * _UNIT + 2.0, _TOP + _HIGH * _REACH**2)

    def at(w: float) -> Point:
        return zero[0] + w * _UNIT, zero[1] - w * w * _HIGH

    canvas = Canvas()
    canvas.arrow([(_LEFT, zero[1]), (zero[0] + _REACH * _UNIT + 4.0, zero[1])], 0.3)
    canvas.arrow([(zero[0], zero[1] + 2.0), (zero[0], _TOP - 3.0)], 0.3)
    canvas.text((zero[0] + _REACH * _UNIT + 4.0, zero[1] - 1.4), "w", 3.2, "end")
    canvas.text((zero[0] + 1.4, _TOP), "L", 3.2)
    canvas.path([at(_REACH * k / _POINTS) for k in range(-_POINTS, _POINTS + 1)], 0.4)
    for w in (start, *(step.end for step in steps)):
        x, y = at(float(w))
        canvas.line((x, y), (x, zero[1]), 0.2, DASHES[2])
        canvas.text((x, zero[1] + 4.0), numbers.text(w, None), 2.8, "middle")
    for step, dash in zip(steps, DASHES, strict=False):
        canvas.arrow([at(float(start)), at(float(step.end))], 0.35, dash=dash)
    for w in (start, *(step.end for step in steps)):
        canvas.marker("disc", at(float(w)))
    size = zero[0] + _REACH * _UNIT + 6.0, zero[1] + 6.0
    said = _said(start, steps, numbers)
    return Figure("Ein kleiner und ein zu großer Schritt", *size, Drawing(canvas.shapes, said))


def _said(start: Decimal, steps: Sequence[Step], numbers: NumberFormat) -> str:
    def place(w: Decimal) -> str:
        return f"w = {numbers.text(w, None)}, L = {numbers.text(w * w, None)}"

    ends = " und ".join(f"mit der Lernrate {step.rate} zu {place(step.end)}" for step in steps)
    return f"Parabel L = w mal w. Von {place(start)} führt ein Schritt {ends}."
