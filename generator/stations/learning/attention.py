"""The way back through one head, the last token's row by hand: weighted sum, softmax, scores, vectors."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from generator.basics.numbers import parse_number
from generator.options.course import id_of_block
from generator.sheet.columns import Column, printed_width
from generator.sheet.desk import DOT, Desk
from generator.sheet.fields import TEXT_WIDTH, WORD_WIDTH, blank_width
from generator.sheet.sheet import CellContent, Given, Hidden, Parts, Row, Solution, Table, Vector, parts
from generator.stations.attention import OPEN
from generator.stations.common import (
    ALL_ROWS_UP_TO,
    Tasks,
    columns_table,
    learning_of,
    narrow,
    room_for_products,
    to_fill,
    vectors,
)
from generator.stations.learning.after import WRITTEN, matrix_steps
from generator.stations.worked_lines import honest_sum, products_line, relation

_PRODUCTS_IN_TABLE: Final = 3  # components whose products stand in the table


def head_part(desk: Desk, tasks: Tasks) -> Parts:
    at = f"block{desk.sizes.n_blocks}.head{learning_of(desk).lesson.head}."
    L, weights = desk.sizes.n_blocks, _weights(desk, at, tasks)
    jacobian = _jacobian(desk, at, tasks)
    scores = _scores(desk, at, tasks)
    tasks.add("other_rows", "Begründe", "II", points=2)
    return parts(
        source=id_of_block(L) if L > 1 else "4a" if desk.printed("4a") else "4b",
        g=_gradient(desk, at),
        values=narrow(vectors(desk, [at + "value"])),
        weights=weights,
        jacobian=jacobian,
        scores=scores,
        masked=_masked(desk, at, tasks),
        query=desk.vector(at + "query", desk.n - 1),
        recalled=recalled(desk, at),
        backward=vector_gradients(desk, at, tasks),
        matrices=matrix_steps(desk, at, tasks),
    )


def _gradient(desk: Desk, at: str) -> Vector:
    """What arrives at the head's output: to copy where W_O hands on just what the pupil has worked out."""
    start = (learning_of(desk).lesson.head - 1) * desk.sizes.d_head
    own = set() if desk.mixes_heads(f"block{desk.sizes.n_blocks}.") else worked_out_before(desk)
    return desk.vector(f"gradient.{at}output", desk.n - 1, blank={c - start for c in own})


def worked_out_before(desk: Desk) -> set[int]:
    """The components of the gradient before the first norm that the pupil works out.

    At level 3 all but the first; else the last: it belongs to the last head, and often is not the first's.
    """
    d = desk.sizes.d_model
    if learning_of(desk).lesson.path != "alles":
        return set()
    return set(range(1, d)) if desk.less else {d - 1}


def _weights(desk: Desk, at: str, tasks: Tasks) -> Parts:
    """a_j = g·v_j for each token, and their average with the weights."""
    last = desk.n - 1
    empty = to_fill(desk)
    g = tuple(
        replace(each, text=OPEN, blank=False, given=Given.LEFT_OPEN) if each.blank else each
        for each in _gradient(desk, at).numbers
    )
    weights = desk.numbers(at + "weight", last)
    a = desk.numbers(f"gradient.{at}weight", last, blank=empty)
    columns: dict[str, Sequence[CellContent]] = {}
    if len(g) <= _PRODUCTS_IN_TABLE and not desk.less:
        lines = [desk.products(g, desk.numbers(at + "value", j)) for j in range(desk.n)]
        columns["products"] = [
            Solution(line.text) if j in empty and not desk.more else line.cell()
            for j, line in enumerate(lines)
        ]
    columns |= {"a": a, "weight": weights}
    table = columns_table(desk.words, columns, example=desk.example)
    tasks.add("weights", "Berechne", "I", table)
    average = desk.number(f"gradient.{at}average", last, blank=True)
    tasks.add("average", "Bestimme", "I", average, points=2)
    a_example = desk.number(f"gradient.{at}weight", last, desk.example)
    a_line = desk.products(g, desk.numbers(at + "value", desk.example))
    own = any(number.given == Given.LEFT_OPEN for number in g)
    return parts(
        copied=weights_copied(desk, at),
        a_line=a_line + " ≈"
        if own
        else products_line(desk, g, desk.numbers(at + "value", desk.example), a_example),
        a_example=a_example,
        a_table=table,
        check=honest_sum(desk, f"gradient.{at}weight", [(last, j) for j in range(desk.n)]),
        average=average,
        average_line=room_for_products(desk, weights, a),
    )


def _jacobian(desk: Desk, at: str, tasks: Tasks) -> Parts:
    """A column of the softmax Jacobian of the last row to do, and two entries of another worked.

    More of that would tell the pupil's own: the matrix is symmetric. used: the column is short enough to get
    one score's gradient from it.
    """
    name, last, own, other = f"gradient.{at}jacobian", desk.n - 1, desk.example, desk.exercises[0]
    few = desk.n <= ALL_ROWS_UP_TO
    rows = set(range(desk.n)) if few else {own, *desk.exercises}
    table = columns_table(
        desk.words, {"mine": [desk.number(name, j, other, blank=j in rows) for j in range(desk.n)]}
    )
    tasks.add("jacobian", "Berechne", "I", table)
    tasks.add("column_sum", "Begründe", "III", points=2)
    w, entry = desk.number(at + "weight", last, own), desk.number(name, own, own)
    share = parse_number(w.text)
    own_line = f"{w.text}{DOT}({desk.constant(1, 0)} − {w.text})"
    return parts(
        jacobian=table,
        mine=desk.words[other],
        own_line=None if weights_copied(desk, at) else own_line,
        own_sign=relation(share * (1 - share), entry),
        own=entry,
        away=_away(desk, at, {own, other}),
        column_sum=desk.check_sum(name, [(j, other) for j in range(desk.n)]),
        tolerance=desk.tolerance(desk.n, desk.options.nachkommastellen + 2),
        used=few,
    )


def _away(desk: Desk, at: str, shown: set[int]) -> Parts | None:
    """An entry of the example's column that is not in the pupil's row; None with two words."""
    last, own = desk.n - 1, desk.example
    j = next((j for j in range(desk.n) if j not in shown), None)
    if j is None:
        return None
    w = [desk.number(at + "weight", last, k) for k in (j, own)]
    number = desk.number(f"gradient.{at}jacobian", j, own)
    exact = -parse_number(w[0].text) * parse_number(w[1].text)
    line = f"{w[0].text}{DOT}({desk.constant(0, 0)} − {w[1].text})"
    return parts(word=desk.words[j], line=line, sign=relation(exact, number), number=number)


def _scores(desk: Desk, at: str, tasks: Tasks) -> Parts:
    last = desk.n - 1
    empty = to_fill(desk)
    steps = ["scaled", "score"] if desk.options.skalierung else ["scaled"]
    columns = {step: desk.numbers(f"gradient.{at}{step}", last, blank=empty) for step in steps}
    table = columns_table(desk.words, columns, example=desk.example)
    tasks.add("scores", "Berechne", "I", table)
    names = (at + "weight", *(f"gradient.{at}{step}" for step in ("weight", "scaled", "score")))
    w, a, scaled, score = (desk.number(name, last, desk.example) for name in names)
    return parts(
        scores=table,
        scaled_line=("" if weights_copied(desk, at) else f"{w.text}{DOT}({a.text} − ", ")"),
        scaled_example=scaled,
        score_sign=relation(parse_number(scaled.text) / parse_number(desk.root), score),
        score_example=score,
        score_sum=desk.check_sum(f"gradient.{at}scaled", [(last, j) for j in range(desk.n)]),
    )


def _masked(desk: Desk, at: str, tasks: Tasks) -> Parts | None:
    """A row with masked cells, for the question why nothing flows back through them; None without a mask."""
    if not desk.options.maske:
        return None
    row = desk.example if desk.example < desk.n - 1 else 0
    seen = desk.numbers(at + "weight", row)[: row + 1]
    width = printed_width(number.text for number in seen)
    most = min(desk.n, int(_ROOM_FOR_BOTH / width))
    hidden = [Hidden()] * (desk.n - row - 1)
    cells: tuple[CellContent, ...] = (*seen, *hidden)
    first = max(0, min(row - 1, desk.n - most))
    columns = desk.words[first : first + most]
    table = Table(
        columns,
        (Row(desk.words[row], cells[first : first + most]),),
        (Column.WORD,) + (width,) * len(columns),
    )
    tasks.add("masked", "Begründe", "II", points=2)
    return parts(
        word=desk.words[row],
        hidden=[desk.words[j] for j in range(row + 1, desk.n)],
        table=table,
        some=most < desk.n,
    )


_ROOM_FOR_BOTH: Final = TEXT_WIDTH - WORD_WIDTH  # mm for the columns of keys and values in one table


def weights_copied(desk: Desk, at: str) -> bool:
    """Whether the pupil has computed the last token's weights in the head `at` in this booklet."""
    return desk.asks(at + "weight", desk.n - 1)


def recalled(desk: Desk, at: str) -> Parts:
    """What the last row's scores meet on the way back: all keys; each weight and each score's gradient.

    Printed where they are needed; what the pupil has worked out is to be copied.
    scores: empty where they stand beside the keys, in one table.
    """
    last, step = desk.n - 1, "score" if desk.options.skalierung else "scaled"
    keys = narrow(vectors(desk, [at + "key"]))
    scores = columns_table(
        desk.words,
        {"weight": desk.numbers(at + "weight", last), step: desk.numbers(f"gradient.{at}{step}", last)},
    )
    if desk.sizes.d_head > WRITTEN or len(keys) > 1 or len(scores) > 1:
        return parts(keys=keys, scores=scores)
    (short,), (beside,) = keys, scores
    rows = tuple(replace(a, cells=a.cells + b.cells) for a, b in zip(short.rows, beside.rows, strict=True))
    columns = short.columns + beside.columns
    key = short.widths[1] if any(row.writable for row in short.rows) else Column.VECTOR
    widths = (short.widths[0], key, *beside.widths[1:])
    return parts(keys=[replace(short, columns=columns, rows=rows, widths=widths)], scores=[])


def vector_gradients(desk: Desk, at: str, tasks: Tasks) -> Parts:
    """∂L/∂q of the last token, ∂L/∂k and ∂L/∂v of some tokens; worked: one component of the example's."""
    last, d = desk.n - 1, desk.sizes.d_head
    written = min(d, WRITTEN)
    scores = desk.numbers(f"gradient.{at}score", last)
    query = desk.numbers(f"gradient.{at}query", last, blank=range(written))
    tasks.add("query", "Bestimme", "I", query, points=2 * written)
    lines = [
        room_for_products(desk, scores, [desk.number(at + "key", j, c) for j in range(desk.n)])
        for c in range(written)
    ]
    tables = _offers(desk, at, written)
    tasks.add("offers", "Berechne", "I", tables)
    telling = _telling(desk, at)
    c = next((c for c in range(written) if c not in telling), 0)
    weight = desk.number(at + "weight", last, desk.example)
    g, q = desk.number(f"gradient.{at}output", last, c), desk.number(at + "query", last, c)
    key = desk.number(f"gradient.{at}key", desk.example, c)
    value = desk.number(f"gradient.{at}value", desk.example, c)
    return parts(
        written=written,
        whole=written == d,
        component=c + 1,
        g=desk.vector(f"gradient.{at}output", last),
        query_gradient=Vector(query),
        query_check=honest_sum(desk, f"gradient.{at}query", [(last, c) for c in range(written)]),
        key_check=_column_check(desk, f"gradient.{at}key", written),
        value_check=_column_check(desk, f"gradient.{at}value", written),
        query_lines=lines,
        offers=tables,
        key_line=None if q.blank else products_line(desk, [scores[desk.example]], [q], key),
        key_worked=key,
        value_line=None if weights_copied(desk, at) or g.blank else products_line(desk, [weight], [g], value),
        value_worked=value,
    )


def _column_check(desk: Desk, name: str, written: int) -> list[Parts]:
    """The sum of each column over all words."""
    return [honest_sum(desk, name, [(j, c) for j in range(desk.n)]) for c in range(written)]


def _telling(desk: Desk, at: str) -> set[int]:
    """The components in which the query is 1 or −1: there a key's gradient is its score's, with a sign."""
    query = np.abs(desk.quantity(at + "query").values[desk.n - 1])
    return {int(c) for c in np.flatnonzero(query == 1)}


def _offers(desk: Desk, at: str, written: int) -> list[Table]:
    """Gradients of keys and values. What would tell the gradient of a score is left to the pupil too."""
    telling, scores = _telling(desk, at), to_fill(desk)

    def empty(kind: str, j: int, c: int) -> bool:
        return j in desk.exercises or (kind == "key" and c in telling and j in scores)

    def columns(kind: str) -> dict[str, Sequence[CellContent]]:
        return {
            f"{kind}.{c + 1}": [
                desk.number(f"gradient.{at}{kind}", j, c, blank=empty(kind, j, c)) for j in range(desk.n)
            ]
            for c in range(written)
        }

    places = desk.options.nachkommastellen + 2
    together = 2 * written * blank_width(places) <= _ROOM_FOR_BOTH
    sets = [columns("key") | columns("value")] if together else [columns("key"), columns("value")]
    tables = [columns_table(desk.words, each, example=desk.example) for each in sets]
    return [part for table in tables for part in table]
