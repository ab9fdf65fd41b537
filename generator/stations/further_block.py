"""Stations B2, B3, …: a further block of the model in short, from its attention to its output."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from generator.desk import Desk
from generator.sheet import Solution, Station
from generator.stations.add_norm import SECOND_ID, block_output
from generator.stations.check_tolerances import mixed_tolerance
from generator.stations.common import Tasks, seen_by, steps_table, sum_line, vectors
from generator.stations.feed_forward import feed_forward, matrix_tables, worked_out
from generator.stations.norm_steps import add_norm, first_layer, second_layer

TEMPLATE: Final = "further_block"


def identifier(block: int) -> str:
    return f"B{block}"


def station(desk: Desk, block: int) -> Station:
    tasks = Tasks()
    before = SECOND_ID if block == 2 else identifier(block - 1)
    token = desk.exercises[0]
    parts: dict[str, Any] = {
        "number": block,
        "before": before,
        "attention": _attention(desk, f"block{block}.", token, tasks),
    }
    first, second = first_layer(block), second_layer(block)
    # In this short form the attention of the first exercise token is computed, that of the others is given.
    copied = [(first.new, token)]
    copied += [(first.own, other) for other in desk.exercises] if desk.printed(before) else []
    parts["norm1"] = add_norm(desk, first, tasks, copied, example=False)
    parts["ffn"] = feed_forward(desk, block, tasks, copied=True, example=False)
    copied = [(second.own, other) for other in desk.exercises]
    copied += [(second.new, other) for other in worked_out(desk)]
    parts["norm2"] = add_norm(desk, second, tasks, copied, example=False)
    parts |= block_output(desk, block, tasks)
    parts["strongest"] = [Solution(_strongest(desk, b, token)) for b in (1, block)]
    tasks.add("compare", "Vergleiche", "II", points=2)
    return Station(identifier(block), parts, tasks.by_name)


def _attention(desk: Desk, block: str, token: int, tasks: Tasks) -> dict[str, Any]:
    """Head 1 of the first exercise token to compute; what the other heads give it is printed."""
    at = block + "head1."
    table = steps_table(desk, at, token, blank=True)
    output = desk.vector(at + "output", token, blank=True)
    tasks.add("attention", "Berechne", "I", table, output)
    weight = desk.calculation.model.weights[block + "W_O"]
    identity = bool(np.array_equal(weight, np.eye(desk.sizes.d_model)))
    seen = seen_by(desk, at + "score", token)
    return {
        "token": desk.words[token],
        "query": desk.vector(at + "query", token),
        "vectors": vectors(desk, [at + "key", at + "value"]),
        "table": table,
        "output": output,
        "lines": [sum_line(desk, at, token, c) for c in range(min(2, desk.sizes.d_head))],
        "count": len(seen),
        "tolerance": desk.tolerance(len(seen)),
        "others": [
            (k, desk.vector(f"{block}head{k}.output", token)) for k in range(2, desk.sizes.n_heads + 1)
        ],
        "W_O": None if identity else matrix_tables(desk, block + "W_O"),
        "check_sum": desk.check_sum(block + "attention", [(token, c) for c in range(desk.sizes.d_model)]),
        "check_tolerance": mixed_tolerance(desk, block),
    }


def _strongest(desk: Desk, block: int, token: int) -> str:
    return desk.words[desk.strongest(f"block{block}.head1.weight", token)]
