"""Numbers of a column with their commas below each other: how much room each needs before it.

A cell is centred and all digits are as wide as the minus and the figure space, so a number with fewer signs
before its comma than another gets figure spaces. Only what is given decides: worksheet and key stay alike,
and the room tells nothing of a number that is withheld.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.sheet.sheet import CellContent, Number, Row, Solution, Vector

_FIGURE_SPACE: Final = "\N{FIGURE SPACE}"
_OF_A_BLANK: Final = 2  # signs before the comma: a minus and a digit


def pads(rows: Sequence[Row], sign: str) -> list[list[list[str]]]:
    """For each cell of each row, what stands before each of its numbers. sign: the decimal sign."""
    widest: dict[tuple[int, int], int] = {}
    for row in rows:
        for column, cell in enumerate(row.cells):
            for place, number in enumerate(numbers_of(cell)):
                needed = _OF_A_BLANK if number.blank else _before(number, sign)
                widest[column, place] = max(widest.get((column, place), 0), needed)
    return [
        [
            [
                _FIGURE_SPACE * max(0, widest[column, place] - _before(number, sign)) if number.text else ""
                for place, number in enumerate(numbers_of(cell))
            ]
            for column, cell in enumerate(row.cells)
        ]
        for row in rows
    ]


def numbers_of(cell: CellContent) -> Sequence[Number | Solution]:
    if isinstance(cell, Number) or (isinstance(cell, Solution) and cell.number):
        return (cell,)
    return cell.numbers if isinstance(cell, Vector) else ()


def _before(number: Number | Solution, sign: str) -> int:
    return len(number.text.partition(sign)[0])
