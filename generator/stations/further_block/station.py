"""Stations B2, B3, …: a further block of the model in short, from its attention to its output."""

import numpy as np

from generator.options.course import END_OF_BLOCK
from generator.sheet.desk import Desk
from generator.sheet.sheet import Parts, Solution, parts
from generator.stations.add_norm.station import add_norm, first_layer, second_layer
from generator.stations.add_norm_2.station import block_output
from generator.stations.attention import head_exercise
from generator.stations.common import Tasks, matrix_tables, vectors
from generator.stations.feed_forward.station import feed_forward
from generator.stations.worked_lines import mixed_tolerance


def identifier(block: int) -> str:
    """The id of the station that shows a block of the model, counted from 1; block 1 ends with station 7."""
    return END_OF_BLOCK if block == 1 else f"B{block}"


def number_of(id_: str) -> int:
    """The block of a further station."""
    return int(id_.removeprefix("B"))


def station(desk: Desk, tasks: Tasks, block: int) -> Parts:
    before = identifier(block - 1)
    token = desk.path
    attention = _attention(desk, f"block{block}.", token, tasks)
    first, second = first_layer(block), second_layer(block)
    norm1 = add_norm(desk, first, tasks, token, example=False)
    ffn = feed_forward(desk, block, tasks, example=False)
    norm2 = add_norm(desk, second, tasks, example=False)
    tasks.add("compare", "Vergleiche", "II", points=2)
    return parts(
        number=block,
        before=before,
        attention=attention,
        norm1=norm1,
        ffn=ffn,
        norm2=norm2,
        output=block_output(desk, block),
        strongest=[Solution(desk.either(desk.largest(f"block{b}.head1.weight", token))) for b in (1, block)],
    )


def _attention(desk: Desk, block: str, token: int, tasks: Tasks) -> Parts:
    """Head 1 of the path's token to compute; what the other heads give it is printed."""
    at = block + "head1."
    exercise = head_exercise(desk, tasks, at, token, "attention")
    weight = desk.calculation.model.weights[block + "W_O"]
    identity = bool(np.array_equal(weight, np.eye(desk.sizes.d_model)))
    return parts(
        query=desk.vector(at + "query", token),
        vectors=vectors(desk, [at + "key", at + "value"]),
        exercise=exercise,
        others=[(k, desk.vector(f"{block}head{k}.output", token)) for k in range(2, desk.sizes.n_heads + 1)],
        W_O=None if identity else matrix_tables(desk, block + "W_O"),
        check_sum=desk.check_sum(block + "attention", [(token, c) for c in range(desk.sizes.d_model)]),
        check_tolerance=mixed_tolerance(desk, block, heads=1),
    )
