"""For every quantity of a calculation the range of numbers that honest work can give.

A class of careless pupils does the calculation. Their lowest and highest numbers, before the last rounding,
bound each cell. A larger class would reach a little further, so the bounds are moved out to 5 standard
deviations of the class, but never to more than 1.5 times the way that the class itself went from its mean:
where there are few ways to calculate, the class has shown them all. Whatever it wrote, one unit of the last
place to either side of the hand value is accepted in every cell that is worked out. Sheets too large for
paper get smaller classes and, for that, more room.

Who fills in a sheet reads on what it prints. Where the sheet is known, the ranges are those of such pupils.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from engine.forward.calculation import Calculation, Pass
from engine.judging.agreement import agreeing
from engine.judging.own_range import Cells, shared
from engine.judging.ranges import (
    FIRST,
    Range,
    Spread,
    at_least_a_unit,
    is_residual,
    ranges_of_working,
    residual_of,
    working,
    written,
)
from engine.judging.teaching import Leaders
from engine.numbers.arrays import Array, Floats, keep_freed_memory
from engine.pens.careless import CarelessPen
from engine.pens.pens import Visible
from engine.trace import Kind, Quantity, Trace

_CELLS_AT_ONCE: Final = 150_000  # of one quantity: small enough to stay near the processor


def classes(calculation: Pass, pupils: int) -> Iterator[range]:
    """The pupils' numbers in classes whose largest table fits into little memory."""
    largest = max(quantity.values.size for quantity in calculation.hand.values())
    size = max(8, _CELLS_AT_ONCE // largest)
    for first in range(0, pupils, size):
        yield range(first, min(pupils, first + size))


def simulate(calculation: Pass, pupils: int, seed: int) -> Iterator[Trace]:
    """The papers of so many pupils, a class at a time; the same seed gives the same papers."""
    rng = np.random.default_rng(seed)
    for members in classes(calculation, pupils):
        yield calculation.write(CarelessPen(calculation.hand, len(members), rng, members.start))


_SEED: Final = 1799
_PUPILS: Final = (768, 4096)  # at least and at most, on sheets that can be printed
_FURTHER_PUPILS: Final = 3000  # at least, where the calculation goes on: rare ways lead farther there
_FEWEST: Final = 8
_WORK: Final = 2_400_000  # cells written by the whole class
_MOST_WORK: Final = 24_000_000


class SpreadPen(CarelessPen):
    """Keeps of each quantity only the spread, and of ranked ones what led.

    on_sheet: where the sheet prints the number that is read on. between: of a LayerNorm's steps, by name.
    """

    spreads: dict[str, Spread]
    leaders: dict[str, Leaders]
    on_sheet: Cells
    between: Mapping[str, Quantity]
    residual: Floats

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        if kind.ranked and name not in self.leaders:
            self.leaders[name] = Leaders(self.printed[name].values.shape, visible)
        carried = super().write(name, value, kind, visible)
        if name in self.on_sheet:
            carried = np.where(self.on_sheet[name], self.printed[name].values, carried)
        if is_residual(name):
            self.residual = np.asarray(carried, dtype=np.float64)
        elif residual_of(name) is not None:
            mean, at = np.asarray(carried, dtype=np.float64), name.removesuffix(FIRST)
            for ending, full in written(self.residual, mean, self.printed[name].places or 0):
                self.keep(self.between[at + ending], full)
        return carried

    def keep(self, printed: Quantity, full: Floats) -> None:
        if printed.name not in self.spreads:
            self.spreads[printed.name] = Spread(printed.values)
        self.spreads[printed.name].add(full)

    def note(self, printed: Quantity, on_paper: Floats, full: Floats) -> None:
        self.keep(printed, full)
        if printed.name in self.leaders:
            given = self.on_sheet.get(printed.name, np.False_)
            self.leaders[printed.name].add(np.where(given, printed.values, on_paper))


def accepted(calculation: Calculation, printed: Cells | None = None) -> Mapping[str, Range]:
    """The accepted range of every quantity of the hand trace, and of what is written between them.

    The same calculation gives the same ranges.

    printed: the cells that a sheet gives, from which everyone who fills it in goes on; none without a sheet.
    """
    on_sheet = shared(calculation, printed or {})
    keep_freed_memory()
    ranges: dict[str, Range] = {}
    with np.errstate(over="ignore", invalid="ignore"):  # a range without an end says so itself
        for place, (each, names) in enumerate(calculation.parts()):
            ranges |= accepted_of(each, names, _FURTHER_PUPILS if place else _PUPILS[0], on_sheet, ranges)
    return ranges


def accepted_of(
    calculation: Pass, names: Iterable[str], fewest: int, on_sheet: Cells, earlier: Mapping[str, Range]
) -> Mapping[str, Range]:
    """The accepted ranges of some quantities of one pass, by a class of `fewest` at least on small sheets."""
    rng = np.random.default_rng(_SEED)
    spreads: dict[str, Spread] = {}
    leaders: dict[str, Leaders] = {}
    between = working(calculation.hand)
    cells = sum(quantity.values.size for quantity in calculation.hand.values())
    # The fewer the cells, the more pupils: a rare way to calculate weighs more there.
    pupils = max(_FEWEST, min(max(_WORK // cells, fewest), _PUPILS[1], _MOST_WORK // cells))
    for members in classes(calculation, pupils):
        pen = SpreadPen(calculation.hand, len(members), rng, members.start)
        pen.spreads, pen.leaders, pen.on_sheet, pen.between = spreads, leaders, on_sheet, between
        calculation.write(pen)
    ranges = agreeing(calculation, spreads, on_sheet, earlier, names)
    fresh = {name: quantity for name, quantity in calculation.hand.items() if name not in earlier}
    found = {name: replace(allowed, leaders=leaders.get(name)) for name, allowed in ranges.items()}
    steps = ranges_of_working(fresh, spreads, bool(on_sheet))
    return found | {name: at_least_a_unit(allowed, between[name]) for name, allowed in steps.items()}
