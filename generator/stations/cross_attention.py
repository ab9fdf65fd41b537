"""Station 10, cross-attention: a target sentence asks the encoder's output of the source sentence."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from generator.desk import Desk
from generator.figures_two import encoder_decoder_map
from generator.lexicon.target_vectors import END, START
from generator.options import Options
from generator.sheet import Solution, Station, Table
from generator.stations.common import (
    Tasks,
    component_tables,
    steps_table,
    vectors,
    weight_matrix,
    weighted_sum,
)
from generator.stations.encoder_decoder import (
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
from generator.stations.translation_rounds import rounds_part

ID: Final = "10"
_BLOCK: Final = "decoder.block1.cross."
_LINES: Final = 2  # worked lines of sums and of scores
_PRODUCTS_IN_TABLE: Final = 3
_INLINE: Final = 2  # components that stand in one cell


def fits(options: Options) -> bool:
    """Only with a target sentence."""
    return options.zielsatz is not None


def station(desk: Desk) -> Station:
    tasks = Tasks()
    who = roles(desk)
    model = two_of(desk).model
    parts: dict[str, Any] = {
        "map": encoder_decoder_map(desk.sizes.n_blocks, model.causal_mask),
        "target": " ".join(desk.target_words[1:]),
        "start": START,
        "end": END,
        "masked": model.causal_mask,
        "n_source": model.n_source,
        "n_target": model.n_tokens,
        "last": desk.target_words[who.last],
    }
    tasks.add("size", "Gib", "I", points=1)
    parts["encoder"] = encoder_part(desk, tasks)
    tasks.add("no_mask", "Begründe", "II", points=2)
    parts["decoder"] = decoder_part(desk, who, tasks)
    parts |= _first_head(desk, who, tasks)
    tasks.add("cross_mask", "Begründe", "II", points=3)
    parts |= _together(desk, who, tasks)
    parts["residual"] = residual_part(desk, who, tasks)
    parts["output"] = next_word_part(desk, tasks)
    parts["rounds"] = rounds_part(desk, tasks)
    return Station(ID, parts, tasks.by_name)


def _first_head(desk: Desk, who: Roles, tasks: Tasks) -> dict[str, Any]:
    at, example = _BLOCK + "head1.", who.example
    query = _queries(desk, at + "query", who)
    tasks.add("query", "Bestimme", "I", query)
    exercises = [exercise(desk, at, token, tasks) for token in who.exercises]
    tasks.add("matrix", "Trage", "I", points=len(who.exercises))
    tasks.add("look", "Deute", "II", points=2)
    key_line = desk.products(desk.numbers(source_output(desk), 0), _column(desk, at + "W_K"))
    return {
        "matrices": {W: desk.matrix(at + W) for W in ("W_Q", "W_K", "W_V")},
        "example": desk.target_words[example],
        "query_line": desk.products(
            desk.numbers("decoder.block1.norm1.output", example), _column(desk, at + "W_Q")
        ),
        "query_first": desk.number(at + "query", example, 0),
        "query_vector": desk.vector(at + "query", example),
        "key_line": key_line,
        "key_first": desk.number(at + "key", 0, 0),
        "key_word": desk.words[0],
        "query": query,
        "offers": vectors(desk, [at + "key", at + "value"]),
        "steps": steps_table(desk, at, example, blank=False),
        "score_lines": _score_lines(desk, at, example),
        "sum_lines": [
            (weighted_sum(desk, at, example, c), desk.number(at + "output", example, c))
            for c in range(min(_LINES, desk.sizes.d_head))
        ],
        "head_output": desk.vector(at + "output", example),
        "strongest_example": desk.words[desk.strongest(at + "weight", example)],
        "exercises": exercises,
        "matrix": weight_matrix(desk, at + "weight", who.exercises, example),
        "strongest": Solution(desk.words[desk.strongest(at + "weight", who.last)]),
    }


def _queries(desk: Desk, name: str, who: Roles) -> list[Table]:
    """All queries, those of the exercise tokens to fill; columns as wide as a hand needs."""
    if desk.sizes.d_head <= _INLINE:
        return vectors(desk, [name], [(name, token) for token in who.exercises])
    return component_tables(desk, name, who.exercises)


def _column(desk: Desk, name: str) -> list[Any]:
    return [row[0] for row in desk.matrix(name)]


def _score_lines(desk: Desk, at: str, token: int) -> list[tuple[str, str, Any]]:
    """Where vectors are too long for the table: the products of the first scores, line by line."""
    if desk.sizes.d_head <= _PRODUCTS_IN_TABLE:
        return []
    query = desk.numbers(at + "query", token)
    return [
        (
            desk.words[j],
            desk.products(query, desk.numbers(at + "key", j)),
            desk.number(at + "score", token, j),
        )
        for j in range(min(_LINES, desk.n))
    ]


def _together(desk: Desk, who: Roles, tasks: Tasks) -> dict[str, Any]:
    """Head 2 for the last token, what the others give it, all put together and sent through W_O."""
    second = None
    given_from = 2
    if desk.sizes.n_heads > 1 and not desk.more:
        at, given_from = _BLOCK + "head2.", 3
        second = {
            "vectors": vectors(desk, [at + "key", at + "value"]),
            "query": desk.vector(at + "query", who.last),
            "exercise": exercise(desk, at, who.last, tasks),
        }
    heads = range(given_from, desk.sizes.n_heads + 1)
    concat = component_tables(desk, _BLOCK + "concat", [who.last], [who.last])
    attention = component_tables(desk, _BLOCK + "attention", [who.last], [who.last])
    tasks.add("concat", "Setze", "I", concat, points=max(1, desk.sizes.n_heads))
    tasks.add("attention", "Bestimme", "I", attention)
    weight = two_of(desk).model.weights[_BLOCK + "W_O"]
    worked = who.example
    return {
        "second": second,
        "given_heads": [(k, desk.vector(f"{_BLOCK}head{k}.output", who.last)) for k in heads],
        "concat": concat,
        "attention": attention,
        "identity": bool(np.array_equal(weight, np.eye(desk.sizes.d_model))),
        "W_O": desk.matrix(_BLOCK + "W_O"),
        "output_line": desk.products(desk.numbers(_BLOCK + "concat", worked), _column(desk, _BLOCK + "W_O")),
        "output_first": desk.number(_BLOCK + "attention", worked, 0),
        "attention_tolerance": desk.tolerance(desk.sizes.d_model),
        "attention_sum": desk.check_sum(
            _BLOCK + "attention", [(who.last, c) for c in range(desk.sizes.d_model)]
        ),
    }
