"""One written cell: its name, its place, and what number a pupil means."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Final

from generator.basics.numbers import NotANumber, read_number

LARGEST_NUMBER: Final = 18  # digits before the decimal sign that a pupil's number may have

Index = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One written cell. value is None where the text is no number; index is None where it cannot be read.

    where: the line of a CSV file ("Zeile 7"), empty for JSON.
    """

    name: str
    index: Index | None
    text: str
    value: Decimal | None
    where: str = ""
    index_text: str = ""


@lru_cache(4096)
def index_of(text: str) -> Index | None:
    """(2, 1) from "2,1", "2;1", "2 1", "[2,1]" or "(2|1)"; () from nothing; None from anything else."""
    inner = text.strip().strip("[]()").strip()
    if not inner:
        return ()
    parts = re.split(r"\s*[,;|/.]\s*|\s+", inner)
    if all(part.isascii() and part.isdigit() and len(part) < 7 for part in parts):
        return tuple(int(part) for part in parts)
    return None


@lru_cache(4096)
def number_of(text: str) -> Decimal | None:
    """The number that a person wrote, None where there is none (or one that no pupil can have meant)."""
    try:
        value = read_number(text)
    except NotANumber:
        return None
    return value if value == 0 or value.adjusted() < LARGEST_NUMBER else None


def why_unread(text: str) -> str:
    """In German, why this is no number that could be compared."""
    try:
        read_number(text)
    except NotANumber as error:
        return error.reason
    return "die Zahl ist zu groß"
