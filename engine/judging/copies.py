"""A pass goes in; which of its cells are an earlier cell's number once more, whatever that is, comes out.

z · 1 = z, x + 0 = x, and the same with a minus before it. They are not listed but found: in a few runs every
number is moved a little by chance, and a copy holds what its source was moved to in all of them. A copy of a
copy has both as sources. What a ReLU gives is no copy, for it is u only until u is negative.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.calculation.passes import Pass
from engine.numbers.arrays import Array, Floats
from engine.pens.pens import Visible
from engine.trace.quantities import Kind, Printed
from engine.trace.trace import CellAddress, Trace

LEARNT: Final = ("gradient.", "step.")
_SEED: Final = 1801
_RUNS: Final = 3
_MOVED: Final = 1e-3  # units of the last place: nothing changes its sign but what is 0


@dataclass(frozen=True)
class Copy:
    """source: the cell whose number it is; sign: 1, or −1 where a minus comes before it."""

    source: CellAddress
    sign: int


def hidden_of(name: str) -> str | None:
    """The quantity u of a ReLU(u); None for all others. A gradient is no ReLU."""
    before, _, ending = name.rpartition(".")
    return f"{before}.hidden" if ending == "activation" and not before.startswith(LEARNT) else None


def copies(each: Pass) -> Mapping[CellAddress, Sequence[Copy]]:
    """Every copy of one pass, with all the cells that are the same number, the earliest first."""
    pen = ProbePen(each.hand)
    each.write(pen)
    return pen.found


class ProbePen:
    """Moves every number that is no copy and no constant, and remembers whose each moved number is."""

    def __init__(self, hand: Trace) -> None:
        self.trace = Trace()
        self.hand = hand
        self.rng = np.random.default_rng(_SEED)
        self.sources: dict[bytes, list[Copy]] = {}
        self.found: dict[CellAddress, Sequence[Copy]] = {}

    def read(self, given: Floats) -> Array:
        return np.asarray(given, dtype=np.float64)

    def constant(self, value: Array) -> Array:
        return value

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        hand = self.hand[name]
        unit = 10.0 ** -(hand.places or 0)
        moved = hand.values + self.rng.uniform(-1, 1, (_RUNS, *hand.values.shape)) * _MOVED * unit
        full = np.broadcast_to(np.asarray(value, dtype=np.float64), moved.shape)
        given = kind.printed is not Printed.NO or hidden_of(name) is not None
        carried = np.array(moved if given else full) + 0.0  # no negative zero
        numbers, fresh = carried.reshape(_RUNS, -1), moved.reshape(_RUNS, -1)  # (runs, cells)
        for place, index in enumerate(np.ndindex(*hand.values.shape)):
            written, here = numbers[:, place], fresh[:, place]
            hidden = visible is not None and not visible[index]
            if hidden or (not given and (written == written[0]).all()):
                continue  # nothing, or a constant
            same = self.sources.get(written.tobytes())
            if same is not None:
                self.found[name, index] = tuple(same)
            else:
                numbers[:, place] = written = here
            for sign in (1, -1):
                self.sources.setdefault((sign * written).tobytes(), []).append(Copy((name, index), sign))
        return carried if visible is None else np.where(visible, carried, 0.0)
