"""A sheet and its accepted ranges go in; what is said of typical mistakes and of the numbers comes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine.judging.expectation import Expectation, expect
from engine.judging.ranges import Range
from engine.judging.readings import Cells
from engine.trace.trace import CellAddress
from generator.document.exercises import printed_of, where_of
from generator.sheet.copying import only_copied
from generator.sheet.desk import Desk
from generator.sheet.record import RecordedStation
from generator.sheet.sheet import Number, Sheet
from generator.sheet.walking import walk
from generator.teacher.certificate import Certificate, certificate
from generator.teacher.expected_mistakes import MistakeRow, ShownMistake, mistake_rows, shown_mistakes
from generator.teacher.teaching_notes import teaching_notes


@dataclass(frozen=True)
class SheetReview:
    """What is said of the numbers: what typical mistakes give in the blanks, and how friendly they are."""

    expectation: Expectation
    certificate: Certificate


@dataclass(frozen=True)
class MistakesPart:
    """What typical mistakes give in the blanks of one station."""

    badge: str
    title: str
    rows: tuple[MistakeRow, ...]


def review(sheet: Sheet, desk: Desk, ranges: Mapping[str, Range]) -> SheetReview:
    calculation = desk.calculation
    blanks = {(blank.name, blank.index) for blank in sheet.blanks() if blank.name in calculation.hand}
    printed: Cells = where_of(printed_of(sheet, calculation.hand), calculation.hand)
    expectation = expect(calculation, ranges, blanks, printed)
    said = certificate(calculation, expectation, desk.format, blanks)
    notes = teaching_notes(desk, {name for name, _ in blanks})
    return SheetReview(expectation, replace(said, teaching=notes))


def mistakes_shown(sheet: Sheet, reviewed: SheetReview, desk: Desk) -> list[ShownMistake]:
    """Every mistake that shows on the sheet, once."""
    return shown_mistakes(desk.calculation, reviewed.expectation, _blanks(sheet), desk.format)


def mistakes_by_station(
    sheet: Sheet, key: Sequence[RecordedStation], reviewed: SheetReview, desk: Desk
) -> list[MistakesPart]:
    """Every cell once, at the station that asks for it first; a copied one if a mistake is made there."""
    known: set[CellAddress] = set()
    parts = []
    numbers = reviewed.expectation.numbers
    for station, recorded in zip(sheet.stations, key, strict=True):
        copied = only_copied(station)
        cells = [
            cell
            for cell in _blanks(station)
            if cell not in known
            and (cell not in copied or any(foreseen.here for foreseen in numbers.get(cell, ())))
        ]
        known.update(cells)
        rows = mistake_rows(
            desk.calculation, reviewed.expectation, _in_order(cells, recorded, desk), desk.format
        )
        if rows:
            parts.append(MistakesPart(recorded.badge, recorded.title, tuple(rows)))
    return parts


def _in_order(cells: Sequence[CellAddress], key: RecordedStation, desk: Desk) -> list[CellAddress]:
    """By exercises, and in each as one calculates: a table may have its sums below it."""
    tasks = {cell: exercise.task.number for exercise in reversed(key.exercises) for cell in exercise.cells}
    steps = {name: step for step, name in enumerate(desk.calculation.hand)}
    last = len(steps)
    return sorted(cells, key=lambda cell: (tasks.get(cell, last), steps.get(cell[0], last)))


def _blanks(part: object) -> list[CellAddress]:
    return [(n.name, n.index) for n in walk(part, Number) if n.blank]
