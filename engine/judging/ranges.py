"""Which numbers are accepted in a cell, from the numbers that many pupils write there."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.judging.teaching import Leaders
from engine.model.norms import DEVIATION, NORMS, SQUARE, SUM, SUM_OF_SQUARES, Norm
from engine.numbers.arrays import GUARD, Floats, half_up
from engine.numbers.decimals import Decimals
from engine.trace import N, Operation, Printed, Quantity, beside

_ROUNDED_TWICE: Final = 0.05  # units, by which one place more may be off
_SAME: Final = 1e-4  # units
_DEVIATIONS: Final = 5.0
_SIDE_BY_SIDE: Final = 32
_FURTHER: Final = ((768, 1.5), (32, 2.0), (0, 4.0))  # for classes of so many at least


@dataclass(frozen=True)
class Range:
    """Lowest and highest number accepted in each cell, in the quantity's places; hidden cells hold 0.

    exact: where everyone gets the key's number without rounding, and so their sum, too; None: nowhere.
    """

    low: Floats
    high: Floats
    leaders: Leaders | None = None  # of ranked quantities
    exact: NDArray[np.bool_] | None = None

    def contains(self, values: Floats) -> NDArray[np.bool_]:
        """True where a value, rounded to the places of the bounds, is accepted."""
        return (values >= self.low - GUARD) & (values <= self.high + GUARD)


Ranges = Mapping[str, Range]  # by the names of quantities


def at_least_a_unit(allowed: Range, quantity: Quantity) -> Range:
    """The range with a unit of the last place to either side of the hand value, as the rule of grading says.

    What is printed to all and never worked out is only itself.
    """
    if quantity.printed is Printed.GIVEN:
        return allowed
    places = quantity.places or 0
    beside = quantity.shown * 10.0**-places
    low = np.minimum(allowed.low, quantity.values - beside)
    high = np.maximum(allowed.high, quantity.values + beside)
    return replace(_on_paper(low, high, places), leaders=allowed.leaders, exact=allowed.exact)


def _on_paper(low: Floats, high: Floats, places: int) -> Range:
    """Both ends rounded, at once."""
    ends = half_up(np.array([low, high]), places)
    return Range(ends[0, ...], ends[1, ...])


class Statistics:
    """Lowest, highest, mean and standard deviation of each cell of one quantity over all pupils so far."""

    def __init__(self, middle: Floats) -> None:
        self.middle = middle
        self.low, self.high, self.total, self.squares, self.count = np.zeros((5, *middle.shape))
        self.size = 0

    def add(self, values: Floats) -> None:
        """values: (pupils, …), or without that axis where all have the same."""
        distance = values - self.middle
        if distance.ndim == self.middle.ndim:
            distance = distance[None]
        self.size += len(distance)
        total, count = _sum(distance), np.asarray(len(distance))
        if not np.isfinite(total).all():
            finite = np.isfinite(distance)
            distance = np.where(finite, distance, 0.0)
            total, count = _sum(distance), finite.sum(0)
        self.low = np.minimum(self.low, _of_all(np.minimum, distance))
        self.high = np.maximum(self.high, _of_all(np.maximum, distance))
        self.total += total
        self.squares += np.einsum("p...,p...->...", distance, distance)
        self.count += count

    def bounds(self) -> tuple[Floats, Floats]:
        """What a class of any size would stay within, before rounding."""
        further = next(factor for size, factor in _FURTHER if self.size >= size)
        count = np.maximum(self.count, 1)
        mean = self.total / count
        reach = _DEVIATIONS * np.sqrt(np.maximum(self.squares / count - mean**2, 0))
        low = np.maximum(mean - reach, mean + further * (self.low - mean))
        high = np.minimum(mean + reach, mean + further * (self.high - mean))
        low, high = np.minimum(self.low, low), np.maximum(self.high, high)
        return np.asarray(self.middle + low), np.asarray(self.middle + high)


def _sum(distance: Floats) -> Floats:
    rows = distance.flags.c_contiguous and distance.size > len(distance)
    return np.asarray(np.einsum("p...->...", distance) if rows else distance.sum(0))  # the same, quicker


def _of_all(which: np.ufunc, distance: Floats) -> Floats:
    """The lowest or highest of all pupils, of many side by side first: long rows go quicker."""
    rows = len(distance) // _SIDE_BY_SIDE
    if not rows:
        return np.asarray(which.reduce(distance))
    rest = distance[rows * _SIDE_BY_SIDE :]
    many = distance[: rows * _SIDE_BY_SIDE].reshape(_SIDE_BY_SIDE, rows, *distance.shape[1:])
    return np.asarray(which.reduce(np.concatenate([which.reduce(many), rest])))


def range_of(quantity: Quantity, low: Floats, high: Floats, in_hand: bool) -> Range:
    """What honest work writes for values from low to high, from which the ranges of the next steps follow.

    Who carries one place more rounds twice. A unit beside the hand value is allowed, unless everyone has the
    same numbers to calculate with and rounds the result alike. in_hand: whether it is known what lies before
    everyone; then it is allowed only where honest ways differ. What is printed to all is only itself.
    """
    places = quantity.places or 0
    unit = 10.0**-places
    if quantity.printed is not Printed.NO:
        margin = 0.0 if quantity.printed is Printed.GIVEN else unit
        return _on_paper(quantity.values - margin, quantity.values + margin, places)
    exact = np.maximum(quantity.values - low, high - quantity.values) < _SAME * unit
    twice = _ROUNDED_TWICE * unit
    least, most = _outward(low - twice, high + twice, unit)
    alike = (most - least < 0.5 * unit) & (in_hand | (high - low < _SAME * unit))
    beside = np.where(alike, 0.0, unit)
    low = np.minimum(least, quantity.values - beside)
    high = np.maximum(most, quantity.values + beside)
    if quantity.visible is not None:
        low, high = np.where(quantity.visible, low, 0.0), np.where(quantity.visible, high, 0.0)
    return replace(_on_paper(low, high, places), exact=exact)


def rounded_outward(low: Floats, high: Floats, places: int) -> Range:
    """What is written for values from low to high; a half may have been rounded either way."""
    return _on_paper(*_outward(low, high, 10.0**-places), places)


def _outward(low: Floats, high: Floats, unit: float) -> tuple[Floats, Floats]:
    return np.ceil(low / unit - 0.5 - GUARD) * unit, np.floor(high / unit + 0.5 + GUARD) * unit


# Numbers in order, the largest first: those whose ranges overlap may change places. Equal ones of equal
# vectors do not: there the sheet's rule decides, the smaller number of the word first.

_SAME_PLACE: Final = 1e-12


def places(allowed: Range, exact: Floats, order: Sequence[int]) -> list[tuple[int, ...]]:
    """For each place of `order`, the largest first, all that honest work can put there, the key's first.

    exact: the unrounded numbers.
    """
    n = len(exact)
    twins = np.abs(exact[:, None] - exact[None, :]) <= _SAME_PLACE
    earlier = np.tri(n, k=-1, dtype=np.bool_).T  # [i, j]: i comes before j
    above = np.where(twins, earlier, allowed.low[:, None] > allowed.high[None, :] + GUARD)  # [i, j]: surely
    first, last = above.sum(0), n - 1 - above.sum(1)
    return [
        (own, *(int(i) for i in np.flatnonzero((first <= place) & (place <= last)) if i != own))
        for place, own in enumerate(order)
    ]


def joined(allowed: Range, possible: Sequence[tuple[int, ...]]) -> Range:
    """The range with room at each place for all that may stand there; a place's number is the key's."""
    low, high = allowed.low.copy(), allowed.high.copy()
    for own, *others in possible:
        for other in others:
            low[own] = min(low[own], allowed.low[other])
            high[own] = max(high[own], allowed.high[other])
    return Range(low, high, allowed.leaders)


# What a norm is worked out with: the sheet has columns for it and a row of sums. The same class writes it,
# and it is accepted as all else is.


def normalised(hand: Mapping[str, Quantity]) -> Iterator[tuple[Quantity, Quantity]]:
    """The quantities r that a norm takes, each with what it writes first."""
    residual = None
    for quantity in hand.values():
        if quantity.kind.operation is Operation.RESIDUAL:
            residual = quantity
        elif quantity.kind.operation is Operation.NORM and residual is not None:
            yield residual, quantity


def working(hand: Mapping[str, Quantity]) -> dict[str, Quantity]:
    """By name (block1.norm1.square) what stands between a norm's first steps by the sheet's rule."""
    found: dict[str, Quantity] = {}
    for residual, first in normalised(hand):
        if first.places is None or residual.places is None:
            continue
        norm, token, places = NORMS[first.kind.of], first.axes, residual.places
        r = divided = Decimals.from_floats(residual.values)  # (n, d_model)
        if norm.centred:
            divided, places = r - Decimals.from_floats(first.values[:, None]), first.places
        square = divided * divided
        tables = {
            DEVIATION: (residual.axes, places, divided),
            SQUARE: (residual.axes, 2 * places, square),
            SUM: (token, residual.places, r.sum(-1)),
            SUM_OF_SQUARES: (token, 2 * places, square.sum(-1)),
        }
        for ending, (axes, digits, values) in tables.items():
            if ending in norm.columns or ending in norm.sums.values():
                name = beside(first.name, ending)
                found[name] = Quantity(name, N.intermediate(*axes), digits, values.to_floats())
    return found


def written(norm: Norm, r: Floats, first: Floats, places: int) -> Iterator[tuple[str, Floats]]:
    """What a class gets before it rounds, by ending; some more than once, for there are two ways.

    r: (…, n, d_model); first: the first step, (…, n), as the pupils go on with it. Differences are squared
    and added as they are, or as they stand on the paper.
    """
    ways = [r]
    if norm.centred:
        full = r - first[..., None]
        yield SUM, r.sum(-1)
        yield DEVIATION, full
        ways = [full, half_up(full, places)]
    for each in ways:
        square = each**2
        yield SQUARE, square
        yield SUM_OF_SQUARES, square.sum(-1)


def ranges_of_working(
    hand: Mapping[str, Quantity], statistics: Mapping[str, Statistics], in_hand: bool
) -> dict[str, Range]:
    """The accepted ranges of those that the class wrote; a square's is that of the accepted r − μ."""
    found: dict[str, Range] = {}
    steps = working(hand)
    for name, quantity in steps.items():
        if name not in statistics:
            continue
        ending = quantity.place.last
        if ending == SQUARE and (deviation := found.get(beside(name, DEVIATION))):
            found[name] = _of_squares(deviation, statistics[name], quantity.places or 0)
            continue
        low, high = statistics[name].bounds()
        if ending == SUM_OF_SQUARES:  # a larger class's sum goes no further than its terms do
            terms, half = found[beside(name, SQUARE)], 0.5 * 10.0 ** -(quantity.places or 0)
            room = half * terms.low.shape[-1]  # each of them was rounded
            low = np.maximum(low, terms.low.sum(-1) - room)
            high = np.minimum(high, terms.high.sum(-1) + room)
        found[name] = range_of(quantity, low, high, in_hand)
    return {name: _worked_out(allowed, steps[name]) for name, allowed in found.items()}


def _worked_out(allowed: Range, quantity: Quantity) -> Range:
    """A unit beside 0 needs no words in the key; where a square's range is printed, it begins at 0."""
    around = at_least_a_unit(allowed, quantity)
    if quantity.place.last != SQUARE:
        return around
    said = around.high > quantity.values + 1.5 * 10.0 ** -(quantity.places or 0)
    return Range(np.where(said, np.maximum(around.low, 0.0), around.low), around.high)


def _of_squares(deviation: Range, of_class: Statistics, places: int) -> Range:
    """Ends are the squares of the ends of r − μ; where some of the class went on with more places and wrote
    a square beyond, they are those of all that is written as an accepted r − μ.
    """
    half = 0.5 * 10.0 ** -(places // 2)
    least, most = squared(deviation.low, deviation.high)
    all_least, all_most = squared(deviation.low - half, deviation.high + half)
    honest = rounded_outward(of_class.middle + of_class.low, of_class.middle + of_class.high, places)
    further = rounded_outward(all_least, all_most, places)
    return Range(
        np.where(honest.low < least - GUARD, np.maximum(further.low, 0.0), half_up(least, places)),
        np.where(honest.high > most + GUARD, further.high, half_up(most, places)),
    )


def squared(low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Between what the squares of numbers from low to high lie."""
    one, other = low * low, high * high
    return np.where((low <= 0) & (high >= 0), 0.0, np.minimum(one, other)), np.maximum(one, other)


def exponent_of(quantity: Quantity) -> str | None:
    """The quantity x of an e^x that is worked out; None for all others."""
    worked_out = quantity.kind.operation is Operation.EXP and quantity.printed is Printed.NO
    return quantity.of if worked_out else None
