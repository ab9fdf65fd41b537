"""Accepted ranges go in; what the key prints of them comes out."""

from __future__ import annotations

from collections.abc import Mapping

from engine.calculation.calculation import Calculation
from engine.judging.ranges import Range
from engine.numbers.rounding import GUARD
from engine.trace.trace import CellAddress
from generator.basics.numbers import NumberFormat


def ranges_on_key(
    calculation: Calculation, ranges: Mapping[str, Range], numbers: NumberFormat
) -> dict[CellAddress, str]:
    """What the key prints beside a value: "0,21 bis 0,26"; only where it is more than a unit either way."""
    texts: dict[CellAddress, str] = {}
    for name, quantity in calculation.hand.items():
        places = quantity.places or 0
        low, high = ranges[name].low, ranges[name].high
        for index in quantity.cells():
            if high[index] - low[index] > 2 * 10.0**-places + GUARD:
                bounds = (numbers.text(float(bound[index]), places) for bound in (low, high))
                texts[name, index] = " bis ".join(bounds)
    return texts
