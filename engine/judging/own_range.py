"""What honestly follows from a pupil's own numbers, for every cell of a calculation.

A number on paper was rounded when it was written, and who wrote it may go on with more places. Which ones is
not open: they come from the pupil's own calculation so far. So a number that an honest way to calculate gives
is read on as this way has it, rounded or not. Only a number that no way gives, a slip, may stand for anything
that rounds to it.

Someone who fills in a sheet goes on from their own numbers, and from printed ones where those stand in the
same table. Someone else computes all of it. Either way is honest, and each is a reading of the sheet.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.forward.calculation import Calculation, write_as_far_as_possible
from engine.forward.forward import Forward
from engine.judging.ranges import Range, Statistics, rounded_outward
from engine.numbers.arrays import GUARD, Array, Floats, half_up
from engine.pens.pens import PURE, CarelessPen, ExactPen, Numbers, PupilPen, Visible, places_of_root
from engine.trace import Cells, Kind, Printed, Quantity, Trace

Source = Mapping[str, Numbers]


def sources(calculation: Calculation, own: Source, printed: Cells) -> tuple[Source, ...]:
    """The likeliest first: own numbers before printed ones; then, where something is printed, own ones alone.

    A number that was written under one of two names of the same table is read under both.
    """
    hand = calculation.hand
    alone = _under_both_names(calculation, own)
    there = {name: cells for name, cells in printed.items() if name in hand and cells.any()}
    given = {name: Numbers(hand[name].values, cells) for name, cells in there.items()}
    if not given:
        return (alone,)
    on_sheet = {name: _before(own.get(name), given.get(name)) for name in {**own, **given}}
    return _under_both_names(calculation, on_sheet), alone


def _under_both_names(calculation: Calculation, numbers: Source) -> Source:
    found = dict(numbers)
    for name, other in calculation.written_twice:
        if other in numbers:
            same = Numbers(numbers[other].values, numbers[other].given & calculation.hand[name].shown)
            found[name] = _before(numbers.get(name), same)
    return found


def _before(first: Numbers | None, second: Numbers | None) -> Numbers:
    """The numbers of the first, and of the second where the first has none."""
    if first is None or second is None:
        numbers = first or second
        assert numbers is not None
        return numbers
    return Numbers(np.where(first.given, first.values, second.values), first.given | second.given)


@dataclass(frozen=True)
class Recomputed:
    """right: what is right from the pupil's own numbers; traces: what stands on paper, pass by pass.

    undefined: which steps cannot be computed from them, as of `PupilPen`; the key's numbers stand there.
    """

    right: Mapping[str, NDArray[np.float64]]
    traces: tuple[Trace, ...]
    undefined: Mapping[str, str]


def recompute_from(calculation: Calculation, numbers: Mapping[str, Numbers]) -> Recomputed:
    """What the pupil's numbers lead to, in every pass of the calculation."""
    right: dict[str, NDArray[np.float64]] = {}
    undefined: dict[str, str] = {}
    traces = []
    for each, _ in calculation.parts():
        pen = PupilPen(each.hand, each.places, numbers)
        traces.append(each.write(pen))
        right = pen.right | right
        undefined |= pen.undefined
    return Recomputed(right, tuple(traces), undefined)


_SEED: Final = 1798
_WORK: Final = 400_000  # cells that all ways write together
_WAYS: Final = (48, 240)  # at least and at most
_LARGEST: Final = 1e12
_BESIDE_OF_PURE: Final = (0.0, -1.0, 1.0)  # what each of them goes on with beside a slip, in halves of a unit


class OwnNumbersPen(CarelessPen):
    """Many ways to go on from one pupil's numbers; keeps the statistics of what they give, not the papers.

    middle: for each quantity values that they are measured from.
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
        self.statistics: dict[str, Statistics] = {}
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
        found = self.statistics.setdefault(printed.name, Statistics(self.middle[printed.name]))
        found.add(np.where(np.abs(full) < _LARGEST, full, np.nan))


def range_from(
    calculation: Calculation,
    right: Mapping[str, Floats],
    numbers: Mapping[str, Numbers],
    variant: type[Forward] = Forward,
) -> Mapping[str, Range]:
    """What honestly follows from the numbers in the passes that they belong to; nothing where `variant` ends.

    right: what does by the sheet's rule (`recompute_from`). Where nothing can be computed, everything may.
    variant: the forward pass, or one with a step exchanged: what follows for someone who makes that mistake.
    """
    found: dict[str, Range] = {}
    for each, names in calculation.parts():
        if numbers.keys().isdisjoint(names):
            continue
        cells = sum(quantity.values.size for quantity in each.hand.values())
        ways = min(max(_WORK // cells, _WAYS[0]), _WAYS[1])
        pen = OwnNumbersPen(each.hand, right, numbers, ways, np.random.default_rng(_SEED))
        write_as_far_as_possible(each, pen, variant)
        for name in names:
            if name in pen.statistics:
                found[name] = _bounds(pen.statistics[name], each.hand[name].places or 0)
            else:
                shape = each.hand[name].values.shape
                found[name] = Range(np.full(shape, np.inf), np.full(shape, -np.inf))
    return found


def _bounds(of_ways: Statistics, places: int) -> Range:
    honest = rounded_outward(*of_ways.bounds(), places)
    known = of_ways.count == of_ways.size  # in every way something can be computed
    return Range(np.where(known, honest.low, -np.inf), np.where(known, honest.high, np.inf))


_PAPERS: Final = 256
_BY_TABLE: Final = 4  # of so many papers one has the same end throughout a table


class AcceptedPen(ExactPen):
    """Of many papers on which every number is one end of its accepted range: what follows in each cell.

    found: from the numbers before the cell, with the unit that is allowed beside it.
    """

    def __init__(self, hand: Trace, ranges: Mapping[str, Range]) -> None:
        super().__init__()
        self.hand = hand
        self.ranges = ranges
        self.rng = np.random.default_rng(_SEED)
        self.found: dict[str, Range] = {}

    def constant(self, value: Array) -> Array:
        return half_up(np.asarray(value), places_of_root(self.hand))

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        quantity = self.hand[name]
        if name not in self.ranges:  # calculated, but on no sheet: steps of matrices that do not learn
            return quantity.values
        allowed = self.ranges[name]
        places, shape = quantity.places or 0, (_PAPERS, *quantity.values.shape)
        follows = np.asarray(value, dtype=np.float64)
        if visible is not None:
            follows = np.where(visible, follows, 0.0)
        follows = half_up(np.broadcast_to(follows, shape), places)
        self.found[name] = Range(follows.min(0) - 10.0**-places, follows.max(0) + 10.0**-places)
        if kind.printed is not Printed.NO:
            return quantity.values
        high = self.rng.random(shape) < 0.5
        high[::_BY_TABLE] = self.rng.random((_PAPERS // _BY_TABLE, *(1,) * quantity.values.ndim)) < 0.5
        return np.where(high, allowed.high, allowed.low)


def following_accepted(calculation: Calculation, ranges: Mapping[str, Range]) -> Mapping[str, Range]:
    """What is right in every cell for someone whose numbers before it are accepted ones."""
    found: dict[str, Range] = {}
    with np.errstate(all="ignore"):
        for each, names in calculation.parts():
            pen = AcceptedPen(each.hand, ranges)
            each.write(pen)
            found |= {name: pen.found[name] for name in names}
    return found
