"""A pupil's own numbers go in; what would have been right from them comes out, step by step."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.numbers.arrays import Array
from engine.numbers.decimals import Decimals, Irrational, Quotient
from engine.numbers.rounding import half_up
from engine.pens.pens import SchoolPen, Visible
from engine.trace.quantities import Kind
from engine.trace.trace import Trace

LARGEST: Final = 1e10  # a number beyond is judged, but nothing is computed from it
_LARGEST_EXPONENT: Final = 50
_MOST_PLACES: Final = 8


@dataclass(frozen=True)
class Numbers:
    """What a pupil wrote of one quantity: values where `given`, both in the quantity's shape."""

    values: NDArray[np.float64]
    given: NDArray[np.bool_]

    def usable(self) -> NDArray[np.bool_]:
        return self.given & (np.abs(self.values) <= LARGEST)


class PupilPen(SchoolPen):
    """Goes on from the pupil's numbers and notes in `right` what the rule gives from those before.

    key: the hand trace; its value takes the place where the pupil's numbers lead to a division by zero, to
    the root of a negative number, or to the logarithm of a number that has none.
    """

    def __init__(self, key: Trace, places: int, numbers: Mapping[str, Numbers]) -> None:
        super().__init__(places)
        self.key = key
        self.numbers = numbers
        self.right: dict[str, NDArray[np.float64]] = {}

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        self.impossible: NDArray[np.bool_] | None = None
        if isinstance(value, Quotient):
            value = self.possible(value)
        elif isinstance(value, Irrational):
            value = self.bounded(value)
        return super().write(name, value, kind, visible)

    def possible(self, quotient: Quotient) -> Quotient:
        zero = np.asarray(quotient.denominator.digits == 0)
        if not zero.any():
            return quotient
        shape = np.broadcast_shapes(quotient.numerator.shape, zero.shape)
        self.impossible = np.broadcast_to(zero, shape)
        denominator = Decimals(quotient.denominator.digits + zero, quotient.denominator.places)
        return Quotient(quotient.numerator, denominator)

    def bounded(self, value: Irrational) -> Irrational:
        """No root of a negative number, a logarithm only of a positive one, no endless exponential."""
        digits, places = value.argument.digits, value.argument.places
        if value.function == "sqrt":
            self.impossible = np.asarray(digits < 0)
            return Irrational("sqrt", Decimals(np.maximum(digits, 0), places))
        if value.function == "ln":
            self.impossible = np.asarray(digits <= 0)
            return Irrational("ln", Decimals(np.maximum(digits, 1), places), value.sign)
        limit = _LARGEST_EXPONENT * 10**places
        return Irrational("exp", Decimals(np.clip(digits, -limit, limit), places))

    def settle(self, name: str, written: Decimals) -> Decimals:
        if self.impossible is not None:
            written = _where(self.impossible, self.key[name].values, written)
        self.right[name] = written.to_floats()
        if name in self.numbers:
            own = self.numbers[name]
            written = _where(own.usable(), half_up(own.values, _MOST_PLACES), written)
        return written


def _where(chosen: NDArray[np.bool_], values: NDArray[np.float64], otherwise: Decimals) -> Decimals:
    if not np.any(chosen):
        return otherwise
    own = Decimals.from_floats(np.where(chosen, values, 0.0))
    places = max(own.places, otherwise.places)
    own, otherwise = own.rounded(places), otherwise.rounded(places)
    return Decimals(np.asarray(np.where(chosen, own.digits, otherwise.digits)), places)
