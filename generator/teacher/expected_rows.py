"""What the key says of a station goes in; its lines of the Erwartungshorizont come out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from generator.sheet.record import Exercise, RecordedStation
from generator.sheet.sheet import Station, Task

_SIGNS: Final = {
    ".": "Punkt",
    ",": "Komma",
    "!": "Ausrufezeichen",
    "?": "Fragezeichen",
    ":": "Doppelpunkt",
    ";": "Strichpunkt",
    "…": "Auslassungspunkte",
}


@dataclass(frozen=True)
class TaskRow:
    """One line of the Erwartungshorizont; its numbers stand on the key, here is only how many."""

    task: Task
    wording: Markup
    numbers: int
    answers: tuple[Markup, ...]
    solutions: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class StationPart:
    """All that the teacher's pages say of one station."""

    name: str
    badge: str
    title: str
    points: int
    tasks: tuple[TaskRow, ...]


def station_part(station: Station, key: RecordedStation) -> StationPart:
    return StationPart(station.name, key.badge, key.title, station.points, tuple(map(_task, key.exercises)))


def _task(exercise: Exercise) -> TaskRow:
    worded = not exercise.numbers
    solutions = tuple(
        (label, _said(text)) for label, text in exercise.solutions if worded or _without_figures(label, text)
    )
    numbers = len(dict.fromkeys(exercise.cells))
    return TaskRow(exercise.task, exercise.wording, numbers, tuple(exercise.answers), solutions)


def _without_figures(label: str, text: str) -> bool:
    """Words that are asked for beside numbers; not the lines of products that lead to the numbers."""
    words = text.strip("–") and not any(sign.isdigit() for sign in text)
    return label.endswith("gewählt") or bool(words)


def _said(text: str) -> str:
    """A mark alone is hard to see, so its name stands beside it: „.“ (Punkt)."""
    if text in _SIGNS:
        return f"„{text}“ ({_SIGNS[text]})"
    return f"„{text}“" if text.rpartition(" ")[2] in _SIGNS else text
