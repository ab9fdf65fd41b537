"""Makes the ranges of a calculation agree with each other, for `acceptance`.

A copy has its source's range, e^x that of its exponent, ReLU(u) that of u; where no u opens a ReLU, what is
worked out with it has 0 there. What the sheet prints is only itself.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.forward.calculation import Pass
from engine.judging.own_range import Cells
from engine.judging.ranges import Range, Spread, at_least_a_unit, range_of, rounded_outward
from engine.numbers.arrays import Array, Floats, half_up, relu
from engine.pens.pens import ExactPen, Visible
from engine.trace import CellAddress, Kind, Printed, Quantity, Trace

LEARNT: Final = ("gradient.", "step.")
_SEED: Final = 1801
_RUNS: Final = 3
_MOVED: Final = 1e-3  # units of the last place: nothing changes its sign but what is 0


Copy = tuple[CellAddress, int]  # the cell whose number it is; 1, or −1 where a minus comes before it


def hidden_of(name: str) -> str | None:
    """The quantity u of a ReLU(u); None for all others. A gradient is no ReLU."""
    before, _, ending = name.rpartition(".")
    return f"{before}.hidden" if ending == "activation" and not before.startswith(LEARNT) else None


def follows_relu(name: str, hand: Trace) -> bool:
    """Whether products with a ReLU's numbers give it. A gradient is 0 behind one that u may still open."""
    before, _, ending = name.rpartition(".")
    return ending == "output" and f"{before}.activation" in hand and not name.startswith(LEARNT)


class ProbePen(ExactPen):
    """Finds the cells that are an earlier cell's number once more, whatever that is.

    z · 1 = z, x + 0 = x, and the same with a minus before it. They are not listed but found: in a few runs
    every number is moved a little by chance, and a copy holds what its source was moved to in all of them. A
    copy of a copy has both as sources. What a ReLU gives is no copy, for it is u only until u is negative. A
    ReLU that nobody's u opens is the constant 0, and what is worked out with it alone is a constant too.
    found: the sources by quantity and place. constants: those behind closed ReLUs, likewise.
    """

    def __init__(self, hand: Trace) -> None:
        super().__init__()
        self.hand = hand
        self.rng = np.random.default_rng(_SEED)
        self.sources: dict[bytes, list[Copy]] = {}
        self.found: dict[str, dict[tuple[int, ...], Sequence[Copy]]] = {}
        self.constants: dict[str, dict[tuple[int, ...], float]] = {}

    def closed(self, name: str) -> NDArray[np.bool_]:
        """Where the ReLU of this name is 0 for everybody."""
        return np.zeros(self.hand[name].values.shape, np.bool_)

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        hand = self.hand[name]
        unit = 10.0 ** -(hand.places or 0)
        moved = hand.values + self.rng.uniform(-1, 1, (_RUNS, *hand.values.shape)) * _MOVED * unit
        full = np.broadcast_to(np.asarray(value, dtype=np.float64), moved.shape)
        is_relu = hidden_of(name) is not None
        if is_relu:
            moved = np.where(self.closed(name), 0.0, moved)
        given = kind.printed is not Printed.NO
        carried = np.array(moved if given or is_relu else full) + 0.0  # no negative zero
        numbers, fresh = carried.reshape(_RUNS, -1), moved.reshape(_RUNS, -1)  # (runs, cells)
        for place, index in enumerate(np.ndindex(*hand.values.shape)):
            written, here = numbers[:, place], fresh[:, place]
            if visible is not None and not visible[index]:
                continue
            if not given and (written == written[0]).all():
                if follows_relu(name, self.hand):
                    self.constants.setdefault(name, {})[index] = float(written[0])
                continue
            same = self.sources.get(written.tobytes())
            if same is not None:
                self.found.setdefault(name, {})[index] = tuple(same)
            else:
                numbers[:, place] = written = here
            for sign in (1, -1):
                self.sources.setdefault((sign * written).tobytes(), []).append(((name, index), sign))
        return carried if visible is None else np.where(visible, carried, 0.0)


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
    pen = _AgreeingPen(each.hand, spreads, on_sheet, earlier)
    if sum(quantity.values.size for quantity in each.hand.values()) <= _MOST_CELLS:
        each.write(pen)
    for name in each.hand:
        pen.reach(name)
    return {name: pen.reaches[name].accepted for name in names}


class _AgreeingPen(ProbePen):
    """Finds a quantity's range as soon as it is known whose copies its cells are: a ReLU asks for u's."""

    def __init__(
        self, hand: Trace, spreads: Mapping[str, Spread], on_sheet: Cells, earlier: Mapping[str, Range]
    ) -> None:
        super().__init__(hand)
        self.spreads = spreads
        self.on_sheet = on_sheet
        self.earlier = earlier
        self.reaches: dict[str, _Reach] = {}

    def closed(self, name: str) -> NDArray[np.bool_]:
        return np.asarray(self.reaches[hidden_of(name) or ""].accepted.high <= 0)

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        carried = super().write(name, value, kind, visible)
        self.reach(name)
        return carried

    def reach(self, name: str) -> None:
        if name in self.reaches:
            return
        quantity, exponent, hidden = self.hand[name], exponent_of(self.hand[name], self.hand), hidden_of(name)
        low, high = self.spreads[name].bounds()
        if exponent is not None:
            low, high = np.exp(self.reaches[exponent].low), np.exp(self.reaches[exponent].high)
        if name in self.earlier:
            accepted = self.earlier[name]
        elif hidden is not None:
            before = self.reaches[hidden].accepted
            accepted = Range(relu(before.low), relu(before.high))
        else:
            accepted = range_of(quantity, low, high, bool(self.on_sheet))
            self._copy(name, accepted)
        accepted = at_least_a_unit(accepted, quantity)
        if name in self.on_sheet:
            for bound in (accepted.low, accepted.high, low, high):
                bound[self.on_sheet[name]] = quantity.values[self.on_sheet[name]]
        self.reaches[name] = _Reach(accepted, np.minimum(low, accepted.low), np.maximum(high, accepted.high))

    def _copy(self, name: str, accepted: Range) -> None:
        """Puts the first source's range in with which the class agrees: away from the hand value not all are.

        What is a constant has itself alone.
        """
        spread, places = self.spreads[name], self.hand[name].places or 0
        honest = rounded_outward(spread.middle + spread.low, spread.middle + spread.high, places)
        ends: dict[tuple[int, ...], Iterable[tuple[float, float]]] = {
            index: [(constant, constant)] for index, constant in self.constants.get(name, {}).items()
        }
        for index, sources in self.found.get(name, {}).items():
            ends[index] = [self._ends(copy) for copy in sources if copy[0][0] in self.reaches]
        for index, possible in ends.items():
            for end in possible:
                low, high = (float(half_up(np.asarray(bound), places)) for bound in end)
                if low <= honest.low[index] + _NEARLY and honest.high[index] - _NEARLY <= high:
                    accepted.low[index], accepted.high[index] = low, high
                    break

    def _ends(self, copy: Copy) -> tuple[float, float]:
        (name, place), sign = copy
        source = self.reaches[name].accepted
        one, other = (sign * float(bound[place]) for bound in (source.low, source.high))
        return min(one, other), max(one, other)


def exponent_of(quantity: Quantity, hand: Mapping[str, Quantity]) -> str | None:
    """The quantity x of an e^x that is worked out; None for all others."""
    before, _, ending = quantity.name.rpartition(".")
    if ending != "exp" or quantity.printed is not Printed.NO or before.startswith(LEARNT):
        return None
    return next(name for name in (f"{before}.{exponent}" for exponent in _EXPONENTS) if name in hand)
