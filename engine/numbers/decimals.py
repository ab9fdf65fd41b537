"""Exact arrays of decimal fractions, read from floats as they are written.

The hand arithmetic of the worksheets is that of the decimal numbers on the paper: 0.285 is 285/1000 and not
its nearest float, so a tie is a real tie. A `Decimals` holds whole numbers and one count of places. Whole
numbers are kept as int64 while a bound on the result proves that nothing can overflow, and as Python integers
beyond. A product of matrices goes through float64 where the bound stays below 2**53: there float arithmetic
on whole numbers is exact in any order of summation. Rounding is half away from zero (kaufmännisch, DIN 1333).
"""

from __future__ import annotations

import decimal
import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[Any]  # int64, or object holding Python integers
_FLOAT_EXACT: Final = 2**53
_INT_SAFE: Final = 2**62
_MOST_SCANNED_PLACES: Final = 12


class Decimals:
    """An array of decimal fractions: value = digits / 10**places."""

    __slots__ = ("_most", "digits", "places")
    __array_ufunc__ = None  # ndarray leaves the operators to us

    def __init__(self, digits: Whole, places: int, most: int | None = None) -> None:
        self.digits = digits
        self.places = places
        self._most = most

    @property
    def most(self) -> int:
        """No digits are further from 0; what follows from this for results is handed on."""
        if self._most is None:
            self._most = _largest(self.digits)
        return self._most

    @classmethod
    def from_floats(cls, values: NDArray[np.float64]) -> Decimals:
        """Read floats as the shortest decimals that they print as; places: as many as any cell needs."""
        values = np.asarray(values, dtype=np.float64)
        for places in range(_MOST_SCANNED_PLACES + 1):
            digits = np.rint(values * 10.0**places)
            most = np.abs(digits).max(initial=0)
            if most >= _FLOAT_EXACT:
                break
            if (digits / 10.0**places == values).all():
                return cls(digits.astype(np.int64), places, int(most))
        numbers = [Decimal(repr(float(value))) for value in values.flat]
        places = max((max(0, -int(number.as_tuple().exponent)) for number in numbers), default=0)
        whole = [int(number.scaleb(places, _WIDE)) for number in numbers]
        return cls(_shrunk(np.array(whole, dtype=object).reshape(values.shape)), places)

    def to_floats(self) -> NDArray[np.float64]:
        """The nearest floats, infinite beyond all of them.

        Whole numbers below 2**53 over a power of ten up to 10**22 divide correctly.
        """
        if self.digits.dtype != object and self.most < _FLOAT_EXACT and self.places <= 22:
            return self.digits / np.float64(10**self.places)
        unit = 10**self.places
        floats = [_nearest_float(int(d), unit) for d in self.digits.flat]
        return np.array(floats, dtype=np.float64).reshape(self.digits.shape)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.digits.shape

    def swapaxes(self, a: int, b: int) -> Decimals:
        return Decimals(self.digits.swapaxes(a, b), self.places, self.most)

    def __getitem__(self, index: Any) -> Decimals:
        return Decimals(np.asarray(self.digits[index]), self.places, self.most)

    def sum(self, axis: int) -> Decimals:
        bound = self.most * self.shape[axis]
        (digits,) = _fitting(bound, self.digits)
        return Decimals(np.asarray(digits.sum(axis)), self.places, bound)

    def __matmul__(self, other: Decimals) -> Decimals:
        bound = self.most * other.most * self.shape[-1]
        if bound < _FLOAT_EXACT:
            product = self.digits.astype(np.float64) @ other.digits.astype(np.float64)
            return Decimals(np.asarray(product).astype(np.int64), self.places + other.places, bound)
        a, b = _fitting(bound, self.digits, other.digits)
        return Decimals(np.asarray(a @ b), self.places + other.places, bound)

    def __mul__(self, other: Decimals | Whole) -> Decimals:
        other = _as_decimals(other)
        bound = self.most * other.most
        a, b = _fitting(bound, self.digits, other.digits)
        return Decimals(np.asarray(a * b), self.places + other.places, bound)

    def __add__(self, other: Decimals) -> Decimals:
        a, b, places, bound = _aligned(self, other)
        return Decimals(np.asarray(a + b), places, bound)

    def __sub__(self, other: Decimals) -> Decimals:
        a, b, places, bound = _aligned(self, other)
        return Decimals(np.asarray(a - b), places, bound)

    def __truediv__(self, other: Decimals | int) -> Quotient:
        return Quotient(self, _as_decimals(other))

    def rounded(self, places: int) -> Decimals:
        """Half away from zero to `places`; fewer places than that are padded, which changes no value."""
        if self.places == places and self.digits.dtype != object:
            return self
        if self.places <= places:
            return Decimals(_shrunk(_scaled(self, places - self.places)), places)
        shift = 10 ** (self.places - places)
        divisor = _shrunk(np.asarray(shift, dtype=object))
        return Decimals(_divided(self.digits, divisor, self.most + shift), places)


class Quotient:
    """A fraction of two `Decimals`, kept whole until it is written down."""

    __slots__ = ("denominator", "numerator")

    def __init__(self, numerator: Decimals, denominator: Decimals) -> None:
        self.numerator = numerator
        self.denominator = denominator

    def __mul__(self, other: Decimals) -> Quotient:
        return Quotient(self.numerator * other, self.denominator)

    def __add__(self, other: Decimals) -> Quotient:
        return Quotient(self.numerator + other * self.denominator, self.denominator)

    def zero_cell(self) -> tuple[int, ...] | None:
        """The first cell whose denominator is 0, in the shape of the quotient."""
        zero = np.asarray(self.denominator.digits == 0)
        if not zero.any():
            return None
        shape = np.broadcast_shapes(self.numerator.shape, zero.shape)
        return tuple(int(i) for i in np.argwhere(np.broadcast_to(zero, shape))[0])

    def rounded(self, places: int) -> Decimals:
        up = places + self.denominator.places - self.numerator.places
        numerator = _scaled(self.numerator, max(0, up))
        denominator = _scaled(self.denominator, max(0, -up))
        bound = self.numerator.most * 10 ** max(0, up) + self.denominator.most * 10 ** max(0, -up)
        return Decimals(_divided(numerator, denominator, bound), places)


class Irrational:
    """e^x, √x or ln x of decimals, rounded correctly: cells too near a tie for floats are left to `decimal`.

    e^x (x ≠ 0) and ln x (x ≠ 1) of decimals are transcendental (Lindemann), and a root of a decimal with up
    to 2n + 1 places has no tie at n places, so more digits always settle a doubt.
    """

    __slots__ = ("argument", "factor", "function")

    def __init__(
        self, function: Literal["exp", "sqrt", "ln"], argument: Decimals, factor: int | Whole = 1
    ) -> None:
        self.function = function
        self.argument = argument
        self.factor = factor

    def __neg__(self) -> Irrational:
        return self * -1

    def __mul__(self, whole: int | Whole) -> Irrational:
        return Irrational(self.function, self.argument, self.factor * whole)

    def undefined_cell(self) -> tuple[int, ...] | None:
        """The first cell that has no logarithm."""
        if self.function != "ln":
            return None
        cells = np.argwhere(self.argument.digits <= 0)
        return tuple(int(i) for i in cells[0]) if len(cells) else None

    def rounded(self, places: int) -> Decimals:
        x = self.argument.to_floats()
        function = {"exp": np.exp, "sqrt": np.sqrt, "ln": np.log}[self.function]
        value = np.asarray(function(x)) * 10.0**places
        doubtful = np.abs(value - np.floor(value) - 0.5) < 1e-6 + 1e-14 * np.abs(value)
        doubtful |= np.abs(value) > 2.0**45
        digits = np.floor(np.where(doubtful, 0, value) + 0.5).astype(np.int64)
        if doubtful.any():
            settled = digits.astype(object)
            arguments = self.argument.digits.astype(object)
            for cell in map(tuple, np.argwhere(doubtful)):
                x_cell = Decimal(int(arguments[cell])).scaleb(-self.argument.places, _WIDE)
                settled[cell] = _by_more_digits(_WIDE_FUNCTIONS[self.function], x_cell, places)
            digits = _shrunk(settled)
        return Decimals(np.asarray(self.factor * digits), places)


_WIDE: Final = decimal.Context(prec=400, rounding=decimal.ROUND_HALF_UP, Emax=10**6, Emin=-(10**6))
_WIDE_FUNCTIONS: Final = {"exp": _WIDE.exp, "sqrt": _WIDE.sqrt, "ln": _WIDE.ln}


def _by_more_digits(function: Callable[[Decimal], Decimal], x: Decimal, places: int) -> int:
    return int(function(x).scaleb(places, _WIDE).quantize(Decimal(1), decimal.ROUND_HALF_UP, _WIDE))


def _nearest_float(digits: int, unit: int) -> float:
    try:
        return digits / unit
    except OverflowError:
        return math.inf if digits > 0 else -math.inf


def _as_decimals(value: Decimals | Whole | int) -> Decimals:
    if isinstance(value, Decimals):
        return value
    return Decimals(np.asarray(value, dtype=np.int64), 0)


def _largest(digits: Whole) -> int:
    return int(np.asarray(np.abs(digits)).max()) if digits.size else 0


def _fitting(bound: int, *digits: Whole) -> tuple[Whole, ...]:
    """The operands as int64 if no result can pass the bound of int64, else as Python integers."""
    if bound < _INT_SAFE and all(d.dtype != object for d in digits):
        return digits
    return tuple(np.asarray(d).astype(object) for d in digits)


def _scaled(number: Decimals, exponent: int) -> Whole:
    if exponent == 0:
        return number.digits
    (fitting,) = _fitting(number.most * 10**exponent, number.digits)
    return np.asarray(fitting * 10**exponent)


def _aligned(a: Decimals, b: Decimals) -> tuple[Whole, Whole, int, int]:
    """The digits of both with equal places, and a bound for sum and difference."""
    places = max(a.places, b.places)
    bound = a.most * 10 ** (places - a.places) + b.most * 10 ** (places - b.places)
    x, y = _fitting(bound, _scaled(a, places - a.places), _scaled(b, places - b.places))
    return x, y, places, bound


def _divided(numerator: Whole, denominator: Whole, bound: int) -> Whole:
    """Half away from zero: (2·|a| + |b|) // (2·|b|) with the sign of a·b. bound: of |a| + |b|."""
    if 2 * bound < _INT_SAFE:
        numerator, denominator = numerator.astype(np.int64), denominator.astype(np.int64)
    else:
        numerator, denominator = numerator.astype(object), denominator.astype(object)
    size = (2 * np.abs(numerator) + np.abs(denominator)) // (2 * np.abs(denominator))
    size = np.asarray(size, dtype=numerator.dtype)  # of a single large number NumPy would make a uint64
    negative = (numerator < 0) != (denominator < 0)
    return _shrunk(np.asarray(np.where(negative, -size, size)))


def _shrunk(digits: Whole) -> Whole:
    """Python integers back to int64 where they fit."""
    if digits.dtype == object and _largest(digits) < _INT_SAFE:
        return digits.astype(np.int64)
    return digits
