"""How wide the columns of tables are: a station says what stands in one, here is the room that it takes."""

from collections.abc import Iterable
from typing import Final

from generator.sheet.fields import TEXT_WIDTH, WORD_WIDTH

RULES: Final = 4.0  # mm that the lines between many columns add up to


class Column:
    """What stands in a column, in mm. Columns of REST share what is left."""

    REST: Final = 0.0

    # before the rows
    WORD: Final = WORD_WIDTH
    NUMBER: Final = 10.0
    UNIT: Final = 12.0
    DENSE_UNIT: Final = 7.0
    COMPONENT: Final = 14.0
    ROUND: Final = 17.0
    LABEL: Final = 18.0  # „Runde 1“, „ID“
    STEP: Final = 20.0  # „ReLU(u)“
    LONG_LABEL: Final = 22.0
    PHRASE: Final = 40.0  # „ohne Head 1“
    LINE: Final = 52.0  # „K und V der Cross-Attention“
    SENTENCE: Final = 85.0

    # numbers and marks
    DIGITS: Final = 9.0  # in a word's vector, beside what is worked out
    MARK: Final = 12.0
    FEW_DIGITS: Final = 14.0
    PRINTED: Final = 16.0
    SQUARE: Final = 22.0  # twice the places, and on a key their range
    SHARE: Final = 20.0  # a weight, a probability
    PROBABILITY: Final = 24.0
    LONG_SHARE: Final = 26.0  # with more than three places
    EXP: Final = 30.0  # e^x has up to five digits before its places
    AMOUNT: Final = 34.0
    VECTOR: Final = 32.0  # of two components
    WRITTEN_VECTOR: Final = 36.0
    BAR: Final = 16.0
    LONG_BAR: Final = 66.0

    # words
    ID: Final = 10.0
    CHOSEN: Final = 21.0
    NAME: Final = 26.0  # a word with its ID
    PAIR: Final = 30.0
    FORMULA: Final = 38.0


def even(count: int, kind: float, *before: float) -> tuple[float, ...]:
    """Columns of one kind behind others, by default the words; narrower where the page is."""
    before = before or (Column.WORD,)
    return (*before, *(min(kind, (TEXT_WIDTH - sum(before) - RULES) / count),) * count)


def printed_width(texts: Iterable[str], least: float = Column.FEW_DIGITS) -> float:
    """The width of a column of printed numbers: as wide as the longest."""
    return max(least, 3.6 + 1.95 * max(map(len, texts), default=1))
