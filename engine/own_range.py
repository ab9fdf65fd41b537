"""A pupil's own numbers go in; for every cell the range of numbers that honestly follow from them comes out.

A number on paper was rounded when it was written. Whoever goes on with full precision goes on with something
up to half a unit beside it, and may do so too after a slip has led away from the key.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np

from engine.acceptance import Range, Spread, rounded_outward
from engine.calculation import Calculation
from engine.careless import CarelessPen, is_printed
from engine.forward import Forward
from engine.model import Floats
from engine.numbers import Array
from engine.passes import write_as_far_as_possible
from engine.pens import Visible
from engine.pupil import Numbers
from engine.quantities import Places
from engine.trace import Quantity, Trace

_SEED: Final = 1798
_WORK: Final = 400_000  # cells that all ways write together
_WAYS: Final = (48, 240)  # at least and at most
_LARGEST: Final = 1e12


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

    def write(self, name: str, value: Array, visible: Visible = None, places: Places | None = None) -> Array:
        carried = super().write(name, value, visible, places)
        if name not in self.numbers:
            return carried
        own = self.numbers[name]
        carried = np.where(own.given & ~own.usable(), np.nan, carried)
        if is_printed(name):
            return np.where(own.usable(), own.values, carried)
        half = 0.5 * 10.0 ** -(self.printed[name].places or 0)
        return np.where(own.usable(), own.values + self.beside(own.values.shape) * half, carried)

    def beside(self, shape: tuple[int, ...]) -> Floats:
        """How many halves of a unit each way goes on beside what is written; (ways, …).

        Some ways go on with exactly that, some with anything, some as far off as can be; of these one with
        all numbers above and one with all below, as sums add up what was rounded away.
        """
        beside = self.rng.uniform(-1.0, 1.0, size=(self.pupils, *shape))
        beside[::4] = 0.0
        beside[2::4] = np.sign(beside[2::4])
        beside[2], beside[6] = 1.0, -1.0
        return beside

    def note(self, printed: Quantity, on_paper: Floats, full: Floats) -> None:
        spread = self.spreads.setdefault(printed.name, Spread(self.middle[printed.name]))
        spread.add(np.where(np.abs(full) < _LARGEST, full, np.nan))


def following(
    calculation: Calculation,
    right: Mapping[str, Floats],
    numbers: Mapping[str, Numbers],
    way: type[Forward] = Forward,
) -> Mapping[str, Range]:
    """What honestly follows from the numbers, in the passes that they belong to; nothing where `way` ends.

    right: what does by the sheet's rule (engine.pupil.follow).

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
