"""Options become the stations of a sheet: which are printed, and what each module makes of the desk."""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any, Final

from generator.basics.errors import UserError
from generator.options.course import BY_ID, COURSE, END_OF_BLOCK, Stop
from generator.options.options import Options
from generator.sheet.desk import Desk
from generator.sheet.sheet import Station
from generator.sheet.whole_sheet import lay_out
from generator.stations.common import Tasks
from generator.stations.further_block import station as further_block

_FURTHER: Final = "further_block"


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
    """The stations of a sheet, and the desk that knows what they ask for.

    Each is made by `station` in the module that the course names.
    """
    return lay_out(desk, [partial(station_of, id_=id_) for id_ in desk.stations])


def station_of(desk: Desk, id_: str) -> Station:
    """One station alone."""
    stop, tasks = BY_ID.get(id_), Tasks()
    if stop is None:
        parts = further_block.station(desk, tasks, further_block.number_of(id_))
        return Station(id_, _FURTHER, parts, tasks.by_name)
    make: Callable[[Desk, Tasks], Any] = import_module(f"generator.stations.{stop.name}.station").station
    return Station(id_, stop.name, make(desk, tasks), tasks.by_name)
