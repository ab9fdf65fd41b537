"""A task and a seed go in; the weights of many starts come out, step by step, and one of them made sparse.

All numbers that learn stand in one flat list; a task sees them as tables by name.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.numbers.arrays import Array, Floats
from engine.pens.pens import Pen
from engine.training.steps import GridPen

LARGEST_WEIGHT: Final = 2.0
LARGEST_COMPONENT: Final = 0.9  # of a word's vector
_APART: Final = 0.06  # of a component from the border between the largest and the others
_NEAR_ONE: Final = 0.6
_TENTHS: Final = 10.0


@dataclass(frozen=True)
class Parameters:
    """shapes: of everything that learns, by name.

    centres: by name, where the vectors of words begin, and what they stay near.
    reach: how far a component of theirs may go. lines: by name, the axis along which not all may be 0.
    """

    shapes: Mapping[str, tuple[int, ...]]
    centres: Mapping[str, Floats]
    reach: float
    largest_drawn: float  # of the first weights, to either side of 0
    lines: Mapping[str, int] = field(default_factory=dict)

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
        numbers = drawn.reshape(starts, self.count) * self.largest_drawn
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
        found = np.where(self.sparse & (size < nearly), 0.0, tenths)
        for name, axis in self.lines.items():
            place, shape = self.places[name], (len(found), *self.shapes[name])
            table = found[:, place].reshape(shape)
            empty = ~table.any(axis + 1, keepdims=True)
            if empty.any():
                own = numbers[:, place].reshape(shape)
                largest = np.abs(own) == np.abs(own).max(axis + 1, keepdims=True)
                kept = np.copysign(1 / _TENTHS, own)
                found[:, place] = np.where(empty & largest, kept, table).reshape(len(found), -1)
        return np.asarray(found)

    def by_name(self, numbers: Floats) -> dict[str, Floats]:
        """The tables of all starts: (S, P) becomes (S, *shape) each."""
        return {
            name: numbers[:, place].reshape(len(numbers), *self.shapes[name])
            for name, place in self.places.items()
        }

    def flat(self, tables: Mapping[str, Floats]) -> Floats:
        """Tables back as one row of numbers for each start, (S, P)."""
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


# --- A task and a seed go in; the weights of all starts come out, step by step.
#
# Adam (Kingma, Ba 2015) on full numbers, with the gradient taken where the rounded ones stand: straight
# through the rounding (Bengio, Léonard, Courville 2013). Every weight is drawn a little towards 0, and from
# the first fifth of the steps on what is small counts as 0.


_MOMENTUM, _MEMORY, _SMALL = 0.9, 0.99, 1e-4
_SPARSE_FROM, _CALM_FROM = 0.3, 0.7  # shares of all steps
_LAST_RATE: Final = 0.1  # of the first one
_LEAST_SMALLEST, _MOST_SMALLEST, _STRICTER = 0.05, 0.5, 0.003


class Task(Protocol):
    """What is to be learnt: a way forward, and the gradients of its loss."""

    def steps(self, tables: Mapping[str, Floats], pen: Pen) -> Array: ...
    def gradients(self, steps: Array) -> dict[str, Floats]: ...
    def clear(self, steps: Array) -> NDArray[np.bool_]:
        """Which starts have learnt what they were to learn, (S,)."""


@dataclass(frozen=True)
class Course:
    """How it is learnt. rate: the length of a step. pull: how strongly a weight is drawn towards 0."""

    rate: float
    steps: int = 300
    pull: float = 0.02


@dataclass(frozen=True)
class Moment:
    """After `step` steps: the printed tables of all starts, and the way forward with them.

    clear: which have learnt; in the first part of the way none is asked.
    """

    step: int
    tables: dict[str, Floats]
    steps: Array
    clear: NDArray[np.bool_]


def descend(task: Task, parameters: Parameters, course: Course, starts: int, seed: int) -> Iterator[Moment]:
    """The weights before every step and after the last one."""
    pen = GridPen()
    numbers = parameters.first(starts, seed)  # (S, P)
    speed, size = np.zeros_like(numbers), np.zeros_like(numbers)
    smallest = np.full(starts, _LEAST_SMALLEST)  # (S,)
    for step in range(course.steps + 1):
        share = step / course.steps
        tables = parameters.by_name(parameters.written(numbers, smallest))
        now = task.steps(tables, pen)
        clear = task.clear(now) if share >= _SPARSE_FROM else np.zeros(starts, dtype=np.bool_)
        yield Moment(step, tables, now, clear)
        smallest = smallest + np.where(clear, _STRICTER, -_STRICTER)
        smallest = np.minimum(np.maximum(smallest, _LEAST_SMALLEST), _MOST_SMALLEST)
        pull = course.pull * clear[:, None] * parameters.sparse  # (S, P)
        g = parameters.flat(task.gradients(now)) + pull * np.sign(numbers)
        speed = _MOMENTUM * speed + (1 - _MOMENTUM) * g
        size = _MEMORY * size + (1 - _MEMORY) * (g * g)
        numbers = numbers - rate(course, share) * speed / (np.sqrt(size) + _SMALL)
        numbers = np.clip(numbers, *parameters.limits)


def rate(course: Course, share: float) -> float:
    """The same length for more than half of the steps, then shorter and shorter."""
    calm = max(0.0, (share - _CALM_FROM) / (1 - _CALM_FROM))
    return course.rate * (1 - (1 - _LAST_RATE) * calm)


# --- A start that has learnt goes in; the same with fewer and fewer products comes out.
#
# Weights become 0 or ±1: always those whose change moves the predictions least, measured by how much there is
# to calculate with them. Every prediction stays clear.


_LOOKED_AT: Final = 24  # changes of one round
_AT_ONCE: Final = 30  # one weight in so many may change in one round
_ROUNDS: Final = 40
_ROWS: Final = 64  # at once: more would take much memory
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
    """Makes weights of one start 0 or ±1, as long as its predictions stay."""

    task: Prunable
    parameters: Parameters
    _pen: GridPen = field(default_factory=GridPen)

    @cached_property
    def products(self) -> Floats:
        """How many products on the sheet each learnt number takes part in, (P,)."""
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
        """Every change of one weight to 0 or ±1, which saves a class products."""
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
        found = []
        for first in range(0, len(rows), _ROWS):
            steps = self.task.steps(self.parameters.by_name(rows[first : first + _ROWS]), self._pen)
            found.append(np.where(self.task.clear(steps), self.task.misses(steps), np.inf))
        return np.concatenate(found)

    def as_many_as_possible(self, numbers: Floats, ordered: Changes) -> Floats:
        """With the best change, and with further ones of other weights as long as all stays clear."""
        _, first = np.unique(ordered.places, return_index=True)
        ordered = ordered.take(np.sort(first))
        for many in (1 + int((self.changes(numbers).values == 0).sum()) // _AT_ONCE, 1):
            changed = ordered.take(np.arange(min(many, len(ordered)))).all(numbers)
            if np.isfinite(self.misses(changed[None])[0]):
                break
        return changed
