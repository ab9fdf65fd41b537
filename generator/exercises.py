"""A sheet goes in; its exercises with their points and blanks, as rechnung.json holds them, come out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from generator.sheet import Sheet

Cell = tuple[str, tuple[int, ...]]
KEY: Final = "aufgaben"
_MOST_POINTS: Final = 10_000


@dataclass(frozen=True)
class Exercise:
    """One task of a station: its number there, its points (BE), the cells that it asks for."""

    station: str
    number: int
    points: int
    cells: tuple[Cell, ...]


def exercises_of(sheet: Sheet) -> tuple[Exercise, ...]:
    return tuple(
        Exercise(station.id, task.number, task.points, tuple(dict.fromkeys(task.cells)))
        for station in sheet.stations
        for task in station.tasks.values()
    )


def as_document(exercises: Sequence[Exercise]) -> list[dict[str, Any]]:
    """What stands in rechnung.json under `aufgaben`; `luecken` maps a quantity to indices of blanks."""
    return [
        {
            "station": exercise.station,
            "nummer": exercise.number,
            "be": exercise.points,
            "luecken": _by_name(exercise.cells),
        }
        for exercise in exercises
    ]


def from_document(contents: Mapping[str, Any]) -> tuple[Exercise, ...]:
    """The exercises that rechnung.json holds, none where it has none. ValueError for what is none of ours."""
    listed = contents.get(KEY, [])
    if not isinstance(listed, list):
        raise ValueError("keine Liste von Aufgaben")
    return tuple(map(_exercise, listed))


def _exercise(entry: Any) -> Exercise:
    match entry:
        case {"station": str(station), "nummer": int(number), "be": int(points), "luecken": dict(blanks)} if (
            0 <= points <= _MOST_POINTS and number > 0
        ):
            return Exercise(station, number, points, _cells(blanks))
    raise ValueError("eine Aufgabe ohne Station, Nummer, BE oder Lücken")


def _by_name(cells: Sequence[Cell]) -> dict[str, list[list[int]]]:
    found: dict[str, list[list[int]]] = {}
    for name, index in cells:
        found.setdefault(name, []).append(list(index))
    return found


def _cells(blanks: Mapping[str, Any]) -> tuple[Cell, ...]:
    cells = []
    for name, places in blanks.items():
        if not isinstance(places, list):
            raise ValueError("die Lücken einer Aufgabe sind keine Listen")
        for place in places:
            if not isinstance(place, list) or not all(isinstance(i, int) and i >= 0 for i in place):
                raise ValueError("eine Lücke hat keinen Platz aus ganzen Zahlen")
            cells.append((name, tuple(place)))
    return tuple(dict.fromkeys(cells))
