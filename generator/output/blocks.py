"""Numbers, blanks and tables as HTML; a page has thousands of them. Templates find them in blocks.html.j2.

Every number of a page goes through `number`; what is to be written is told to `record` as it is printed.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import repeat
from typing import Any, Final

from markupsafe import Markup, escape

from generator.basics import fonts
from generator.sheet.fields import NO_FIELD, Fields
from generator.sheet.record import Recorder
from generator.sheet.sheet import Bar, CellContent, Line, Number, Row, Solution, Table, Task, Vector, Words

Heads = Mapping[str, str] | Callable[[str], str] | Sequence[str]  # of columns by name, or in order
_BAR: Final = '<span class="bar">&nbsp;| </span>'
_FIGURE_SPACE: Final = "\N{FIGURE SPACE}"
_OF_A_BLANK: Final = 2  # signs before the comma: a minus and a digit


def printed(value: Any) -> Markup:
    """What a template prints: escaped, without characters that have no glyph."""
    return value if value.__class__ is Markup else _text(value if isinstance(value, str) else str(value))


@lru_cache(maxsize=2_000, typed=True)  # sheets have most of their words in common
def _text(text: str) -> Markup:
    return text if isinstance(text, Markup) else escape(fonts.printable(text))


_markup: Final[Callable[[str], Markup]] = partial(str.__new__, Markup)  # of text, quicker than Markup(…)


def _named(n: Number) -> str:
    return f'data-q="{n.name}" data-i="{n.address}"'


@dataclass
class Blocks:
    """Those of one page. both: a layout of several views and keys. sign: the decimal sign.

    bare: the given numbers of a table have no element of their own, which layout would take time for.
    """

    record: Recorder
    fields: Fields
    both: bool
    sign: str
    bare: bool = False

    def number(self, n: Number, pad: str = "") -> Markup:
        """pad: spaces before it, so that the commas of a column stand below each other.

        Its name and text are ours: nothing in them is to be escaped.
        """
        changed = " changed" * n.changed
        if not n.blank:
            return _markup(f'<span class="n{changed}" {_named(n)}>{pad}{n.text}</span>')
        self.record.number(n)
        field = self.fields.number(n, *self.record.where(), row=self.record.head_of_row())
        value = f'<b class="value{changed}">{pad}{n.text}</b>{self._accepted(n, n.text)}' if n.text else ""
        kind = f"blank p{n.places}{' wide' * n.wide}"
        opening = f'<span class="{kind}" {_named(n)}{field.attributes}>'
        return _markup(f"{opening}{field.control}{value}</span>")

    def _accepted(self, n: Number | Solution, text: str) -> str:
        """In a narrow column a range takes two lines. A layout of several keys has room for one at each."""
        if not (n.accepted or self.both):
            return ""
        return f'<small class="accepted">{n.accepted.replace(" bis ", "…") or f"{text}…{text}"}</small>'

    def part(self, n: Number) -> Markup:
        """A number in a line of text: in the text itself, or a frame where it is the pupil's."""
        return self._left_open(n) if n.blank else _text(n.text)

    def open(self, n: Number) -> Markup:
        return self._left_open(n) if n.blank else self.number(n)

    def _left_open(self, n: Number) -> Markup:
        """A frame for a number that another place asks for."""
        return self.record.aside(self.slot, n, " open")

    def slot(self, n: Number, kind: str = "") -> Markup:
        """One number in a frame, in a line of text."""
        return _markup(f'<span class="slot{kind}">{self.number(n)}</span>')

    def worked(self, line: Line) -> Markup:
        return _markup("".join(self.part(p) if isinstance(p, Number) else _text(p) for p in line.parts))

    def vector(self, v: Vector, pads: Sequence[str] = ()) -> Markup:
        return self.numbers(v.numbers, pads, len(v.numbers) <= 4 and v.numbers[0].places <= 2)

    def numbers(self, row: Iterable[Number], pads: Sequence[str] = (), whole: bool = False) -> Markup:
        """Side by side in brackets. whole: on one line."""
        inside = _BAR.join(map(self.number, row, pads or repeat("")))
        return _markup(f'<span class="vector{" whole" * whole}">({inside})</span>')

    def td(self, cell: CellContent, lines: int = 1, pads: Sequence[str] = ()) -> Markup:
        """lines: that the table's lines of products may take."""
        self.record.cell(cell)
        field, inside, (pad, *_) = NO_FIELD, "", pads or ("",)
        write = " write" if getattr(cell, "blank", False) else ""
        match cell:
            case Number() if self.bare and not (cell.blank or cell.changed):
                return _markup(f'<td class="number" {_named(cell)}>{pad}{cell.text}</td>')
            case Number():
                kind, inside = f"number{write}", self.number(cell, pad)
            case Vector():
                kind = f"number{write or ' wrap' * (len(cell.numbers) > 2)}"
                inside = self.vector(cell, pads)
            case Words(text, small):
                kind, inside = "small" if small else "words", _text(text)
                if small and lines > 1:
                    inside = f'<div style="min-height:{1.2 * lines:.1f}em">{inside}</div>'
            case Solution(text):
                kind = f"{'number' if cell.number else 'small'} write"
                if write:
                    field = self.fields.words(*self.record.where(), row=self.record.head_of_row())
                if text:
                    accepted = self._accepted(cell, _text(text)) if cell.number else ""
                    inside = f'<span class="value">{pad}{_text(text)}</span>{accepted}'
            case Bar(share):
                kind = "barcell"
                if share is not None:
                    inside = f'<span class="gauge" style="width:{100 * share:.0f}%"></span>'
            case _:
                return _markup('<td class="hidden-cell" aria-label="verdeckt"></td>')
        return _markup(f'<td class="{kind}"{field.attributes}>{field.control}{inside}</td>')

    def table(
        self, t: Table, heads: Heads, first: str = "Wort", caption: str = "", asked_by: Task | None = None
    ) -> Markup:
        """With what stands below it. asked_by: a task that comes later."""
        self.record.table(first, asked_by)
        fixed = bool(t.widths) and 0 not in t.widths
        kinds = {"dense": t.dense, " tiny": t.dense and len(t.columns) > 18, " narrow": fixed}
        kind = "".join(name for name, has in kinds.items() if has)
        width = f' style="width:{sum(t.widths):.2f}mm"' if fixed else ""
        widths = "".join(f'<col style="width:{mm:.1f}mm">' if mm else "<col>" for mm in t.widths)
        columns = "".join(self._column_head(_heading(heads, column)) for column in t.columns)
        # Sums take as many lines as their products may need, so that rows are as high with other numbers.
        lines = 1 + (14 * t.products + 5) // 92
        rows = "".join(map(self._row, t.rows, repeat(lines), _pads(t.rows, self.sign)))
        self.record.end_table()
        more = self.tables(t.more, heads, first, asked_by=asked_by)
        below = "".join(self._below(row, heads, t.below_columns or t.columns) for row in t.below)
        return _markup(
            f'<table class="{kind}"{width}>{caption and f"<caption>{_text(caption)}</caption>"}'
            f"<colgroup>{widths}</colgroup>\n"
            f'    <thead><tr><th scope="col">{_text(first)}</th>{columns}</tr></thead>\n'
            f"    <tbody>{rows}</tbody></table>{more}{below}"
        )

    def tables(
        self, ts: Iterable[Table], heads: Heads, first: str = "Wort", captions: Any = None, **asked: Any
    ) -> Markup:
        made = (self.table(t, heads, first, captions(t) if captions else "", **asked) for t in ts)
        return _markup("".join(f'<div class="keep">{table}</div>' for table in made))

    def _row(self, row: Row, lines: int, pads: Sequence[Sequence[str]]) -> str:
        self.record.row(row.head)
        kind = f"{row.kind}{' writable' * row.writable}"
        long = ' class="long"' if len(row.head) > 11 else ""
        cells = "".join(map(self.td, row.cells, repeat(lines), pads))
        return f'      <tr class="{kind}"><th scope="row"{long}>{_text(row.head)}</th>{cells}</tr>'

    def _below(self, row: Row, heads: Heads, columns: Sequence[str]) -> str:
        numbers = (cell for cell in row.cells if isinstance(cell, Number))
        slots = "".join(
            f' <span class="slot"><small>{_heading(heads, column)}</small>{self.number(number)}</span>'
            for column, number in zip(columns, numbers, strict=False)
        )
        return f'    <div class="slots"><b>{_text(row.head)}:</b>{slots}</div>'

    def _column_head(self, head: Markup) -> str:
        self.record.column(head)
        return f'<th scope="col">{head}</th>'

    def row_head(self, head: str) -> Markup:
        self.record.row(head)
        return _markup(f'<th scope="row">{_text(head)}</th>')


def _heading(heads: Heads, column: str) -> Markup:
    if isinstance(heads, Mapping):
        return _text(heads.get(column, column))
    return _text(heads(column) if callable(heads) else column)


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
