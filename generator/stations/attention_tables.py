"""A head goes in; the tables and lines of one token, and the table of all weights, come out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from generator.figures.all import share_step, share_steps
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH, WORD_WIDTH, blank_width
from generator.sheet.sheet import CellContent, Given, Hidden, Line, Pattern, Row, Solution, Table, Words
from generator.stations.common import MOST_WRITTEN_COLUMNS, RULES, in_parts, within_page

_MOST_ROWS_TO_WRITE = 18  # rows of 10 mm that stay together on a page
_PRODUCTS_IN_TABLE = 3
EVEN = 0.1  # between the largest and the smallest weight: nothing is said by that
OPEN = "□"  # a factor that the pupil puts in
_SMALL_BAR = 16.0  # mm
_LEAST_FOR_PRODUCTS = 20.0  # mm
_TERMS_A_LINE = 6  # products that a hand writes side by side


def heaviest(desk: Desk, name: str, row: int) -> list[int]:
    """The tokens with the largest weight of a row as it is written, of equals all."""
    seen, values = seen_by(desk, name, row), desk.quantity(name).values[row]
    return [j for j in seen if values[j] == max(values[k] for k in seen)]


def steps_table(
    desk: Desk,
    at: str,
    token: int,
    *,
    blank: bool,
    scaled: bool = True,
    own_query: bool = False,
    bars: bool = True,
) -> list[Table]:
    """From the scores of one token to its weights, a row for each token that it sees.

    own_query: the pupil worked the query out, so printed products leave its components open. bars: whether
    each weight has one. What station 4a has asked for and the mask does not change is not asked for again.
    """
    seen, words = seen_by(desk, at + "score", token), desk.words_of(at + "score", 1)
    known = blank and known_before_mask(desk, at, token)
    before = [] if known else ["score", *(["scaled"] if scaled and desk.options.skalierung else [])]
    steps = [*before, "exp", "weight"]
    small = desk.quantity(query_name(at)).values.shape[-1] <= _PRODUCTS_IN_TABLE
    step_width = blank_width(desk.options.nachkommastellen)
    bar_room = _SMALL_BAR if bars else 0.0
    room = TEXT_WIDTH - WORD_WIDTH - step_width * len(steps) - bar_room  # mm left for the products
    with_products = small and room >= _LEAST_FOR_PRODUCTS and not known and not (blank and desk.less)
    query = desk.numbers(query_name(at), token)
    if own_query:
        query = tuple(replace(number, text=OPEN, blank=False, given=Given.LEFT_OPEN) for number in query)
    rows = []
    for j in seen:
        key = desk.numbers(key_name(at), j)
        cells: list[CellContent] = []
        if with_products:
            cells.append(desk.product_cell(query, key) if blank else desk.products(query, key).cell())
        given = {"exp"} if known else {"score"} if blank and desk.more else set()
        cells += [desk.number(at + step, token, j, blank=blank and step not in given) for step in steps]
        if bars:
            cells.append(desk.bar(at + "weight", token, j, blank=blank))
        rows.append(Row(words[j], tuple(cells)))
    before_sum = len(steps) - 2 + with_products
    gap: tuple[CellContent, ...] = tuple(Words("") for _ in range(before_sum))
    after: tuple[CellContent, ...] = tuple(Words("") for _ in range(1 + bars))
    total = Row("Summe", (*gap, desk.number(at + "exp_sum", token, blank=blank), *after), "sum")
    product_width = (0.0,) if with_products else ()
    bar_width = _SMALL_BAR if with_products else min(30.0, room + _SMALL_BAR)
    table_widths = (WORD_WIDTH, *product_width, *(step_width,) * len(steps), *((bar_width,) if bars else ()))
    names = (*(("products",) if with_products else ()), *steps, *(("bar",) if bars else ()))
    return [
        Table(names, part, table_widths)
        for part in in_parts([*rows, total], _MOST_ROWS_TO_WRITE if blank else 30)
    ]


def known_before_mask(desk: Desk, at: str, token: int) -> bool:
    """Whether station 4a, on the same sheet, asks for all that this token has before the mask."""
    unmasked = at == "block1.head1." and desk.has("unmasked.head1.exp")
    return unmasked and desk.printed("4a") and token in desk.exercises


def weight_matrix(
    desk: Desk,
    name: str,
    blank_rows: Iterable[int],
    example: int | None = None,
    *,
    shaded: bool = False,
) -> Table:
    """The table of all weights as a heat map; rows to fill are set out below where it has many columns.

    example: the row of the token worked through, the sheet's own if None. shaded: the pupil, who has the
    weights of these rows in a table nearby, shades their fields and does not copy the numbers.
    """
    words, others = desk.words_of(name), desk.words_of(name, 1)
    empty = {*blank_rows, *(i for i in range(len(words)) if desk.asks(name, i))}
    n = len(others)
    narrow = n > MOST_WRITTEN_COLUMNS
    worked = desk.example if example is None else example

    def field(i: int, j: int) -> CellContent:
        if not _sees(desk, name, i, j):
            return Hidden()
        shade = desk.shade(name, i, j, blank=i in empty)
        shade = replace(shade, share=share_step(desk, shade.share or 0.0) / len(share_steps(desk)))
        return Pattern(shade.share) if shaded and shade.blank else shade

    def row(i: int) -> Row:
        cells = (field(i, j) for j in range(n))
        head = f"{i + 1}\N{NO-BREAK SPACE}{words[i]}" if narrow and words == others else words[i]
        return Row(head, tuple(cells), "example" if i == worked else "plain")

    apart = empty if narrow and not shaded else set()
    inside = tuple(row(i) for i in range(len(words)) if i not in apart)
    below = tuple(row(i) for i in range(len(words)) if i in apart)
    columns = tuple(str(j + 1) for j in range(n)) if narrow else others
    width = min((TEXT_WIDTH - WORD_WIDTH - RULES) / n, 20.0)
    table = Table(
        columns,
        inside,
        (WORD_WIDTH,) + (width,) * n,
        narrow,
        below=below,
        below_columns=columns if below else (),
    )
    return within_page(table, desk.options.nachkommastellen + 2) if narrow else table


def shading_limits(desk: Desk) -> list[str]:
    """The weights from which on a field is filled more densely, as printed."""
    return [desk.constant(limit, 2) for limit in share_steps(desk)]


def strongest_look(desk: Desk, name: str, token: int) -> str:
    """What a token attends to most, all that honest rounding allows, and whether weights hardly differ."""
    values = desk.quantity(name).values[token]
    row = sorted(
        (desk.number(name, token, j) for j in seen_by(desk, name, token)), key=lambda n: values[n.index[1]]
    )
    low, high, best = row[0], row[-1], desk.largest(name, token)
    said = f"„{desk.words[token]}“ achtet am stärksten auf {desk.either(best)} ({high.text})"
    if len(row) == 1:
        return said
    if best == (token,):
        said += ", also auf sich selbst"
    if values[high.index[1]] - values[low.index[1]] <= EVEN:
        said += f", aber die Gewichte liegen nah beieinander ({low.text} bis {high.text})"
    return said


def legend(desk: Desk) -> str:
    """Which word a column's number means, where words are too long for headings: "1 = Der, 2 = Hund"."""
    return legend_of(desk.words)


def legend_of(words: Sequence[str]) -> str:
    if len(words) <= MOST_WRITTEN_COLUMNS:
        return ""
    return ", ".join(
        f"{place}\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{word}" for place, word in enumerate(words, 1)
    )


def weighted_sum(desk: Desk, at: str, token: int, component: int) -> Line:
    """0,12 · 1,1 + 0,14 · 1,4 + …: how one component of an output comes about."""
    seen = seen_by(desk, at + "weight", token)
    weights = [desk.number(at + "weight", token, j) for j in seen]
    values = [desk.number(value_name(at), j, component) for j in seen]
    return desk.products(weights, values)


def sum_line(desk: Desk, at: str, token: int, component: int) -> Solution:
    """Room for a weighted sum, with as many lines as a hand needs."""
    terms = len(seen_by(desk, at + "weight", token))
    return Solution(weighted_sum(desk, at, token, component).text, rows=-(-terms // _TERMS_A_LINE))


def query_name(at: str) -> str:
    return "input" if at == "entry." else at + "query"


def key_name(at: str) -> str:
    return "input" if at == "entry." else at + "key"


def value_name(at: str) -> str:
    return "input" if at == "entry." else at + "value"


def seen_by(desk: Desk, name: str, token: int) -> list[int]:
    return [j for j in range(len(desk.words_of(name, 1))) if _sees(desk, name, token, j)]


def _sees(desk: Desk, name: str, i: int, j: int) -> bool:
    visible = desk.quantity(name).visible
    return visible is None or bool(visible[i, j])
