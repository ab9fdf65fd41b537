"""The way back through one head, the last token's row by hand: weighted sum, softmax, scores, matrices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from generator.sheet.desk import DOT, Desk
from generator.sheet.measures import TEXT_WIDTH, WORD_WIDTH
from generator.sheet.sheet import CellContent, Given, Hidden, Line, Number, Row, Solution, Table, Vector
from generator.stations.attention_tables import OPEN
from generator.stations.common import Tasks, vectors
from generator.stations.further_block import identifier
from generator.stations.learning_matrices import (
    Matrices,
    Vectors,
    matrix_steps,
    vector_gradients,
    weights_copied,
)
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
_ROOM_FOR_BOTH: Final = TEXT_WIDTH - WORD_WIDTH  # mm for the columns of keys and values in one table
_HEADING: Final = 30.0  # mm that „nach LayerNorm 1“ and the like take
_LETTERS: Final = {"W_Q": "query", "W_K": "key", "W_V": "value"}


def head_name(desk: Desk) -> str:
    return f"block{desk.sizes.n_blocks}.head{learning_of(desk).lesson.head}."


@dataclass(frozen=True)
class Head:
    last: str
    example: str
    g: Vector
    query: Vector
    weights_from: str
    vectors: list[Table]
    weights: Weights
    jacobian: Jacobian
    scores: Scores
    masked: Masked | None
    backward: Vectors
    matrices: Matrices


def head_part(desk: Desk, tasks: Tasks) -> Head:
    at = head_name(desk)
    weights = _weights(desk, at, tasks)
    jacobian = _jacobian(desk, at, tasks)
    scores = _scores(desk, at, tasks)
    masked = _masked(desk, at, tasks)
    tasks.add("other_rows", "Begründe", "II", points=2)
    return Head(
        last=desk.words[-1],
        example=desk.words[desk.example],
        g=Vector(_gradient(desk, at)),
        query=desk.vector(at + "query", desk.n - 1),
        weights_from="4b" if desk.sizes.n_blocks == 1 else identifier(desk.sizes.n_blocks),
        vectors=vectors(desk, [at + "value", at + "key"]),
        weights=weights,
        jacobian=jacobian,
        scores=scores,
        masked=masked,
        backward=vector_gradients(desk, at, tasks),
        matrices=matrix_steps(desk, at, tasks),
    )


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


@dataclass(frozen=True)
class Weights:
    copied: Vector | None
    a_line: Line
    a_example: Number
    a_table: list[Table]
    average: Number
    average_line: Solution


def _weights(desk: Desk, at: str, tasks: Tasks) -> Weights:
    """a_j = g·v_j for each token, and their average with the weights."""
    last, copied = desk.n - 1, weights_copied(desk, at)
    empty = to_fill(desk, desk.n, desk.example, desk.exercises)
    g = tuple(
        replace(each, text=OPEN, blank=False, given=Given.LEFT_OPEN) if each.blank else each
        for each in _gradient(desk, at)
    )
    weights = desk.numbers(at + "weight", last)
    a = [desk.number(f"gradient.{at}weight", last, j, blank=j in empty) for j in range(desk.n)]
    columns: dict[str, Sequence[CellContent]] = {}
    if len(g) <= _PRODUCTS_IN_TABLE and not desk.less:
        lines = [desk.products(g, desk.numbers(at + "value", j)) for j in range(desk.n)]
        columns["products"] = [
            Solution(line.text) if j in empty and not desk.more else line.cell()
            for j, line in enumerate(lines)
        ]
    columns["a"] = a
    if not copied:
        columns["weight"] = weights
    table = columns_table(desk.words, columns, example=desk.example)
    tasks.add("weights", "Berechne", "I", table)
    average = desk.number(f"gradient.{at}average", last, blank=True)
    tasks.add("average", "Bestimme", "I", average, points=2)
    return Weights(
        copied=Vector(tuple(desk.number(at + "weight", last, j, blank=True) for j in range(desk.n)))
        if copied
        else None,
        a_line=desk.products(g, desk.numbers(at + "value", desk.example)),
        a_example=desk.number(f"gradient.{at}weight", last, desk.example),
        a_table=table,
        average=average,
        average_line=products_line(desk, weights, a),
    )


@dataclass(frozen=True)
class Jacobian:
    jacobian: list[Table]
    mine: str
    own_line: str | None
    own: Number
    away: str
    away_line: str
    away_number: Number
    column_sum: str
    tolerance: str


def _jacobian(desk: Desk, at: str, tasks: Tasks) -> Jacobian:
    """Two columns of the softmax Jacobian of the last row: one worked, one to do."""
    name, last, own, other = f"gradient.{at}jacobian", desk.n - 1, desk.example, desk.exercises[0]
    rows = set(range(desk.n)) if desk.n <= ALL_ROWS_UP_TO else {own, *desk.exercises}
    columns: dict[str, Sequence[CellContent]] = {
        "worked": [desk.number(name, j, own) for j in range(desk.n)],
        # The matrix is symmetric: where the columns cross, the worked one has the number already.
        "mine": [desk.number(name, j, other, blank=j in rows - {own}) for j in range(desk.n)],
    }
    table = columns_table(desk.words, columns)
    tasks.add("jacobian", "Berechne", "I", table)
    tasks.add("column_sum", "Begründe", "III", points=2)
    away = next(j for j in range(desk.n) if j != own)
    w = [desk.number(at + "weight", last, j) for j in (own, away)]
    own_line = f"{w[0].text}{DOT}({desk.constant(1, 0)} − {w[0].text})"
    return Jacobian(
        jacobian=table,
        mine=desk.words[other],
        own_line=None if weights_copied(desk, at) else own_line,
        own=desk.number(name, own, own),
        away=desk.words[away],
        away_line=f"−{w[1].text}{DOT}{w[0].text}",
        away_number=desk.number(name, away, own),
        column_sum=desk.check_sum(name, [(j, other) for j in range(desk.n)]),
        tolerance=_tolerance(desk),
    )


@dataclass(frozen=True)
class Scores:
    scores: list[Table]
    scaled_line: tuple[str, str]
    scaled_example: Number
    score_example: Number
    score_sum: str


def _scores(desk: Desk, at: str, tasks: Tasks) -> Scores:
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
    return Scores(
        scores=table,
        scaled_line=("" if weights_copied(desk, at) else f"{w.text}{DOT}({a.text} − ", ")"),
        scaled_example=desk.number(f"gradient.{at}scaled", last, desk.example),
        score_example=desk.number(f"gradient.{at}score", last, desk.example),
        score_sum=desk.check_sum(f"gradient.{at}scaled", [(last, j) for j in range(desk.n)]),
    )


def _tolerance(desk: Desk) -> str:
    """Of a sum over all tokens."""
    return desk.tolerance(desk.n, desk.options.nachkommastellen + 2)


@dataclass(frozen=True)
class Masked:
    word: str
    hidden: list[str]
    table: Table
    some: bool


def _masked(desk: Desk, at: str, tasks: Tasks) -> Masked | None:
    """A row with masked cells, for the question why nothing flows back through them; None without a mask."""
    if not desk.options.maske:
        return None
    row = desk.example if desk.example < desk.n - 1 else 0
    seen = desk.numbers(at + "weight", row)[: row + 1]
    width = max(14.0, 3.6 + 1.95 * max(len(number.text) for number in seen))
    most = min(desk.n, int(_ROOM_FOR_BOTH / width))
    hidden = [Hidden()] * (desk.n - row - 1)
    cells: tuple[CellContent, ...] = (*seen, *hidden)
    first = max(0, min(row - 1, desk.n - most))
    columns = desk.words[first : first + most]
    table = Table(
        columns, (Row(desk.words[row], cells[first : first + most]),), (WORD_WIDTH,) + (width,) * len(columns)
    )
    tasks.add("masked", "Begründe", "II", points=2)
    return Masked(
        word=desk.words[row],
        hidden=[desk.words[j] for j in range(row + 1, desk.n)],
        table=table,
        some=most < desk.n,
    )


@dataclass(frozen=True)
class GivenWay:
    table: list[Table]
    first: int
    last: int


def given_part(desk: Desk) -> GivenWay:
    """The way from the logits to the head's output, in numbers that are given: the last token's row."""
    block = f"gradient.block{desk.sizes.n_blocks}."
    names = ["norm2.output", "residual2", "norm1.output", "residual1", "concat"]
    columns: dict[str, Sequence[Number]] = {name: desk.numbers(block + name, desk.n - 1) for name in names}
    start, d = (learning_of(desk).lesson.head - 1) * desk.sizes.d_head, desk.sizes.d_head
    tables = columns_table(counted(desk.sizes.d_model), columns, narrow=True)
    widths = (tables[0].widths[0], *(_HEADING,) * len(names))
    return GivenWay(
        table=[replace(table, widths=widths) for table in tables],
        first=start + 1,
        last=start + d,
    )
