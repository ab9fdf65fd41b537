"""Station 11, learning: loss of the right next word, gradients, one step downhill, the loss after it."""

from __future__ import annotations

from dataclasses import dataclass

from generator.sheet.desk import Desk
from generator.sheet.sheet import Number, Vector, walk
from generator.stations.common import Tasks
from generator.stations.learning_attention import GivenWay, Head, given_part, head_name, head_part
from generator.stations.learning_changed import Changed, changed_part
from generator.stations.learning_encoder import Encoder, encoder_part
from generator.stations.learning_layers import Layers, layers_part
from generator.stations.learning_output import (
    After,
    Loss,
    Vectors,
    after_part,
    loss_part,
    rate_text,
    vectors_part,
)
from generator.stations.learning_tables import learning_of


@dataclass(frozen=True)
class Learning:
    path: str
    rate: str
    last: str
    places: str
    head: int
    start: Loss
    vectors: Vectors | None
    given: GivenWay | None
    layers: Layers | None
    attention: Head | None
    output_after: Vector | None
    last_after: Vector | None
    changed: Changed | None
    after: After
    encoder: Encoder | None


def station(desk: Desk, tasks: Tasks) -> Learning:
    path, layers = learning_of(desk).lesson.path, desk.sizes.n_blocks
    start = loss_part(desk, tasks)
    vectors = vectors_part(desk, tasks) if path != "attention" else None
    given = given_part(desk) if path == "attention" else None
    through = layers_part(desk, tasks) if path == "alles" else None
    attention = head_part(desk, tasks) if path != "ausgabe" else None
    done = walk((start, vectors, through, attention), Number)
    changed = changed_part(desk, tasks, done) if path == "alles" else None
    after = after_part(desk, tasks)
    return Learning(
        path=path,
        rate=rate_text(desk),
        last=desk.words[-1],
        places=_places(desk.options.nachkommastellen + 2),
        head=learning_of(desk).lesson.head,
        start=start,
        vectors=vectors,
        given=given,
        layers=through,
        attention=attention,
        output_after=desk.vector(f"after.{head_name(desk)}output", desk.n - 1) if attention else None,
        last_after=desk.vector(f"after.block{layers}.norm2.output", desk.n - 1) if attention else None,
        changed=changed,
        after=after,
        encoder=encoder_part(desk, tasks),
    )


def _places(count: int) -> str:
    return f"{count}\N{NO-BREAK SPACE}Nachkommastellen"
