"""The desk goes in; the tables that several stations share come out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH, WORD_WIDTH, blank_width
from generator.sheet.sheet import Given, Number, Row, Table, Task
from generator.sheet.walking import walk

_FRAME = 8.0  # mm that a box around a table takes
MOST_WRITTEN_COLUMNS = 8  # columns that are wide enough for a pen side by side
_INLINE_COMPONENTS = 2  # a vector stands in one cell up to so many components
_SIDE_BY_SIDE_COMPONENTS = 4  # and up to so many, the components of three vectors stand side by side
_SIGN_WIDTH, _CELL_PADDING = 1.2, 0.6  # mm in a dense table
RULES = 4.0  # mm that the lines between many columns add up to


class Tasks:
    """Numbers the tasks of a station and gives them their points."""

    def __init__(self) -> None:
        self.by_name: dict[str, Task] = {}

    def add(self, name: str, operator: str, afb: str, *parts: object, points: int | None = None) -> None:
        """A task over the blanks in `parts`, less those to copy; half a point each, or the points named."""
        cells = tuple(
            (n.name, n.index) for part in parts for n in walk(part, Number) if n.blank and not n.copied
        )
        worth = points if points is not None else max(1, (len(cells) + 1) // 2)
        self.by_name[name] = Task(len(self.by_name) + 1, worth, afb, operator, cells)  # type: ignore[arg-type]


def vectors(desk: Desk, names: Sequence[str], blanks: Iterable[tuple[str, int]] = ()) -> list[Table]:
    """Tokens in rows, one vector a column for short vectors; else one table for each name.

    blanks: (name, token) whose vector is left to the pupil.
    """
    tokens = range(len(desk.words_of(names[0])))
    empty = {*blanks, *((name, i) for name in names for i in tokens if desk.asks(name, i))}
    width = desk.quantity(names[0]).values.shape[-1]
    if _INLINE_COMPONENTS < width <= _SIDE_BY_SIDE_COMPONENTS and _fit_side_by_side(desk, names):
        return [_side_by_side(desk, names, empty)]
    if width <= _INLINE_COMPONENTS and len(names) <= 3:
        rows = tuple(
            Row(word, tuple(desk.vector(name, i, blank=(name, i) in empty) for name in names))
            for i, word in enumerate(desk.words_of(names[0]))
        )
        return [Table(tuple(names), rows, (WORD_WIDTH,) + (0,) * len(names))]
    return [
        table
        for name in names
        for table in component_tables(desk, name, [i for of, i in empty if of == name])
    ]


def narrow(tables: list[Table]) -> list[Table]:
    """A single column of short vectors does not take the whole page."""
    return [replace(t, widths=(WORD_WIDTH, 36.0)) if len(t.columns) == 1 else t for t in tables]


def _fit_side_by_side(desk: Desk, names: Sequence[str]) -> bool:
    columns = len(names) * desk.quantity(names[0]).values.shape[-1]
    texts = (
        number.text
        for name in names
        for i in range(len(desk.words_of(name)))
        for number in desk.numbers(name, i)
    )
    needed: float = 1.6 + 1.9 * max(map(len, texts))  # a digit takes 1.9 mm, the comma half of it
    return bool(columns * needed <= TEXT_WIDTH - WORD_WIDTH)


def _side_by_side(desk: Desk, names: Sequence[str], empty: set[tuple[str, int]]) -> Table:
    """Queries, keys and values in one table, a column for each component; columns to write in are wider."""
    width = desk.quantity(names[0]).values.shape[-1]
    columns = tuple(f"{name}.{c + 1}" for name in names for c in range(width))
    rows = tuple(
        Row(word, tuple(x for name in names for x in desk.numbers(name, i, blank=(name, i) in empty)))
        for i, word in enumerate(desk.words_of(names[0]))
    )
    written = [name for name in names if any(of == name for of, _ in empty)]
    given = len(names) - len(written)
    wide = min(14.0, (TEXT_WIDTH - WORD_WIDTH) / width / max(1, len(written)) - 0.1) if written else 0.0
    narrow = min(14.0, ((TEXT_WIDTH - WORD_WIDTH) / width - wide * len(written)) / max(1, given))
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
    widths = (WORD_WIDTH, *column_widths(desk, width, bool(empty) and not narrow))
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
    parts = -(-count // int((TEXT_WIDTH - _FRAME - WORD_WIDTH) / needed))
    if parts == 1:
        first, *others = whole.widths
        return [replace(whole, widths=(first, *(max(width, needed) for width in others)))]
    size = -(-count // parts)

    def cut(row: Row, start: int) -> Row:
        return Row(row.head, row.cells[start : start + size], row.kind)

    return [
        Table(
            whole.columns[start : start + size],
            tuple(cut(row, start) for row in whole.rows),
            (WORD_WIDTH,) + (needed,) * min(size, count - start),
            whole.dense,
            whole.caption,
            tuple(cut(row, start) for row in whole.below),
        )
        for start in range(0, count, size)
    ]


def column_widths(desk: Desk, count: int, written: bool) -> tuple[float, ...]:
    """Equal columns of mm that fit the page; narrow ones are not stretched over the whole width."""
    room = (TEXT_WIDTH - _FRAME - WORD_WIDTH) / count
    wish = blank_width(desk.options.nachkommastellen) if written else 16.0
    return (min(room, wish),) * count


def in_parts(rows: Sequence[Row], most: int) -> list[tuple[Row, ...]]:
    """Rows in parts of at most `most`, as even as can be, so that none is torn by a page."""
    count = -(-len(rows) // most)
    size = -(-len(rows) // count)
    return [tuple(rows[i : i + size]) for i in range(0, len(rows), size)]


def within_page(table: Table, signs: int) -> Table:
    """A dense table in parts of so many columns as the page has room for. signs: of its longest number."""
    most = int((TEXT_WIDTH - WORD_WIDTH - RULES) / (_SIGN_WIDTH * signs + _CELL_PADDING))
    n = len(table.columns)
    if n <= most:
        return table
    size = -(-n // -(-n // most))
    width = min((TEXT_WIDTH - WORD_WIDTH - RULES) / size, 20.0)
    parts = [
        replace(
            table,
            columns=table.columns[i : i + size],
            rows=tuple(replace(row, cells=row.cells[i : i + size]) for row in table.rows),
            widths=(WORD_WIDTH,) + (width,) * len(table.columns[i : i + size]),
            below=(),
        )
        for i in range(0, n, size)
    ]
    return replace(parts[0], more=tuple(parts[1:]), below=table.below, below_columns=table.below_columns)
