"""A pen to probe a pass with: which cells are an earlier cell's number once more, whatever that is.

z · 1 = z, x + 0 = x, and the same with a minus before it. They are not listed but found: in a few runs every
number is moved a little by chance, and a copy holds what its source was moved to in all of them. A copy of a
copy has both as sources. What a ReLU gives is no copy, for it is u only until u is negative. A ReLU that
nobody's u opens is the constant 0, and what is worked out with it alone is a constant too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

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


def follows_relu(name: str, hand: Trace) -> bool:
    """Whether products with a ReLU's numbers give it. A gradient is 0 behind one that u may still open."""
    before, _, ending = name.rpartition(".")
    return ending == "output" and f"{before}.activation" in hand and not name.startswith(LEARNT)


class ProbePen:
    """Moves every number that is no copy and no constant, and remembers whose each moved number is.

    found: by quantity and place. constants: those behind closed ReLUs, likewise.
    """

    def __init__(self, hand: Trace) -> None:
        self.trace = Trace()
        self.hand = hand
        self.rng = np.random.default_rng(_SEED)
        self.sources: dict[bytes, list[Copy]] = {}
        self.found: dict[str, dict[tuple[int, ...], Sequence[Copy]]] = {}
        self.constants: dict[str, dict[tuple[int, ...], float]] = {}

    def closed(self, name: str) -> NDArray[np.bool_]:
        """Where the ReLU of this name is 0 for everybody."""
        return np.zeros(self.hand[name].values.shape, np.bool_)

    def read(self, given: Floats) -> Array:
        return np.asarray(given, dtype=np.float64)

    def constant(self, value: Array) -> Array:
        return value

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
            hidden = visible is not None and not visible[index]
            if hidden:
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
                self.sources.setdefault((sign * written).tobytes(), []).append(Copy((name, index), sign))
        return carried if visible is None else np.where(visible, carried, 0.0)
