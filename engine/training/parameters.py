"""Names and shapes go in; one flat list of all numbers that learn, for many starts at once, comes out."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.numbers.arrays import Floats

LARGEST_WEIGHT: Final = 2.0
LARGEST_COMPONENT: Final = 0.9  # of a word's vector
_APART: Final = 0.06  # of a component from the border between the largest and the others
_NEAR_ONE: Final = 0.6
_TENTHS: Final = 10.0


@dataclass(frozen=True)
class Parameters:
    """shapes: of everything that learns, by name.

    centres: by name, where the vectors of words begin, and what they stay near.
    reach: how far a component of theirs may go.
    """

    shapes: Mapping[str, tuple[int, ...]]
    centres: Mapping[str, Floats]
    reach: float
    spread: float  # of the first weights, to either side of 0

    @cached_property
    def places(self) -> dict[str, slice]:
        ends = np.cumsum([prod(shape) for shape in self.shapes.values()])
        return {
            name: slice(int(end) - prod(shape), int(end))
            for (name, shape), end in zip(self.shapes.items(), ends, strict=True)
        }

    @property
    def count(self) -> int:
        return sum(map(prod, self.shapes.values()))

    @cached_property
    def sparse(self) -> NDArray[np.bool_]:
        """What is drawn towards 0: everything but the words' vectors, (P,)."""
        free = np.ones(self.count, dtype=np.bool_)
        for name in self.centres:
            free[self.places[name]] = False
        return free

    @cached_property
    def limits(self) -> tuple[Floats, Floats]:
        """The lowest and the highest value of each number, (P,) each."""
        low, high = np.full(self.count, -LARGEST_WEIGHT), np.full(self.count, LARGEST_WEIGHT)
        for name, centre in self.centres.items():
            own_low, own_high = class_limits(centre)
            low[self.places[name]] = np.maximum(centre - self.reach, own_low).ravel()
            high[self.places[name]] = np.minimum(centre + self.reach, own_high).ravel()
        return low, high

    def first(self, starts: int, seed: int) -> Floats:
        """Where the starts begin, (S, P): small random weights, no biases, vectors beside their centres.

        The raw bits of the generator are the same in every version of NumPy, its further draws need not be.
        """
        bits = np.random.PCG64(seed).random_raw(starts * self.count)
        drawn = (bits >> np.uint64(11)).astype(np.float64) / 2.0**52 - 1.0  # −1 … 1
        numbers = drawn.reshape(starts, self.count) * self.spread
        for name, place in self.places.items():
            if name in self.centres:
                numbers[:, place] = self.centres[name].ravel() + numbers[:, place] * self.reach
            elif len(self.shapes[name]) == 1:
                numbers[:, place] = 0.0
        return np.asarray(np.clip(numbers, *self.limits))

    def written(self, numbers: Floats, smallest: Floats) -> Floats:
        """The numbers as a sheet prints them, (S, P): one decimal, 0 or ±1 where they are nearly that.

        smallest: below it a weight counts as 0, (S,).
        """
        tenths = np.rint(numbers * _TENTHS) / _TENTHS + 0.0
        size, sign, nearly = np.abs(numbers), np.sign(numbers), smallest[:, None]
        tenths = np.where(self.sparse & (np.abs(size - 1.0) < nearly * _NEAR_ONE), sign, tenths)
        return np.where(self.sparse & (size < nearly), 0.0, tenths)

    def by_name(self, numbers: Floats) -> dict[str, Floats]:
        """The tables of all starts: (S, P) becomes (S, *shape) each."""
        return {
            name: numbers[:, place].reshape(len(numbers), *self.shapes[name])
            for name, place in self.places.items()
        }

    def flat(self, tables: Mapping[str, Floats]) -> Floats:
        """The way back: (S, P)."""
        return np.concatenate([tables[name].reshape(len(tables[name]), -1) for name in self.shapes], axis=1)


def class_limits(centre: Floats) -> tuple[Floats, Floats]:
    """Between these a word's largest component stays the one that is largest in its class; (V, d) each."""
    size = np.abs(centre)
    largest = size.max(-1, keepdims=True)
    own = size == largest
    border = (largest + np.where(own, 0.0, size).max(-1, keepdims=True)) / 2
    low = np.where(own & (centre > 0), border + _APART, -np.where(own, LARGEST_COMPONENT, border - _APART))
    high = np.where(own & (centre < 0), -border - _APART, np.where(own, LARGEST_COMPONENT, border - _APART))
    return low, high
