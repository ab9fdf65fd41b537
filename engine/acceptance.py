"""A calculation goes in; for every quantity the range of numbers that honest work can give comes out.

A class of careless pupils (engine.careless) does the calculation. Their lowest and highest numbers, before
the last rounding, bound each cell. A larger class would reach a little further, so the bounds are moved out
to 5 standard deviations of the class, but never to more than 1.5 times the way that the class itself went
from its mean: where there are few ways to calculate, the class has shown them all. One unit of the last place
to either side of the hand value is always allowed. Sheets too large for paper get smaller classes and, for
that, more room.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.calculation import Calculation
from engine.careless import CarelessPen, classes, is_printed
from engine.model import Floats
from engine.passes import Pass
from engine.rounding import GUARD, half_up
from engine.trace import Quantity

_SEED: Final = 1799
_PUPILS: Final = (768, 4096)  # at least and at most, on sheets that can be printed
_FURTHER_PUPILS: Final = 3000  # at least, where the calculation goes on: rare ways lead farther there
_FEWEST: Final = 8
_WORK: Final = 2_400_000  # cells written by the whole class
_MOST_WORK: Final = 24_000_000
_DEVIATIONS: Final = 5.0
_EXACTLY: Final = ("embedding", "input", "random")  # printed, and nothing to be worked out
_FURTHER: Final = ((768, 1.5), (32, 2.0), (0, 4.0))  # for classes of so many at least


@dataclass(frozen=True)
class Range:
    """Lowest and highest number accepted in each cell, in the quantity's places; hidden cells hold 0."""

    low: Floats
    high: Floats

    def contains(self, values: Floats) -> NDArray[np.bool_]:
        """True where a value, rounded to the places of the bounds, is accepted."""
        return (values >= self.low - GUARD) & (values <= self.high + GUARD)


class Spread:
    """Lowest, highest, mean and standard deviation of each cell of one quantity over all pupils so far."""

    def __init__(self, middle: Floats) -> None:
        self.middle = middle
        self.low = np.zeros_like(middle)
        self.high = np.zeros_like(middle)
        self.total = np.zeros_like(middle)
        self.squares = np.zeros_like(middle)
        self.count = np.zeros_like(middle)
        self.size = 0

    def add(self, values: Floats) -> None:
        """values: (pupils, …), or without that axis where all have the same."""
        distance = values - self.middle
        if distance.ndim == self.middle.ndim:
            distance = distance[None]
        self.size += len(distance)
        finite = np.isfinite(distance)
        if not finite.all():
            distance = np.where(finite, distance, 0.0)
        self.low = np.minimum(self.low, distance.min(0))
        self.high = np.maximum(self.high, distance.max(0))
        self.total += distance.sum(0)
        self.squares += np.einsum("p...,p...->...", distance, distance)
        self.count += finite.sum(0)

    def bounds(self) -> tuple[Floats, Floats]:
        """What a class of any size would stay within, before rounding."""
        further = next(factor for size, factor in _FURTHER if self.size >= size)
        count = np.maximum(self.count, 1)
        mean = self.total / count
        reach = _DEVIATIONS * np.sqrt(np.maximum(self.squares / count - mean**2, 0))
        low = np.maximum(mean - reach, mean + further * (self.low - mean))
        high = np.minimum(mean + reach, mean + further * (self.high - mean))
        return self.middle + np.minimum(self.low, low), self.middle + np.maximum(self.high, high)


class SpreadPen(CarelessPen):
    """Keeps of each quantity only the spread."""

    spreads: dict[str, Spread]

    def note(self, printed: Quantity, on_paper: Floats, full: Floats) -> None:
        if printed.name not in self.spreads:
            self.spreads[printed.name] = Spread(printed.values)
        self.spreads[printed.name].add(full)


def accepted(calculation: Calculation) -> Mapping[str, Range]:
    """The accepted range of every quantity of the hand trace; the same calculation gives the same ranges."""
    ranges: dict[str, Range] = {}
    for place, (each, names) in enumerate(calculation.parts()):
        ranges |= accepted_of(each, names, _FURTHER_PUPILS if place else _PUPILS[0])
    return ranges


def accepted_of(calculation: Pass, names: Iterable[str], fewest: int) -> dict[str, Range]:
    """The accepted ranges of some quantities of one pass, by a class of `fewest` at least on small sheets."""
    rng = np.random.default_rng(_SEED)
    spreads: dict[str, Spread] = {}
    for members in classes(calculation, pupils_for(calculation, fewest)):
        pen = SpreadPen(calculation.hand, len(members), rng, members.start)
        pen.spreads = spreads
        calculation.write(pen)
    return {name: range_of(calculation.hand[name], spreads[name]) for name in names}


def pupils_for(calculation: Pass, fewest: int = _PUPILS[0]) -> int:
    """The fewer the cells, the more pupils: a rare way to calculate weighs more there."""
    cells = sum(quantity.values.size for quantity in calculation.hand.values())
    return max(_FEWEST, min(max(_WORK // cells, fewest), _PUPILS[1], _MOST_WORK // cells))


def range_of(quantity: Quantity, spread: Spread) -> Range:
    """Spread and one unit around the hand value together; what is printed on the sheet is only itself."""
    places = quantity.places or 0
    unit = 10.0**-places
    if is_printed(quantity.name):
        margin = 0.0 if quantity.name.endswith(_EXACTLY) else unit
        return Range(half_up(quantity.values - margin, places), half_up(quantity.values + margin, places))
    honest = rounded_outward(*spread.bounds(), places)
    low = np.minimum(honest.low, quantity.values - unit)
    high = np.maximum(honest.high, quantity.values + unit)
    if quantity.visible is not None:
        low, high = np.where(quantity.visible, low, 0.0), np.where(quantity.visible, high, 0.0)
    return Range(half_up(low, places), half_up(high, places))


def rounded_outward(low: Floats, high: Floats, places: int) -> Range:
    """What is written for values from low to high; a half may have been rounded either way."""
    unit = 10.0**-places
    return Range(
        half_up(np.ceil(low / unit - 0.5 - GUARD) * unit, places),
        half_up(np.floor(high / unit + 0.5 + GUARD) * unit, places),
    )
