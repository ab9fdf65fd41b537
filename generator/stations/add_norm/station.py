"""Station 5, Add & LayerNorm after the attention."""

from __future__ import annotations

from generator.sheet.desk import Desk
from generator.stations.common import Tasks
from generator.stations.norm import AddNorm, add_norm, first_layer


def station(desk: Desk, tasks: Tasks) -> AddNorm:
    """Station 5: input plus attention."""
    parts = add_norm(desk, first_layer(1), tasks)
    tasks.add("understand", "Begründe", "II", points=2)
    return parts
