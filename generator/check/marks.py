"""The points (BE) of each exercise for a report, and the KMK key that makes grades of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from engine.trace import CellAddress
from generator.calculation.contents import Exercise
from generator.check.check import FOLLOWS, UNREADABLE, CheckedCell, Report

# Percent of all points for 15 to 1 points of the upper school (KMK).
GRADE_PERCENT: Final = (95, 90, 85, 80, 75, 70, 65, 60, 55, 50, 45, 40, 33, 27, 20)


@dataclass(frozen=True)
class Grade:
    """Points of the upper school, from how many percent and from how many BE on."""

    points: int
    percent: int
    least: int


def grades(points: int) -> list[Grade]:
    """The KMK key for so many BE: a grade begins with the first whole BE that reaches its percentage."""
    return [
        Grade(15 - place, percent, -(-percent * points // 100)) for place, percent in enumerate(GRADE_PERCENT)
    ]


def grade_of(reached: int, points: int) -> int:
    """The points of the upper school, 15 to 0, for so many BE of so many."""
    return next((grade.points for grade in grades(points) if reached >= grade.least), 0)


@dataclass(frozen=True)
class Mark:
    """The points of one exercise.

    given: earned. open: for a person to decide: answers in words, drawings, numbers that are not compared,
    entries that could not be read. asked: blanks that are compared; filled: how many of them hold something;
    charged: how many faults cost something here; follows: Folgefehler, which cost nothing.
    """

    exercise: Exercise
    given: int
    open: int
    asked: int
    filled: int
    charged: int
    follows: int


@dataclass(frozen=True)
class Marks:
    """Exercises in order, and their sums."""

    exercises: tuple[Mark, ...]

    def by_station(self) -> dict[str, Marks]:
        stations = dict.fromkeys(mark.exercise.station for mark in self.exercises)
        return {
            station: Marks(tuple(mark for mark in self.exercises if mark.exercise.station == station))
            for station in stations
        }

    @property
    def worked(self) -> bool:
        """Whether anything is filled in."""
        return any(mark.filled for mark in self.exercises)

    @property
    def points(self) -> int:
        return sum(mark.exercise.points for mark in self.exercises)

    @property
    def given(self) -> int:
        return sum(mark.given for mark in self.exercises)

    @property
    def open(self) -> int:
        return sum(mark.open for mark in self.exercises)

    @property
    def in_worked(self) -> tuple[int, int]:
        """The points given and to be had without open ones, where something is filled in."""
        worked = [mark for mark in self.exercises if mark.filled]
        return sum(m.given for m in worked), sum(m.exercise.points - m.open for m in worked)

    @property
    def grades(self) -> tuple[int, int]:
        """The grade of what is given, and with all open points."""
        return grade_of(self.given, self.points), grade_of(self.given + self.open, self.points)


def marks_of(report: Report, exercises: Sequence[Exercise]) -> Marks:
    """Points by the share of blanks that are filled and not charged, rounded to whole points.

    A typical mistake is charged once, in the exercise where it shows first, whatever the number of cells; a
    slip costs its cell, once; what follows from either costs nothing. Something charged costs a point at
    least. An empty blank earns nothing. Blanks that are not compared are open.
    """
    written = {(c.entry.name, c.index): c for c in report.cells if c.problem in ("", "number")}
    known = report.calculation.hand
    faults = _faults(report, written, {cell for exercise in exercises for cell in exercise.cells})
    marks = []
    for exercise in exercises:
        compared = [cell for cell in exercise.cells if cell[0] in known]
        charged = faults & set(compared)
        faults -= charged  # a cell that two exercises ask for
        marks.append(_mark(exercise, len(compared), [written[c] for c in compared if c in written], charged))
    return Marks(tuple(marks))


def _faults(
    report: Report, written: dict[CellAddress, CheckedCell], asked: Collection[CellAddress]
) -> set[CellAddress]:
    """The cells that cost something: of a typical mistake the first on the sheet, every slip."""
    explained = {cell for finding in report.findings for cell in finding.cells}
    charged = {cell for cell, checked in written.items() if checked.charged}
    firsts = (next((c for c in f.cells if c in charged and c in asked), None) for f in report.findings)
    return (charged - explained) | {cell for cell in firsts if cell is not None}


def _mark(
    exercise: Exercise, asked: int, cells: Sequence[CheckedCell], charged: Collection[CellAddress]
) -> Mark:
    blanks = len(exercise.cells)
    share = exercise.points / max(1, blanks)
    most = exercise.points - 1 if charged else exercise.points
    unread = sum(cell.verdict == UNREADABLE for cell in cells)
    right = len(cells) - unread - len(charged)
    given = min(_whole(share * right), most)
    with_open = min(_whole(share * (right + unread + blanks - asked)), most) if blanks else exercise.points
    follows = sum(cell.verdict == FOLLOWS for cell in cells)
    return Mark(exercise, given, max(0, with_open - given), asked, len(cells), len(charged), follows)


def _whole(points: float) -> int:
    """Rounded to whole points: half a point counts as one."""
    return int(points + 0.5 + 1e-9)
