"""What every station uses: its tasks, and tables as wide as their numbers, blanks wide enough for a hand."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from engine.backward.gradient_step import Learning
from generator.sheet.columns import RULES, Column, even, printed_width
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH, WORD_WIDTH, blank_width
from generator.sheet.sheet import CellContent, Given, Number, Row, Solution, Table, Task, Words, walk

_FRAME = 8.0  # mm that a box around a table takes
MOST_WRITTEN_COLUMNS = 8  # columns that are wide enough for a pen side by side
_INLINE_COMPONENTS = 2  # a vector stands in one cell up to so many components
_SIDE_BY_SIDE_COMPONENTS = 4  # and up to so many, the components of three vectors stand side by side
_BAR: Final = 4.7  # mm that the bar beside an interim result takes
_SIGN_WIDTH, _CELL_PADDING = 1.2, 0.6  # mm in a dense table
_TABLE_WIDTH: Final = TEXT_WIDTH - 0.5  # mm, less the rules at both sides
_MOST_ROWS: Final = 16  # of up to 10 mm, so that a table stays on its page
_MOST_ROWS_GIVEN: Final = 30
_TERMS_A_LINE: Final = 4  # products of small numbers that a hand writes side by side
ROOM: Final = TEXT_WIDTH - 3.0  # mm for the columns of a matrix
MOST_GIVEN_ROWS: Final = 32
_LONG_SUM: Final = 3  # products of a sum that is worth a whole point
_MOST_REPEATED: Final = 8  # rows of a table that stands where it is needed once more
ALL_ROWS_UP_TO: Final = 8  # so many rows are all left to the pupil


def points_of_products(sums: int, terms: int) -> int:
    """What so many sums of products are worth: a long one takes as long as two numbers of a table."""
    return sums if terms >= _LONG_SUM else max(1, (sums + 1) // 2)


class Tasks:
    """Numbers the tasks of a station and gives them their points."""

    def __init__(self) -> None:
        self.by_name: dict[str, Task] = {}

    def add(
        self,
        name: str,
        operator: str,
        afb: str,
        *parts: object,
        points: int | None = None,
        around: bool = False,
    ) -> None:
        """A task over the blanks in `parts`, less those to copy; a point for three, or the points named.

        around: it opens a lesson or ends it.
        """
        if not parts and points is None:
            raise ValueError(f"the task {name} names neither the parts it asks for nor its points")
        cells = tuple(
            (n.name, n.index) for part in parts for n in walk(part, Number) if n.blank and not n.copied
        )
        worth = points if points is not None else max(1, round(len(cells) / 3))
        number = len(self.by_name) + 1
        self.by_name[name] = Task(number, worth, afb, operator, cells, around)  # type: ignore[arg-type]

    def asks(self, desk: Desk, name: str, *row: int) -> bool:
        """Whether one of them asks for a number of this row."""
        cells = (cell for task in self.by_name.values() for cell in task.cells)
        same = (each for cell in cells for each in desk.names_of(*cell[:1], *cell[1]))
        return any(of == name and index[: len(row)] == row for of, index in same)


def block_input(block: int) -> str:
    """The name of what a block, counted from 1, reads."""
    return "input" if block == 1 else f"block{block - 1}.norm2.output"


def given_vector(desk: Desk, name: str) -> tuple[Number, ...]:
    return tuple(desk.weight(name, i) for i in range(len(desk.given(name))))


def whole_number(desk: Desk, name: str, value: int, *index: int, blank: bool = False) -> Number:
    """A number that is counted, and stands in no quantity."""
    return Number(name, index, desk.constant(value, 0), 0, blank)


def vectors(desk: Desk, names: Sequence[str], blanks: Iterable[tuple[str, int]] = ()) -> list[Table]:
    """Tokens in rows, one vector a column for short vectors; else one table for each name.

    blanks: (name, token) whose vector is left to the pupil.
    """
    tokens = range(len(desk.words_of(names[0])))
    empty = {*blanks, *((name, i) for name in names for i in tokens if desk.asks(name, i))}
    width = desk.quantity(names[0]).values.shape[-1]
    beside = _INLINE_COMPONENTS < width <= _SIDE_BY_SIDE_COMPONENTS
    if beside and (table := _side_by_side(desk, names, empty)):
        return [table]
    if width <= _INLINE_COMPONENTS and len(names) <= 3:
        rows = tuple(
            Row(word, tuple(desk.vector(name, i, blank=(name, i) in empty) for name in names))
            for i, word in enumerate(desk.words_of(names[0]))
        )
        return [Table(tuple(names), rows, (Column.WORD,) + (Column.REST,) * len(names))]
    return [
        table
        for name in names
        for table in component_tables(desk, name, [i for of, i in empty if of == name])
    ]


def narrow(tables: list[Table]) -> list[Table]:
    """A single column of short vectors does not take the whole page."""
    return [
        replace(t, widths=(Column.WORD, Column.WRITTEN_VECTOR)) if len(t.columns) == 1 else t for t in tables
    ]


def keys_and_values(desk: Desk, at: str) -> list[Table]:
    """Keys and values of all words, in one narrow table where they are short."""
    tables = vectors(desk, [at + "key", at + "value"])
    if len(tables) == 1 and len(tables[0].columns) == 2:
        return [replace(tables[0], widths=(Column.WORD, Column.VECTOR, Column.VECTOR))]
    return tables


def repeated_notes(desk: Desk, at: str) -> Table | None:
    """Keys and values to stand beside the exercise that needs them, where they are few and all given."""
    tables = keys_and_values(desk, at)
    small = len(tables) == 1 and 0 not in tables[0].widths and len(tables[0].rows) <= _MOST_REPEATED
    return tables[0] if small and not any(n.blank for n in walk(tables, Number)) else None


def _side_by_side(desk: Desk, names: Sequence[str], empty: set[tuple[str, int]]) -> Table | None:
    """Queries, keys and values in one table, a column for each component; columns to write in are wider.

    None where the page is too narrow.
    """
    width = desk.quantity(names[0]).values.shape[-1]
    columns = tuple(f"{name}.{c + 1}" for name in names for c in range(width))
    rows = tuple(
        Row(word, tuple(x for name in names for x in desk.numbers(name, i, blank=(name, i) in empty)))
        for i, word in enumerate(desk.words_of(names[0]))
    )
    written = {name for name in names if any(of == name for of, _ in empty)}
    given, wide = len(names) - len(written), blank_width(desk.options.nachkommastellen)
    room = (TEXT_WIDTH - _BAR - WORD_WIDTH) / width - len(written) * wide
    longest = max(len(number.text) for number in walk(rows, Number))
    if room < given * (1.6 + 1.9 * longest):  # a digit takes 1.9 mm, the comma half of it
        return None
    narrow = min(Column.FEW_DIGITS, room / max(1, given))
    widths = tuple(wide if name in written else narrow for name in names for _ in range(width))
    return Table(columns, rows, (WORD_WIDTH, *widths))


def component_table(
    desk: Desk,
    name: str,
    blank_rows: Iterable[int] = (),
    rows: Iterable[int] | None = None,
    given: Given | None = None,
) -> Table:
    """One vector quantity: a row for each token, a column for each component.

    Where there are too many columns for a pen, the rows to fill stand below the table, in boxes.
    """
    wanted = set(blank_rows)
    width = desk.quantity(name).values.shape[-1]
    words = desk.words_of(name)
    tokens = range(len(words)) if rows is None else list(rows)
    columns = tuple(str(c + 1) for c in range(width))
    narrow = width > MOST_WRITTEN_COLUMNS
    all_rows = [(i, Row(words[i], desk.numbers(name, i, blank=i in wanted, given=given))) for i in tokens]
    empty = {i for i, row in all_rows if row.writable}
    below = tuple(row for i, row in all_rows if i in empty) if narrow else ()
    inside = tuple(row for i, row in all_rows if not (narrow and i in empty))
    wish = blank_width(desk.options.nachkommastellen) if empty and not narrow else Column.PRINTED
    widths = (WORD_WIDTH,) + (min((TEXT_WIDTH - _FRAME - WORD_WIDTH) / width, wish),) * width
    table = Table(columns, inside, widths, width > 8, name, below, columns if below else ())
    return within_page(table, (desk.quantity(name).places or 0) + 3) if narrow else table


def component_tables(
    desk: Desk,
    name: str,
    blank_rows: Iterable[int] = (),
    rows: Iterable[int] | None = None,
    given: Given | None = None,
) -> list[Table]:
    """Like `component_table`; numbers with many places stand in several tables that fit the page."""
    whole = component_table(desk, name, blank_rows, rows, given)
    longest = max((len(number.text) for number in walk(whole, Number)), default=1)
    needed = 0.8 + 1.5 * longest if whole.dense else 2.6 + 1.95 * longest
    count = len(whole.columns)
    size = even_size(count, int((TEXT_WIDTH - _FRAME - WORD_WIDTH) / needed))
    if size == count:
        first, *others = whole.widths
        return [replace(whole, widths=(first, *(max(width, needed) for width in others)))]
    return cut_columns(whole, size, needed)


def even_size(count: int, most: int) -> int:
    """How many of `count` things stand in each part of at most `most`, as even as can be."""
    return -(-count // -(-count // most))


def cut_columns(table: Table, size: int, width: float) -> list[Table]:
    """A table in parts of so many columns, each `width` mm wide."""

    def cut(rows: Sequence[Row], start: int) -> tuple[Row, ...]:
        return tuple(replace(row, cells=row.cells[start : start + size]) for row in rows)

    return [
        replace(
            table,
            columns=table.columns[i : i + size],
            rows=cut(table.rows, i),
            widths=(table.widths[0],) + (width,) * len(table.columns[i : i + size]),
            below=cut(table.below, i),
            below_columns=(),
            more=(),
        )
        for i in range(0, len(table.columns), size)
    ]


def in_parts(rows: Sequence[Row], most: int) -> list[tuple[Row, ...]]:
    """Rows in parts of at most `most`, as even as can be, so that none is torn by a page."""
    size = even_size(len(rows), most)
    return [tuple(rows[i : i + size]) for i in range(0, len(rows), size)]


def within_page(table: Table, signs: int) -> Table:
    """A dense table in parts of so many columns as the page has room for. signs: of its longest number."""
    most = int((TEXT_WIDTH - WORD_WIDTH - RULES) / (_SIGN_WIDTH * signs + _CELL_PADDING))
    n = len(table.columns)
    if n <= most:
        return table
    size = even_size(n, most)
    width = even(size, Column.SHARE)[-1]
    parts = cut_columns(replace(table, below=()), size, width)
    return replace(parts[0], more=tuple(parts[1:]), below=table.below, below_columns=table.below_columns)


def matrix_tables(desk: Desk, name: str) -> list[Table]:
    """A given matrix with counted rows and columns, in as many tables as the page needs."""
    rows = desk.matrix(name)
    longest = max(len(number.text) for number in walk(rows, Number))
    dense = len(rows[0]) > 8 or len(rows) > 12
    unit = Column.DENSE_UNIT if dense else Column.UNIT
    width = 0.9 + 1.45 * max(2, longest) if dense else max(10.0, 2.8 + 1.95 * longest)
    width = max(width, min(7.0, (ROOM - unit) / len(rows[0])))
    most = int((ROOM - unit) / width + 1e-9)
    columns = tuple(str(c + 1) for c in range(len(rows[0])))
    body = tuple(Row(str(i), row) for i, row in enumerate(rows, 1))
    whole = Table(columns, body, (unit,), dense)
    return [
        replace(table, rows=part)
        for table in cut_columns(whole, even_size(len(columns), most), width)
        for part in in_parts(table.rows, MOST_GIVEN_ROWS)
    ]


def learning_of(desk: Desk) -> Learning:
    assert desk.built.learning is not None
    return desk.built.learning


def columns_table(
    heads: Sequence[str],
    columns: Mapping[str, Sequence[CellContent]],
    sums: Sequence[CellContent] = (),
    example: int | None = None,
    narrow: bool = False,
    most: int = 0,
    named: int = 0,
) -> list[Table]:
    """A table by its columns, in parts that a page holds; sums: its last row.

    narrow: the rows are counted, not named. most: rows of a part, by default what a page holds. Columns of
    lines (products) share the width that is left. named: letters of the longest word in a column's head.
    """
    rows = [
        Row(head, cells, "example" if i == example else "plain")
        for i, (head, cells) in enumerate(zip(heads, zip(*columns.values(), strict=True), strict=True))
    ]
    if sums:
        rows.append(Row("Summe", tuple(sums), "sum"))
    first = Column.COMPONENT if narrow else Column.WORD
    widths = [_width([*cells, *sums[i : i + 1]], named) for i, cells in enumerate(columns.values())]
    room = _TABLE_WIDTH - first
    if 0.0 not in widths and sum(widths) > room:
        widths = [width * room / sum(widths) for width in widths]
    most = most or (_MOST_ROWS if any(row.writable for row in rows) else _MOST_ROWS_GIVEN)
    return [Table(tuple(columns), part, (first, *widths)) for part in in_parts(rows, most)]


def _width(cells: Sequence[CellContent], named: int = 0) -> float:
    """mm; 0 for lines, which take what is left."""
    if any(isinstance(cell, Solution) or (isinstance(cell, Words) and cell.small) for cell in cells):
        return 0.0
    blanks = [blank_width(c.places) for c in cells if isinstance(c, Number) and c.blank]
    texts = [c.text for c in cells if isinstance(c, Number | Words)]
    return max([*blanks, 15.0, printed_width(texts), 3.6 + 1.95 * named])


def counted(count: int) -> list[str]:
    """Heads of rows for components: 1, 2, …"""
    return [str(i + 1) for i in range(count)]


def unchanged(desk: Desk) -> list[int]:
    """The last token's components, from 1, whose gradient the last feed-forward network leaves as it is."""
    block = f"gradient.block{desk.sizes.n_blocks}."
    after, before = (desk.numbers(block + name, desk.n - 1) for name in ("residual2", "norm1.output"))
    return [c for c, (a, b) in enumerate(zip(after, before, strict=True), 1) if a.text == b.text]


def to_fill(desk: Desk) -> set[int]:
    """The tokens left to the pupil: all but the worked one where there are few, else the exercises."""
    few = desk.n <= ALL_ROWS_UP_TO and not desk.more
    return set(range(desk.n) if few else desk.exercises) - {desk.example}


def room_for_products(
    desk: Desk, left: Sequence[Number], right: Sequence[Number], a_line: int = _TERMS_A_LINE
) -> Solution:
    """Room for a sum of products, with as many lines as a hand needs that writes so many side by side."""
    return Solution(desk.products(left, right).text, rows=-(-len(left) // a_line))
