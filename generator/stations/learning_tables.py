"""Columns of cells go in; tables as wide as their numbers, blanks wide enough for a hand, come out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.backward.gradient_step import Learning
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH, WORD_WIDTH, blank_width
from generator.sheet.sheet import CellContent, Number, Row, Solution, Table, Words
from generator.stations.common import in_parts

_TABLE_WIDTH: Final = TEXT_WIDTH - 0.5  # mm, less the rules at both sides
_MOST_ROWS: Final = 16  # of up to 10 mm, so that a table stays on its page
_MOST_ROWS_GIVEN: Final = 30
_NARROW: Final = 14.0  # mm of a column that only counts components
_TERMS_A_LINE: Final = 4  # products of small numbers that a hand writes side by side
ALL_ROWS_UP_TO: Final = 8  # so many rows are all left to the pupil


def learning_of(desk: Desk) -> Learning:
    learning = desk.built.learning
    if learning is None:
        raise ValueError("no lesson was asked for")
    return learning


def columns_table(
    heads: Sequence[str],
    columns: Mapping[str, Sequence[CellContent]],
    sums: Sequence[CellContent] = (),
    example: int | None = None,
    narrow: bool = False,
    most: int = 0,
) -> list[Table]:
    """A table by its columns, in parts that a page holds; sums: its last row.

    narrow: the rows are counted, not named. most: rows of a part, by default what a page holds. Columns of
    lines (products) share the width that is left.
    """
    rows = [
        Row(head, cells, "example" if i == example else "plain")
        for i, (head, cells) in enumerate(zip(heads, zip(*columns.values(), strict=True), strict=True))
    ]
    if sums:
        rows.append(Row("Summe", tuple(sums), "sum"))
    first = _NARROW if narrow else WORD_WIDTH
    widths = [_width([*cells, *sums[i : i + 1]]) for i, cells in enumerate(columns.values())]
    room = _TABLE_WIDTH - first
    if 0.0 not in widths and sum(widths) > room:
        widths = [width * room / sum(widths) for width in widths]
    most = most or (_MOST_ROWS if any(row.writable for row in rows) else _MOST_ROWS_GIVEN)
    return [Table(tuple(columns), part, (first, *widths)) for part in in_parts(rows, most)]


def _width(cells: Sequence[CellContent]) -> float:
    """mm; 0 for lines, which take what is left."""
    if any(isinstance(cell, Solution) or (isinstance(cell, Words) and cell.small) for cell in cells):
        return 0.0
    blanks = [blank_width(c.places) for c in cells if isinstance(c, Number) and c.blank]
    texts = [c.text for c in cells if isinstance(c, Number | Words)]
    return max([*blanks, 15.0, 3.6 + 1.95 * max(map(len, texts), default=1)])


def counted(count: int) -> list[str]:
    """Heads of rows for components: 1, 2, …"""
    return [str(i + 1) for i in range(count)]


def unchanged(desk: Desk) -> list[int]:
    """The last token's components, from 1, whose gradient the last feed-forward network leaves as it is."""
    block = f"gradient.block{desk.sizes.n_blocks}."
    after, before = (desk.numbers(block + name, desk.n - 1) for name in ("residual2", "norm1.output"))
    return [c for c, (a, b) in enumerate(zip(after, before, strict=True), 1) if a.text == b.text]


def to_fill(desk: Desk, count: int, worked: int, wanted: Sequence[int]) -> set[int]:
    """The rows left to the pupil: all but the worked one where there are few, else the wanted ones."""
    if count <= ALL_ROWS_UP_TO and not desk.more:
        return set(range(count)) - {worked}
    return set(wanted) - {worked}


def products_line(desk: Desk, left: Sequence[Number], right: Sequence[Number]) -> Solution:
    """Room for a sum of products, with as many lines as a hand needs."""
    return Solution(desk.products(left, right).text, rows=-(-len(left) // _TERMS_A_LINE))
