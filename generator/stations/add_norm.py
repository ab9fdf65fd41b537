"""Station 5, Add & LayerNorm after the attention."""

from __future__ import annotations

from generator.sheet.desk import Desk
from generator.stations.common import Tasks
from generator.stations.norm_layer import first_layer
from generator.stations.norm_steps import AddNorm, add_norm


def station(desk: Desk, tasks: Tasks) -> AddNorm:
    """Station 5: input plus attention."""
    parts = add_norm(desk, first_layer(1), tasks)
    tasks.add("understand", "Begründe", "II", points=2)
    return parts
