"""Station 11, path attention: the way from the logits to the head's output, in numbers that are given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from generator.sheet.desk import Desk
from generator.sheet.sheet import Number, Table
from generator.stations.learning_tables import columns_table, counted, learning_of, unchanged

_HEADING: Final = 30.0  # mm that „nach LayerNorm 1“ and the like take


@dataclass(frozen=True)
class GivenWay:
    """same_heads: W_O hands on every number as it is, so its column is that of the sum before.

    unchanged: the components to which the feed-forward network adds nothing, counted from 1.
    """

    table: list[Table]
    same_heads: bool
    unchanged: list[int]
    first: int
    last: int


def given_part(desk: Desk) -> GivenWay:
    """The last token's row."""
    block = f"gradient.block{desk.sizes.n_blocks}."
    same = not desk.mixes_heads(f"block{desk.sizes.n_blocks}")
    names = ["norm2.output", "residual2", "norm1.output", "residual1", *([] if same else ["concat"])]
    columns: dict[str, Sequence[Number]] = {name: desk.numbers(block + name, desk.n - 1) for name in names}
    start, d = (learning_of(desk).lesson.head - 1) * desk.sizes.d_head, desk.sizes.d_head
    tables = columns_table(counted(desk.sizes.d_model), columns, narrow=True)
    widths = (tables[0].widths[0], *(_HEADING,) * len(names))
    return GivenWay(
        table=[replace(table, widths=widths) for table in tables],
        same_heads=same,
        unchanged=unchanged(desk),
        first=start + 1,
        last=start + d,
    )
