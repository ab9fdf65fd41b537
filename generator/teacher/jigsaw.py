"""A jigsaw as one lesson: the sheets of its groups, what is said of their numbers, its card."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from engine.judging.expectation import Expectation, ExpectedMistake
from engine.trace import CellAddress
from generator.calculation.rebuild import words_of
from generator.sheet.desk import Desk
from generator.sheet.record import Exercise, RecordedStation
from generator.sheet.sheet import Sheet, Station, Words
from generator.sheet.whole_sheet import WholeSheet
from generator.teacher.card import LEAST_SHARE, MOST, ROOM, LessonCard, Part, Stretch, answers_in
from generator.teacher.expected_mistakes import ShownMistake, shown_mistakes
from generator.teacher.lesson import phases
from generator.teacher.plan import GroupWork, Workload, minutes_of_tasks, workloads
from generator.teacher.review import Certificate, SheetReview

NAME: Final = "group_work"  # of its text for teachers
_SINGLE: Final = 45
_TO_TELL: Final = 5  # minutes in which somebody of each group explains its work to the mixed ones, estimated
_ROW: Final = 120  # characters of answers that a head on the board takes the room of


@dataclass(frozen=True)
class GroupSheet:
    """A sheet of the jigsaw. file: without an ending. key: what its key asks for, for the same medium."""

    file: str
    whole: WholeSheet
    key: RecordedStation
    reviewed: SheetReview

    @property
    def station(self) -> Station:
        (station,) = self.whole.sheet.stations
        return station

    @property
    def label(self) -> str:
        return self.file.replace("-", "\N{NO-BREAK SPACE}").capitalize()

    @property
    def work(self) -> Workload:
        (work,) = workloads([self.station], self.whole.built.effort)
        return work


def all_of(sheets: Sequence[GroupSheet]) -> Sheet:
    """Their stations on one sheet."""
    first = sheets[0].whole.sheet
    return Sheet(first.sentence, first.code, tuple(each.station for each in sheets))


def graded(sheets: Sequence[GroupSheet]) -> list[tuple[str, Sheet]]:
    """What one person works on, the own sheet and the last one: a sheet for each sum of points, and whose."""
    *own, last = sheets
    by_points: dict[int, list[GroupSheet]] = defaultdict(list)
    for each in own:
        by_points[each.station.points].append(each)
    return [
        (", ".join(each.label for each in same) if len(by_points) > 1 else "", all_of([same[0], last]))
        for same in by_points.values()
    ]


def reviewed_together(sheets: Sequence[GroupSheet]) -> SheetReview:
    """What is said of each sheet alone, since a group sees its own numbers; of a copied cell at its first."""
    reviews = [each.reviewed for each in sheets]
    numbers: dict[CellAddress, tuple[ExpectedMistake, ...]] = {}
    for each in reviews:
        numbers |= {cell: found for cell, found in each.expectation.numbers.items() if cell not in numbers}
    told = [each.certificate for each in reviews]
    unfriendly, edges, teaching = (
        tuple(dict.fromkeys(said for each in told for said in getattr(each, kind)))
        for kind in ("unfriendly", "edges", "teaching")
    )
    return SheetReview(Expectation(numbers, (), (), 0), Certificate((), unfriendly, edges, (), teaching))


@dataclass(frozen=True)
class Outcome:
    """A line of the table that decides the word: with which heads, which word, how likely."""

    label: str
    word: str
    probability: str


def outcomes(sheets: Sequence[GroupSheet]) -> list[Outcome]:
    """Which word comes with all heads and without each; nothing where the last sheet does not decide one."""
    results = getattr(sheets[-1].station.parts, "results", None)
    found = []
    for row in results.rows if results else ():
        texts = [cell.text for cell in row.cells if isinstance(cell, Words)]
        found.append(Outcome(row.head, *texts))
    return found


def jigsaw_card(sheets: Sequence[GroupSheet], groups: Sequence[GroupWork], desk: Desk) -> LessonCard:
    """groups: the same sheets with their minutes."""
    parts = tuple(map(_part, sheets))
    length, stretches = jigsaw(groups)
    return LessonCard(
        1,
        1,
        length,
        stretches,
        parts,
        ("Gruppenpuzzle",),
        tuple(_answers(parts, desk.sizes.n_heads)),
        tuple(_stumbles(sheets, desk)),
        (),
        (),
        None,
        None,
    )


def _answers(parts: Sequence[Part], heads: int) -> Iterator[tuple[str, Markup]]:
    """What several groups are expected to say is said once."""
    tasks: dict[object, list[tuple[str, Exercise]]] = defaultdict(list)
    for part in parts:
        for each, _ in part.exercises:
            own = id(each) if not each.answers else (each.task.number, each.answers[0])
            tasks[own].append((part.badge, each))
    once = [(same[0][0] if len(same) == 1 else "Jede Gruppe", same[0][1]) for same in tasks.values()]
    return answers_in(once, ROOM - _ROW * (heads - 1 if heads > 2 else 0))


def _part(sheet: GroupSheet) -> Part:
    work = sheet.work
    (minutes,) = minutes_of_tasks([sheet.key], [work], sheet.whole.desk).values()
    tasks = tuple(zip(sheet.key.exercises, minutes, strict=True))
    return Part(NAME, sheet.label, sheet.key.title, work.minutes, tasks)


def _stumbles(sheets: Sequence[GroupSheet], desk: Desk) -> Iterator[ShownMistake]:
    """Mistakes that one number betrays, each once, of every group in turn."""
    words, whole = words_of(desk.built), desk.built.passes
    shown = (
        shown_mistakes(
            whole,
            each.reviewed.expectation,
            [cell for exercise in each.key.exercises for cell in exercise.cells],
            desk.format,
            words,
        )
        for each in sheets
    )
    waiting = [
        sorted((mistake for mistake in mistakes if not mistake.honest), key=lambda mistake: mistake.doubts)
        for mistakes in shown
    ]
    said: set[str] = set()
    while len(said) < MOST and any(waiting):
        for mistakes in waiting:
            while mistakes and mistakes[0].short in said:
                mistakes.pop(0)
            if mistakes and len(said) < MOST:
                said.add(mistakes[0].short)
                yield mistakes.pop(0)


def jigsaw(groups: Sequence[GroupWork]) -> tuple[int, tuple[Stretch, ...]]:
    """All groups at once, each on its own sheet; then mixed, on the sheet that puts all together."""
    *own, last = groups
    work = max(group.minutes for group in own), last.minutes
    length = _SINGLE
    while sum(work) > phases(length).work:
        length += _SINGLE
    around = phases(length)
    first = around.opening + work[0]
    end = length - around.comparing
    mixed = first + work[1] + _TO_TELL * len(own)
    mixed = mixed if end - mixed >= length / LEAST_SHARE else end
    spare = [Stretch("spare", mixed, end)] if mixed < end else []
    return length, (
        Stretch("opening", 0, around.opening),
        Stretch("groups", around.opening, first, files=tuple(group.file for group in own)),
        Stretch("together", first, mixed, files=(last.file,)),
        *spare,
        Stretch("comparing", end, length),
    )
