"""A sheet and the effort of its stations in; the first page and the plan of lessons for teachers out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.judging.teaching import SECONDS, Operations
from engine.trace import CellAddress
from generator.basics.errors import in_words
from generator.options.course import named
from generator.sheet.desk import Desk
from generator.sheet.record import RecordedStation
from generator.stations.group_work.station import Group
from generator.teacher.lesson import (
    GROUP,
    LessonPlan,
    Phases,
    Portion,
    group_sheets,
    groups_of,
    phases,
    portions,
)
from generator.teacher.workload import (
    MINUTES_PER_LINE,
    MINUTES_PER_POINT,
    MINUTES_TO_READ,
    Workload,
    minutes_without_numbers,
    task_minutes,
    workload,
)

LENGTHS: Final = (45, 90)  # minutes of a single and a double lesson
_HOURS_FROM: Final = 90  # minutes from which on an estimate is told in hours


@dataclass(frozen=True)
class WorkRow:
    """One line of the table of effort, with whole minutes."""

    name: str
    badge: str
    title: str
    work: Workload

    @property
    def minutes(self) -> int:
        return round(self.work.minutes)

    @property
    def operations(self) -> Operations:
        return self.work.operations


@dataclass(frozen=True)
class Dealt:
    """A lesson of so many minutes: how it divides, and what each of several such lessons takes."""

    length: int
    phases: Phases
    lessons: tuple[tuple[Portion, ...], ...]

    @property
    def too_long(self) -> bool:
        """Whether one of the lessons takes more than there is time to work."""
        return any(sum(p.minutes for p in lesson) > self.phases.work for lesson in self.lessons)


@dataclass(frozen=True)
class Later:
    """A further lesson: its stations in words and for --stationen, and its minutes of work."""

    words: str
    stations: str
    minutes: int
    too_long: bool


@dataclass(frozen=True)
class Chosen:
    """What --zeit chose, in words."""

    choice: LessonPlan
    phases: Phases
    stations: str
    without: str
    later: tuple[Later, ...]

    @property
    def minutes(self) -> int:
        return round(self.choice.lesson.minutes)


def chosen_of(choice: LessonPlan, desk: Desk) -> Chosen:
    later = tuple(
        Later(named(each.stations), ",".join(each.stations), round(each.minutes), each.too_long)
        for each in choice.later
    )
    without = in_words([f"„{desk.words[place - 1]}“" for place in choice.without], "und")
    return Chosen(choice, phases(choice.length), named(choice.lesson.stations), without, later)


def dealt_lessons(
    key: Sequence[RecordedStation],
    works: Sequence[Workload],
    desk: Desk,
    choice: LessonPlan | None,
) -> tuple[Dealt, ...]:
    """Which stations and tasks fit which lesson: the one that --zeit names first, then the usual lengths."""
    tasks = _minutes_of_tasks(key, works, desk)
    wanted = dict.fromkeys(([choice.length] if choice else []) + list(LENGTHS))
    return tuple(
        Dealt(length, phases(length), tuple(map(tuple, portions(tasks, phases(length).work))))
        for length in wanted
    )


def _minutes_of_tasks(
    key: Sequence[RecordedStation], works: Sequence[Workload], desk: Desk
) -> dict[str, list[float]]:
    known: set[CellAddress] = set()
    tasks = {}
    for station, work in zip(key, works, strict=True):
        asked = [(minutes_without_numbers(exercise.task), exercise.cells) for exercise in station.exercises]
        tasks[station.badge] = task_minutes(asked, work.minutes, desk.built.effort, known)
        known |= {desk.built.effort.first_name(cell) for _, cells in asked for cell in cells}
    return tasks


def about(minutes: float) -> str:
    """An estimate no finer than it is: etwa 35 Minuten, rund 2½ Zeitstunden."""
    if minutes < _HOURS_FROM:
        return f"etwa {max(5, 5 * round(minutes / 5))}\N{NO-BREAK SPACE}Minuten"
    hours, half = divmod(round(minutes / 30), 2)
    return f"rund {hours}{'½' if half else ''}\N{NO-BREAK SPACE}Zeitstunden"


def pace(desk: Desk) -> dict[str, str]:
    """What the estimate of minutes rests on: seconds for what is calculated, minutes for the rest."""
    seconds = {name: desk.format.text(each, 0) for name, each in SECONDS.items()}
    minutes = {"reading": MINUTES_TO_READ, "point": MINUTES_PER_POINT}
    line = desk.format.text(60 * MINUTES_PER_LINE, 0)
    return seconds | {"line": line} | {name: desk.format.text(each, None) for name, each in minutes.items()}


def calculator_keys(done: Operations, logarithm: bool) -> list[str]:
    """What the pocket calculator needs beside the four operations."""
    keys = {"e^x": done.exponentials, "ln": logarithm, "√": done.roots, "sin und cos im Bogenmaß": done.sines}
    return [key for key, needed in keys.items() if needed]


@dataclass(frozen=True)
class GroupWork:
    """What a sheet of the jigsaw takes: its file without an ending, who calculates what, its minutes."""

    file: str
    words: str
    minutes: int


def group_work(desk: Desk) -> tuple[GroupWork, ...]:
    """The sheets of --gruppen with their minutes, the one that puts all together last; none without."""
    if not desk.options.gruppen:
        return ()
    words = {f"{GROUP}{group.number}": _task(group, desk) for group in groups_of(desk.built)}
    found = []
    for name, whole in group_sheets(desk.built, "", {}).items():
        needed = workload(whole.sheet.stations[0], desk.built.effort)
        found.append(GroupWork(name, words.get(name, ""), round(needed.minutes)))
    return tuple(found)


def _task(group: Group, desk: Desk) -> str:
    if len(group.heads) == 1 and desk.sizes.n_heads > 1:
        return f"Head {group.heads[0]}"
    return in_words([f"„{desk.words[token]}“" for token in group.tokens], "und")
