"""Options become a sheet: calculation, accepted ranges, the tree of its stations, what its pages may say."""

from collections.abc import Callable, Collection, Mapping
from functools import partial
from importlib import import_module
from typing import Any, Final

from engine.trace import CellAddress
from generator.basics.errors import UserError
from generator.calculation.build import Built, build
from generator.calculation.contents import where_of
from generator.calculation.document import Ranges, ranges_of
from generator.options import limits
from generator.options.course import BY_ID, COURSE, END_OF_BLOCK, Stop
from generator.options.options import Options
from generator.options.sheet_code import short_mark
from generator.sheet.desk import Desk
from generator.sheet.sheet import Number, Sheet, Station, walk
from generator.sheet.whole_sheet import WholeSheet, lay_out, printed_of
from generator.stations.common import Tasks
from generator.stations.further_block import station as further_block
from generator.stations.page_values import page_values, printed_code

Maker = Callable[[Desk], Station]
_FURTHER: Final = "further_block"


def make_sheet(
    source: Options | Built,
    *,
    ranges: Ranges | None = None,
    first: int | None = None,
    changed: Collection[CellAddress] = frozenset(),
    others: Mapping[str, Maker] | None = None,
) -> WholeSheet:
    """The sheet of these options, or of what is computed of them already. UserError if it cannot be.

    ranges: what honest work can give, for the key; None: worked out here. first: only so many stations.
    changed: cells that a pupil's own numbers changed. others: stations by id instead of those of the options,
    on pages that do not bear the sheet's code.
    """
    built = build(source) if isinstance(source, Options) else source
    ranges = ranges_on_sheet(built) if ranges is None else ranges
    sheet, desk = build_sheet(built, ranges, first, changed, others)
    return WholeSheet(sheet, desk, page_values(desk, sheet), {} if others else printed_code(built.options))


def build_sheet(
    built: Built,
    ranges: Ranges | None = None,
    first: int | None = None,
    changed: Collection[CellAddress] = frozenset(),
    others: Mapping[str, Maker] | None = None,
) -> tuple[Sheet, Desk]:
    """The tree alone, and the desk that knows what its exercises ask for."""
    desk = Desk(built, tuple(others or chosen(built.options)[:first]), ranges or {}, changed)
    stations, desk = lay_out(desk, list(others.values())) if others else stations_of(desk)
    return Sheet(built.options.satz, short_mark(built.options), stations), desk


def ranges_on_sheet(built: Built, sheet: Sheet | None = None) -> Ranges:
    """The accepted ranges of those who read on what the sheet prints. UserError if that is too much."""
    hand, sheet = built.whole.hand, sheet or build_sheet(built)[0]
    limits.for_printing(sum(1 for station in sheet.stations for _ in walk(station, Number)))
    return ranges_of(built.whole, where_of(printed_of(sheet, hand), hand))


def chosen(options: Options) -> tuple[str, ...]:
    """The ids of the stations to print, in order; none wanted means all that fit.

    Station 7 brings the further blocks with it. UserError for a station that lacks an option.
    """
    ids: list[str] = []
    for stop in COURSE:
        if _is_printed(stop, options):
            ids.append(stop.id)
            if stop.id == END_OF_BLOCK:
                ids += [further_block.identifier(block) for block in range(2, options.bloecke + 1)]
    return tuple(ids)


def _is_printed(stop: Stop, options: Options) -> bool:
    lacking = bool(stop.needs) and getattr(options, stop.needs) is None
    if stop.id in options.stationen:
        if lacking and stop.missing:
            raise UserError(stop.missing)
        return True
    return not options.stationen and not lacking and not stop.extra


def stations_of(desk: Desk) -> tuple[tuple[Station, ...], Desk]:
    """The stations of a sheet, and the desk that knows what they ask for."""
    return lay_out(desk, [partial(station_of, id_=id_) for id_ in desk.stations])


def station_of(desk: Desk, id_: str) -> Station:
    """One station alone, made by `station` in the room that the course names."""
    stop, tasks = BY_ID.get(id_), Tasks()
    if stop is None:
        parts = further_block.station(desk, tasks, further_block.number_of(id_))
        return Station(id_, _FURTHER, parts, tasks.by_name)
    make: Callable[[Desk, Tasks], Any] = import_module(f"generator.stations.{stop.name}.station").station
    return Station(id_, stop.name, make(desk, tasks), tasks.by_name)
