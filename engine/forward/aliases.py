"""Which cells are one number by the formulas alone: for whoever copies, withholds, shares or counts cells.

Nobody lists them. The pass is run on numbers moved by chance, the weights too, in a few runs at once: cells
that come out alike in all of them are alike whatever the numbers are. So a copy, a symmetric cell, heads side
by side, a table that is worked out twice. A weight that happens to be 0 or 1 makes none, for it is moved;
only a W_O that is the identity is left alone, for such a step does nothing. Constants and what passes a ReLU
are alike only for these numbers: engine/judging/acceptance.py looks for those.
"""

import re
from collections.abc import Collection, Mapping
from itertools import product
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.numbers.arrays import Array, Floats
from engine.pens.pens import ExactPen, Pen, Visible
from engine.trace import CellAddress, Kind, Trace

Aliases = Mapping[CellAddress, tuple[CellAddress, ...]]

_SEED: Final = 1802
_RUNS: Final = 3
_MOVED: Final = 0.01
_NOISE_PLACES: Final = 10
_MOST_CELLS: Final = 1_000_000  # of one pass: nobody writes so many
_GATED: Final = re.compile(r"(?!gradient\.).*\.activation|gradient\..*\.ffn\.hidden")


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
    mixing = [table for name, table in weights.items() if name.endswith("W_O")]
    pen = AliasPen(each.hand, {id(table) for table in mixing if np.array_equal(table, np.eye(len(table)))})
    each.write(pen)
    return {cell: alike for alike in map(tuple, pen.alike.values()) if len(alike) > 1 for cell in alike}


class AliasPen(ExactPen):
    """Rounds nothing: writes a moved number for every new cell, and for an alias that of the first such cell.

    idle: the tables (by id) that are not moved. alike: of each first cell all that are the same number.
    """

    def __init__(self, hand: Trace, idle: Collection[int]) -> None:
        super().__init__()
        self.hand = hand
        self.idle = idle
        self.rng = np.random.default_rng(_SEED)
        self.first: dict[bytes, tuple[CellAddress, NDArray[np.float64]]] = {}
        self.alike: dict[CellAddress, list[CellAddress]] = {}

    def read(self, given: Floats) -> Array:
        table = np.asarray(given, dtype=np.float64)
        fixed = table.ndim == 0 or id(given) in self.idle  # d_k and the temperatures are part of the formulas
        return table if fixed else table + self._chance(table.shape)

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        hand = self.hand[name].values
        moved = hand + self._chance((_RUNS, *hand.shape))
        if _GATED.fullmatch(name):
            return moved
        carried = np.array(np.broadcast_to(np.asarray(value, dtype=np.float64), moved.shape))
        numbers, fresh = carried.reshape(_RUNS, -1), moved.reshape(_RUNS, -1)  # (runs, cells)
        constant = (numbers == np.rint(numbers[0])).all(0) | ~np.isfinite(numbers).all(0)  # (cells,), 0 or 1
        numbers[:, constant] = fresh[:, constant]
        keys, fresh_keys = (keys_of(np.round(each, _NOISE_PLACES) + 0.0) for each in (numbers, fresh))
        shown = [True] * len(keys) if visible is None else visible.reshape(-1).tolist()
        new = []
        for place, index in enumerate(product(*map(range, hand.shape))):
            if not shown[place]:
                continue
            cell = name, index
            if known := self.first.get(keys[place]):
                source, numbers[:, place] = known
                self.alike[source].append(cell)
            else:
                self.first[keys[place]] = self.first[fresh_keys[place]] = cell, fresh[:, place]
                self.alike[cell] = [cell]
                new.append(place)
        numbers[:, new] = fresh[:, new]
        return carried if visible is None else np.where(visible, carried, 0.0)

    def _chance(self, shape: tuple[int, ...]) -> Floats:
        return self.rng.uniform(-_MOVED, _MOVED, shape)


def keys_of(numbers: Floats) -> list[bytes]:
    """One for each cell of (runs, cells): what it holds in all runs."""
    runs, cells = numbers.shape
    whole, size = numbers.T.tobytes(), runs * numbers.itemsize
    return [whole[at : at + size] for at in range(0, cells * size, size)]
