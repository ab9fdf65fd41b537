"""A start that has learnt goes in; the same with fewer and fewer products comes out.

Weights become 0 or ±1: always those whose change moves the predictions least, measured by how much there is
to calculate with them. Every prediction stays clear.
"""

from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.numbers.arrays import Floats
from engine.training.descent import Task
from engine.training.fixed_point import GridPen
from engine.training.parameters import Parameters

_LOOKED_AT: Final = 24  # changes of one round
_AT_ONCE: Final = 30  # one weight in so many may change in one round
_ROUNDS: Final = 40
_ONE_FROM: Final = 0.5  # what is smaller does not become ±1


class Prunable(Task, Protocol):
    def misses(self, steps: Any) -> Floats:
        """How far each start is from what it was to learn, (S,)."""

    def products(self, name: str) -> int:
        """How many products on the sheet one number of a table takes part in."""


@dataclass(frozen=True)
class Changes:
    """Where a number is to change, and to what, (C,) each."""

    places: NDArray[np.intp]
    values: Floats

    def __len__(self) -> int:
        return len(self.places)

    def take(self, which: NDArray[np.intp]) -> "Changes":
        return Changes(self.places[which], self.values[which])

    def each(self, numbers: Floats) -> Floats:
        """The numbers once with each change, (C, P)."""
        rows = np.repeat(numbers[None], len(self), axis=0)
        rows[np.arange(len(self)), self.places] = self.values
        return rows

    def all(self, numbers: Floats) -> Floats:
        changed = numbers.copy()
        changed[self.places] = self.values
        return changed


@dataclass
class Pruning:
    """One start of a task."""

    task: Prunable
    parameters: Parameters
    _pen: GridPen = field(default_factory=GridPen)

    @cached_property
    def products(self) -> Floats:
        """How many each number takes part in, (P,)."""
        shapes = self.parameters.shapes
        own = [np.full(prod(shape), float(self.task.products(name))) for name, shape in shapes.items()]
        return np.concatenate(own)

    def way(self, numbers: Floats) -> list[Floats]:
        """(P,) each: the numbers as they are, then with fewer and fewer weights to multiply with."""
        way = [numbers]
        known = np.full((2, len(numbers)), -np.inf)  # costs of 0 and of ±1 when last looked at
        for _ in range(_ROUNDS):
            changes = self.changes(way[-1])
            costs = self.looked_at(way[-1], changes, known)
            possible = np.flatnonzero(np.isfinite(costs))
            if not len(possible):
                break
            order = possible[np.argsort(costs[possible], kind="stable")]
            way.append(self.as_many_as_possible(way[-1], changes.take(order)))
        return way

    def changes(self, numbers: Floats) -> Changes:
        """All that would save products."""
        size = np.abs(numbers)
        multiplied = (self.products > 0) & (numbers != 0) & (size != 1)
        gone, one = np.flatnonzero(multiplied), np.flatnonzero(multiplied & (size >= _ONE_FROM))
        values = np.concatenate([np.zeros(len(gone)), np.sign(numbers[one])])
        return Changes(np.concatenate([gone, one]), values)

    def looked_at(self, numbers: Floats, changes: Changes, known: Floats) -> Floats:
        """What each change costs, ∞ where it was not looked at, (C,); those that cost least before are."""
        kind = (changes.values != 0).astype(np.intp)
        before = known[kind, changes.places]
        order = np.argsort(before, kind="stable")
        looked = order[: max(_LOOKED_AT, int(np.isneginf(before).sum()))]
        costs = np.full(len(changes), np.inf)
        costs[looked] = self.costs(numbers, changes.take(looked))
        known[kind[looked], changes.places[looked]] = costs[looked]
        return costs

    def costs(self, numbers: Floats, changes: Changes) -> Floats:
        """How much worse each makes the predictions for a product that it saves; ∞ if one is unclear."""
        misses = self.misses(np.concatenate([numbers[None], changes.each(numbers)]))
        return np.asarray((misses[1:] - misses[0]) / self.products[changes.places])

    def misses(self, rows: Floats) -> Floats:
        """(S,), ∞ where a prediction is unclear."""
        steps = self.task.steps(self.parameters.by_name(rows), self._pen)
        return np.asarray(np.where(self.task.clear(steps), self.task.misses(steps), np.inf))

    def as_many_as_possible(self, numbers: Floats, ordered: Changes) -> Floats:
        """With the best change, and with further ones of other weights as long as all stays clear."""
        _, first = np.unique(ordered.places, return_index=True)
        ordered = ordered.take(np.sort(first))
        for many in (1 + int((self.changes(numbers).values == 0).sum()) // _AT_ONCE, 1):
            changed = ordered.take(np.arange(min(many, len(ordered)))).all(numbers)
            if np.isfinite(self.misses(changed[None])[0]):
                break
        return changed
