"""The ranges of a calculation are made to agree with each other.

A copy has its source's range, e^x that of its exponent, ReLU(u) that of u; where no u opens a ReLU, what is
worked out with it has 0 there. What the sheet prints is only itself.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from engine.forward.aliases import keys_of
from engine.forward.calculation import Pass
from engine.judging.own_range import Cells
from engine.judging.ranges import (
    Range,
    Spread,
    at_least_a_unit,
    exponent_of,
    follows_relu,
    hidden_of,
    range_of,
    rounded_outward,
)
from engine.numbers.arrays import Array, Floats, half_up, relu
from engine.pens.pens import ExactPen, Visible
from engine.trace import Kind, Printed, Trace

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
        self, hand: Trace, spreads: Mapping[str, Spread], on_sheet: Cells, earlier: Mapping[str, Range]
    ) -> None:
        super().__init__()
        self.hand = hand
        self.spreads = spreads
        self.first = _first(hand, spreads, bool(on_sheet))
        self.on_sheet = on_sheet
        self.earlier = earlier
        self.reaches: dict[str, _Reach] = {}
        self.rng = np.random.default_rng(_PROBE_SEED)
        self.cells: list[Copy] = []  # all that are no copy
        self.number: dict[bytes, int] = {}  # of a cell, by what it holds
        self.copies: dict[int, list[Copy]] = {}  # by the number of their source, itself the first
        self.found: dict[str, dict[int, Sequence[Copy]]] = {}
        self.constants: dict[str, dict[int, float]] = {}

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        hand = self.hand[name]
        unit = 10.0 ** -(hand.places or 0)
        moved = hand.values + self.rng.uniform(-1, 1, (_RUNS, *hand.values.shape)) * _MOVED * unit
        before = hidden_of(name)
        if before is not None:  # a ReLU that is 0 for everybody is closed
            moved = np.where(self.reaches[before].accepted.high <= 0, 0.0, moved)
        given = kind.printed is not Printed.NO
        carried = np.empty_like(moved)
        np.add(moved if given or before is not None else value, 0.0, out=carried)  # no negative zero
        numbers, fresh = carried.reshape(_RUNS, -1), moved.reshape(_RUNS, -1)  # (runs, cells)
        fixed = (numbers == numbers[0]).all(0) & (not given)
        places = ~fixed if visible is None else visible.reshape(-1) & ~fixed
        if follows_relu(name, self.hand):
            constants = np.flatnonzero(fixed if visible is None else visible.reshape(-1) & fixed)
            self.constants[name] = dict(zip(constants.tolist(), numbers[0, constants].tolist(), strict=True))
        keys, signs = _signed(np.concatenate([numbers, fresh], axis=1))
        known = [*map(self.number.get, keys[: fixed.size])]
        found, new = self.found.setdefault(name, {}), []
        for place in np.flatnonzero(places).tolist():
            number = known[place]
            if number is None:
                new.append(place)
                continue
            same = self.copies.setdefault(number, [self.cells[number]])
            found[place] = [(of, at, its * signs[place]) for of, at, its in same]
            same.append((name, place, signs[place]))
        for place in new:
            self.number[keys[fixed.size + place]] = len(self.cells)
            self.cells.append((name, place, signs[fixed.size + place]))
        numbers[:, new] = fresh[:, new]
        self.reach(name)
        return carried if visible is None else np.where(visible, carried, 0.0)

    def reach(self, name: str) -> None:
        if name in self.reaches:
            return
        quantity, exponent, hidden = self.hand[name], exponent_of(self.hand[name], self.hand), hidden_of(name)
        low, high, accepted, alone = self.first[name]
        if exponent is not None:
            low, high = np.exp(self.reaches[exponent].low), np.exp(self.reaches[exponent].high)
            accepted = range_of(quantity, low, high, bool(self.on_sheet))
        if name in self.earlier:
            accepted = self.earlier[name]
        elif hidden is not None:
            before = self.reaches[hidden].accepted
            accepted = Range(relu(before.low), relu(before.high))
        elif not self._copy(name, accepted) and exponent is None:
            accepted = alone
        if accepted is not alone:
            accepted = at_least_a_unit(accepted, quantity)
        if name in self.on_sheet:
            for bound in (accepted.low, accepted.high, low, high):
                bound[self.on_sheet[name]] = quantity.values[self.on_sheet[name]]
        self.reaches[name] = _Reach(accepted, np.minimum(low, accepted.low), np.maximum(high, accepted.high))

    def _copy(self, name: str, accepted: Range) -> bool:
        """Puts the first source's range in with which the class agrees: away from the hand value not all are.

        What is a constant has itself alone. Returns whether there was anything to look at.
        """
        ends = [(place, constant, constant) for place, constant in self.constants.get(name, {}).items()]
        for place, sources in self.found.get(name, {}).items():
            ends += [(place, *self._ends(copy)) for copy in sources if copy[0] in self.reaches]
        if not ends:
            return False
        spread, places = self.spreads[name], self.hand[name].places or 0
        honest = rounded_outward(spread.middle + spread.low, spread.middle + spread.high, places)
        cells = np.array([place for place, *_ in ends])
        low, high = half_up(np.array([bounds for _, *bounds in ends]).T, places)
        agree = low <= honest.low.flat[cells] + _NEARLY
        agree &= honest.high.flat[cells] - _NEARLY <= high
        for end in np.flatnonzero(agree)[::-1]:  # the first source is put in last
            accepted.low.flat[cells[end]], accepted.high.flat[cells[end]] = low[end], high[end]
        return True

    def _ends(self, copy: Copy) -> tuple[float, float]:
        name, place, sign = copy
        source = self.reaches[name].accepted
        one, other = (sign * float(bound.flat[place]) for bound in (source.low, source.high))
        return min(one, other), max(one, other)


def _first(
    hand: Trace, spreads: Mapping[str, Spread], in_hand: bool
) -> Mapping[str, tuple[Floats, Floats, Range, Range]]:
    """By name the class's bounds, its range, and that with a unit to either side; many quantities at once."""
    alike: dict[tuple[object, ...], list[str]] = {}
    for name, quantity in hand.items():
        alike.setdefault((quantity.places, quantity.printed, spreads[name].size), []).append(name)
    found: dict[str, tuple[Floats, Floats, Range, Range]] = {}
    for names in alike.values():
        shown = np.concatenate([hand[name].shown.reshape(-1) for name in names])
        joined = _joined([spreads[name] for name in names])
        flat = replace(hand[names[0]], axes=("cell",), values=joined.middle, visible=shown)
        low, high = joined.bounds()
        written = range_of(flat, low, high, in_hand)
        room, start = at_least_a_unit(written, flat), 0
        for name in names:
            shape, end = hand[name].values.shape, start + hand[name].values.size
            bounds = (low, high, written.low, written.high, room.low, room.high)
            cut = [bound[start:end].reshape(shape) for bound in bounds]
            found[name], start = (cut[0], cut[1], Range(cut[2], cut[3]), Range(cut[4], cut[5])), end
    return found


def _joined(spreads: Sequence[Spread]) -> Spread:
    """All cells one after the other, of spreads of one size."""
    whole = Spread(np.concatenate([spread.middle.reshape(-1) for spread in spreads]))
    for part in ("low", "high", "total", "squares", "count"):
        setattr(whole, part, np.concatenate([getattr(spread, part).reshape(-1) for spread in spreads]))
    whole.size = spreads[0].size
    return whole


def _signed(numbers: Floats) -> tuple[list[bytes], list[int]]:
    """For each cell of (runs, cells) a key that its negative has too, and its sign."""
    signs = np.where(numbers[0] < 0, -1, 1)
    return keys_of(numbers * signs), signs.tolist()


def agreeing(
    each: Pass,
    spreads: Mapping[str, Spread],
    on_sheet: Cells,
    earlier: Mapping[str, Range],
    names: Iterable[str],
) -> Mapping[str, Range]:
    """The ranges of some quantities of a pass. earlier: those that other passes have found."""
    pen = ProbePen(each.hand, spreads, on_sheet, earlier)
    if sum(quantity.values.size for quantity in each.hand.values()) <= _MOST_CELLS:
        each.write(pen)
    for name in each.hand:
        pen.reach(name)
    return {name: pen.reaches[name].accepted for name in names}
