"""A sheet and its accepted ranges go in; what is said of typical mistakes and of the numbers comes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.acceptance import Range
from engine.expectation import Cell, Expectation, expect
from engine.readings import Cells
from generator.certificate import Certificate, certificate
from generator.desk import Desk
from generator.exercises import printed_of, where_of
from generator.expectations import ExpectedStation
from generator.foreseen import ForeseenMistake, ForeseenRow, foreseen_mistakes, foreseen_rows
from generator.sheet import Number, Sheet, walk


@dataclass(frozen=True)
class Judged:
    """What is said of the numbers: what typical mistakes give in the blanks, and how friendly they are."""

    expectation: Expectation
    certificate: Certificate


@dataclass(frozen=True)
class MistakesPart:
    """What typical mistakes give in the blanks of one station."""

    badge: str
    title: str
    rows: tuple[ForeseenRow, ...]


def judge(sheet: Sheet, desk: Desk, ranges: Mapping[str, Range]) -> Judged:
    calculation = desk.calculation
    blanks = {(blank.name, blank.index) for blank in sheet.blanks() if blank.name in calculation.hand}
    printed: Cells = where_of(printed_of(sheet, calculation.hand), calculation.hand)
    expectation = expect(calculation, ranges, blanks, printed)
    return Judged(expectation, certificate(calculation, expectation, desk.format, blanks))


def mistakes_shown(sheet: Sheet, judged: Judged, desk: Desk) -> list[ForeseenMistake]:
    """Every mistake that shows on the sheet, once."""
    return foreseen_mistakes(desk.calculation, judged.expectation, _blanks(sheet), desk.format)


def mistakes_by_station(
    sheet: Sheet, read: Sequence[ExpectedStation], judged: Judged, desk: Desk
) -> list[MistakesPart]:
    """Every cell once, at the station that asks for it first."""
    known: set[Cell] = set()
    parts = []
    for station, heading in zip(sheet.stations, read, strict=True):
        cells = [cell for cell in _blanks(station) if cell not in known]
        known.update(cells)
        rows = foreseen_rows(desk.calculation, judged.expectation, cells, desk.format)
        if rows:
            parts.append(MistakesPart(heading.badge, heading.title, tuple(rows)))
    return parts


def _blanks(part: object) -> list[Cell]:
    return [(number.name, number.index) for number in walk(part, Number) if number.blank]
