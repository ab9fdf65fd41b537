"""Station 11, learning: loss of the right next word, gradients, one step downhill, the loss after it."""

from __future__ import annotations

from typing import Any, Final

from generator.build_learning import path_of
from generator.desk import Desk
from generator.options import Options
from generator.sheet import Number, Station, walk
from generator.stations.common import Tasks
from generator.stations.learning_attention import given_part, head_name, head_part
from generator.stations.learning_encoder import encoder_part
from generator.stations.learning_layers import changed_part, layers_part
from generator.stations.learning_output import after_part, loss_part, rate_text, vectors_part
from generator.stations.learning_tables import learning_of

ID: Final = "11"


def fits(options: Options) -> bool:
    """Only where a path is chosen, or the station itself is."""
    return path_of(options) is not None


def station(desk: Desk) -> Station:
    tasks = Tasks()
    path = learning_of(desk).lesson.path
    parts: dict[str, Any] = {
        "path": path,
        "rate": rate_text(desk),
        "last": desk.words[-1],
        "places": _places(desk.options.nachkommastellen + 2),
        "head": learning_of(desk).lesson.head,
    }
    parts["start"] = loss_part(desk, tasks)
    if path != "attention":
        parts["vectors"] = vectors_part(desk, tasks)
    if path == "attention":
        parts["given"] = given_part(desk)
    if path == "alles":
        parts["layers"] = layers_part(desk, tasks)
    if path != "ausgabe":
        parts["attention"] = head_part(desk, tasks)
        parts["output_after"] = desk.vector(f"after.{head_name(desk)}output", desk.n - 1)
        parts["last_after"] = desk.vector(f"after.block{desk.sizes.n_blocks}.norm2.output", desk.n - 1)
    if path == "alles":
        parts["changed"] = changed_part(desk, tasks, walk(parts, Number))
    parts["after"] = after_part(desk, tasks)
    parts["encoder"] = encoder_part(desk, tasks)
    return Station(ID, parts, tasks.by_name)


def _places(count: int) -> str:
    return f"{count}\N{NO-BREAK SPACE}Nachkommastellen"
