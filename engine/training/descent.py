"""A task and a seed go in; the weights of all starts come out, step by step.

Adam (Kingma, Ba 2015) on full numbers, with the gradient taken where the rounded ones stand: straight through
the rounding (Bengio, Léonard, Courville 2013). Every weight is drawn a little towards 0, and from the first
fifth of the steps on what is small counts as 0.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.numbers.arrays import Array, Floats
from engine.pens.pens import Pen
from engine.training.fixed_point import GridPen
from engine.training.parameters import Parameters

_MOMENTUM, _MEMORY, _SMALL = 0.9, 0.99, 1e-4
_SPARSE_FROM, _CALM_FROM = 0.3, 0.7  # shares of all steps
_LAST_RATE: Final = 0.1  # of the first one
_LEAST_SMALLEST, _MOST_SMALLEST, _STRICTER = 0.05, 0.5, 0.003


class Written(Protocol):
    written: dict[str, Array]


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
    """After `step` steps: the printed tables of all starts, and the way forward with them."""

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
        clear = task.clear(now)
        yield Moment(step, tables, now, clear)
        sparing = clear & (share >= _SPARSE_FROM)
        smallest = smallest + np.where(sparing, _STRICTER, -_STRICTER)
        smallest = np.minimum(np.maximum(smallest, _LEAST_SMALLEST), _MOST_SMALLEST)
        pull = course.pull * sparing[:, None] * parameters.sparse  # (S, P)
        g = parameters.flat(task.gradients(now)) + pull * np.sign(numbers)
        speed = _MOMENTUM * speed + (1 - _MOMENTUM) * g
        size = _MEMORY * size + (1 - _MEMORY) * (g * g)
        numbers = numbers - rate(course, share) * speed / (np.sqrt(size) + _SMALL)
        numbers = np.clip(numbers, *parameters.limits)


def rate(course: Course, share: float) -> float:
    """The same length for more than half of the steps, then shorter and shorter."""
    calm = max(0.0, (share - _CALM_FROM) / (1 - _CALM_FROM))
    return course.rate * (1 - (1 - _LAST_RATE) * calm)
