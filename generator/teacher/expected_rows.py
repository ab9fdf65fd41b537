"""What the key says of a station goes in; its lines of the Erwartungshorizont come out, labelled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from generator.basics.cell_names import quantity_title
from generator.basics.fonts import printable
from generator.sheet.desk import Desk
from generator.sheet.record import Asked, Exercise, RecordedStation
from generator.sheet.sheet import Number, Station, Task


@dataclass(frozen=True)
class NumberRow:
    """Expected numbers of one row of one table: what it is, whose row, the values side by side.

    tags: what each number belongs to, where their order does not say it. exact: nothing else is accepted.
    """

    title: str
    place: str
    numbers: tuple[Number, ...]
    tags: tuple[str, ...] = ()
    exact: bool = False

    @property
    def tagged(self) -> list[tuple[str, Number]]:
        return list(zip(self.tags or [""] * len(self.numbers), self.numbers, strict=True))


@dataclass(frozen=True)
class TaskRow:
    """One line of the Erwartungshorizont."""

    task: Task
    wording: Markup
    rows: tuple[NumberRow, ...]
    copied: int
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


def station_part(station: Station, key: RecordedStation, desk: Desk) -> StationPart:
    known: set[tuple[str, tuple[int, ...]]] = set()
    rows = tuple(_task(exercise, desk, known) for exercise in key.exercises)
    return StationPart(station.name, key.badge, key.title, station.points, rows)


def _task(exercise: Exercise, desk: Desk, known: set[tuple[str, tuple[int, ...]]]) -> TaskRow:
    """The numbers in rows; those that the station has asked for already are only counted."""
    groups: dict[tuple[str, tuple[int, ...]], list[Asked]] = {}
    copied = 0
    for cell, asked in zip(exercise.cells, exercise.numbers, strict=True):
        if cell in known:
            copied += 1
            continue
        known.add(cell)
        groups.setdefault((cell[0], cell[1][:-1]), []).append(asked)
    rows = [_row(name, numbers, desk) for (name, _), numbers in groups.items()]
    worded = not groups and not copied
    solutions = tuple(s for s in exercise.solutions if worded or _without_figures(*s))
    return TaskRow(exercise.task, exercise.wording, tuple(rows), copied, tuple(exercise.answers), solutions)


def _without_figures(label: str, text: str) -> bool:
    """Words that are asked for beside numbers; not the lines of products that lead to the numbers."""
    words = text.strip("–") and not any(sign.isdigit() for sign in text)
    return label.endswith("gewählt") or bool(words)


def _row(name: str, asked: Sequence[Asked], desk: Desk) -> NumberRow:
    known = desk.has(name)
    title = quantity_title(name, desk.calculation.model, desk.options.dezimalzeichen)
    axes = desk.quantity(name).axes if known else ()
    numbers = tuple(each.number for each in asked)
    place, tags = "", tuple(each.row for each in asked)
    if len(axes) == 2 or (len(axes) == 1 and len(numbers) == 1):
        place = _label(name, axes[0], numbers[0].index[0], desk)
    if known:
        by_word = axes == ("word",) and not place
        tags = tuple(_label(name, "word", n.index[0], desk) for n in numbers) if by_word else ()
    elif len(set(tags)) < len(tags) or len(tags) == 1 or any(not tag or tag.isdigit() for tag in tags):
        tags = ()
    whole = not known and all(
        number.text.replace("\N{NARROW NO-BREAK SPACE}", "").isdigit() for number in numbers
    )
    exact = whole or name in ("input", "embedding")
    return NumberRow(printable(title), place, numbers, tags, exact)


def _label(name: str, axis: str, place: int, desk: Desk) -> str:
    """The word that a row stands for, or its number; "" where there is nothing to say."""
    if axis.endswith("token"):
        return f"„{desk.words_of(name)[place]}“"
    if axis != "word":
        return f"Zeile {place + 1}" if axis in ("dim", "hidden") else ""
    axes = desk.quantity(name).axes
    return f"„{desk.words_of(name, axes.index(axis))[place]}“"
