"""Station 7, Add & LayerNorm after the feed-forward network; further blocks, from attention to output."""

import math
from dataclasses import replace
from typing import Final

from generator.options.course import id_of_block
from generator.sheet.desk import Desk
from generator.sheet.sheet import Finding, Parts, Solution, Table, parts
from generator.stations.add_norm.station import add_norm, first_layer, second_layer
from generator.stations.attention import head_exercise
from generator.stations.before_after import before_after, sizes_added
from generator.stations.common import Tasks, component_tables, in_parts, matrix_tables, vectors
from generator.stations.feed_forward.station import feed_forward
from generator.stations.worked_lines import honest_sum

_WRITTEN_ROW: Final = 10.2  # mm
_GIVEN_ROW: Final = 6.0
_MOST_HEIGHT: Final = 200.0
_EVEN: Final = 0.05  # of the larger: nothing is said by that


def station(desk: Desk, tasks: Tasks) -> Parts:
    """The second layer of the first block.

    both: whether station 5 stands on the sheet, and so the whole block; judged: what did more.
    """
    norm = add_norm(desk, second_layer(1), tasks, example=not desk.printed("5"))
    tasks.add("strip", "Beurteile", "II", points=3)
    both, own = desk.printed("5"), second_layer(1)
    before = ("x", first_layer(1).own) if both else ("z", own.own)
    return parts(
        norm=norm,
        output=block_output(desk, 1),
        strip=before_after(desk, before, ("y", own.at + "output")),
        both=both,
        judged=_judged(desk) if both else None,
    )


def _judged(desk: Desk) -> Finding:
    """What changed more, the attention or the network: both added up without signs, and the verdict."""
    (heard, a), (thought, f) = (sizes_added(desk, layer(1).new) for layer in (first_layer, second_layer))
    near = abs(a - f) < _EVEN * max(a, f)
    unit = 10.0**-desk.options.nachkommastellen
    if a == f:
        case = "level"
    elif abs(a - f) <= 2 * desk.sizes.d_model * unit:  # a unit in every number that is added up
        case = "by_rounding"
    else:
        case = "nearly_level" if near else "clear"
    return Finding(case=case, heard=heard, thought=thought, more="Zuhören" if a > f else "Nachdenken")


def block_output(desk: Desk, block: int) -> list[Table]:
    """What the next block reads, less the token whose vector is the pupil's own; none of the last block."""
    if block == desk.sizes.n_blocks:
        return []
    others = [token for token in range(desk.n) if token != desk.path]
    split = []
    for table in component_tables(desk, f"block{block}.norm2.output", rows=others):
        height = sum(_WRITTEN_ROW if row.writable else _GIVEN_ROW for row in table.rows)
        most = max(1, math.ceil(len(table.rows) / max(1, math.ceil(height / _MOST_HEIGHT))))
        pieces = in_parts(table.rows, most) if table.rows else [()]
        split += [replace(table, rows=rows, below=()) for rows in pieces]
        split[-1] = replace(split[-1], below=table.below)
    return split


# --- Stations B2, B3, …: a further block of the model in short, from its attention to its output.


def further_block(desk: Desk, tasks: Tasks, block: int) -> Parts:
    token = desk.path
    attention = _attention(desk, f"block{block}.", token, tasks)
    first, second = first_layer(block), second_layer(block)
    norm1 = add_norm(desk, first, tasks, token, example=False)
    ffn = feed_forward(desk, block, tasks, example=False)
    norm2 = add_norm(desk, second, tasks, example=False)
    tasks.add("compare", "Vergleiche", "II", points=2)
    return parts(
        number=block,
        before=id_of_block(block - 1),
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
    return parts(
        query=desk.vector(at + "query", token),
        vectors=vectors(desk, [at + "key", at + "value"]),
        exercise=exercise,
        others=[(k, desk.vector(f"{block}head{k}.output", token)) for k in range(2, desk.sizes.n_heads + 1)],
        W_O=matrix_tables(desk, block + "W_O") if desk.mixes_heads(block) else None,
        check=honest_sum(desk, block + "attention", [(token, c) for c in range(desk.sizes.d_model)]),
    )
