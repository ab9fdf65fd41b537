"""In: numbers as the document writes them. Out: the two ways to calculate with them, Hand and Exact."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext
from functools import lru_cache

DIGITS = 60
CONTEXT = Context(prec=DIGITS, rounding=ROUND_HALF_UP)
ZERO = Decimal(0)


class NotPlayableError(ArithmeticError):
    """A hand step divides by zero; says which quantity and cell."""

    def __init__(self, name: str, index: tuple[int, ...]) -> None:
        super().__init__(f"division by zero in {name} {list(index)}")
        self.name, self.index = name, index


def written(value: float | int | str | Decimal) -> Decimal:
    """The decimal number as written: 0.285 is 285/1000."""
    if isinstance(value, Decimal):
        return value
    return Decimal(value if isinstance(value, str) else repr(value))


def places_needed(values) -> int:
    """How many places the entries of a nested list need at most (1.0 needs none)."""
    if isinstance(values, list):
        return max((places_needed(value) for value in values), default=0)
    return 0 if values is None else _places_of(values)


@lru_cache(maxsize=100_000)
def _places_of(value) -> int:
    return max(0, -written(value).normalize().as_tuple().exponent)


@lru_cache(maxsize=64)
def unit(places: int) -> Decimal:
    return Decimal(1).scaleb(-places)


def half_up(value: Decimal, places: int) -> Decimal:
    """Rounded half away from zero, without a negative zero."""
    return value.quantize(unit(places), ROUND_HALF_UP, CONTEXT) or ZERO


@lru_cache(maxsize=200_000)
def _decimal_exp(value: Decimal) -> Decimal:
    return CONTEXT.exp(value)


def _series(angle: Decimal, term: Decimal, first: int) -> Decimal:
    """term − term·a²/((k+1)(k+2)) + …: the Taylor series of sine (first = 1) and cosine (first = 0)."""
    total, k, smallest = ZERO, first, Decimal(10) ** (-DIGITS - 20)
    while abs(term) > smallest or k < abs(angle):
        total += term
        term = -term * angle * angle / ((k + 1) * (k + 2))
        k += 2
    return total


@lru_cache(maxsize=10_000)
def decimal_sine_cosine(position: int, pair: int, dimension: int) -> tuple[Decimal, Decimal]:
    """sin and cos of position / 10000^(2·pair/dimension), right to more than 40 digits."""
    with localcontext() as context:
        # The largest term of the series is about e^position: that many digits are lost.
        context.prec = DIGITS + 30 + position // 2
        angle = Decimal(position) / (Decimal(10_000).ln() * 2 * pair / dimension).exp()
        return _series(angle, angle, 1), _series(angle, Decimal(1), 0)


class Hand:
    """School arithmetic: decimals as written, every written result rounded half away from zero."""

    name = "hand"
    number = staticmethod(written)
    exp = staticmethod(_decimal_exp)
    sine_cosine = staticmethod(decimal_sine_cosine)
    rounded = staticmethod(half_up)
    zero = ZERO

    @staticmethod
    def total(terms) -> Decimal:
        return sum(terms, ZERO)

    @staticmethod
    def root(value: Decimal) -> Decimal:
        return value.sqrt()

    @staticmethod
    def at_least(value: Decimal, bound: Decimal) -> bool:
        return value >= bound


class Exact:
    """float64, nothing rounded, sums with one rounding at the end."""

    name = "exact"
    number = staticmethod(float)
    exp = staticmethod(math.exp)
    root = staticmethod(math.sqrt)
    total = staticmethod(math.fsum)
    zero = 0.0

    @staticmethod
    def rounded(value: float, places: int) -> float:
        return value

    @staticmethod
    def at_least(value: float, bound: float) -> bool:
        return value >= bound or math.isclose(value, bound, rel_tol=1e-12)

    @staticmethod
    def sine_cosine(position: int, pair: int, dimension: int) -> tuple[float, float]:
        angle = position / 10_000 ** (2 * pair / dimension)
        return math.sin(angle), math.cos(angle)
