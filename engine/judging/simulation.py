"""A calculation and a number of pupils go in; their papers come out, a class at a time."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from engine.calculation.passes import Pass
from engine.pens.careless import CarelessPen
from engine.trace.trace import Trace

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
