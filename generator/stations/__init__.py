"""The stations of the course, in order: a new station is one line here."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from generator.desk import Desk
from generator.sheet import Station
from generator.stations import (
    add_norm,
    feed_forward,
    formula_sheet,
    generation,
    masked_attention,
    model_map,
    output,
    positions,
    self_attention,
    tokenizer,
)


@dataclass(frozen=True)
class Entry:
    """A station's id, the function that makes it, and the name of its template."""

    id: str
    make: Callable[[Desk], Station]
    template: str


STATIONS: Final[tuple[Entry, ...]] = (
    Entry(model_map.ID, model_map.station, "model_map"),
    Entry(tokenizer.ID, tokenizer.station, "tokenizer"),
    Entry(positions.ID, positions.station, "positions"),
    Entry(self_attention.ID, self_attention.station, "self_attention"),
    Entry(masked_attention.ID, masked_attention.station, "masked_attention"),
    Entry(add_norm.ID, add_norm.station, "add_norm"),
    Entry(feed_forward.ID, feed_forward.station, "feed_forward"),
    Entry(add_norm.SECOND_ID, add_norm.second_station, "add_norm_2"),
    Entry(output.ID, output.station, "output"),
    Entry(generation.ID, generation.station, "generation"),
    Entry(formula_sheet.ID, formula_sheet.station, "formula_sheet"),
)
