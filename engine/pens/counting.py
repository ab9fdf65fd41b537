"""A pass goes through; what a pupil types into the calculator for each of its cells is kept."""

import numpy as np
from numpy.typing import NDArray

from engine.numbers.arrays import Array, Floats
from engine.numbers.counted import Counted
from engine.pens.pens import Visible
from engine.trace.quantities import Kind, Printed
from engine.trace.trace import Trace


class CountingPen:
    """Writes nothing down, but `done`: per quantity (…, KEYS and at last the cell itself), 0 where hidden."""

    def __init__(self) -> None:
        self.trace = Trace()
        self.done: dict[str, NDArray[np.int64]] = {}

    def read(self, given: Floats) -> Array:
        return Counted(given)

    def constant(self, value: Array) -> Array:
        return Counted(value.given)

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        if isinstance(value, np.ndarray):  # sines and cosines; the first pair's angles are not divided
            angle = Counted(np.full(value.shape, np.nan)).typed("sines")
            value = angle.typed("divisions", np.arange(value.shape[-1]) >= 2)
        shown = np.ones(value.shape, np.bool_) if visible is None else visible
        done = np.concatenate([value.done, np.ones((*value.shape, 1), np.int64)], axis=-1)
        self.done[name] = done * np.broadcast_to(shown, value.shape)[..., None]
        own = value.given != 0 if kind.printed is Printed.NO else True  # what is 0 for everyone stays 0
        return Counted(np.where(np.broadcast_to(shown & own, value.shape), np.nan, 0.0))
