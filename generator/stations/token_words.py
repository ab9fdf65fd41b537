"""Tokens go in; how station 1 writes them and their whole numbers in tables comes out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.sheet.desk import Desk
from generator.sheet.sheet import Number, Row, Table, Words

_LONGEST_LABEL: Final = 16
_SHORT: Final = 11


def label(word: str) -> str:
    return word if len(word) <= _LONGEST_LABEL else word[: _LONGEST_LABEL - 1] + "…"


def number(desk: Desk, name: str, value: int, *index: int, blank: bool = False) -> Number:
    return Number(name, index, whole(desk, value), 0, blank)


def whole(desk: Desk, value: int) -> str:
    return desk.format.text(value, 0)


def per_line(tokens: Sequence[str]) -> int:
    """How many tokens stand side by side."""
    return 6 if all(len(token) <= _SHORT for token in tokens) else 4


def listed(head: str, entries: Sequence[str], most: int = 16, first: int = 0) -> list[Table]:
    """IDs as headings, counted from `first`, what they stand for below."""
    if not entries:
        return []
    cells = tuple(Words(label(entry)) for entry in entries)
    size = -(-len(cells) // -(-len(cells) // most))
    width = 144.0 / most
    return [
        Table(
            tuple(str(first + start + k) for k in range(len(part))),
            (Row(head, part),),
            (18.0,) + (width,) * len(part),
        )
        for start in range(0, len(cells), size)
        for part in [cells[start : start + size]]
    ]
