"""Stations go in; what they ask of a pupil (points, numbers, operations, estimated minutes) comes out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from engine.effort import NOTHING, Operations, operations
from engine.effort_two import operations_of_two
from engine.encoder_decoder_model import EncoderDecoderModel
from engine.model import Model
from generator.sheet import Number, Solution, Station, walk

# Estimates like engine.effort.SECONDS, not measured; replace them when a class has been timed.
MINUTES_TO_READ: Final = 5.0  # a station with its worked token
MINUTES_PER_POINT: Final = 1.5  # a task in words
MINUTES_PER_LINE: Final = 0.3  # a line of products written out
_COPIED: Final = Operations(cells=1)


@dataclass(frozen=True)
class Workload:
    """points and blanks of a station; operations: what the pupil does; minutes: reading and writing too."""

    points: int = 0
    blanks: int = 0
    operations: Operations = NOTHING
    minutes: float = 0.0

    def __add__(self, other: Workload) -> Workload:
        return Workload(
            self.points + other.points,
            self.blanks + other.blanks,
            self.operations + other.operations,
            self.minutes + other.minutes,
        )


def workload(station: Station, model: Model, two: EncoderDecoderModel | None = None) -> Workload:
    """What one station takes. A cell that is to be written a second time is only copied.

    two: the model of both sentences, where there is a target sentence.
    """
    blanks = [number for number in walk(station, Number) if number.blank]
    done = operations_of(((number.name, number.index) for number in blanks), model, two)
    worded = sum(task.points for task in station.tasks.values() if not task.blanks)
    lines = sum(line.rows for line in walk(station, Solution) if line.blank)
    minutes = MINUTES_TO_READ + done.minutes + MINUTES_PER_POINT * worded + MINUTES_PER_LINE * lines
    return Workload(station.points, len(blanks), done, minutes)


def total(workloads: Sequence[Workload]) -> Workload:
    return sum(workloads, Workload())


def operations_of(
    cells: Iterable[tuple[str, tuple[int, ...]]], model: Model, two: EncoderDecoderModel | None = None
) -> Operations:
    """The operations for all cells; those that the forward pass does not know are only written."""
    done = NOTHING
    known: set[tuple[str, tuple[int, ...]]] = set()
    for cell in cells:
        done += _COPIED if cell in known else _operations(*cell, model, two)
        known.add(cell)
    return done


def _operations(
    name: str, index: tuple[int, ...], model: Model, two: EncoderDecoderModel | None
) -> Operations:
    try:
        if two is not None and name.startswith(("encoder.", "decoder.")):
            return operations_of_two(name, index, two)
        return operations(name, index, model)
    except ValueError:
        return _COPIED
