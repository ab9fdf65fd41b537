"""A mistake and a pupil's numbers go in; what the mistake makes of them comes out, cell by cell."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from engine.forward.calculation import Calculation, write_as_far_as_possible
from engine.forward.forward import Forward
from engine.judging.mistakes import Mistake, Rounding
from engine.numbers.arrays import Array, Floats, half_up
from engine.pens.pens import Numbers, Visible
from engine.trace import Kind, Trace

_LARGEST: Final = 1e12  # what is beyond cannot be computed on paper


class FloatPen:
    """Rounding policy of the pupil's pen in floats: quick, within a unit, and also for exchanged steps.

    printed: the hand trace; where a step cannot be computed, its value takes the place and `right` holds nan.
    """

    def __init__(self, printed: Trace, numbers: Mapping[str, Numbers], rounding: Rounding = half_up) -> None:
        self.trace = Trace()
        self.printed = printed
        self.numbers = numbers
        self.rounding = rounding
        self.right: dict[str, Floats] = {}

    def read(self, given: Floats) -> Array:
        return np.asarray(given, dtype=np.float64)

    def constant(self, value: Array) -> Array:
        places = next((q.places or 0 for name, q in self.printed.items() if name.endswith(".scaled")), 2)
        return self.rounding(np.asarray(value), places)

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        printed = self.printed[name]
        full = np.asarray(value, dtype=np.float64)
        if full.shape != printed.values.shape:
            full = np.broadcast_to(full, printed.values.shape)
        if visible is not None:
            full = np.where(visible, full, 0.0)
        sensible = np.abs(full) < _LARGEST  # no nan either
        if sensible.all():
            written = self.right[name] = self.rounding(full, printed.places or 0)
        else:
            right = self.rounding(np.where(sensible, full, 0.0), printed.places or 0)
            self.right[name] = np.where(sensible, right, np.nan)
            written = np.where(sensible, right, printed.values)
        if name in self.numbers:
            written = np.where(self.numbers[name].usable(), self.numbers[name].values, written)
        return written


def mistaken_numbers(
    calculation: Calculation, mistake: Mistake, numbers: Mapping[str, Numbers]
) -> list[Mapping[str, Floats]]:
    """What each way to make the mistake gives in every cell, computed from the numbers before that cell.

    numbers: the pupil's own; nothing for a mistake that runs on through the whole sheet, the key's for one
    that is made in this cell for the first time. nan where nothing can be computed.
    """
    return [
        numbers_of_variant(calculation, numbers, variant, mistake.rounding) for variant in mistake.variants
    ]


def numbers_of_variant(
    calculation: Calculation, numbers: Mapping[str, Numbers], variant: type[Forward], rounding: Rounding
) -> Mapping[str, Floats]:
    """What one way gives in every cell of every pass, computed from the numbers before that cell.

    nan in the tables that it cannot come to.
    """
    right: dict[str, Floats] = {}
    for each, names in calculation.parts():
        pen = FloatPen(each.hand, numbers, rounding)
        write_as_far_as_possible(each, pen, variant)
        for name in names:
            right[name] = pen.right.get(name, np.full(each.hand[name].values.shape, np.nan))
    return right


def numbers_of(trace: Trace) -> dict[str, Numbers]:
    """A trace as if a pupil had written it."""
    return {name: Numbers(quantity.values, quantity.shown) for name, quantity in trace.items()}
