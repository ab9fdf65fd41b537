"""Points (BE) of a sheet go in; the KMK key of grades for them, or the grade of some of them, comes out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

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
