"""Why attention came after recurrent networks: how many steps lead from the first word to the last."""

from __future__ import annotations

from dataclasses import dataclass

from engine.model.model import GPT2_SMALL
from generator.sheet.desk import Desk
from generator.sheet.sheet import CellContent, Row, Table
from generator.stations.common import Tasks, whole_number


@dataclass(frozen=True)
class History:
    paths: Table


def history_part(desk: Desk, tasks: Tasks) -> History:
    paths = _paths(desk)
    tasks.add("paths", "Gib an", "I", paths)
    tasks.add("history", "Begründe", "II", points=2)
    return History(paths)


def _paths(desk: Desk) -> Table:
    """How many steps lead from the first word to the last, one word at a time and with attention."""
    lengths = (desk.n, GPT2_SMALL.context)

    def row(name: str, steps: tuple[int, ...], *, blank: bool) -> Row:
        cells: tuple[CellContent, ...] = tuple(
            whole_number(desk, f"paths.{name}", count, k, blank=blank) for k, count in enumerate(steps)
        )
        return Row(name, cells)

    return Table(
        tuple(desk.constant(length, 0) for length in lengths),
        (
            row("recurrent", tuple(length - 1 for length in lengths), blank=True),
            row("attention", (1, 1), blank=True),
            row("pairs", tuple(length**2 for length in lengths), blank=False),
        ),
        (85.0, 36.0, 36.0),
    )
