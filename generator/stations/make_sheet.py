"""Options become a sheet: calculation, accepted ranges, the tree of its stations, what its pages may say."""

from __future__ import annotations

from collections.abc import Collection

from engine.trace import CellAddress
from generator.calculation.build import Built, build
from generator.calculation.document import Ranges, ranges_of
from generator.calculation.exercises import where_of
from generator.options import limits
from generator.options.options import Options
from generator.sheet.desk import Desk
from generator.sheet.sheet import Number, Sheet
from generator.sheet.walking import walk
from generator.sheet.whole_sheet import WholeSheet, printed_of, short_mark
from generator.stations.course import chosen, stations_of
from generator.stations.page_values import page_values, printed_code


def make_sheet(
    source: Options | Built,
    *,
    with_ranges: bool = True,
    first: int | None = None,
    changed: Collection[CellAddress] = frozenset(),
) -> WholeSheet:
    """The sheet of these options, or of what is computed of them already. UserError if it cannot be.

    with_ranges: the key prints what honest work can give. first: only so many stations. changed: cells that
    a pupil's own numbers changed.
    """
    built = build(source) if isinstance(source, Options) else source
    ranges = ranges_on_sheet(built) if with_ranges else {}
    sheet, desk = build_sheet(built, ranges, first, changed)
    return WholeSheet(sheet, desk, page_values(desk, sheet), printed_code(built.options))


def build_sheet(
    built: Built,
    ranges: Ranges | None = None,
    first: int | None = None,
    changed: Collection[CellAddress] = frozenset(),
) -> tuple[Sheet, Desk]:
    """The tree alone, and the desk that knows what its exercises ask for."""
    desk = Desk(built, chosen(built.options)[:first], ranges or {}, changed)
    stations, desk = stations_of(desk)
    return Sheet(built.options.satz, short_mark(built.options), stations), desk


def ranges_on_sheet(built: Built) -> Ranges:
    """The accepted ranges of those who read on what the sheet prints. UserError if that is too much."""
    hand, sheet = built.whole.hand, build_sheet(built)[0]
    limits.for_printing(sum(1 for station in sheet.stations for _ in walk(station, Number)))
    return ranges_of(built.whole, where_of(printed_of(sheet, hand), hand))
