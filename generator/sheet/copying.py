"""What exercises ask for is printed nowhere else on their sheets: there it is a blank to copy.

One rule over the finished sheet. Where a station still prints what another one (or itself, elsewhere) asks
for, it is made again and knows it: so lines stay open, columns are as wide as a hand needs, and what would
tell the number (a sum beside its other term) is not printed either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from engine.trace.trace import CellAddress
from generator.sheet.desk import Desk
from generator.sheet.sheet import Given, Number, Station
from generator.sheet.walking import walk


def lay_out(desk: Desk, makers: Sequence[Callable[[Desk], Station]]) -> tuple[tuple[Station, ...], Desk]:
    """The stations, and the desk that knows all that they ask for. ValueError if one cannot keep the rule."""
    stations: list[Station] = []
    for make in makers:
        stations.append(make(desk))
        desk = _asking(desk, stations[-1])
    for _ in range(len(makers) + 1):
        telling = [i for i, station in enumerate(stations) if printed_answers(desk, station)]
        for i in telling:
            stations[i] = makers[i](desk)
            desk = _asking(desk, stations[i])
        if not telling:
            return tuple(stations), desk
    told = next(iter(printed_answers(desk, stations[telling[0]])))
    raise ValueError(f"station {stations[telling[0]].id} prints {told.name} {told.index}, which is asked for")


def printed_answers(desk: Desk, station: Station) -> Iterable[Number]:
    """The numbers that a station prints although an exercise asks for them."""
    return [
        number
        for number in walk(station, Number)
        if not number.blank and number.given is None and desk.asks(number.name, *number.index)
    ]


def only_copied(station: Station) -> set[CellAddress]:
    """The cells that are copied in a station or read off, and nowhere in it worked out."""
    blanks = [number for number in walk(station, Number) if number.blank]
    worked_out = {
        (number.name, number.index)
        for number in blanks
        if not number.copied and number.given is not Given.READ_OFF
    }
    return {(number.name, number.index) for number in blanks} - worked_out


def _asking(desk: Desk, station: Station) -> Desk:
    """The same desk when it also knows what the pupil writes in this station."""
    asked = set(desk.asked)
    for number in walk(station, Number):
        if number.blank and not number.copied and number.given is None:
            name, index = desk.cell(number.name, *number.index)
            asked.update((name, index[:k]) for k in range(len(index) + 1))
    return replace(desk, asked=frozenset(asked))
