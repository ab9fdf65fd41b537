"""A class's numbers go in; ranges that agree with each other come out.

A copy has its source's range, e^x that of its exponent, ReLU(u) that of u; where no u opens a ReLU, what is
worked out with it has 0 there. What the sheet prints is only itself.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.calculation.passes import Pass
from engine.judging.copies import LEARNT, Copy, ProbePen, hidden_of
from engine.judging.ranges import Range, Spread, range_of, rounded_outward
from engine.judging.readings import Cells
from engine.numbers.arrays import Array, Floats, relu
from engine.numbers.rounding import half_up
from engine.pens.pens import Visible
from engine.trace.quantities import Kind, Printed
from engine.trace.trace import Quantity, Trace

_EXPONENTS: Final = ("scaled", "scaled_logit", "score")  # the first that is there
_NEARLY: Final = 1e-9
_MOST_CELLS: Final = 1_000_000  # of one pass: copies are looked for cell by cell, and nobody writes so many


@dataclass(frozen=True)
class _Reach:
    """What is accepted of a quantity, and how far the numbers reach that the next steps may read."""

    accepted: Range
    low: Floats
    high: Floats


def agreeing(
    each: Pass,
    spreads: Mapping[str, Spread],
    on_sheet: Cells,
    earlier: Mapping[str, Range],
    names: Iterable[str],
) -> Mapping[str, Range]:
    """The ranges of some quantities of a pass. earlier: those that other passes have found."""
    pen = _AgreeingPen(each.hand, spreads, on_sheet, earlier)
    if sum(quantity.values.size for quantity in each.hand.values()) <= _MOST_CELLS:
        each.write(pen)
    for name in each.hand:
        pen.reach(name)
    return {name: pen.reaches[name].accepted for name in names}


class _AgreeingPen(ProbePen):
    """Finds a quantity's range as soon as it is known whose copies its cells are: a ReLU asks for u's."""

    def __init__(
        self, hand: Trace, spreads: Mapping[str, Spread], on_sheet: Cells, earlier: Mapping[str, Range]
    ) -> None:
        super().__init__(hand)
        self.spreads = spreads
        self.on_sheet = on_sheet
        self.earlier = earlier
        self.reaches: dict[str, _Reach] = {}

    def closed(self, name: str) -> NDArray[np.bool_]:
        return np.asarray(self.reaches[hidden_of(name) or ""].accepted.high <= 0)

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        carried = super().write(name, value, kind, visible)
        self.reach(name)
        return carried

    def reach(self, name: str) -> None:
        if name in self.reaches:
            return
        quantity, spread = self.hand[name], self.spreads[name]
        low, high = _bounds(quantity, spread, self.hand, self.reaches)
        accepted = self.earlier.get(name) or _accepted(quantity, low, high, self.reaches, bool(self.on_sheet))
        if name not in self.earlier and hidden_of(name) is None:
            self._copy(name, accepted)
        if name in self.on_sheet:
            for bound in (accepted.low, accepted.high, low, high):
                bound[self.on_sheet[name]] = quantity.values[self.on_sheet[name]]
        self.reaches[name] = _Reach(accepted, np.minimum(low, accepted.low), np.maximum(high, accepted.high))

    def _copy(self, name: str, accepted: Range) -> None:
        """Puts the first source's range in with which the class agrees: away from the hand value not all are.

        What is a constant has itself alone.
        """
        spread, places = self.spreads[name], self.hand[name].places or 0
        honest = rounded_outward(spread.middle + spread.low, spread.middle + spread.high, places)
        ends: dict[tuple[int, ...], Iterable[tuple[float, float]]] = {
            index: [(constant, constant)] for index, constant in self.constants.get(name, {}).items()
        }
        for index, sources in self.found.get(name, {}).items():
            ends[index] = [self._ends(copy) for copy in sources if copy.source[0] in self.reaches]
        for index, possible in ends.items():
            for end in possible:
                low, high = (float(half_up(np.asarray(bound), places)) for bound in end)
                if low <= honest.low[index] + _NEARLY and honest.high[index] - _NEARLY <= high:
                    accepted.low[index], accepted.high[index] = low, high
                    break

    def _ends(self, copy: Copy) -> tuple[float, float]:
        name, place = copy.source
        source = self.reaches[name].accepted
        one, other = (copy.sign * float(bound[place]) for bound in (source.low, source.high))
        return min(one, other), max(one, other)


def _bounds(
    quantity: Quantity, spread: Spread, hand: Trace, reaches: Mapping[str, _Reach]
) -> tuple[Floats, Floats]:
    """Between what the number lies before it is rounded."""
    exponent = exponent_of(quantity, hand)
    if exponent is not None:
        return np.exp(reaches[exponent].low), np.exp(reaches[exponent].high)
    return spread.bounds()


def _accepted(
    quantity: Quantity, low: Floats, high: Floats, reaches: Mapping[str, _Reach], in_hand: bool
) -> Range:
    hidden = hidden_of(quantity.name)
    if hidden is not None:
        before = reaches[hidden].accepted
        return Range(relu(before.low), relu(before.high))
    return range_of(quantity, low, high, in_hand)


def exponent_of(quantity: Quantity, hand: Mapping[str, Quantity]) -> str | None:
    """The quantity x of an e^x that is worked out; None for all others."""
    before, _, ending = quantity.name.rpartition(".")
    if ending != "exp" or quantity.printed is not Printed.NO or before.startswith(LEARNT):
        return None
    return next(name for name in (f"{before}.{exponent}" for exponent in _EXPONENTS) if name in hand)
