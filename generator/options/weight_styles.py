"""How the weights of a sheet come about: drawn in one of the styles, or learnt."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # it brings NumPy, and help and messages come without
    from engine.model.weights import Style

WEIGHT_STYLES: tuple[Style, ...] = ("auswahl", "ganzzahlig", "dezimal")
LEARNT = "gelernt"  # weights that are neither chosen nor drawn
# What a code says instead. A code makes its sheet by learning again: where that gives other numbers than
# before, the number here becomes the next one, and earlier codes are refused.
LEARNT_IN_CODES = "gelernt2"
