"""Pens: a computed value goes in, what stands on the paper comes out and is what the next step reads."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.numbers.arrays import Array
from engine.numbers.decimals import Decimals, Irrational, Quotient
from engine.numbers.errors import CalculationError
from engine.trace.quantities import Kind, Places
from engine.trace.trace import Quantity, Trace

Visible = NDArray[np.bool_] | None


class Pen(Protocol):
    trace: Trace

    def read(self, given: NDArray[np.float64]) -> Array:
        """A printed table (weights, word vectors, a constant) as numbers to calculate with."""

    def constant(self, value: Array) -> Array:
        """A constant of the formulas as the sheet prints it, e.g. √2 ≈ 1.41; no quantity of its own."""

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        """Note a quantity and return what was written; hidden cells read as 0."""


class ExactPen:
    """Writes every value in full (float64)."""

    def __init__(self) -> None:
        self.trace = Trace()

    def read(self, given: NDArray[np.float64]) -> Array:
        return np.asarray(given, dtype=np.float64)

    def constant(self, value: Array) -> Array:
        return value

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        written = np.asarray(value, dtype=np.float64)
        if visible is not None:
            written = np.where(visible, written, 0.0)
        finite = np.isfinite(written)
        if not finite.all():
            cell = tuple(int(i) for i in np.argwhere(~finite)[0])
            raise CalculationError("not_finite", name, cell, kind.axes)
        self.trace.note(Quantity(name, kind.axes, None, written, visible, kind.printed, kind.inside))
        return written


class SchoolPen:
    """Writes as on paper: rounded half away from zero to the quantity's places; exact decimals in between."""

    def __init__(self, places: int) -> None:
        self.trace = Trace()
        self.places = places

    def read(self, given: NDArray[np.float64]) -> Array:
        return Decimals.from_floats(given)

    def constant(self, value: Array) -> Array:
        return value.rounded(self.places)

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        if isinstance(value, Quotient):
            cell = value.zero_cell()
            if cell is not None:
                raise CalculationError("zero_divisor", name, cell, kind.axes)
        if isinstance(value, Irrational) and (cell := value.undefined_cell()) is not None:
            raise CalculationError("logarithm", name, cell, kind.axes)
        if isinstance(value, np.ndarray):
            value = Decimals.from_floats(np.asarray(np.round(value, 15), dtype=np.float64))
        written = value.rounded(places_of(kind.places, self.places, getattr(value, "places", None)))
        if visible is not None:
            written = written * visible
        written = self.settle(name, written)
        floats = written.to_floats()
        if not np.isfinite(floats).all():
            raise CalculationError("not_finite", name)
        self.trace.note(Quantity(name, kind.axes, written.places, floats, visible, kind.printed, kind.inside))
        return written

    def settle(self, name: str, written: Decimals) -> Decimals:
        """What finally stands on the paper; a pen with numbers of its own puts them in here."""
        return written


def places_of(rule: Places, n: int, natural: int | None) -> int:
    """Decimal places to write: the rule, N, and the places that the value has by itself (None: endless)."""
    endless = 10**6 if natural is None else natural
    return {
        Places.AS_GIVEN: endless,
        Places.NATURAL: min(endless, n),
        Places.NATURAL_PLUS_1: min(endless, n + 1),
        Places.N: n,
        Places.N_PLUS_1: n + 1,
        Places.N_PLUS_2: n + 2,
        Places.ONE: 1,
        Places.THREE: 3,
    }[rule]
