"""rechnung.json or ranges go in; accepted ranges, or what the key prints of them, come out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.acceptance import Range
from engine.calculation import Calculation
from engine.model import Floats
from engine.rounding import GUARD
from engine.trace import Quantity
from generator.numbers import NumberFormat

Cell = tuple[str, tuple[int, ...]]


def ranges_of_document(calculation: Calculation, quantities: Mapping[str, Any]) -> dict[str, Range] | None:
    """The ranges that rechnung.json holds; None where they are missing or miss the hand value."""
    ranges: dict[str, Range] = {}
    for name, quantity in calculation.hand.items():
        try:
            written = quantities[name]["accepted"]
            low, high = (_numbers(quantity, written[bound]) for bound in ("low", "high"))
        except (KeyError, TypeError, ValueError):
            return None
        if np.any(low > quantity.values + GUARD) or np.any(high < quantity.values - GUARD):
            return None
        ranges[name] = Range(low, high)
    return ranges


def _numbers(quantity: Quantity, cells: Any) -> Floats:
    values = np.array(cells, dtype=object)
    if values.shape != quantity.values.shape:
        raise ValueError("another shape")
    if quantity.visible is not None:
        values = np.where(quantity.visible, values, 0.0)
    numbers = np.asarray(values.astype(np.float64))
    if not np.isfinite(numbers).all():
        raise ValueError("no number")
    return numbers


def ranges_on_key(
    calculation: Calculation, ranges: Mapping[str, Range], numbers: NumberFormat
) -> dict[Cell, str]:
    """What the key prints beside a value: "0,21 bis 0,26"; only where it is more than a unit either way."""
    texts: dict[Cell, str] = {}
    for name, quantity in calculation.hand.items():
        places = quantity.places or 0
        low, high = ranges[name].low, ranges[name].high
        for index in quantity.cells():
            if high[index] - low[index] > 2 * 10.0**-places + GUARD:
                bounds = (numbers.text(float(bound[index]), places) for bound in (low, high))
                texts[name, index] = " bis ".join(bounds)
    return texts
