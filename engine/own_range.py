"""A pupil's own numbers go in; for every cell the range of numbers that honestly follow from them comes out.

A number on paper was rounded when it was written. Whoever goes on with full precision goes on with something
up to half a unit beside it, and may do so too after a slip has led away from the key.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np

from engine.acceptance import Range, Spread, rounded_outward
from engine.careless import CarelessPen, is_printed
from engine.forward import Forward
from engine.model import Floats
from engine.numbers import Array
from engine.passes import Pass
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
        beside = self.rng.uniform(-half, half, size=(self.pupils, *own.values.shape))
        beside[::4] = 0.0  # some go on with exactly what is written
        return np.where(own.usable(), own.values + beside, carried)

    def note(self, printed: Quantity, on_paper: Floats, full: Floats) -> None:
        spread = self.spreads.setdefault(printed.name, Spread(self.middle[printed.name]))
        spread.add(np.where(np.abs(full) < _LARGEST, full, np.nan))


def following(
    calculation: Pass,
    right: Mapping[str, Floats],
    numbers: Mapping[str, Numbers],
    way: type[Forward] = Forward,
) -> Mapping[str, Range]:
    """What honestly follows from the numbers; right: what does by the sheet's rule (engine.pupil.follow).

    Where nothing can be computed from them, everything may follow.
    way: the forward pass, or one with a step exchanged: what follows for someone who makes that mistake.
    """
    hand = calculation.hand
    cells = sum(quantity.values.size for quantity in hand.values())
    ways = min(max(_WORK // cells, _WAYS[0]), _WAYS[1])
    pen = OwnNumbersPen(hand, right, numbers, ways, np.random.default_rng(_SEED))
    calculation.write(pen, way)
    return {name: _bounds(spread, hand[name].places or 0) for name, spread in pen.spreads.items()}


def _bounds(spread: Spread, places: int) -> Range:
    honest = rounded_outward(*spread.bounds(), places)
    known = spread.count > 0
    return Range(np.where(known, honest.low, -np.inf), np.where(known, honest.high, np.inf))
