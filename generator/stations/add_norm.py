"""Stations 5 and 7, Add & LayerNorm: after the attention and after the feed-forward network."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from generator.desk import Desk
from generator.sheet import Station, Table
from generator.stations.common import Tasks, component_tables, in_parts
from generator.stations.feed_forward import worked_out
from generator.stations.norm_steps import add_norm, first_layer, second_layer

ID: Final = "5"
SECOND_ID: Final = "7"
_WRITTEN_ROW: Final = 10.2  # mm
_GIVEN_ROW: Final = 6.0
_MOST_HEIGHT: Final = 200.0


def station(desk: Desk) -> Station:
    """Station 5: input plus attention."""
    tasks = Tasks()
    # Only the first exercise token went through every head: station 4b gives the rows of the others.
    copied = [("block1.attention", desk.exercises[0])] if desk.printed("4b") else []
    parts = add_norm(desk, first_layer(1), tasks, copied)
    tasks.add("understand", "Begründe", "II", points=3)
    return Station(ID, parts, tasks.by_name)


def second_station(desk: Desk) -> Station:
    """Station 7: the same after the feed-forward network; every token's output of the block."""
    tasks = Tasks()
    copied = [("block1.norm1.output", token) for token in desk.exercises] if desk.printed(ID) else []
    if desk.printed("6"):
        copied += [("block1.ffn.output", token) for token in worked_out(desk)]
    parts = add_norm(desk, second_layer(1), tasks, copied)
    parts |= block_output(desk, 1, tasks)
    tasks.add("again", "Begründe", "II", points=2)
    return Station(SECOND_ID, parts, tasks.by_name)


def block_output(desk: Desk, block: int, tasks: Tasks) -> dict[str, Any]:
    """The output of a block for every token; the rows of the exercise tokens come from the pupil's tables."""
    name = f"block{block}.norm2.output"
    tasks.add("collect", "Trage", "I", points=len(desk.exercises))
    last = desk.n - 1
    return {
        "output": _page_by_page(component_tables(desk, name, desk.exercises)),
        "last": desk.words[last],
        "last_is_exercise": last in desk.exercises,
        "last_block": block == desk.sizes.n_blocks,
    }


def _page_by_page(tables: Sequence[Table]) -> list[Table]:
    """Tables with so many rows to fill that a page is full: in parts."""
    split = []
    for table in tables:
        height = sum(_WRITTEN_ROW if row.writable else _GIVEN_ROW for row in table.rows)
        parts = max(1, math.ceil(height / _MOST_HEIGHT))
        size = max(1, math.ceil(len(table.rows) / parts))
        if not table.rows:
            split.append(table)
            continue
        split += [replace(table, rows=rows, below=()) for rows in in_parts(table.rows, size)]
        split[-1] = replace(split[-1], below=table.below)
    return split
