"""A pupil's own numbers go in; for every cell the range of numbers that honestly follow from them comes out.

A number on paper was rounded when it was written, and who wrote it may go on with more places. Which ones is
not open: they come from the pupil's own calculation so far. So a number that an honest way to calculate gives
is read on as this way has it, rounded or not. Only a number that no way gives, a slip, may stand for anything
that rounds to it.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.calculation.calculation import Calculation
from engine.calculation.passes import write_as_far_as_possible
from engine.judging.ranges import Range, Spread, rounded_outward
from engine.layers.forward import Forward
from engine.numbers.arrays import Array, Floats
from engine.numbers.rounding import GUARD
from engine.pens.careless import PURE, CarelessPen
from engine.pens.pens import Visible
from engine.pens.pupil import Numbers
from engine.trace.quantities import Kind, Printed
from engine.trace.trace import Quantity, Trace

_SEED: Final = 1798
_WORK: Final = 400_000  # cells that all ways write together
_WAYS: Final = (48, 240)  # at least and at most
_LARGEST: Final = 1e12
_BESIDE_OF_PURE: Final = (0.0, -1.0, 1.0)  # what each of them goes on with beside a slip, in halves of a unit


class OwnNumbersPen(CarelessPen):
    """Many ways to go on from one pupil's numbers; keeps the spread of what they give, not the papers.

    middle: for each quantity values that the spread is measured from.
    """

    def __init__(
        self,
        printed: Trace,
        middle: Mapping[str, Floats],
        numbers: Mapping[str, Numbers],
        ways: int,
        rng: np.random.Generator,
    ) -> None:
        super().__init__(printed, ways, rng)
        self.middle = middle
        self.numbers = numbers
        self.spreads: dict[str, Spread] = {}
        self.full: Floats = np.zeros(())  # the number just written, before it was rounded

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        carried = super().write(name, value, kind, visible)
        if name not in self.numbers:
            return carried
        own = self.numbers[name]
        if kind.printed is not Printed.NO:
            read_on = own.values
        else:
            half = 0.5 * 10.0 ** -(self.printed[name].places or 0)
            # (ways, …), or without that axis where all have the same
            honest = np.asarray(np.abs(self.full - own.values) <= half + GUARD)
            in_full = honest & (carried == self.full)
            slips = own.given & ~(honest.any(0) if honest.ndim > own.given.ndim else honest)
            beside = self.beside(own.values.shape) * half * slips if np.any(slips) else 0.0
            read_on = np.where(in_full, self.full, own.values + beside)
        carried = np.where(own.given & ~own.usable(), np.nan, carried)
        return np.where(own.usable(), read_on, carried)

    def numbered(self, first: int) -> NDArray[np.int64]:
        """The pure ways once for everything that they may go on with beside a slip, then all others."""
        pure = np.tile(np.arange(PURE), len(_BESIDE_OF_PURE))
        return np.concatenate([pure, np.arange(PURE, PURE + self.pupils)])[: self.pupils]

    def beside(self, shape: tuple[int, ...]) -> Floats:
        """How many halves of a unit each way goes on beside a slip: none, anything, all of it; (ways, …)."""
        beside = self.rng.uniform(-1.0, 1.0, size=(self.pupils, *shape))
        beside[::4] = 0.0
        beside[1::4] = np.sign(beside[1::4])
        for number, halves in enumerate(_BESIDE_OF_PURE):
            beside[number * PURE : (number + 1) * PURE] = halves
        return beside

    def note(self, printed: Quantity, on_paper: Floats, full: Floats) -> None:
        self.full = full
        spread = self.spreads.setdefault(printed.name, Spread(self.middle[printed.name]))
        spread.add(np.where(np.abs(full) < _LARGEST, full, np.nan))


def following(
    calculation: Calculation,
    right: Mapping[str, Floats],
    numbers: Mapping[str, Numbers],
    way: type[Forward] = Forward,
) -> Mapping[str, Range]:
    """What honestly follows from the numbers, in the passes that they belong to; nothing where `way` ends.

    right: what does by the sheet's rule (engine.pens.pupil.follow).

    Where nothing can be computed from them, everything may follow.
    way: the forward pass, or one with a step exchanged: what follows for someone who makes that mistake.
    """
    found: dict[str, Range] = {}
    for each, names in calculation.parts():
        if numbers.keys().isdisjoint(names):
            continue
        cells = sum(quantity.values.size for quantity in each.hand.values())
        ways = min(max(_WORK // cells, _WAYS[0]), _WAYS[1])
        pen = OwnNumbersPen(each.hand, right, numbers, ways, np.random.default_rng(_SEED))
        write_as_far_as_possible(each, pen, way)
        for name in names:
            if name in pen.spreads:
                found[name] = _bounds(pen.spreads[name], each.hand[name].places or 0)
            else:
                shape = each.hand[name].values.shape
                found[name] = Range(np.full(shape, np.inf), np.full(shape, -np.inf))
    return found


def _bounds(spread: Spread, places: int) -> Range:
    honest = rounded_outward(*spread.bounds(), places)
    known = spread.count == spread.size  # in every way something can be computed
    return Range(np.where(known, honest.low, -np.inf), np.where(known, honest.high, np.inf))
