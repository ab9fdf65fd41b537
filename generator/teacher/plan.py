"""How long each station takes, and the plan of lessons on the teacher's pages."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Final

from engine.forward.calculation import Calculation
from engine.judging.teaching import NOTHING, SECONDS, Effort, Operations
from engine.trace import DECODER, TARGET_TOKEN, TOKEN, CellAddress, place_of
from generator.basics.errors import in_words
from generator.basics.numbers import about
from generator.options.course import named
from generator.options.declaration import GROUP
from generator.sheet.desk import Desk
from generator.sheet.record import RecordedStation
from generator.sheet.sheet import Figure, Sheet, Solution, Station, Task, walk
from generator.sheet.whole_sheet import WholeSheet, only_copied
from generator.stations.group_work.station import Group
from generator.teacher.lesson import (
    LessonPlan,
    Phases,
    Portion,
    group_sheets,
    groups_of,
    phases,
    portions,
    shortened,
)

# Estimates like engine.judging.teaching.SECONDS, not measured; replace them when a class has been timed.
MINUTES_TO_READ: Final = 3.0  # a station: its question, its picture, its text
MINUTES_TO_READ_LONG: Final = 6.0  # one whose worked example goes over several pages
MINUTES_TO_READ_ON: Final = (
    25.0  # station 11 with all that follows its short form: each task tells a step of its own
)
_LONG: Final = ("self_attention", "masked_attention", "feed_forward", "cross_attention", "learning")
MINUTES_TO_READ_ALONE: Final = 9.0  # station 4a as a whole lesson: all its words are new, as is the rounding
MINUTES_PER_TASK: Final = 1.0  # to read it with its rule, its worked example and its check
MINUTES_PER_POINT: Final = 2.5  # a task in words or to draw: to think and to write about 15 words
MINUTES_PER_LINE: Final = 0.3  # a line of products written out: about 40 signs at half a second
_COPIED: Final = Operations(cells=1)
_POSITION: Final = "positional_encoding"
_FIGURE: Final = re.compile(r"[−-]?[\d\N{NARROW NO-BREAK SPACE}\N{NO-BREAK SPACE}]+([.,]\d+)?")


@dataclass(frozen=True)
class Workload:
    """points and blanks of a station; operations: what the pupil does; minutes: reading and writing too, at
    the upper end of the estimate.

    worded: of the points those of tasks without numbers. lines: all else that is written, as products.
    """

    points: int = 0
    blanks: int = 0
    operations: Operations = NOTHING
    minutes: float = 0.0
    tasks: int = 0
    worded: int = 0
    lines: int = 0

    def __add__(self, other: Workload) -> Workload:
        return Workload(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


def workloads(stations: Sequence[Station], effort: Effort) -> list[Workload]:
    """What each station of a sheet takes, in whole minutes. A cell costs its operations where it is worked
    out; where it is copied it is only written. What opens a lesson or ends it is none of its work.
    """
    found = []
    for station in stations:
        blanks = [(number.name, number.index) for number in station.numbers if number.blank]
        copied = only_copied(station)
        worked_out = {effort.first_name(cell) for cell in blanks if cell not in copied}
        known = {effort.first_name(cell) for cell in copied} - worked_out
        done = operations_of(blanks, effort, known)
        solutions = [solution for solution in walk(station, Solution) if solution.blank]
        figures = [solution for solution in solutions if _FIGURE.fullmatch(solution.text)]
        done += sum((_products(solution.text) for solution in solutions), NOTHING)
        done += Operations(roots=sum(figure.roots for figure in walk(station, Figure)))
        work = [task for task in station.tasks.values() if not task.around]
        worded = sum(task.points for task in work if not task.cells)
        lines = sum(line.rows for line in solutions)
        minutes = _to_read(station) + MINUTES_PER_TASK * len(work) + done.minutes
        minutes = math.ceil(minutes + MINUTES_PER_POINT * worded + MINUTES_PER_LINE * lines)
        counts = len(work), worded, lines
        found.append(Workload(station.points, len(blanks) + len(figures), done, float(minutes), *counts))
    return found


def _to_read(station: Station) -> float:
    if station.name == "learning" and station.parts.path != "ausgabe":
        return MINUTES_TO_READ_ON
    if getattr(station.parts, "lesson", None):
        return MINUTES_TO_READ_ALONE
    return MINUTES_TO_READ_LONG if station.name in _LONG else MINUTES_TO_READ


def task_minutes(
    tasks: Sequence[tuple[float, Sequence[CellAddress]]],
    whole: float,
    effort: Effort,
    before: Collection[CellAddress],
) -> list[float]:
    """The minutes of each task of a station; the first takes what is left of the station's: the reading.

    tasks: of each the minutes that it takes without numbers, and its cells.
    """
    known = set(before)
    found = []
    for minutes, cells in tasks:
        done = operations_of(cells, effort, known)
        found.append(MINUTES_PER_TASK + done.minutes if cells else minutes)
        known |= {effort.first_name(cell) for cell in cells}
    return [whole - math.fsum(found[1:]), *found[1:]] if found else [whole]


def worked_tokens(sheet: Sheet, calculation: Calculation) -> set[int]:
    """The tokens of which pupils write numbers; none where a station asks for nothing of a token."""
    tokens = {name for name, quantity in calculation.hand.items() if quantity.axes[:1] == (TOKEN,)}
    return {blank.index[0] for blank in sheet.blanks() if blank.name in tokens}


def worked_target_tokens(sheet: Sheet, desk: Desk) -> list[int]:
    """The same of the target sentence."""
    blanks = (blank for blank in sheet.blanks() if place_of(blank.name).side == DECODER)
    return sorted(
        {b.index[0] for b in blanks if desk.has(b.name) and desk.quantity(b.name).axes[:1] == (TARGET_TOKEN,)}
    )


def _minutes_in_words(task: Task) -> float:
    return 0.0 if task.around else MINUTES_PER_TASK + MINUTES_PER_POINT * task.points


def total(workloads: Sequence[Workload]) -> Workload:
    return sum(workloads, Workload())


def operations_of(
    cells: Iterable[CellAddress], effort: Effort, before: Collection[CellAddress] = ()
) -> Operations:
    """The operations for all cells; those in `before`, and those that no pass knows, are only written."""
    done = NOTHING
    known = set(before)
    for cell in cells:
        same = effort.first_name(cell)
        place = place_of(cell[0])  # as long as γ = 1 and β = 0, a norm's output is read off
        copied = same in known or (place.last == "normalised" and place.way != "gradient.")
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


LENGTHS: Final = (45, 90)  # minutes of a single and a double lesson


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
        return any(math.fsum(p.minutes for p in lesson) > self.phases.work for lesson in self.lessons)


@dataclass(frozen=True)
class Later:
    """A further lesson: its stations in words, and what it takes."""

    words: str
    about: str
    too_long: bool


@dataclass(frozen=True)
class Chosen:
    """What --zeit chose, in words."""

    choice: LessonPlan
    phases: Phases
    stations: str
    without: str
    shortened: list[str]
    later: tuple[Later, ...]

    @property
    def about(self) -> str:
        return about(self.choice.lesson.minutes)


def chosen_of(choice: LessonPlan, desk: Desk) -> Chosen:
    later = tuple(Later(named(each.stations), about(each.minutes), each.too_long) for each in choice.later)
    without = in_words([f"„{desk.words[place - 1]}“" for place in choice.without], "und")
    stations = named(choice.lesson.stations)
    return Chosen(choice, choice.phases, stations, without, shortened(choice), later)


def dealt_lessons(tasks: Mapping[str, Sequence[float]], choice: LessonPlan | None) -> tuple[Dealt, ...]:
    """Which stations and tasks fit which lesson of the usual lengths; all into the one that --zeit names,
    where what does not fit is done at home.
    """
    if choice:
        whole = (Portion(badge, 1, len(each), True, math.fsum(each)) for badge, each in tasks.items())
        return (Dealt(choice.length, choice.phases, (tuple(whole),)),)
    return tuple(
        Dealt(length, phases(length), tuple(map(tuple, portions(tasks, phases(length).work))))
        for length in LENGTHS
    )


def minutes_of_tasks(
    key: Sequence[RecordedStation], works: Sequence[Workload], desk: Desk
) -> dict[str, list[float]]:
    """The minutes of every task, by the badge of its station."""
    known: set[CellAddress] = set()
    tasks = {}
    for station, work in zip(key, works, strict=True):
        asked = [
            (_minutes_in_words(exercise.task), exercise.cells if exercise.task.cells else [])
            for exercise in station.exercises
        ]
        tasks[station.badge] = task_minutes(asked, work.minutes, desk.built.effort, known)
        known |= {desk.built.effort.first_name(cell) for _, cells in asked for cell in cells}
    return tasks


def pace(desk: Desk) -> dict[str, str]:
    """What the estimate of minutes rests on: seconds for what is calculated, minutes for the rest."""
    seconds = {name: desk.format.text(each, 0) for name, each in SECONDS.items()}
    minutes = {
        "reading": MINUTES_TO_READ,
        "long": MINUTES_TO_READ_LONG,
        "alone": MINUTES_TO_READ_ALONE,
        "on": MINUTES_TO_READ_ON,
        "task": MINUTES_PER_TASK,
        "point": MINUTES_PER_POINT,
    }
    line = desk.format.text(60 * MINUTES_PER_LINE, 0)
    return seconds | {"line": line} | {name: desk.format.text(each, None) for name, each in minutes.items()}


def calculator_keys(done: Operations, logarithm: bool) -> list[str]:
    """What the pocket calculator needs beside the four operations."""
    keys = {"e^x": done.exponentials, "ln": logarithm, "√": done.roots, "sin und cos im Bogenmaß": done.sines}
    return [key for key, needed in keys.items() if needed]


@dataclass(frozen=True)
class GroupWork:
    """What a sheet of the jigsaw takes: its file without an ending, who calculates what, its minutes; and
    how many points and blanks it has.
    """

    file: str
    words: str
    minutes: int
    points: int = 0
    blanks: int = 0

    @property
    def about(self) -> str:
        return about(self.minutes)


def group_work(desk: Desk, sheets: Mapping[str, WholeSheet] | None = None) -> tuple[GroupWork, ...]:
    """The sheets of --gruppen with their minutes, the one that puts all together last; none without.

    sheets: the same, where they are made already.
    """
    if not desk.options.gruppen:
        return ()
    words = {f"{GROUP}{group.number}": _task(group, desk) for group in groups_of(desk.built)}
    found = []
    for name, whole in (sheets or group_sheets(desk.built, {})).items():
        (needed,) = workloads(whole.sheet.stations, desk.built.effort)
        minutes = round(needed.minutes)
        found.append(GroupWork(name, words.get(name, ""), minutes, needed.points, needed.blanks))
    return tuple(found)


def _task(group: Group, desk: Desk) -> str:
    if len(group.heads) == 1 and desk.sizes.n_heads > 1:
        return f"Head {group.heads[0]}"
    return in_words([f"„{desk.words[token]}“" for token in group.tokens], "und")
