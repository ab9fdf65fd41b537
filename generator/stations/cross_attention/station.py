"""Station 10, cross-attention: a target sentence asks the encoder's output of the source sentence."""

from __future__ import annotations

from typing import Final

import numpy as np

from generator.basics.fonts import printable
from generator.sheet.desk import Desk
from generator.sheet.sheet import Number, Parts, parts
from generator.stations.attention import head_exercise, heaviest
from generator.stations.common import Tasks, component_tables, vectors
from generator.stations.cross_attention.decoder import (
    Roles,
    joined_part,
    next_word_part,
    own_output,
    points_of_products,
    roles,
    rounds_part,
    source_output,
    two_of,
)
from generator.stations.cross_attention.figures import encoder_decoder_map
from generator.stations.cross_attention.look import look
from generator.stations.worked_lines import products_line, worked_head
from generator.words.target_vectors import END, START

_BLOCK: Final = "decoder.block1.cross."
_LINES: Final = 2  # worked sums


def station(desk: Desk, tasks: Tasks) -> Parts:
    who = roles(desk)
    model = two_of(desk).model
    tasks.add("size", "Gib", "I", points=1)
    first = _first_head(desk, who, tasks)
    clearest = look(desk, [f"{_BLOCK}head1."], who)
    tasks.add("look", "Deute" if clearest.telling else "Gib", "II", points=3 if clearest.telling else 2)
    tasks.add("masks", "Begründe", "II", points=3)
    return parts(
        map=encoder_decoder_map(desk.sizes.n_blocks, model.rules.causal_mask),
        source=" ".join(map(printable, model.source_tokens)),
        target=" ".join(desk.target_words[1:]),
        start=START,
        end=END,
        n_source=model.n_source,
        n_target=model.n_tokens,
        last=desk.target_words[who.last],
        source_output=component_tables(desk, source_output(desk)),
        own_output=component_tables(desk, own_output(1)),
        first=first,
        look=clearest,
        joined=joined_part(desk, _BLOCK, who, 1, tasks),
        output=next_word_part(desk, tasks),
        rounds=rounds_part(desk, tasks),
    )


def _first_head(desk: Desk, who: Roles, tasks: Tasks) -> Parts:
    at, example = _BLOCK + "head1.", who.example
    # Where W_Q only picks components, the query is nothing to work out: it stands in the table of Z.
    asked = not _only_picks(desk, at + "W_Q")
    query = desk.vector(at + "query", who.last, blank=asked)
    if asked:
        points = points_of_products(desk.sizes.d_head, desk.sizes.d_model)
        tasks.add("query", "Berechne", "I", query, points=points)
    exercise = head_exercise(desk, tasks, at, who.last, own_query=asked and desk.more, bars=False)
    query_first, key_first = desk.number(at + "query", example, 0), desk.number(at + "key", 0, 0)
    return parts(
        matrices={W: desk.matrix(at + W) for W in ("W_Q", "W_K", "W_V")},
        example=desk.target_words[example],
        query_line=products_line(
            desk, desk.numbers(own_output(1), example), _column(desk, at + "W_Q"), query_first
        ),
        query_first=query_first,
        query_vector=desk.vector(at + "query", example),
        key_line=products_line(
            desk, desk.numbers(source_output(desk), 0), _column(desk, at + "W_K"), key_first
        ),
        key_first=key_first,
        key_word=desk.source_words[0],
        offers=vectors(desk, [at + "key", at + "value"]),
        worked=worked_head(desk, at, example, sums=_LINES, bars=False),
        strongest=[desk.source_words[j] for j in heaviest(desk, at + "weight", example)],
        query=query,
        exercise=exercise,
    )


def _only_picks(desk: Desk, name: str) -> bool:
    """Whether a product with this matrix copies components: at most one 1 in a column, else zeros."""
    matrix = desk.given(name)
    return bool(np.isin(matrix, (0, 1)).all() and (matrix.sum(0) <= 1).all())


def _column(desk: Desk, name: str) -> list[Number]:
    return [row[0] for row in desk.matrix(name)]
