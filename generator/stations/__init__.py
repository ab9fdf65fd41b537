"""The stations of the course, in order: a new station is one line here."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from generator.desk import Desk
from generator.sheet import Station
from generator.stations import formula_sheet, masked_attention, model_map, output, self_attention


@dataclass(frozen=True)
class Entry:
    """A station's id, the function that makes it, and the name of its template."""

    id: str
    make: Callable[[Desk], Station]
    template: str


STATIONS: Final[tuple[Entry, ...]] = (
    Entry(model_map.ID, model_map.station, "model_map"),
    Entry(self_attention.ID, self_attention.station, "self_attention"),
    Entry(masked_attention.ID, masked_attention.station, "masked_attention"),
    Entry(output.ID, output.station, "output"),
    Entry(formula_sheet.ID, formula_sheet.station, "formula_sheet"),
)
