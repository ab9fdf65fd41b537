"""A sheet with its accepted ranges and typical mistakes goes in; what is right in each blank comes out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Final

from engine.judging.expectation import Expectation
from engine.trace.trace import CellAddress, Quantity
from generator.check.mistake_texts import mistake_texts
from generator.document.document import Ranges
from generator.document.exercises import exercises_of
from generator.document.orders import in_any_order
from generator.formats.material import Address, Expected
from generator.sheet.desk import Desk
from generator.sheet.sheet import Sheet
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
