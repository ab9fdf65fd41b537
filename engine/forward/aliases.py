"""Which cells are one number by the formulas alone: for whoever copies, withholds, shares or counts cells.

Nobody lists them. The pass is run on numbers moved by chance, the weights too, in a few runs at once: cells
that come out alike in all of them are alike whatever the numbers are. So a copy, a symmetric cell, heads side
by side, a table that is worked out twice. A weight that happens to be 0 or 1 makes none, for it is moved;
only a W_O that is the identity is left alone, for such a step does nothing. Constants and what passes a ReLU
are alike only for these numbers: engine/judging/acceptance.py looks for those.
"""

from collections.abc import Collection, Mapping
from itertools import accumulate
from typing import Final, Protocol

import numpy as np

from engine.numbers.arrays import Array, Floats
from engine.pens.pens import ExactPen, Pen, Visible
from engine.trace import CellAddress, Kind, Operation, Trace, place_of

Aliases = Mapping[CellAddress, tuple[CellAddress, ...]]

_SEED: Final = 1802
_RUNS: Final = 3
_MOVED: Final = 0.01
_NOISE_PLACES: Final = 10
_MOST_CELLS: Final = 1_000_000  # of one pass: nobody writes so many
_GATED: Final = (Operation.RELU, Operation.GATE)


class Written(Protocol):
    """What has a trace and can be written once more by any pen."""

    @property
    def hand(self) -> Trace: ...
    def write(self, pen: Pen) -> Trace: ...


def aliases(each: Written, weights: Mapping[str, Floats]) -> Aliases:
    """Every cell that is the same number as others, with all of them, the first written first.

    weights: of the model that is calculated with, by name.
    """
    if sum(quantity.values.size for quantity in each.hand.values()) > _MOST_CELLS:
        return {}
    mixing = [table for name, table in weights.items() if place_of(name).last == "W_O"]
    pen = AliasPen(each.hand, {id(table) for table in mixing if np.array_equal(table, np.eye(len(table)))})
    each.write(pen)
    return pen.found()


class AliasPen(ExactPen):
    """Rounds nothing: writes a moved number for every new cell, and for an alias that of the first such cell.

    idle: the tables (by id) that are not moved. Cells are counted in the order of `hand`. first: by what it
    holds the number of the first cell that does; same: of every cell that of its first one (−1: unknown).
    """

    def __init__(self, hand: Trace, idle: Collection[int]) -> None:
        super().__init__()
        self.hand = hand
        self.idle = idle
        self.rng = np.random.default_rng(_SEED)
        sizes = [quantity.values.size for quantity in hand.values()]
        self.starts = dict(zip(hand, accumulate(sizes, initial=0), strict=False))
        self.moved = np.zeros((_RUNS, sum(sizes)))
        self.first: dict[bytes, int] = {}
        self.same = np.full(sum(sizes), -1)

    def found(self) -> Aliases:
        """Of each cell that is not alone with its number all that have it."""
        often = np.bincount(self.same + 1, minlength=1) > 1
        often[0] = False
        alike: dict[int, list[CellAddress]] = {}
        for name, quantity in self.hand.items():
            same = self.same[self.starts[name] :][: quantity.values.size]
            several = often[same + 1]
            cells = np.argwhere(several.reshape(quantity.values.shape)).tolist()
            for first, index in zip(same[several].tolist(), cells, strict=True):
                alike.setdefault(first, []).append((name, tuple(index)))
        return {cell: tuple(alike[first]) for first in sorted(alike) for cell in alike[first]}

    def read(self, given: Floats) -> Array:
        table = np.asarray(given, dtype=np.float64)
        fixed = table.ndim == 0 or id(given) in self.idle  # d_k and the temperatures are part of the formulas
        return table if fixed else table + self._chance(table.shape)

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        hand, start = self.hand[name].values, self.starts[name]
        moved = hand + self._chance((_RUNS, *hand.shape))
        if kind.operation in _GATED:
            return moved
        carried = np.empty_like(moved)
        carried[...] = value
        numbers, fresh = carried.reshape(_RUNS, -1), moved.reshape(_RUNS, -1)  # (runs, cells)
        constant = (numbers == np.rint(numbers[0])).all(0) | ~np.isfinite(numbers).all(0)  # (cells,), 0 or 1
        numbers[:, constant] = fresh[:, constant]
        self.moved[:, start : start + hand.size] = fresh
        shown = np.arange(hand.size) if visible is None else np.flatnonzero(visible)
        keys = keys_of(np.concatenate([numbers, fresh], axis=1).round(_NOISE_PLACES) + 0.0)
        same = [*map(self.first.setdefault, map(keys.__getitem__, shown.tolist()), (shown + start).tolist())]
        self.first.update(zip(map(keys.__getitem__, (shown + hand.size).tolist()), same, strict=True))
        self.same[shown + start] = same
        numbers[:, shown] = self.moved.take(same, 1)
        return carried if visible is None else np.where(visible, carried, 0.0)

    def _chance(self, shape: tuple[int, ...]) -> Floats:
        return self.rng.uniform(-_MOVED, _MOVED, shape)


def keys_of(numbers: Floats) -> list[bytes]:
    """One for each cell of (runs, cells): what it holds in all runs."""
    cells = np.ascontiguousarray(numbers.T).view(f"V{len(numbers) * numbers.itemsize}")
    return list(cells.reshape(-1).tolist())
