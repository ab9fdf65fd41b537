"""Values go in; the nearest points of a coarse grid come out, so that no order of summing changes a result.

A library may add the terms of a matrix product in any order, and with floats the last digit then differs
from one processor to another; over hundreds of steps that is enough to end with other weights. On a grid of
2⁻¹⁸ with values below 2⁵ every product is a multiple of 2⁻³⁶ below 2¹⁰, and 128 of them add up to less than
2¹⁷: each partial sum fits into the 53 bits of a float64, so all sums are exact, in any order, fused or not.
Gradients stay below 2², so that their sums over all tokens of all texts fit too. What is left are +, −, ·, /
and √ of single numbers, which IEEE 754 rounds in one way only; e^x is built from those.
"""

from typing import Final

import numpy as np

from engine.numbers.arrays import Array, Floats
from engine.pens.pens import Visible
from engine.trace import Kind, Trace

_GRID: Final = 2.0**18
_ROUNDING: Final = 1.5 * 2.0**52 / _GRID
LARGEST_VALUE: Final = 2.0**5
LARGEST_GRADIENT: Final = 2.0**2
MOST_TERMS: Final = 2**7
_LOWEST_EXPONENT: Final = -14.0  # e^−14 is less than half a step of the grid
_HALVINGS: Final = 8
_TAYLOR: Final = tuple(1.0 / n for n in (6, 5, 4, 3, 2, 1))


def on_grid(values: Floats, largest: float = LARGEST_VALUE) -> Floats:
    """The nearest points of the grid within ±largest.

    Next to _ROUNDING these are the only numbers of a float64: adding it rounds to them, taking it away again
    changes nothing.
    """
    found = np.asarray(np.maximum(values, -largest))
    np.minimum(found, largest, out=found)
    found += _ROUNDING
    found -= _ROUNDING
    return found


def exponential(x: Floats) -> Floats:
    """e^x for x ≤ 0 from products and sums alone: a Taylor polynomial of x/256, squared eight times."""
    small = np.maximum(x, _LOWEST_EXPONENT) / 2**_HALVINGS
    result = np.ones_like(small)
    for factor in _TAYLOR:
        result = 1.0 + small * factor * result
    for _ in range(_HALVINGS):
        result = result * result
    return np.asarray(result)


class GridPen:
    """Writes on the grid; keeps nothing."""

    def __init__(self) -> None:
        self.trace = Trace()

    def read(self, given: Floats) -> Array:
        return on_grid(given)

    def constant(self, value: Array) -> Array:
        return on_grid(value)

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        largest = LARGEST_GRADIENT if name.startswith("gradient.") else LARGEST_VALUE
        written = on_grid(value, largest)
        return written if visible is None else np.where(visible, written, 0.0)
