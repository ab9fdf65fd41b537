"""What the exercises of a page ask and expect: a walk over what its templates wrote.

From the key comes what is right, from the worksheet the same exercises with nothing filled in.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from xml.etree.ElementTree import Element

from markupsafe import Markup

from engine.trace import CellAddress
from generator.sheet.page import (
    Grid,
    Numbers,
    Objects,
    Page,
    Part,
    Room,
    Slots,
    inner,
    name_of_row,
    plain,
)
from generator.sheet.sheet import CellContent, Figure, Number, Solution, Task, Vector

_LEAF: Final = re.compile(r'<span[^>]* as="leaf".*?</span>', re.DOTALL)  # a page of the worksheet


@dataclass
class Exercise:
    """An exercise in the order of the page.

    task: number, operator, AFB, points and cells. wording, answers (in words) and checks (the self-checks
    that follow) are markup without ids. solutions: what each is the solution of, "" where nothing says it,
    and its text. figures: to draw into. grids: the tables to write in.
    """

    task: Task
    wording: Markup = field(default_factory=Markup)
    numbers: list[Number] = field(default_factory=list)
    answers: list[Markup] = field(default_factory=list)
    solutions: list[tuple[str, str]] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    checks: list[Markup] = field(default_factory=list)
    grids: list[Grid] = field(default_factory=list)

    @property
    def cells(self) -> list[CellAddress]:
        """The quantity and index of every number, also of those that are only copied."""
        return [number.cell for number in self.numbers]


@dataclass
class RecordedStation:
    """A station with its heading as on the page."""

    id: str
    badge: str = ""
    title: str = ""
    exercises: list[Exercise] = field(default_factory=list)


def stations_of(page: Page) -> tuple[RecordedStation, ...]:
    """What the stations of a page ask."""
    return tuple(_Walk(page.objects).station(part) for part in page.parts)


class _Walk:
    """Through one station, in the order of the page."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._exercises: list[Exercise] = []
        self._row = ""  # of a table that a template writes
        self._ahead: dict[int, list[tuple[str, str]]] = {}  # solutions of exercises to come, by number

    def station(self, part: Part) -> RecordedStation:
        self._read(part.root)
        return RecordedStation(
            part.station.id, part.heading.badge, plain(part.heading.title), self._exercises
        )

    def _read(self, element: Element) -> None:
        said = element.get("as")
        if said == "aside":  # only carried over from before: its blanks are copied, no exercise counts them
            return
        if said == "row":
            self._row = "".join(element.itertext()).strip().rstrip(":")
        self._note(self._objects.of(element))
        for child in element:
            self._read(child)
        if self._exercises:
            exercise = self._exercises[-1]
            match said:
                case "wording":
                    exercise.wording = Markup(_LEAF.sub("", inner(element)))
                case "expected":
                    exercise.answers.append(inner(element))
                case "check":
                    exercise.checks.append(inner(element))

    def _note(self, thing: Any) -> None:
        """thing: what stands here, beginning with an exercise to which all that follows belongs."""
        match thing:
            case Task():
                self._exercises.append(Exercise(thing, solutions=self._ahead.pop(thing.number, [])))
                self._row = ""
            case Number():
                self._numbers((thing,))
            case Numbers(row):
                self._numbers(row)
            case Room(solution, label):
                self._solution(solution, plain(label).rstrip(":"))
            case Solution():
                self._solution(thing, self._row)
            case Figure() if thing.blank and not thing.later and self._exercises:
                self._exercises[-1].figures.append(thing)
            case Grid():
                self._grid(thing)
            case Slots():
                self._numbers(thing.row.cells)
            case Vector(numbers):
                self._numbers(numbers)

    def _numbers(self, cells: Iterable[CellContent]) -> None:
        for cell in cells:
            if isinstance(cell, Number) and cell.blank and self._exercises:
                self._exercises[-1].numbers.append(cell)

    def _solution(self, solution: Solution, label: str, asked_by: Task | None = None) -> None:
        """A text to write. label: what it is the solution of. asked_by: a task that comes later."""
        if not (solution.blank and solution.text):
            return
        if asked_by is not None:
            self._ahead.setdefault(asked_by.number, []).append((label, solution.text))
        elif self._exercises:
            self._exercises[-1].solutions.append((label, solution.text))

    def _grid(self, grid: Grid) -> None:
        heads = [plain(head) for head in grid.heads]
        for row in grid.table.rows:
            name = name_of_row(row)
            for column, cell in enumerate(row.cells, 1):
                self._numbers(cell.numbers if isinstance(cell, Vector) else (cell,))
                if isinstance(cell, Solution):
                    self._solution(cell, _place(heads, column, name), grid.asked_by)
        if grid.asks and self._exercises:
            self._exercises[-1].grids.append(grid)


def _place(heads: Sequence[str], column: int, row: str) -> str:
    """The row's head; with the column's where one of them is a number."""
    head = heads[column] if column < len(heads) else ""
    if row.isdigit():
        return ", ".join(filter(None, [f"{heads[0]} {row}".strip(), head]))
    return f"{row} {head}" if head.isdigit() else row
