"""A sheet with its accepted ranges and typical mistakes goes in; what is right in each blank comes out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from markupsafe import Markup

from engine.judging.expectation import Expectation
from engine.trace import CellAddress, Quantity
from generator.calculation.document import Ranges
from generator.check.report_views import mistake_texts
from generator.output.formats.material import Address, Expected
from generator.sheet.desk import Desk
from generator.sheet.exercises import exercises_of, in_any_order
from generator.sheet.record import Exercise, RecordedStation
from generator.sheet.sheet import Sheet, Station, Task
from generator.teacher.review import SheetReview

_HINT: Final = "{title}. {help}"


def expected_numbers(
    sheet: Sheet, desk: Desk, ranges: Ranges, reviewed: SheetReview
) -> dict[Address, Expected]:
    """For every blank whose quantity is in rechnung.json: value, range, numbers of typical mistakes."""
    whole = desk.built.whole
    hand: Mapping[str, Quantity] = whole.hand
    ranges = in_any_order(ranges, whole.hand, whole.exact, exercises_of(sheet))
    found: dict[Address, Expected] = {}
    for blank in sheet.blanks():
        if blank.name not in hand:
            continue
        quantity, places = hand[blank.name], hand[blank.name].places or 0
        value = _decimal(float(quantity.values[blank.index]), places)
        low = high = value
        if blank.name in ranges:
            low = _decimal(float(ranges[blank.name].low[blank.index]), places)
            high = _decimal(float(ranges[blank.name].high[blank.index]), places)
        cell = blank.name, blank.index
        hints = tuple(
            hint for hint in _hints(reviewed.expectation, cell, places) if not low <= hint[0] <= high
        )
        found[blank.name, blank.address] = Expected(value, low, high, hints)
    return found


def _hints(expectation: Expectation, cell: CellAddress, places: int) -> Iterator[tuple[Decimal, str]]:
    """A wrong number, and the advice to whoever has it; the mistakes made in this very cell come first."""
    texts = mistake_texts()
    for foreseen in expectation.numbers.get(cell, ()):
        advice = [texts[name] for name in foreseen.ids if name in texts][:1]
        for text in advice:
            yield (
                _decimal(foreseen.value, places),
                _HINT.format(title=_upper(text["title"]), help=text["help"]),
            )


def _upper(title: str) -> str:
    return title[:1].upper() + title[1:]


def _decimal(value: float, places: int) -> Decimal:
    return Decimal(f"{value:.{places}f}")


# --- What the key says of a station goes in; its lines of the Erwartungshorizont come out.

_SIGNS: Final = {
    ".": "Punkt",
    ",": "Komma",
    "!": "Ausrufezeichen",
    "?": "Fragezeichen",
    ":": "Doppelpunkt",
    ";": "Strichpunkt",
    "…": "Auslassungspunkte",
}


@dataclass(frozen=True)
class TaskRow:
    """One line of the Erwartungshorizont; its numbers stand on the key, here is only how many."""

    task: Task
    wording: Markup
    numbers: int
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


def station_part(station: Station, key: RecordedStation) -> StationPart:
    return StationPart(station.name, key.badge, key.title, station.points, tuple(map(_task, key.exercises)))


def _task(exercise: Exercise) -> TaskRow:
    worded = not exercise.numbers
    solutions = tuple(
        (label, _said(text)) for label, text in exercise.solutions if worded or _without_figures(label, text)
    )
    numbers = len(dict.fromkeys(exercise.cells))
    return TaskRow(exercise.task, exercise.wording, numbers, tuple(exercise.answers), solutions)


def _without_figures(label: str, text: str) -> bool:
    """Words that are asked for beside numbers; not the lines of products that lead to the numbers."""
    words = text.strip("–") and not any(sign.isdigit() for sign in text)
    return label.endswith("gewählt") or bool(words)


def _said(text: str) -> str:
    """A mark alone is hard to see, so its name stands beside it: „.“ (Punkt)."""
    if text in _SIGNS:
        return f"„{text}“ ({_SIGNS[text]})"
    return f"„{text}“" if text.rpartition(" ")[2] in _SIGNS else text
