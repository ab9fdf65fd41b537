"""A class's numbers go in; ranges that agree with each other come out.

A copy has its source's range, e^x that of its exponent, ReLU(u) that of u. What the sheet prints is only
itself.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.calculation.passes import Pass
from engine.judging.copies import LEARNT, Copy, copies, hidden_of
from engine.judging.ranges import Range, Spread, range_of, rounded_outward
from engine.judging.readings import Cells
from engine.numbers.arrays import Floats, relu
from engine.numbers.rounding import half_up
from engine.trace.quantities import Printed
from engine.trace.trace import CellAddress, Quantity, Trace

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
    reaches: dict[str, _Reach] = {}
    copied: dict[str, dict[CellAddress, Sequence[Copy]]] = {}
    few = sum(quantity.values.size for quantity in each.hand.values()) <= _MOST_CELLS
    for cell, copy in copies(each).items() if few else ():
        copied.setdefault(cell[0], {})[cell] = copy
    for name, quantity in each.hand.items():
        low, high = _bounds(quantity, spreads[name], each.hand, reaches)
        accepted = earlier.get(name) or _accepted(quantity, low, high, reaches, bool(on_sheet))
        if name not in earlier and hidden_of(name) is None:
            _copy(copied.get(name, {}), accepted, spreads[name], quantity.places or 0, reaches)
        if name in on_sheet:
            for bound in (accepted.low, accepted.high, low, high):
                bound[on_sheet[name]] = quantity.values[on_sheet[name]]
        reaches[name] = _Reach(accepted, np.minimum(low, accepted.low), np.maximum(high, accepted.high))
    return {name: reaches[name].accepted for name in names}


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


def _copy(
    copied: Mapping[CellAddress, Sequence[Copy]],
    accepted: Range,
    spread: Spread,
    places: int,
    reaches: Mapping[str, _Reach],
) -> None:
    """Puts the first source's range in with which the class agrees: away from the hand value not all are."""
    honest = rounded_outward(spread.middle + spread.low, spread.middle + spread.high, places)
    for (_, index), sources in copied.items():
        for copy in sources:
            name, place = copy.source
            if name not in reaches:  # of the same table
                continue
            source = reaches[name].accepted
            ends = sorted(copy.sign * float(bound[place]) for bound in (source.low, source.high))
            low, high = (float(half_up(np.asarray(end), places)) for end in ends)
            if low <= honest.low[index] + _NEARLY and honest.high[index] - _NEARLY <= high:
                accepted.low[index], accepted.high[index] = low, high
                break
