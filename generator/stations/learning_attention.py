"""The way back through one head, the last token's row by hand: weighted sum, softmax, scores, matrices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from generator.desk import DOT, Desk, bracketed
from generator.sheet import Cell, Hidden, Number, Row, Solution, Table, Vector, Words
from generator.stations.add_norm import SECOND_ID
from generator.stations.common import OPEN, WORD_WIDTH, Tasks, blank_width, vectors
from generator.stations.learning_output import rate_text
from generator.stations.learning_tables import (
    ALL_ROWS_UP_TO,
    columns_table,
    counted,
    learning_of,
    products_line,
    to_fill,
)

_PRODUCTS_IN_TABLE: Final = 3  # components whose products stand in the table
_WRITTEN: Final = 2  # components of a query's, key's and value's gradient that are computed
_ROOM_FOR_BOTH: Final = 165.0 - WORD_WIDTH  # mm for the columns of keys and values in one table
_HEADING: Final = 30.0  # mm that „nach LayerNorm 1“ and the like take
_LETTERS: Final = {"W_Q": "query", "W_K": "key", "W_V": "value"}


def head_name(desk: Desk) -> str:
    return f"block{desk.sizes.n_blocks}.head{learning_of(desk).lesson.head}."


def block_input(block: int) -> str:
    return "input" if block == 1 else f"block{block - 1}.norm2.output"


def _x(desk: Desk, token: int, component: int) -> Number:
    """What the last block reads; to copy where the pupil has worked out the block before."""
    block = desk.sizes.n_blocks
    copied = block > 1 and desk.printed(SECOND_ID) and token in desk.exercises
    return desk.number(block_input(block), token, component, blank=copied)


def head_part(desk: Desk, tasks: Tasks) -> dict[str, Any]:
    at = head_name(desk)
    parts: dict[str, Any] = {
        "block": desk.sizes.n_blocks,
        "last": desk.words[-1],
        "example": desk.words[desk.example],
        "g": Vector(_gradient(desk, at)),
        "query": desk.vector(at + "query", desk.n - 1),
        "vectors": vectors(desk, [at + "value", at + "key"]),
    }
    parts |= _weights(desk, at, tasks)
    parts |= _jacobian(desk, at, tasks)
    parts |= _scores(desk, at, tasks)
    parts["masked"] = _masked(desk, at, tasks)
    tasks.add("other_rows", "Begründe", "II", points=2)
    parts |= _vectors(desk, at, tasks)
    parts |= _matrices(desk, at, tasks)
    return parts


def _gradient(desk: Desk, at: str) -> tuple[Number, ...]:
    """What arrives at the head's output: to copy where W_O hands on just what the pupil has worked out."""
    name, last, d = f"gradient.{at}output", desk.n - 1, desk.sizes.d_model
    W_O = desk.calculation.model.weights[f"block{desk.sizes.n_blocks}.W_O"]
    start = (learning_of(desk).lesson.head - 1) * desk.sizes.d_head
    own = worked_out_before(desk) if np.array_equal(W_O, np.eye(d)) else set()
    return tuple(desk.number(name, last, c, blank=start + c in own) for c in range(desk.sizes.d_head))


def worked_out_before(desk: Desk) -> set[int]:
    """The components of the gradient before the first norm that the pupil works out.

    At level 3 all but the first; else the last: it belongs to the last head, and often is not the first's.
    """
    d = desk.sizes.d_model
    if learning_of(desk).lesson.path != "alles":
        return set()
    return set(range(1, d)) if desk.less else {d - 1}


def _copied(desk: Desk) -> bool:
    """Whether the pupil has computed the last token's weights in this booklet."""
    return desk.sizes.n_blocks == 1 and desk.printed("4b") and desk.n - 1 in desk.exercises


def _weights(desk: Desk, at: str, tasks: Tasks) -> dict[str, Any]:
    """a_j = g·v_j for each token, and their average with the weights."""
    last, copied = desk.n - 1, _copied(desk)
    empty = to_fill(desk, desk.n, desk.example, desk.exercises)
    g = tuple(replace(each, text=OPEN) if each.blank else each for each in _gradient(desk, at))
    weights = desk.numbers(at + "weight", last)
    a = [desk.number(f"gradient.{at}weight", last, j, blank=j in empty) for j in range(desk.n)]
    columns: dict[str, Sequence[Cell]] = {}
    if len(g) <= _PRODUCTS_IN_TABLE and not desk.less:
        lines = [desk.products(g, desk.numbers(at + "value", j)) for j in range(desk.n)]
        columns["products"] = [
            Solution(line) if j in empty and not desk.more else Words(line, small=True)
            for j, line in enumerate(lines)
        ]
    columns["a"] = a
    if not copied:
        columns["weight"] = weights
    table = columns_table(desk.words, columns, example=desk.example)
    tasks.add("weights", "Berechne", "I", table)
    average = desk.number(f"gradient.{at}average", last, blank=True)
    tasks.add("average", "Bestimme", "I", average, points=2)
    return {
        "copied": Vector(tuple(desk.number(at + "weight", last, j, blank=True) for j in range(desk.n)))
        if copied
        else None,
        "a_line": desk.products(g, desk.numbers(at + "value", desk.example)),
        "a_example": desk.number(f"gradient.{at}weight", last, desk.example),
        "a_table": table,
        "average": average,
        "average_line": products_line(desk, weights, a),
    }


def _jacobian(desk: Desk, at: str, tasks: Tasks) -> dict[str, Any]:
    """Two columns of the softmax Jacobian of the last row: one worked, one to do."""
    name, last, own, other = f"gradient.{at}jacobian", desk.n - 1, desk.example, desk.exercises[0]
    rows = set(range(desk.n)) if desk.n <= ALL_ROWS_UP_TO else {own, *desk.exercises}
    columns: dict[str, Sequence[Cell]] = {
        "worked": [desk.number(name, j, own) for j in range(desk.n)],
        # The matrix is symmetric: where the columns cross, the worked one has the number already.
        "mine": [desk.number(name, j, other, blank=j in rows - {own}) for j in range(desk.n)],
    }
    table = columns_table(desk.words, columns)
    tasks.add("jacobian", "Berechne", "I", table)
    tasks.add("column_sum", "Begründe", "III", points=2)
    away = next(j for j in range(desk.n) if j != own)
    w = [desk.number(at + "weight", last, j) for j in (own, away)]
    return {
        "jacobian": table,
        "mine": desk.words[other],
        "own_line": None if _copied(desk) else f"{w[0].text}{DOT}({desk.constant(1, 0)} − {w[0].text})",
        "own": desk.number(name, own, own),
        "away": desk.words[away],
        "away_line": f"−{w[1].text}{DOT}{w[0].text}",
        "away_number": desk.number(name, away, own),
        "column_sum": desk.check_sum(name, [(j, other) for j in range(desk.n)]),
        "tolerance": _tolerance(desk),
    }


def _scores(desk: Desk, at: str, tasks: Tasks) -> dict[str, Any]:
    """Through softmax in short, and through the division by √d_k."""
    last = desk.n - 1
    empty = to_fill(desk, desk.n, desk.example, desk.exercises)
    steps = ["scaled", "score"] if desk.options.skalierung else ["scaled"]
    columns = {
        step: [desk.number(f"gradient.{at}{step}", last, j, blank=j in empty) for j in range(desk.n)]
        for step in steps
    }
    table = columns_table(desk.words, columns, example=desk.example)
    tasks.add("scores", "Berechne", "I", table)
    w = desk.number(at + "weight", last, desk.example)
    a = desk.number(f"gradient.{at}weight", last, desk.example)
    return {
        "scores": table,
        "scaled_line": ("" if _copied(desk) else f"{w.text}{DOT}({a.text} − ", ")"),
        "scaled_example": desk.number(f"gradient.{at}scaled", last, desk.example),
        "score_example": desk.number(f"gradient.{at}score", last, desk.example),
        "score_sum": desk.check_sum(f"gradient.{at}scaled", [(last, j) for j in range(desk.n)]),
    }


def _tolerance(desk: Desk) -> str:
    """Of a sum over all tokens."""
    return desk.tolerance(desk.n, desk.options.nachkommastellen + 2)


def _vectors(desk: Desk, at: str, tasks: Tasks) -> dict[str, Any]:
    """∂L/∂q of the last token, ∂L/∂k and ∂L/∂v of some tokens."""
    last, d = desk.n - 1, desk.sizes.d_head
    written = min(d, _WRITTEN)
    scores = desk.numbers(f"gradient.{at}score", last)
    query = tuple(desk.number(f"gradient.{at}query", last, c, blank=c < written) for c in range(d))
    tasks.add("query", "Bestimme", "I", query, points=2 * written)
    lines = [
        products_line(desk, scores, [desk.number(at + "key", j, c) for j in range(desk.n)])
        for c in range(written)
    ]

    def columns(kind: str) -> dict[str, Sequence[Cell]]:
        return {
            f"{kind}.{c + 1}": [
                desk.number(f"gradient.{at}{kind}", j, c, blank=j in desk.exercises) for j in range(desk.n)
            ]
            for c in range(written)
        }

    places = desk.options.nachkommastellen + 2
    together = 2 * written * blank_width(places) <= _ROOM_FOR_BOTH
    sets = [columns("key") | columns("value")] if together else [columns("key"), columns("value")]
    tables = [columns_table(desk.words, each, example=desk.example) for each in sets]
    tasks.add("offers", "Berechne", "I", tables)
    weight = desk.number(at + "weight", last, desk.example)
    g, q = desk.number(f"gradient.{at}output", last, 0), desk.number(at + "query", last, 0)
    return {
        "written": written,
        "query_gradient": Vector(query),
        "query_lines": lines,
        "offers": [part for table in tables for part in table],
        "key_line": desk.products([scores[desk.example]], [q]),
        "key_first": desk.number(f"gradient.{at}key", desk.example, 0),
        "value_line": None if _copied(desk) else desk.products([weight], [g]),
        "value_first": desk.number(f"gradient.{at}value", desk.example, 0),
    }


def _matrices(desk: Desk, at: str, tasks: Tasks) -> dict[str, Any]:
    """One column of W_Q, gradient and step; one entry each of W_K and W_V."""
    last, d = desk.n - 1, desk.sizes.d_model
    written = min(desk.sizes.d_head, _WRITTEN)
    column = int(np.argmax(np.abs(desk.quantity(f"gradient.{at}query").values[last, :written])))
    columns: dict[str, Sequence[Cell]] = {
        "x": [_x(desk, last, c) for c in range(d)],
        "gradient": [desk.number(f"gradient.{at}W_Q", c, column, blank=True) for c in range(d)],
        "old": [desk.weight(at + "W_Q", c, column) for c in range(d)],
        "new": [desk.number(f"step.{at}W_Q", c, column, blank=True) for c in range(d)],
    }
    table = columns_table(counted(d), columns, narrow=True)
    tasks.add("matrix", "Berechne", "I", table)
    entries = {W: _entry(desk, at, W, written, tasks) for W in ("W_K", "W_V")}
    return {"column": column + 1, "matrix": table, "entries": entries, "rate": rate_text(desk)}


def _entry(desk: Desk, at: str, W: str, written: int, tasks: Tasks) -> dict[str, Any]:
    """The entry with the largest gradient: a sum over all tokens, and its step."""
    kind = _LETTERS[W]
    sizes = np.abs(desk.quantity(f"gradient.{at}{W}").values[:, :written])
    row, column = (int(i) for i in np.unravel_index(int(np.argmax(sizes)), sizes.shape))
    components = [_x(desk, j, row) for j in range(desk.n)]
    gradients = [desk.number(f"gradient.{at}{kind}", j, column) for j in range(desk.n)]
    gradient = desk.number(f"gradient.{at}{W}", row, column, blank=True)
    new = desk.number(f"step.{at}{W}", row, column, blank=True)
    tasks.add(W, "Bestimme", "II", gradient, new, points=3)
    return {
        "row": row + 1,
        "column": column + 1,
        "components": Vector(tuple(components)),
        "line": products_line(desk, components, gradients),
        "gradient": gradient,
        "old": bracketed(desk.weight(at + W, row, column)),
        "new": new,
    }


def _masked(desk: Desk, at: str, tasks: Tasks) -> dict[str, Any] | None:
    """A row with masked cells, for the question why nothing flows back through them; None without a mask."""
    if not desk.options.maske:
        return None
    row = desk.example if desk.example < desk.n - 1 else 0
    seen = desk.numbers(at + "weight", row)[: row + 1]
    width = max(14.0, 3.6 + 1.95 * max(len(number.text) for number in seen))
    most = min(desk.n, int(_ROOM_FOR_BOTH / width))
    hidden = [Hidden()] * (desk.n - row - 1)
    cells: tuple[Cell, ...] = (*seen, *hidden)
    first = max(0, min(row - 1, desk.n - most))
    columns = desk.words[first : first + most]
    table = Table(
        columns, (Row(desk.words[row], cells[first : first + most]),), (WORD_WIDTH,) + (width,) * len(columns)
    )
    tasks.add("masked", "Begründe", "II", points=2)
    return {
        "word": desk.words[row],
        "hidden": [desk.words[j] for j in range(row + 1, desk.n)],
        "table": table,
        "some": most < desk.n,
    }


def given_part(desk: Desk) -> dict[str, Any]:
    """The way from the logits to the head's output, in numbers that are given: the last token's row."""
    block = f"gradient.block{desk.sizes.n_blocks}."
    names = ["norm2.output", "residual2", "norm1.output", "residual1", "concat"]
    columns: dict[str, Sequence[Number]] = {name: desk.numbers(block + name, desk.n - 1) for name in names}
    start, d = (learning_of(desk).lesson.head - 1) * desk.sizes.d_head, desk.sizes.d_head
    tables = columns_table(counted(desk.sizes.d_model), columns, narrow=True)
    widths = (tables[0].widths[0], *(_HEADING,) * len(names))
    return {
        "table": [replace(table, widths=widths) for table in tables],
        "from": start + 1,
        "to": start + d,
    }
