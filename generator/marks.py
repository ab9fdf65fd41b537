"""A report and the exercises of a sheet go in; the points of each exercise come out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from generator.check import UNREADABLE, Report
from generator.sheet import Number, Sheet, walk

Cell = tuple[str, tuple[int, ...]]


@dataclass(frozen=True)
class Exercise:
    """What is marked together: a station or a task, its points (BE) and its blanks."""

    title: str
    points: int
    blanks: frozenset[Cell]


@dataclass(frozen=True)
class Mark:
    """Points given; open: points that hang on entries that could not be read, for a person to decide."""

    exercise: Exercise
    given: int
    open: int
    filled: int
    charged: int


def exercises_of(sheet: Sheet) -> list[Exercise]:
    """The stations of a sheet that have numbers to write, with the points of those of their tasks."""
    found = []
    for station in sheet.stations:
        blanks = frozenset((n.name, n.index) for n in walk(station, Number) if n.blank)
        points = sum(task.points for task in station.tasks.values() if task.blanks)
        if blanks and points:
            found.append(Exercise(f"Station {station.id}", points, blanks))
    return found


def marks(report: Report, exercises: Sequence[Exercise]) -> list[Mark]:
    """Points by the share of blanks that are filled and not charged, rounded to whole points.

    A typical mistake is charged once, in the exercise where it is made first, whatever the number of cells;
    a slip costs its cell; what follows from either costs nothing. Something charged costs a point at least.
    """
    by_cell = {(cell.entry.name, cell.index): cell for cell in report.cells if cell.problem in ("", "number")}
    mistaken = {cell for finding in report.findings for cell in finding.cells}
    charged_once = {
        next(cell for cell in finding.cells if by_cell[cell].charged)
        for finding in report.findings
        if any(by_cell[cell].charged for cell in finding.cells)
    }
    result = []
    for exercise in exercises:
        cells = [by_cell[cell] for cell in exercise.blanks if cell in by_cell]
        keys = {(cell.entry.name, cell.index) for cell in cells if cell.charged}
        charged = len(keys - mistaken) + len(keys & charged_once)
        unreadable = sum(cell.verdict == UNREADABLE for cell in cells)
        share = exercise.points / len(exercise.blanks)
        given = int(share * (len(cells) - unreadable - charged) + 0.5)
        if charged:
            given = min(given, exercise.points - 1)
        with_open = int(share * (len(cells) - charged) + 0.5)
        result.append(Mark(exercise, max(given, 0), max(0, with_open - given), len(cells), charged))
    return result
