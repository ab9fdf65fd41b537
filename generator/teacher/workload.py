"""Stations go in; what they ask of a pupil (points, numbers, operations, estimated minutes) comes out."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.judging.teaching import NOTHING, Effort, Operations
from engine.trace import CellAddress
from generator.sheet.sheet import Number, Solution, Station, Task
from generator.sheet.walking import walk
from generator.sheet.withheld import only_copied

# Estimates like engine.judging.teaching.SECONDS, not measured; replace them when a class has been timed.
# A station with its worked token: two pages of about 300 words and figures; shading a table is looking at it.
MINUTES_TO_READ: Final = 5.0
MINUTES_PER_POINT: Final = 1.5  # a task in words: to think and to write a sentence of about 15 words
MINUTES_PER_LINE: Final = 0.3  # a line of products written out: about 40 signs at half a second
_COPIED: Final = Operations(cells=1)
_READ_OFF: Final = re.compile(r"(?!gradient).*\.normalised")  # the norm's output, as long as γ = 1 and β = 0
_POSITION: Final = "positional_encoding"
_FIGURE: Final = re.compile(r"[−-]?[\d\N{NARROW NO-BREAK SPACE}\N{NO-BREAK SPACE}]+([.,]\d+)?")


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


def workloads(stations: Sequence[Station], effort: Effort) -> list[Workload]:
    """What each station of a sheet takes, in whole minutes. A cell costs its operations where it is first
    asked for; everywhere else it is only copied.
    """
    known: set[CellAddress] = set()
    found = []
    for station in stations:
        blanks = [(number.name, number.index) for number in walk(station, Number) if number.blank]
        copied = only_copied(station)
        worked_out = {effort.first_name(cell) for cell in blanks if cell not in copied}
        known |= {effort.first_name(cell) for cell in copied} - worked_out
        done = operations_of(blanks, effort, known)
        known |= {effort.first_name(cell) for cell in blanks}
        solutions = [solution for solution in walk(station, Solution) if solution.blank]
        figures = [solution for solution in solutions if _FIGURE.fullmatch(solution.text)]
        worded = sum(minutes_without_numbers(task) for task in station.tasks.values() if not task.blanks)
        lines = sum(line.rows for line in solutions)
        minutes = MINUTES_TO_READ + done.minutes + worded + MINUTES_PER_LINE * lines
        done += sum((_products(solution.text) for solution in solutions), NOTHING)  # timed by its points
        found.append(Workload(station.points, len(blanks) + len(figures), done, float(math.ceil(minutes))))
    return found


def minutes_without_numbers(task: Task) -> float:
    """What a task takes that asks for words or a drawing."""
    return 0.0 if task.is_shading else MINUTES_PER_POINT * task.points


def workload(station: Station, effort: Effort) -> Workload:
    """What one station takes when it is printed alone."""
    return workloads([station], effort)[0]


def task_minutes(
    tasks: Sequence[tuple[float, Sequence[CellAddress]]],
    whole: float,
    effort: Effort,
    before: Collection[CellAddress] = (),
) -> list[float]:
    """The minutes of each task of a station; the first takes what is left of the station's: the reading.

    tasks: of each the minutes that it takes without numbers, and its cells.
    """
    known = set(before)
    found = []
    for minutes, cells in tasks:
        done = operations_of(cells, effort, known)
        found.append(done.minutes if cells else minutes)
        known |= {effort.first_name(cell) for cell in cells}
    return [whole - sum(found[1:]), *found[1:]] if found else [whole]


def total(workloads: Sequence[Workload]) -> Workload:
    return sum(workloads, Workload())


def operations_of(
    cells: Iterable[CellAddress],
    effort: Effort,
    before: Collection[CellAddress] = (),
) -> Operations:
    """The operations for all cells; those in `before`, and those that no pass knows, are only written."""
    done = NOTHING
    known = set(before)
    for cell in cells:
        same = effort.first_name(cell)
        copied = same in known or _READ_OFF.fullmatch(cell[0])
        needed = _COPIED if copied else effort.of(*cell) or _COPIED
        done += replace(needed, divisions=0) if _has_angle(cell, known) else needed
        known.add(same)
    return done


def _has_angle(cell: CellAddress, known: Collection[CellAddress]) -> bool:
    """Whether the sine beside this cosine was asked for already: both have one angle."""
    name, index = cell
    return name == _POSITION and index[1] % 2 == 1 and (name, (index[0], index[1] - 1)) in known


def _products(text: str) -> Operations:
    """What a sum of products takes whose result stands in the same line and belongs to no quantity."""
    products = text.count("·") if re.search(" [=≈] ", text) else 0
    return Operations(multiplications=products, additions=max(0, products - 1))
