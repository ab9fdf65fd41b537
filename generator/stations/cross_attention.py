"""Station 10, cross-attention: a target sentence asks the encoder's output of the source sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from generator.basics.fonts import printable
from generator.figures.two import encoder_decoder_map
from generator.sheet.desk import Desk
from generator.sheet.sheet import Figure, Line, Number, Solution, Table, Vector
from generator.sheet.wording import either
from generator.stations.attention_tables import steps_table, weight_matrix, weighted_sum
from generator.stations.common import Tasks, component_tables, vectors
from generator.stations.encoder_decoder import (
    Decoder,
    Encoder,
    Exercise,
    NextWord,
    Residual,
    Roles,
    decoder_part,
    encoder_part,
    exercise,
    next_word_part,
    residual_part,
    roles,
    source_output,
    two_of,
)
from generator.stations.translation_rounds import Rounds, rounds_part
from generator.words.target_vectors import END, START

_BLOCK: Final = "decoder.block1.cross."
_LINES: Final = 2  # worked lines of sums and of scores
_PRODUCTS_IN_TABLE: Final = 3
_INLINE: Final = 2  # components that stand in one cell


@dataclass(frozen=True)
class CrossAttention:
    map: Figure
    source: str
    target: str
    start: str
    end: str
    masked: bool
    n_source: int
    n_target: int
    last: str
    encoder: Encoder
    decoder: Decoder
    first: FirstHead
    together: Together
    residual: Residual
    output: NextWord
    rounds: Rounds | None


def station(desk: Desk, tasks: Tasks) -> CrossAttention:
    who = roles(desk)
    model = two_of(desk).model
    tasks.add("size", "Gib", "I", points=1)
    encoder = encoder_part(desk, tasks)
    tasks.add("no_mask", "Begründe", "II", points=2)
    decoder = decoder_part(desk, who, tasks)
    first = _first_head(desk, who, tasks)
    tasks.add("cross_mask", "Begründe", "II", points=3)
    return CrossAttention(
        map=encoder_decoder_map(desk.sizes.n_blocks, model.rules.causal_mask),
        source=" ".join(map(printable, model.source_tokens)),
        target=" ".join(desk.target_words[1:]),
        start=START,
        end=END,
        masked=model.rules.causal_mask,
        n_source=model.n_source,
        n_target=model.n_tokens,
        last=desk.target_words[who.last],
        encoder=encoder,
        decoder=decoder,
        first=first,
        together=_together(desk, who, tasks),
        residual=residual_part(desk, who, tasks),
        output=next_word_part(desk, tasks),
        rounds=rounds_part(desk, tasks),
    )


@dataclass(frozen=True)
class FirstHead:
    matrices: dict[str, tuple[tuple[Number, ...], ...]]
    example: str
    query_line: Line
    query_first: Number
    query_vector: Vector
    key_line: Line
    key_first: Number
    key_word: str
    query: list[Table]
    offers: list[Table]
    steps: list[Table]
    score_lines: list[tuple[str, Line, Number]]
    sum_lines: list[tuple[Line, Number]]
    head_output: Vector
    strongest_example: str
    exercises: list[Exercise]
    matrix: Table
    strongest: Solution


def _first_head(desk: Desk, who: Roles, tasks: Tasks) -> FirstHead:
    at, example = _BLOCK + "head1.", who.example
    query = _queries(desk, at + "query", who)
    tasks.add("query", "Bestimme", "I", query)
    exercises = [exercise(desk, at, token, tasks) for token in who.exercises]
    tasks.add("matrix", "Trage", "I", points=len(who.exercises))
    tasks.add("look", "Deute", "II", points=2)
    key_line = desk.products(desk.numbers(source_output(desk), 0), _column(desk, at + "W_K"))
    return FirstHead(
        matrices={W: desk.matrix(at + W) for W in ("W_Q", "W_K", "W_V")},
        example=desk.target_words[example],
        query_line=desk.products(
            desk.numbers("decoder.block1.norm1.output", example), _column(desk, at + "W_Q")
        ),
        query_first=desk.number(at + "query", example, 0),
        query_vector=desk.vector(at + "query", example),
        key_line=key_line,
        key_first=desk.number(at + "key", 0, 0),
        key_word=desk.source_words[0],
        query=query,
        offers=vectors(desk, [at + "key", at + "value"]),
        steps=steps_table(desk, at, example, blank=False),
        score_lines=_score_lines(desk, at, example),
        sum_lines=[
            (weighted_sum(desk, at, example, c), desk.number(at + "output", example, c))
            for c in range(min(_LINES, desk.sizes.d_head))
        ],
        head_output=desk.vector(at + "output", example),
        strongest_example=desk.source_words[desk.strongest(at + "weight", example)],
        exercises=exercises,
        matrix=weight_matrix(desk, at + "weight", who.exercises, example),
        strongest=Solution(either([desk.source_words[j] for j in desk.largest(at + "weight", who.last)])),
    )


def _queries(desk: Desk, name: str, who: Roles) -> list[Table]:
    """All queries, those of the exercise tokens to fill; columns as wide as a hand needs."""
    if desk.sizes.d_head <= _INLINE:
        return vectors(desk, [name], [(name, token) for token in who.exercises])
    return component_tables(desk, name, who.exercises)


def _column(desk: Desk, name: str) -> list[Number]:
    return [row[0] for row in desk.matrix(name)]


def _score_lines(desk: Desk, at: str, token: int) -> list[tuple[str, Line, Number]]:
    """Where vectors are too long for the table: the products of the first scores, line by line."""
    if desk.sizes.d_head <= _PRODUCTS_IN_TABLE:
        return []
    query = desk.numbers(at + "query", token)
    return [
        (
            desk.source_words[j],
            desk.products(query, desk.numbers(at + "key", j)),
            desk.number(at + "score", token, j),
        )
        for j in range(min(_LINES, len(desk.source_words)))
    ]


@dataclass(frozen=True)
class SecondHead:
    vectors: list[Table]
    query: Vector
    exercise: Exercise


@dataclass(frozen=True)
class Together:
    second: SecondHead | None
    given_heads: list[tuple[int, Vector]]
    concat: list[Table]
    attention: list[Table]
    identity: bool
    W_O: tuple[tuple[Number, ...], ...]
    output_line: Line
    output_first: Number
    attention_tolerance: str
    attention_sum: str


def _together(desk: Desk, who: Roles, tasks: Tasks) -> Together:
    """Head 2 for the last token, what the others give it, all put together and sent through W_O."""
    second = None
    given_from = 2
    if desk.sizes.n_heads > 1 and not desk.more:
        at, given_from = _BLOCK + "head2.", 3
        second = SecondHead(
            vectors(desk, [at + "key", at + "value"]),
            desk.vector(at + "query", who.last),
            exercise(desk, at, who.last, tasks),
        )
    heads = range(given_from, desk.sizes.n_heads + 1)
    concat = component_tables(desk, _BLOCK + "concat", [who.last], [who.last])
    attention = component_tables(desk, _BLOCK + "attention", [who.last], [who.last])
    tasks.add("concat", "Setze", "I", concat, points=max(1, desk.sizes.n_heads))
    tasks.add("attention", "Bestimme", "I", attention)
    weight = two_of(desk).model.weights[_BLOCK + "W_O"]
    worked = who.example
    return Together(
        second=second,
        given_heads=[(k, desk.vector(f"{_BLOCK}head{k}.output", who.last)) for k in heads],
        concat=concat,
        attention=attention,
        identity=bool(np.array_equal(weight, np.eye(desk.sizes.d_model))),
        W_O=desk.matrix(_BLOCK + "W_O"),
        output_line=desk.products(desk.numbers(_BLOCK + "concat", worked), _column(desk, _BLOCK + "W_O")),
        output_first=desk.number(_BLOCK + "attention", worked, 0),
        attention_tolerance=desk.tolerance(desk.sizes.d_model),
        attention_sum=desk.check_sum(
            _BLOCK + "attention", [(who.last, c) for c in range(desk.sizes.d_model)]
        ),
    )
