"""Tables, lines and exercises of one attention head: one token's row, and the weights of all."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.numbers.arrays import GUARD
from generator.figures.drawing import text_width
from generator.sheet.columns import Column
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH, WORD_WIDTH, blank_width
from generator.sheet.sheet import CellContent, Finding, Given, Line, Number, Parts, Row, Table, Words, parts
from generator.stations.common import MOST_WRITTEN_COLUMNS, Tasks, in_parts, room_for_products
from generator.stations.worked_lines import (
    SLIP,
    CheckSum,
    honest_sum,
    mixed,
    products_line,
    read_name,
    seen_by,
    weighted_sum_line,
)

_MOST_ROWS_TO_WRITE = 18  # rows of 10 mm that stay together on a page
_PRODUCTS_IN_TABLE = 3
_GIVEN_EVERY = 3  # rows
_EVEN = 1.25  # times the smallest weight: nothing is said by what the largest has more
OPEN = "□"  # a factor that the pupil puts in
_TERMS_A_LINE = 6  # products that a hand writes side by side
_ENTRY_ROWS = 3  # that a pupil works out whole at the entry, of many
_WORD, _WORD_ROOM = 3.6, 2.8  # mm: the size of a bold word in a table, and what its cell has around it
_LEAST_WORD = 16.0
_LEAST_FOR_PRODUCTS = 20.0  # mm


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
    each weight has one. What station 4a has asked for and the mask does not change is not asked for again; of
    many rows some are given.
    """
    seen, words = seen_by(desk, at + "score", token), desk.words_of(at + "score", 1)
    known = blank and known_before_mask(desk, at, token)
    scores = [] if known else ["score", *(["scaled"] if scaled and desk.options.skalierung else [])]
    steps = [*scores, "exp", "weight"]
    small = desk.quantity(read_name(at, "query")).values.shape[-1] <= _PRODUCTS_IN_TABLE
    step_width = blank_width(desk.options.nachkommastellen)
    bar_room = Column.BAR if bars else 0.0
    room = TEXT_WIDTH - WORD_WIDTH - step_width * len(steps) - bar_room  # mm left for the products
    with_products = small and room >= _LEAST_FOR_PRODUCTS and not known and not (blank and desk.less)
    bars = bars and not (blank and with_products)  # a hand needs the whole room for its products
    query = desk.numbers(read_name(at, "query"), token)
    if own_query:
        query = tuple(replace(number, text=OPEN, blank=False, given=Given.LEFT_OPEN) for number in query)
    shown = given_rows(desk, at, token) if blank and not known and not desk.less else set()
    if shown and at == "entry.":
        shown |= {j for j in seen[: 1 - _ENTRY_ROWS] if j not in (token, desk.example)}
    rows = []
    for j in seen:
        key = desk.numbers(read_name(at, "key"), j)
        cells: list[CellContent] = []
        given = {"exp"} if known else {"score"} if blank and desk.more else set()
        if token != desk.example:  # X·Xᵀ is symmetric: what the worked token's row has is printed here too
            worked = desk.example, token
            given |= {step for step in steps if (at + step, worked) in desk.names_of(at + step, token, j)}
        if j in shown:
            given = set(steps)
        if with_products:
            open_ = blank and "score" not in given
            if j in shown:  # its products would tell the query
                cells.append(Words("schon gerechnet", small=True))
            else:
                line = desk.products(query, key)
                cells.append(desk.product_cell(query, key) if open_ else line.cell())
        cells += [desk.number(at + step, token, j, blank=blank and step not in given) for step in steps]
        if bars:
            cells.append(desk.bar(at + "weight", token, j, blank=blank and j not in shown))
        rows.append(Row(words[j], tuple(cells)))
    before, after = [Words("")] * (len(steps) - 2 + with_products), [Words("")] * (1 + bars)
    total = Row("Summe", (*before, desk.number(at + "exp_sum", token, blank=blank), *after), "sum")
    product_width = (Column.REST,) if with_products else ()
    bar_width = Column.BAR if with_products else min(Column.SHARE, room + Column.BAR)
    needed = max(text_width(word, _WORD) for word in words) + _WORD_ROOM
    head = min(WORD_WIDTH, max(_LEAST_WORD, needed)) if with_products else WORD_WIDTH
    table_widths = (head, *product_width, *(step_width,) * len(steps), *((bar_width,) if bars else ()))
    names = (*(("products",) if with_products else ()), *steps, *(("bar",) if bars else ()))
    return [
        Table(names, part, table_widths)
        for part in in_parts([*rows, total], _MOST_ROWS_TO_WRITE if blank else 30)
    ]


def given_rows(desk: Desk, at: str, token: int) -> set[int]:
    """One of every three rows of a long table, so that the sheets of a class have as many blanks.

    It is the first that is not the worked token's, whose score is known. A single lesson has time for two
    rows. What a trained head attends to most is worked out, and the least of the others given in its place.
    """
    seen = seen_by(desk, at + "score", token)
    if len(seen) <= _GIVEN_EVERY:
        return set()
    starts = range(0, len(seen) - _GIVEN_EVERY + 1, _GIVEN_EVERY)
    given = {next(j for j in seen[start:] if j != desk.example) for start in starts}
    if desk.single_lesson:
        given |= set([j for j in seen if j not in given][1:-1])
    best = heaviest(desk, at + "weight", token)[0]
    if desk.options.learns and at != "entry." and best in given:
        weights = desk.quantity(at + "weight").values[token]
        others = [j for j in seen if j not in given and j != desk.example]
        given = given - {best} | set(sorted(others, key=lambda j: weights[j])[:1])
    return given


def known_before_mask(desk: Desk, at: str, token: int) -> bool:
    """Whether station 4a, on the same sheet, asks for all that this token has before the mask."""
    unmasked = at == "block1.head1." and desk.has("unmasked.head1.exp")
    return unmasked and desk.printed("4a") and token in desk.exercises


def is_even(desk: Desk, name: str, token: int) -> bool:
    """Whether a token attends to all words nearly alike."""
    seen = desk.quantity(name).values[token][seen_by(desk, name, token)]
    return len(seen) > 1 and nearly_equal(float(seen.min()), float(seen.max()))


def nearly_equal(low: float, high: float) -> bool:
    return high <= _EVEN * low + GUARD


def strongest_look(desk: Desk, name: str, token: int) -> Finding:
    """What a token attends to most, all that honest rounding allows, and whether weights hardly differ."""
    values = desk.quantity(name).values[token]
    row = [desk.number(name, token, j) for j in sorted(seen_by(desk, name, token), key=lambda j: values[j])]
    best = desk.largest(name, token)
    return Finding(
        word=desk.words[token],
        best=[desk.words[j] for j in best],
        low=row[0].text,
        high=row[-1].text,
        itself=len(row) > 1 and best == (token,),
        even=is_even(desk, name, token),
    )


def legend_of(desk: Desk) -> str:
    """Which word a column's number means, where words are too long for headings: "1 = Der, 2 = Hund"."""
    if desk.n <= MOST_WRITTEN_COLUMNS:
        return ""
    return ", ".join(
        f"{place}\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{word}" for place, word in enumerate(desk.words, 1)
    )


def score_check(desk: Desk, at: str, token: int, seen: Sequence[int]) -> CheckSum:
    """The sum of one token's scores; none where another query gives it too, so that it checks nothing."""
    keys = desk.quantity(read_name(at, "key")).values[list(seen)].sum(0)  # (d_head,)
    sums = desk.quantity(read_name(at, "query")).values @ keys  # (n,)
    check = honest_sum(desk, at + "score", [(token, j) for j in seen])
    alike = len(sums) > 1 and np.abs(np.delete(sums, token) - sums[token]).max() <= 2 * check.reach
    return replace(check, sum="") if alike else check


def head_exercise(
    desk: Desk,
    tasks: Tasks,
    at: str,
    token: int,
    name: str = "",
    operator: str = "Berechne",
    *,
    own_query: bool = False,
    bars: bool = True,
    vector_apart: bool = False,
) -> Parts:
    """Table, vector and check of the head `at` for one token, and its task.

    Where all values add up to the same, so does what is mixed of them whatever the weights: no sum is named.

    own_query: the pupil worked the query out. vector_apart: the new vector is a task of its own.
    """
    seen, words = seen_by(desk, at + "score", token), desk.words_of(at + "score", 1)
    d_head = desk.sizes.d_head
    task = name or f"{at}{token}"
    table = steps_table(desk, at, token, blank=True, own_query=own_query, bars=bars)
    output = desk.vector(at + "output", token, blank=True)
    tasks.add(task, operator, "I", table, None if vector_apart else output)
    tells = float(np.ptp(desk.quantity(read_name(at, "value")).values[seen].sum(-1))) > SLIP
    whole = honest_sum(desk, at + "output", [(token, c) for c in range(d_head)])
    return parts(
        task=task,
        token=desk.words_of(at + "score")[token],
        table=table,
        output=output,
        output_check=whole if tells else replace(whole, sum=""),
        lines=[
            room_for_products(desk, *mixed(desk, at, token, c), _TERMS_A_LINE) for c in range(min(2, d_head))
        ],
        scores=not known_before_mask(desk, at, token),
        exp=(at + "exp", (token,)),
        score_check=_scores_checked(desk, at, token, seen),
        tolerance=desk.tolerance(len(seen)),
        count=len(seen),
        seen=", ".join(words[j] for j in seen),
    )


def _scores_checked(desk: Desk, at: str, token: int, seen: Sequence[int]) -> CheckSum:
    """The sum of the scores as e^x is taken of them: it sees a wrong score and a wrong divisor."""
    check = score_check(desk, at, token, seen)
    if not desk.options.skalierung:
        return check
    divided = honest_sum(desk, at + "scaled", [(token, j) for j in seen])
    return divided if check.sum else check


def worked_head(
    desk: Desk, at: str, token: int, sums: int = 1, *, scaled: bool = True, bars: bool = True
) -> Parts:
    """A head worked through for one token: from scores to weights, the first line of scores, its vector.

    sums: how many of its components are worked out in a line.
    """
    steps = steps_table(desk, at, token, blank=False, scaled=scaled, bars=bars)
    output = desk.vector(at + "output", token)
    return parts(
        steps=steps,
        scores=score_lines(desk, at, token, steps),
        sums=[(weighted_sum_line(desk, at, token, c), n) for c, n in enumerate(output.numbers[:sums])],
        output=output,
    )


def score_lines(desk: Desk, at: str, token: int, steps: Sequence[Table]) -> list[tuple[str, Line, Number]]:
    """Word, products and score of a token's first score, where its table has no room for products."""
    if "products" in steps[0].columns:
        return []
    j = seen_by(desk, at + "score", token)[0]
    query, score = desk.numbers(read_name(at, "query"), token), desk.number(at + "score", token, j)
    line = products_line(desk, query, desk.numbers(read_name(at, "key"), j), score)
    return [(desk.words_of(at + "score", 1)[j], line, score)]
