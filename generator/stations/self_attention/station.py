"""Station 4a, self-attention without a mask: the entry step Q = K = V = X, then one head with matrices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from engine.numbers.arrays import Floats
from engine.numbers.decimals import Decimals
from engine.trace import handed_over
from generator.basics.errors import listed
from generator.figures.arcs import attention_arcs
from generator.sheet.desk import Desk
from generator.sheet.fields import WORD_WIDTH
from generator.sheet.sheet import Figure, Line, Number, Row, Solution, Table, Vector, Words
from generator.stations.attention import (
    HeadExercise,
    head_exercise,
    heaviest,
    legend_of,
    score_sum,
    score_tolerance,
    steps_table,
    strongest_look,
    weight_matrix,
)
from generator.stations.common import Tasks, component_table, vectors, within_page
from generator.stations.self_attention.figures import attention_flow, notice_board
from generator.stations.worked_lines import (
    RoundedSingly,
    WorkedHead,
    products_line,
    rounded_singly,
    worked_head,
)

_LARGE_D_HEAD: Final = 64  # as in GPT-2: what happens there without √d_k


@dataclass(frozen=True)
class SelfAttention:
    x: Table
    source: str
    entry: Entry | None
    head: Head


def station(desk: Desk, tasks: Tasks) -> SelfAttention:
    x = component_table(desk, "input", rows=[i for i in range(desk.n) if not desk.asks("input", i)])
    entry = _entry(desk, tasks) if desk.has("entry.score") else None
    head = _head(desk, "unmasked.head1." if desk.has("unmasked.head1.query") else "block1.head1.", tasks)
    tasks.add("shade", "Schraffiere", "I", points=1)
    tasks.add("understand", "Deute", "II", points=2)
    return SelfAttention(
        x=x,
        source=("3" if desk.has("positional_encoding") else "2") if desk.asks("input") else "",
        entry=entry,
        head=head,
    )


@dataclass(frozen=True)
class Entry:
    worked: WorkedHead
    exercise: list[Table]
    exercise_output: Vector
    token: str
    tolerance: str
    score_sum: str
    score_tolerance: str
    cosines: Table
    strongest: Solution
    answer: Solution
    both: Solution
    level: Solution
    mixtures: Solution
    same_source: bool
    legend: str


def _entry(desk: Desk, tasks: Tasks) -> Entry:
    token, example = desk.exercises[0], desk.example
    exercise = steps_table(desk, "entry.", token, blank=True, scaled=False)
    # Nothing goes on from this vector: one component shows how all of them come about.
    width = range(desk.sizes.d_model)
    asked = width if desk.less else width[:1]
    output = Vector(tuple(desk.number("entry.output", token, c, blank=c in asked) for c in width))
    tasks.add("entry", "Berechne", "I", exercise, output)
    tasks.add("alike", "Vergleiche", "II", points=2)
    by_weight, by_cosine = (
        desk.largest(name, example, others=True) for name in ("entry.weight", "entry.cosine")
    )
    both = [j for j in by_weight if j in by_cosine]
    mixed = [example, both[0] if both else by_cosine[0]]
    sources = [set(desk.largest("entry.weight", i)) for i in mixed]
    return Entry(
        worked=worked_head(desk, "entry.", example, sums=0 if desk.asks("input") else 1, scaled=False),
        exercise=exercise,
        exercise_output=output,
        token=desk.words[token],
        tolerance=desk.tolerance(desk.n),
        score_sum=score_sum(desk, "entry.", token, range(desk.n)),
        score_tolerance=score_tolerance(desk, "entry.", token, range(desk.n)),
        cosines=_cosines(desk, example),
        strongest=Solution(desk.either(by_weight)),
        answer=Solution(desk.either(by_cosine)),
        both=Solution(desk.either(both)),
        level=Solution(
            "".join(
                _level(desk, what, [j for j in leaders if j not in both])
                for what, leaders in (("Gewicht", by_weight), ("Kosinus", by_cosine))
                if both
            )
        ),
        mixtures=Solution("; ".join(strongest_look(desk, "entry.weight", i) for i in mixed)),
        same_source=bool(sources[0] & sources[1]),
        legend=legend_of(desk.words),
    )


def _cosines(desk: Desk, token: int) -> Table:
    """A token's weights, and below them the cosines of its new vector with every other."""
    many = bool(legend_of(desk.words))
    rows = (
        Row("Gewicht", tuple(desk.number("entry.weight", token, j) for j in range(desk.n))),
        Row("Kosinus", tuple(desk.number("entry.cosine", token, j) for j in range(desk.n))),
    )
    columns = tuple(str(j + 1) for j in range(desk.n)) if many else desk.words
    widths = (WORD_WIDTH,) + (min(134.0 / desk.n, 20.0),) * desk.n
    table = Table(columns, rows, widths, dense=many)
    return within_page(table, desk.options.nachkommastellen + 3) if many else table


def _level(desk: Desk, what: str, others: Sequence[int]) -> str:
    words = listed([f"„{desk.words[j]}“" for j in others])
    return f" Beim {what} {'liegt' if len(others) == 1 else 'liegen'} {words} gleichauf." if others else ""


@dataclass(frozen=True)
class Head:
    matrices: dict[str, tuple[tuple[Number, ...], ...]]
    qkv: list[Table]
    query_column: int
    query_line: Line
    query_component: Number
    query: Vector
    worked: WorkedHead
    singly: RoundedSingly | None
    arcs: Figure | None
    flow: Figure
    board: Figure | None
    shares: Table
    unscaled: dict[str, str]
    exercises: list[Exercise]
    matrix: Table
    strongest_example: list[str]
    looks: Solution
    telling: list[Telling]
    ahead: bool


@dataclass(frozen=True)
class Telling:
    """A word that is looked at most. tells: whether the texts differ at its place before they go on."""

    word: str
    tells: bool


def _telling(desk: Desk, name: str) -> list[Telling]:
    """For the last word's row, which leads to the prediction; none without texts."""
    learnt = desk.built.learnt
    if learnt is None:
        return []
    begun = [text[: desk.n] for text in learnt.corpus.ids if len(text) > desk.n]
    return [
        Telling(desk.words[j], len({text[j] for text in begun}) > 1) for j in desk.largest(name, desk.n - 1)
    ]


def telling_column(matrix: Floats) -> int:
    """The column with the fewest zeros, the first of equals: a sum of products with 0 shows little."""
    return int(np.argmax(np.count_nonzero(matrix, axis=0)))


def _head(desk: Desk, at: str, tasks: Tasks) -> Head:
    names = [at + "query", at + "key", at + "value"]
    blanks = [(at + "query", token) for token in desk.exercises]
    qkv = vectors(desk, names, blanks)
    tasks.add("query", "Bestimme", "I", qkv)
    exercises = [_exercise(desk, at, token, tasks) for token in desk.exercises]
    matrix = weight_matrix(desk, at + "weight", desk.exercises, shaded=True)
    example = desk.example
    W_Q = desk.matrix("block1.head1.W_Q")
    column = telling_column(desk.calculation.model.weights["block1.head1.W_Q"])
    return Head(
        matrices={W: desk.matrix(f"block1.head1.{W}") for W in ("W_Q", "W_K", "W_V")},
        qkv=qkv,
        query_column=column + 1,
        query_line=products_line(
            desk,
            desk.numbers("input", example),
            [row[column] for row in W_Q],
            desk.number(at + "query", example, column),
        ),
        query_component=desk.number(at + "query", example, column),
        query=desk.vector(at + "query", example),
        worked=worked_head(desk, at, example, scores=2, sums=2),
        singly=rounded_singly(desk, at, example),
        # With the mask and without stand together in station 4b.
        arcs=None if desk.printed("4b") else attention_arcs(desk, at + "weight", example),
        flow=attention_flow(desk, masked=False),
        board=notice_board(desk, at, example) if desk.options.bild else None,
        shares=_shares(desk, at),
        unscaled=_unscaled(desk),
        exercises=exercises,
        matrix=matrix,
        strongest_example=[desk.words[j] for j in heaviest(desk, at + "weight", example)],
        looks=Solution("; ".join(strongest_look(desk, at + "weight", token) for token in desk.exercises)),
        telling=_telling(desk, at + "weight"),
        ahead=any(max(desk.largest(at + "weight", token)) > token for token in desk.exercises),
    )


@dataclass(frozen=True)
class Exercise:
    head: HeadExercise
    result: str | None


def _exercise(desk: Desk, at: str, token: int, tasks: Tasks) -> Exercise:
    exercise = head_exercise(desk, tasks, at, token, f"scores{token}", own_query=desk.more, vector_apart=True)
    # A second word compares its weights with and without the mask; its new vector comes with the mask.
    later = token != desk.path and desk.printed("4b") and at.startswith("unmasked.")
    if later:
        return Exercise(replace(exercise, output=None, lines=[]), None)
    result = f"output{token}"
    tasks.add(result, "Bestimme", "I", exercise.output, points=desk.sizes.d_head * 2)
    return Exercise(exercise, result)


def _shares(desk: Desk, at: str) -> Table:
    """What each token hands over to the first component of the example's output."""
    parts = handed_over(desk.quantity(at + "weight"), desk.quantity(at + "value"), desk.example)[:, 0]
    floats = parts.to_floats()
    whole = float(np.abs(floats).sum()) or 1.0
    rows = [
        Row(
            desk.words[j],
            (
                desk.number(at + "weight", desk.example, j),
                desk.number(at + "value", j, 0),
                Words(desk.format.text(float(floats[j]), parts.places)),
                Words(desk.format.text(100 * float(abs(floats[j])) / whole, 0) + "\N{NO-BREAK SPACE}%"),
            ),
        )
        for j in range(desk.n)
    ]
    total = Decimals.from_floats(floats).sum(0)
    rows.append(
        Row(
            "Summe",
            (
                Words(""),
                Words(""),
                Words(desk.format.text(float(total.to_floats()), parts.places)),
                Words("≈\N{NO-BREAK SPACE}100\N{NO-BREAK SPACE}%"),
            ),
            "sum",
        )
    )
    return Table(("weight", "value", "part", "share"), tuple(rows), (WORD_WIDTH, 17.0, 17.0, 20.0, 17.0))


def _unscaled(desk: Desk) -> dict[str, str]:
    """Two scores that differ by √64 before and by 1 after scaling, and the weights that they give."""
    root = math.sqrt(_LARGE_D_HEAD)

    def weight(difference: float) -> str:
        share = 100 * math.exp(difference) / (math.exp(difference) + 1)
        return desk.format.text(share, 2) + "\N{NO-BREAK SPACE}%"

    return {
        "d_head": str(_LARGE_D_HEAD),
        "root": desk.format.text(root, 0),
        "weight_without": weight(root),
        "weight_with": weight(1.0),
    }
