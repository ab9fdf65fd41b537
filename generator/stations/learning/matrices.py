"""Station 11: from the scores' gradients to query, key, value and their matrices."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH, WORD_WIDTH, blank_width
from generator.sheet.sheet import CellContent, Number, Parts, Table, Vector, parts
from generator.sheet.wording import bracketed
from generator.stations.common import (
    Tasks,
    block_input,
    columns_table,
    counted,
    narrow,
    room_for_products,
    to_fill,
    vectors,
)
from generator.stations.further_block.station import identifier
from generator.stations.learning.output import rate_text
from generator.stations.worked_lines import products_line

_KEY_WIDTH: Final = 28.0  # mm that two printed components take
_WRITTEN: Final = 2  # components of a query's, key's and value's gradient that are computed
_ROOM_FOR_BOTH: Final = TEXT_WIDTH - WORD_WIDTH  # mm for the columns of keys and values in one table
_LETTERS: Final = {"W_Q": "query", "W_K": "key", "W_V": "value"}


def weights_copied(desk: Desk, at: str) -> bool:
    """Whether the pupil has computed the last token's weights in the head `at` in this booklet."""
    return desk.asks(at + "weight", desk.n - 1)


def _x(desk: Desk, token: int, component: int) -> Number:
    return desk.number(block_input(desk.sizes.n_blocks), token, component)


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
    if desk.sizes.d_head > _WRITTEN or len(keys) > 1 or len(scores) > 1:
        return parts(keys=keys, scores=scores)
    (short,), (beside,) = keys, scores
    rows = tuple(replace(a, cells=a.cells + b.cells) for a, b in zip(short.rows, beside.rows, strict=True))
    columns = short.columns + beside.columns
    key = short.widths[1] if any(row.writable for row in short.rows) else _KEY_WIDTH
    widths = (short.widths[0], key, *beside.widths[1:])
    return parts(keys=[replace(short, columns=columns, rows=rows, widths=widths)], scores=[])


def vector_gradients(desk: Desk, at: str, tasks: Tasks) -> Parts:
    """∂L/∂q of the last token, ∂L/∂k and ∂L/∂v of some tokens; worked: one component of the example's."""
    last, d = desk.n - 1, desk.sizes.d_head
    written = min(d, _WRITTEN)
    scores = desk.numbers(f"gradient.{at}score", last)
    query = tuple(desk.number(f"gradient.{at}query", last, c, blank=c < written) for c in range(d))
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
        query_lines=lines,
        offers=tables,
        key_line=None if q.blank else products_line(desk, [scores[desk.example]], [q], key),
        key_worked=key,
        value_line=None if weights_copied(desk, at) or g.blank else products_line(desk, [weight], [g], value),
        value_worked=value,
    )


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


def matrix_steps(desk: Desk, at: str, tasks: Tasks) -> Parts:
    """One column of W_Q, gradient and step; one entry each of W_K and W_V."""
    last, d = desk.n - 1, desk.sizes.d_model
    written = min(desk.sizes.d_head, _WRITTEN)
    column = int(np.argmax(np.abs(desk.quantity(f"gradient.{at}query").values[last, :written])))
    columns: dict[str, Sequence[CellContent]] = {
        "x": [_x(desk, last, c) for c in range(d)],
        "gradient": [desk.number(f"gradient.{at}W_Q", c, column, blank=True) for c in range(d)],
        "old": [desk.weight(at + "W_Q", c, column) for c in range(d)],
        "new": [desk.number(f"step.{at}W_Q", c, column, blank=True) for c in range(d)],
    }
    table = columns_table(counted(d), columns, narrow=True)
    tasks.add("matrix", "Berechne", "I", table)
    entries = {W: _entry(desk, at, W, written, tasks) for W in ("W_K", "W_V")}
    rows = sorted({entry.row for entry in entries.values()})
    inputs = {str(row): [_x(desk, j, row - 1) for j in range(desk.n)] for row in rows}
    return parts(
        source=_source(desk),
        column=column + 1,
        matrix=table,
        inputs=columns_table(desk.words, inputs),
        inputs_copied=any(number.blank for column in inputs.values() for number in column),
        entries=entries,
        rate=rate_text(desk),
    )


def _source(desk: Desk) -> str:
    """The station that has made what the last block reads."""
    if desk.sizes.n_blocks > 1:
        return identifier(desk.sizes.n_blocks - 1)
    return "3" if desk.has("positional_encoding") else "2"


def _entry(desk: Desk, at: str, W: str, written: int, tasks: Tasks) -> Parts:
    """The entry with the largest gradient: a sum over all tokens, and its step."""
    kind = _LETTERS[W]
    sizes = np.abs(desk.quantity(f"gradient.{at}{W}").values[:, :written])
    row, column = (int(i) for i in np.unravel_index(int(np.argmax(sizes)), sizes.shape))
    components = [_x(desk, j, row) for j in range(desk.n)]
    gradients = [desk.number(f"gradient.{at}{kind}", j, column) for j in range(desk.n)]
    gradient = desk.number(f"gradient.{at}{W}", row, column, blank=True)
    new = desk.number(f"step.{at}{W}", row, column, blank=True)
    tasks.add(W, "Bestimme", "II", gradient, new, points=3)
    return parts(
        row=row + 1,
        column=column + 1,
        line=room_for_products(desk, components, gradients),
        gradient=gradient,
        old=bracketed(desk.weight(at + W, row, column)),
        new=new,
    )
