"""A sheet with all that its documents and files need, and what of it a worksheet must not show."""

import json
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, TypeVar

from engine.judging.ranges import Ranges
from engine.trace import CellAddress
from generator.calculation.build import Built
from generator.calculation.contents import EXERCISES, GROUP, PRINTED, Exercise, as_document, by_name
from generator.calculation.document import document_of, to_json
from generator.calculation.rebuild import Rebuilt, rebuilt_of
from generator.sheet.desk import Desk
from generator.sheet.sheet import Bar, Figure, Finding, Given, Number, Sheet, Solution, Station, exchanged

# What exercises ask for is printed nowhere else on their sheets: there it is a blank to copy. Stations are
# made twice: first to see what they ask for, then knowing that of all: lines stay open, columns are wide
# enough for a hand, and what would tell the number (a sum beside its other term) is not printed either.


def drawn(desk: Desk, makers: Sequence[Callable[[Desk], Station]]) -> tuple[tuple[Station, ...], Desk]:
    """The stations, and the desk that knows all that they ask for. ValueError if one prints some of it."""
    while True:  # what is asked only grows: twice, unless a station asks for more once it knows of others
        stations = tuple(make(desk) for make in makers)
        asked = frozenset(desk.asked) | asked_in(desk, stations)
        if asked == desk.asked:
            break
        desk = replace(desk, asked=asked)
    for station in stations:
        for told in printed_answers(desk, station):
            raise ValueError(f"station {station.id} prints {told.name} {told.index}, which is asked for")
    return stations, desk


def printed_answers(desk: Desk, station: Station) -> Iterable[Number]:
    """The numbers that a station prints although an exercise asks for them."""
    return [
        number
        for number in station.numbers
        if not number.blank and number.given is None and desk.asks(number.name, *number.index)
    ]


def only_copied(station: Station) -> set[CellAddress]:
    """The cells that are copied in a station or read off, and nowhere in it worked out."""
    blanks = [number for number in station.numbers if number.blank]
    worked_out = {n.cell for n in blanks if not n.copied and n.given is not Given.READ_OFF}
    return {number.cell for number in blanks} - worked_out


def asked_in(desk: Desk, stations: Iterable[Station]) -> set[CellAddress]:
    """What the pupil works out in these stations, with the beginnings of the indices."""
    return {
        (name, index[:k])
        for station in stations
        for number in station.numbers
        if number.blank and not number.copied and number.given is None
        for name, index in desk.names_of(number.name, *number.index)
        for k in range(len(index) + 1)
    }


T = TypeVar("T")


def withheld(part: T) -> T:
    """The same part as the pupil gets it: nothing left of what is to be written."""
    return exchanged(part, _WITHHELD)


_WITHHELD: Final[Mapping[type, Callable[[Any], Any]]] = {
    Number: lambda number: replace(number, text="", accepted="", changed=False) if number.blank else number,
    Solution: lambda words: replace(words, text="", accepted="") if words.blank else words,
    Finding: lambda finding: Finding(),
    Bar: lambda bar: replace(bar, share=None) if bar.blank else bar,
    Figure: lambda figure: replace(figure, drawing=figure.empty, empty=None) if figure.empty else figure,
}


def with_ranges(desk: Desk, stations: tuple[Station, ...]) -> tuple[Station, ...]:
    """The stations with what the key prints beside their blanks."""

    def said(blank: Number | Solution) -> Number | Solution:
        text = desk.accepted(blank.cell) if blank.blank and blank.cell else ""
        return replace(blank, accepted=text) if text else blank

    return exchanged(stations, {Number: said, Solution: said})


@dataclass(frozen=True)
class WholeSheet:
    """The tree of a sheet and the desk that its stations took their numbers from.

    values: what every page may speak of as `d.…`. printed_code: the same of the first page and the foot of
    those that bear the sheet's code.
    """

    sheet: Sheet
    desk: Desk
    values: Mapping[str, Any]
    printed_code: Mapping[str, Any] = field(default_factory=dict)

    @property
    def built(self) -> Built:
        return self.desk.built

    @property
    def title(self) -> str:
        return str(self.values["title"])

    @property
    def ranges(self) -> Ranges:
        return self.desk.ranges

    @cached_property
    def printed(self) -> tuple[CellAddress, ...]:
        """The cells of the calculation that a pupil can read from the sheet."""
        return printed_of(self.sheet, self.built.passes.hand)

    def record(self) -> dict[str, Any]:
        """The contents of rechnung.json."""
        of_sheet = {EXERCISES: as_document(exercises_of(self.sheet)), PRINTED: by_name(self.printed)}
        group = {GROUP: self.values["group"]} if self.values["group"] else {}
        return document_of(self.built, self.ranges) | of_sheet | group

    def record_json(self) -> bytes:
        return to_json(self.record()).encode()

    def rebuilt(self) -> Rebuilt:
        """What reading rechnung.json of this sheet gives, without computing it again."""
        return rebuilt_of(self.built, self.ranges, json.loads(self.record_json()))


def exercises_of(sheet: Sheet) -> tuple[Exercise, ...]:
    return tuple(
        Exercise(station.id, task.number, task.points, tuple(dict.fromkeys(task.cells)))
        for station in sheet.stations
        for task in station.tasks.values()
    )


def printed_of(sheet: Sheet, names: Container[str]) -> tuple[CellAddress, ...]:
    """The cells of these quantities that a pupil can read from the sheet."""
    numbers = [number for number in sheet.numbers if number.name in names]
    blanks = {number.cell for number in numbers if number.blank}
    return tuple(dict.fromkeys(number.cell for number in numbers if number.cell not in blanks))
