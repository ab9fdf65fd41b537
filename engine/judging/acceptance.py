"""For every quantity of a calculation the range of numbers that honest work can give.

A class of careless pupils does the calculation. Their lowest and highest numbers, before the last rounding,
bound each cell. A larger class would reach a little further, so the bounds are moved out to 5 standard
deviations of the class, but never to more than 1.5 times the way that the class itself went from its mean:
where there are few ways to calculate, the class has shown them all. Whatever it wrote, one unit of the last
place to either side of the hand value is accepted in every cell that is worked out. Sheets too large for
paper get smaller classes and, for that, more room.

Who fills in a sheet reads on what it prints. Where the sheet is known, the ranges are those of such pupils.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from engine.forward.calculation import Calculation, Pass, keys_of
from engine.judging.ranges import (
    Range,
    Statistics,
    at_least_a_unit,
    exponent_of,
    range_of,
    ranges_of_working,
    rounded_outward,
    working,
    written,
)
from engine.judging.teaching import Leaders
from engine.model.norms import NORMS
from engine.numbers.arrays import Array, Floats, half_up, keep_freed_memory, relu
from engine.pens.pens import CarelessPen, ExactPen, Visible
from engine.trace import Cells, Kind, Operation, Printed, Quantity, Trace, beside

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


class StatisticsPen(CarelessPen):
    """Keeps of each quantity only what is needed for a range, and of ranked ones which was largest.

    on_sheet: where the sheet prints the number that is read on. between: of a norm's steps, by name.
    """

    residual: Floats

    def __init__(
        self,
        hand: Trace,
        members: range,
        rng: np.random.Generator,
        statistics: dict[str, Statistics],
        leaders: dict[str, Leaders],
        on_sheet: Cells,
        between: Mapping[str, Quantity],
    ) -> None:
        super().__init__(hand, len(members), rng, members.start)
        self.statistics, self.leaders, self.on_sheet, self.between = statistics, leaders, on_sheet, between

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        if kind.ranked and name not in self.leaders:
            self.leaders[name] = Leaders(self.printed[name].values.shape, visible)
        carried = super().write(name, value, kind, visible)
        carried = self.with_printed(name, carried)
        if kind.operation is Operation.RESIDUAL:
            self.residual = np.asarray(carried, dtype=np.float64)
        elif kind.operation is Operation.NORM:
            first = np.asarray(carried, dtype=np.float64)
            norm, places = NORMS[kind.of], self.printed[name].places or 0
            for ending, full in written(norm, self.residual, first, places):
                self.keep(self.between[beside(name, ending)], full)
        return carried

    def keep(self, printed: Quantity, full: Floats) -> None:
        if printed.name not in self.statistics:
            self.statistics[printed.name] = Statistics(printed.values)
        self.statistics[printed.name].add(full)

    def note(self, printed: Quantity, on_paper: Floats, full: Floats) -> None:
        self.keep(printed, full)
        if printed.name in self.leaders:
            self.leaders[printed.name].add(self.with_printed(printed.name, on_paper))

    def with_printed(self, name: str, numbers: Floats) -> Floats:
        """The pupils' numbers, but where the sheet prints one that."""
        if (given := self.on_sheet.get(name)) is not None:
            numbers = numbers.copy()
            numbers[..., given] = self.printed[name].values[given]  # quicker than `where`
        return numbers


def accepted(calculation: Calculation, printed: Cells | None = None) -> Mapping[str, Range]:
    """The accepted range of every quantity of the hand trace, and of what is written between them.

    The same calculation gives the same ranges.

    printed: the cells that a sheet gives, from which everyone who fills it in goes on; none without a sheet.
    """
    on_sheet = calculation.under_both_names(printed or {})
    keep_freed_memory()
    ranges: dict[str, Range] = {}
    with np.errstate(over="ignore", invalid="ignore"):  # a range without an end says so itself
        for place, (each, names) in enumerate(calculation.parts()):
            ranges |= accepted_of(each, names, _FURTHER_PUPILS if place else _PUPILS[0], on_sheet, ranges)
    return ranges


def accepted_of(
    calculation: Pass, names: Iterable[str], fewest: int, on_sheet: Cells, earlier: Mapping[str, Range]
) -> Mapping[str, Range]:
    """The accepted ranges of some quantities of one pass, by a class of `fewest` at least on small sheets.

    earlier: those that other passes have found.
    """
    rng = np.random.default_rng(_SEED)
    statistics: dict[str, Statistics] = {}
    leaders: dict[str, Leaders] = {}
    between = working(calculation.hand)
    cells = sum(quantity.values.size for quantity in calculation.hand.values())
    # The fewer the cells, the more pupils: a rare way to calculate weighs more there.
    pupils = max(_FEWEST, min(max(_WORK // cells, fewest), _PUPILS[1], _MOST_WORK // cells))
    for members in classes(calculation, pupils):
        seen = statistics, leaders, on_sheet, between
        calculation.write(StatisticsPen(calculation.hand, members, rng, *seen))
    probe = ProbePen(calculation.hand, statistics, on_sheet, earlier)
    if cells <= _MOST_CELLS:
        calculation.write(probe)
    for name in calculation.hand:
        probe.reach(name)
    ranges = {name: probe.reaches[name].accepted for name in names}
    fresh = {name: quantity for name, quantity in calculation.hand.items() if name not in earlier}
    found = {name: replace(allowed, leaders=leaders.get(name)) for name, allowed in ranges.items()}
    return found | ranges_of_working(fresh, statistics, bool(on_sheet))


# --- The ranges of a calculation are made to agree with each other.
#
# A copy has its source's range, e^x that of its exponent, ReLU(u) that of u; where no u opens a ReLU, what is
# worked out with it has 0 there. A sum has at least the range of what it adds up. What the sheet prints is
# only itself.


_PROBE_SEED: Final = 1801
_RUNS: Final = 3
_MOVED: Final = 1e-3  # units of the last place: nothing changes its sign but what is 0


# The cell whose number it is, by quantity and place in reading order; 1, or −1 where a minus comes before it.
Copy = tuple[str, int, int]


_NEARLY: Final = 1e-9
_MOST_CELLS: Final = 1_000_000  # of one pass: copies are looked for cell by cell, and nobody writes so many


@dataclass(frozen=True)
class _Reach:
    """What is accepted of a quantity, and how far the numbers reach that the next steps may read."""

    accepted: Range
    low: Floats
    high: Floats


class ProbePen(ExactPen):
    """Finds the cells that are an earlier cell's number once more, whatever that is.

    z · 1 = z, x + 0 = x, and the same with a minus before it. They are not listed but found: in a few runs
    every number is moved a little by chance, and a copy holds what its source was moved to in all of them. A
    copy of a copy has both as sources. What a ReLU gives is no copy, for it is u only until u is negative. A
    ReLU that nobody's u opens is the constant 0, and what is worked out with it alone is a constant too.
    found: the sources by quantity and place. constants: those behind closed ReLUs, likewise. reaches: a
    quantity's range as soon as it is known whose copies its cells are.
    """

    def __init__(
        self, hand: Trace, statistics: Mapping[str, Statistics], on_sheet: Cells, earlier: Mapping[str, Range]
    ) -> None:
        super().__init__()
        self.hand = hand
        self.statistics = statistics
        self.on_sheet = on_sheet
        self.earlier = earlier
        self.reaches: dict[str, _Reach] = {}
        self.rng = np.random.default_rng(_PROBE_SEED)
        self.sources: dict[bytes, list[Copy]] = {}
        self.found: dict[str, dict[int, Sequence[Copy]]] = {}
        self.constants: dict[str, dict[int, float]] = {}

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        hand = self.hand[name]
        unit = 10.0 ** -(hand.places or 0)
        moved = hand.values + self.rng.uniform(-1, 1, (_RUNS, *hand.values.shape)) * _MOVED * unit
        before = hand.of if kind.operation is Operation.RELU else None
        if before is not None:  # a ReLU that is 0 for everybody is closed
            moved = np.where(self.reaches[before].accepted.high <= 0, 0.0, moved)
        given = kind.printed is not Printed.NO
        carried = np.empty_like(moved)
        np.add(moved if given or before is not None else value, 0.0, out=carried)  # no negative zero
        numbers, fresh = carried.reshape(_RUNS, -1), moved.reshape(_RUNS, -1)  # (runs, cells)
        shown = np.ones(numbers.shape[1], np.bool_) if visible is None else visible.reshape(-1)
        fixed = shown & (numbers == numbers[0]).all(0) & (not given)
        if kind.operation is Operation.NETWORK:
            self.constants[name] = {int(place): float(numbers[0, place]) for place in np.flatnonzero(fixed)}
        both = np.concatenate([numbers, fresh], axis=1)
        signs = np.where(both[0] < 0, -1, 1)  # a number and its negative have one key
        keys, signs = keys_of(both * signs), signs.tolist()
        found, new = self.found.setdefault(name, {}), []
        for place in np.flatnonzero(shown & ~fixed).tolist():
            sign, same = signs[place], self.sources.get(keys[place])
            if same is None:
                new.append(place)
                moved_place = numbers.shape[1] + place
                sign, same = signs[moved_place], self.sources.setdefault(keys[moved_place], [])
            else:
                found[place] = [(source, cell, source_sign * sign) for source, cell, source_sign in same]
            same.append((name, place, sign))
        numbers[:, new] = fresh[:, new]
        self.reach(name)
        return carried if visible is None else np.where(visible, carried, 0.0)

    def reach(self, name: str) -> None:
        if name in self.reaches:
            return
        quantity = self.hand[name]
        exponent, is_relu = exponent_of(quantity), quantity.kind.operation is Operation.RELU
        low, high = self.statistics[name].bounds()
        if exponent is not None:
            low, high = np.exp(self.reaches[exponent].low), np.exp(self.reaches[exponent].high)
        if name in self.earlier:
            accepted = self.earlier[name]
        elif is_relu:
            before = self.reaches[quantity.of].accepted
            accepted = Range(relu(before.low), relu(before.high))
        else:
            accepted = range_of(quantity, low, high, bool(self.on_sheet))
            self._copy(name, accepted)
            if quantity.kind.operation is Operation.SUM:
                parts = self.reaches[quantity.of].accepted
                np.minimum(accepted.low, parts.low.sum(-1), out=accepted.low)
                np.maximum(accepted.high, parts.high.sum(-1), out=accepted.high)
        accepted = at_least_a_unit(accepted, quantity)
        if name in self.on_sheet:
            for bound in (accepted.low, accepted.high, low, high):
                bound[self.on_sheet[name]] = quantity.values[self.on_sheet[name]]
        self.reaches[name] = _Reach(accepted, np.minimum(low, accepted.low), np.maximum(high, accepted.high))

    def _copy(self, name: str, accepted: Range) -> None:
        """Puts the first source's range in with which the class agrees: away from the hand value not all are.

        What is a constant has itself alone.
        """
        ends = [(place, constant, constant) for place, constant in self.constants.get(name, {}).items()]
        for place, sources in self.found.get(name, {}).items():
            ends += [(place, *self._ends(copy)) for copy in sources if copy[0] in self.reaches]
        if not ends:
            return
        of_class, places = self.statistics[name], self.hand[name].places or 0
        honest = rounded_outward(of_class.middle + of_class.low, of_class.middle + of_class.high, places)
        cells = np.array([place for place, *_ in ends])
        low, high = half_up(np.array([bounds for _, *bounds in ends]).T, places)
        agree = low <= honest.low.flat[cells] + _NEARLY
        agree &= honest.high.flat[cells] - _NEARLY <= high
        for end in np.flatnonzero(agree)[::-1]:  # the first source is put in last
            accepted.low.flat[cells[end]], accepted.high.flat[cells[end]] = low[end], high[end]

    def _ends(self, copy: Copy) -> tuple[float, float]:
        name, place, sign = copy
        source = self.reaches[name].accepted
        one, other = (sign * float(bound.flat[place]) for bound in (source.low, source.high))
        return min(one, other), max(one, other)
