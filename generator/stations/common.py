"""The desk goes in; the tables that several stations share come out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from generator.desk import Desk
from generator.sheet import Bar, Cell, Hidden, Number, Row, Solution, Table, Task, Vector, Words, walk

WORD_WIDTH = 27.0  # mm, the column of the words
_TEXT_WIDTH = 165.0  # mm between the margins
_MOST_ROWS_TO_WRITE = 18  # rows of 10 mm that stay together on a page
_INLINE_COMPONENTS = 2  # a vector stands in one cell up to so many components
_PRODUCTS_IN_TABLE = 3


class Tasks:
    """Numbers the tasks of a station and gives them their points."""

    def __init__(self) -> None:
        self.by_name: dict[str, Task] = {}

    def add(self, name: str, operator: str, afb: str, *parts: object, points: int | None = None) -> None:
        """A task over the blanks in `parts`; half a point a blank, or the points named."""
        blanks = sum(number.blank for part in parts for number in walk(part, Number))
        worth = points if points is not None else max(1, (blanks + 1) // 2)
        self.by_name[name] = Task(len(self.by_name) + 1, worth, afb, operator, blanks)  # type: ignore[arg-type]


def blank_width(places: int) -> float:
    """mm that a hand needs for a number with its sign: −0,00 takes 18."""
    return 12.0 + 3.0 * places


def vectors(desk: Desk, names: Sequence[str], blanks: Iterable[tuple[str, int]] = ()) -> list[Table]:
    """Tokens in rows, one vector a column for short vectors; else one table for each name.

    blanks: (name, token) whose vector is left to the pupil.
    """
    empty = set(blanks)
    width = desk.quantity(names[0]).values.shape[-1]
    if width <= _INLINE_COMPONENTS and len(names) <= 3:
        rows = tuple(
            Row(desk.words[i], tuple(desk.vector(name, i, blank=(name, i) in empty) for name in names))
            for i in range(desk.n)
        )
        return [Table(tuple(names), rows, (WORD_WIDTH,) + (0,) * len(names))]
    return [component_table(desk, name, [i for of, i in empty if of == name]) for name in names]


def component_table(
    desk: Desk, name: str, blank_rows: Iterable[int] = (), rows: Iterable[int] | None = None
) -> Table:
    """One vector quantity: a row for each token, a column for each component."""
    empty = set(blank_rows)
    width = desk.quantity(name).values.shape[-1]
    tokens = range(desk.n) if rows is None else rows
    columns = tuple(str(c + 1) for c in range(width))
    table_rows = tuple(Row(desk.words[i], desk.numbers(name, i, blank=i in empty)) for i in tokens)
    return Table(
        columns, table_rows, (WORD_WIDTH,) + column_widths(desk, width, bool(empty)), width > 8, caption=name
    )


def column_widths(desk: Desk, count: int, written: bool) -> tuple[float, ...]:
    """Equal columns of mm that fit the page; narrow ones are not stretched over the whole width."""
    room = (_TEXT_WIDTH - WORD_WIDTH) / count
    wish = blank_width(desk.options.nachkommastellen) if written else 16.0
    return (min(room, wish),) * count


def steps_table(desk: Desk, at: str, token: int, *, blank: bool, scaled: bool = True) -> list[Table]:
    """From the scores of one token to its weights, a row for each token that it sees."""
    seen = [j for j in range(desk.n) if _sees(desk, at + "score", token, j)]
    steps = ["score", *(["scaled"] if scaled else []), "exp", "weight"]
    small = desk.quantity(query_name(at)).values.shape[-1] <= _PRODUCTS_IN_TABLE
    with_products = small and not (blank and desk.less)
    query = desk.numbers(query_name(at), token)
    rows = []
    for j in seen:
        key = desk.numbers(key_name(at), j)
        cells: list[Cell] = []
        if with_products:
            cells.append(
                desk.product_cell(query, key) if blank else Words(desk.products(query, key), small=True)
            )
        given = {"score"} if blank and desk.more else set()
        cells += [desk.number(at + step, token, j, blank=blank and step not in given) for step in steps]
        cells.append(desk.bar(at + "weight", token, j, blank=blank))
        rows.append(Row(desk.words[j], tuple(cells)))
    before_sum = len(steps) - 2 + with_products
    gap: tuple[Cell, ...] = tuple(Words("") for _ in range(before_sum))
    total = Row("Summe", (*gap, desk.number(at + "exp_sum", token, blank=blank), Words(""), Words("")), "sum")
    product_width = (0.0,) if with_products else ()
    step_width = blank_width(desk.options.nachkommastellen)
    table_widths = (WORD_WIDTH, *product_width, *(step_width,) * len(steps), 16.0 if with_products else 30.0)
    names = (*(("products",) if with_products else ()), *steps, "bar")
    return [
        Table(names, part, table_widths)
        for part in in_parts([*rows, total], _MOST_ROWS_TO_WRITE if blank else 30)
    ]


def in_parts(rows: Sequence[Row], most: int) -> list[tuple[Row, ...]]:
    """Rows in parts of at most `most`, as even as can be, so that none is torn by a page."""
    count = -(-len(rows) // most)
    size = -(-len(rows) // count)
    return [tuple(rows[i : i + size]) for i in range(0, len(rows), size)]


def weight_matrix(desk: Desk, name: str, blank_rows: Iterable[int]) -> Table:
    """The n × n table of weights as a heat map; rows to fill are set out below where n is large."""
    empty = set(blank_rows)
    writable = desk.n <= 8
    rows = []
    for i in range(desk.n):
        cells: list[Cell] = [
            desk.shade(name, i, j, blank=i in empty) if _sees(desk, name, i, j) else Hidden()
            for j in range(desk.n)
        ]
        rows.append(Row(desk.words[i], tuple(cells), "example" if i == desk.example else "plain"))
    columns = desk.words if writable else tuple(str(j + 1) for j in range(desk.n))
    room = (_TEXT_WIDTH - WORD_WIDTH) / desk.n
    return Table(columns, tuple(rows), (WORD_WIDTH,) + (min(room, 20.0),) * desk.n, dense=not writable)


def weighted_sum(desk: Desk, at: str, token: int, component: int) -> str:
    """0,12 · 1,1 + 0,14 · 1,4 + …: how one component of an output comes about."""
    seen = [j for j in range(desk.n) if _sees(desk, at + "weight", token, j)]
    weights = [desk.number(at + "weight", token, j) for j in seen]
    values = [desk.number(value_name(at), j, component) for j in seen]
    return desk.products(weights, values)


def query_name(at: str) -> str:
    return "input" if at == "entry." else at + "query"


def key_name(at: str) -> str:
    return "input" if at == "entry." else at + "key"


def value_name(at: str) -> str:
    return "input" if at == "entry." else at + "value"


def seen_by(desk: Desk, name: str, token: int) -> list[int]:
    return [j for j in range(desk.n) if _sees(desk, name, token, j)]


def _sees(desk: Desk, name: str, i: int, j: int) -> bool:
    visible = desk.quantity(name).visible
    return visible is None or bool(visible[i, j])


__all__ = ["Bar", "Solution", "Tasks", "Vector", "seen_by", "steps_table", "vectors", "weight_matrix"]
