"""Numbers, blanks and tables as templates name them; they find them in blocks.html.j2."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, Final

from markupsafe import Markup, escape

from generator.basics import fonts
from generator.sheet.page import Grid, Numbers, Objects, Slots
from generator.sheet.sheet import CellContent, Line, Number, Row, Solution, Table, Task, Vector

Heads = Mapping[str, str] | Callable[[str], str] | Sequence[str]  # of columns by name, or in order
_FIGURE_SPACE: Final = "\N{FIGURE SPACE}"
_OF_A_BLANK: Final = 2  # signs before the comma: a minus and a digit
_TIMES: Final = "\N{NO-BREAK SPACE}·\N{NO-BREAK SPACE}"
_GIVEN_FACTOR: Final = re.compile(
    rf"(?<={_TIMES})(\(−[\d,.]+\)|[\d,.]+)|(\(−[\d,.]+\)|\b[\d,.]+)(?={_TIMES})"
)
_BRACKETS_AND_MINUS, _DIGIT, _COMMA = 1.21, 0.56, 0.24  # em


def printed(value: Any) -> Markup:
    """What a template prints: escaped, without characters that have no glyph."""
    return value if value.__class__ is Markup else text(value if isinstance(value, str) else str(value))


@lru_cache(maxsize=2_000, typed=True)  # sheets have most of their words in common
def text(words: str) -> Markup:
    return words if isinstance(words, Markup) else escape(fonts.printable(words))


_markup: Final[Callable[[str], Markup]] = partial(str.__new__, Markup)  # of text, quicker than Markup(…)


@dataclass
class Blocks:
    """Those of the pages of a sheet. sign: the decimal sign."""

    objects: Objects
    sign: str

    def number(self, n: Number) -> Markup:
        return _markup(f"<span {self.objects.put(n)}>{n.text}</span>")

    def part(self, n: Number) -> Markup:
        """A number in a line of text: in the text itself, or a frame where it is the pupil's."""
        return self._left_open(n) if n.blank else text(n.text)

    def open(self, n: Number) -> Markup:
        return self._left_open(n) if n.blank else self.number(n)

    def _left_open(self, n: Number) -> Markup:
        """A frame for a number that another place asks for."""
        return _markup(f'<span class="slot open" as="aside">{self.number(n)}</span>')

    def slot(self, n: Number) -> Markup:
        """One number in a frame, in a line of text."""
        return _markup(f'<span class="slot">{self.number(n)}</span>')

    def worked(self, line: Line) -> Markup:
        parts = "".join(self.part(p) if isinstance(p, Number) else text(p) for p in line.parts)
        return _markup(_GIVEN_FACTOR.sub(_as_wide_as_any, parts) if line.blank else parts)

    def vector(self, v: Vector) -> Markup:
        return self.numbers(v.numbers, v.short)

    def numbers(self, row: Iterable[Number], whole: bool = False) -> Markup:
        """Side by side in brackets. whole: on one line."""
        return _markup(f"<span {self.objects.put(Numbers(tuple(row), whole))}/>")

    def td(self, cell: CellContent) -> Markup:
        return _markup(f"<td {self.objects.put(cell)}/>")

    def table(
        self, t: Table, heads: Heads, first: str = "Wort", caption: str = "", asked_by: Task | None = None
    ) -> Markup:
        """With what stands below it. asked_by: a task that comes later."""
        named = tuple(text(first) if n is None else _heading(heads, n) for n in (None, *t.columns))
        grid = self.objects.put(Grid(t, named, caption, _pads(t.rows, self.sign), asked_by))
        more = self.tables(t.more, heads, first, asked_by=asked_by)
        columns = tuple(_heading(heads, column) for column in t.below_columns or t.columns)
        below = "".join(f"    <div {self.objects.put(Slots(row, columns))}/>" for row in t.below)
        return _markup(f"<table {grid}/>{more}{below}")

    def tables(
        self, ts: Iterable[Table], heads: Heads, first: str = "Wort", captions: Any = None, **asked: Any
    ) -> Markup:
        made = (self.table(t, heads, first, captions(t) if captions else "", **asked) for t in ts)
        return _markup("".join(f'<div class="keep">{table}</div>' for table in made))

    def row_head(self, head: str) -> Markup:
        return _markup(f'<th scope="row" as="row">{text(head)}</th>')


def _as_wide_as_any(factor: re.Match[str]) -> str:
    """In room for a minus and its brackets: no frame on its line moves with other numbers."""
    bare = factor[0].strip("(−)")
    digits = sum(map(str.isdigit, bare))
    wide = _BRACKETS_AND_MINUS + _DIGIT * digits + _COMMA * (len(bare) - digits)
    return f'<span class="factor" style="width:{wide:.2f}em">{factor[0]}</span>'


def _heading(heads: Heads, column: str) -> Markup:
    if isinstance(heads, Mapping):
        return text(heads.get(column, column))
    return text(heads(column) if callable(heads) else column)


def _pads(rows: Sequence[Row], sign: str) -> list[list[list[str]]]:
    """What stands before each number of each cell, so that the commas of a column stand below each other.

    Cells are centred and all digits as wide as the minus and the figure space. Only what is given decides:
    worksheet and key stay alike, and the room tells nothing of a withheld number. sign: the decimal sign.
    """
    cells = [
        [[(n, len(n.text.partition(sign)[0])) for n in _numbers_of(cell)] for cell in row.cells]
        for row in rows
    ]
    widest: dict[tuple[int, int], int] = defaultdict(int)
    for row in cells:
        for column, numbers in enumerate(row):
            for place, (n, before) in enumerate(numbers):
                needed = _OF_A_BLANK if n.blank else before
                widest[column, place] = max(widest[column, place], needed)
    return [
        [
            [
                _FIGURE_SPACE * (widest[column, place] - before) if n.text else ""
                for place, (n, before) in enumerate(numbers)
            ]
            for column, numbers in enumerate(row)
        ]
        for row in cells
    ]


def _numbers_of(cell: CellContent) -> Sequence[Number | Solution]:
    if isinstance(cell, Number) or (isinstance(cell, Solution) and cell.number):
        return (cell,)
    return cell.numbers if isinstance(cell, Vector) else ()
