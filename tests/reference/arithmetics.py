"""In: numbers as the document writes them. Out: the ways to calculate with them: Hand, Exact, Unrounded."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache

CONTEXT = Context(prec=60, rounding=ROUND_HALF_UP)
ZERO = Decimal(0)


class NotPlayableError(ArithmeticError):
    """A hand step divides by zero; says which quantity."""


@lru_cache(maxsize=100_000)
def written(value: float | int | str | Decimal) -> Decimal:
    """The decimal number as written: 0.285 is 285/1000."""
    return value if isinstance(value, Decimal) else Decimal(value if isinstance(value, str) else repr(value))


def places_needed(values) -> int:
    """How many places the entries of a nested list need at most (1.0 needs none)."""
    if isinstance(values, list):
        return max((places_needed(value) for value in values), default=0)
    return 0 if values is None else max(0, -written(values).normalize().as_tuple().exponent)


@lru_cache(maxsize=64)
def unit(places: int) -> Decimal:
    return Decimal(1).scaleb(-places)


class Exact:
    """float64, nothing rounded, sums with one rounding at the end."""

    number, exp, root, total, zero = float, math.exp, math.sqrt, math.fsum, 0.0

    @staticmethod
    def rounded(value, places: int):
        return value

    @staticmethod
    def at_least(value, bound) -> bool:
        return value >= bound or math.isclose(value, bound, rel_tol=1e-12)

    @classmethod
    def sine_cosine(cls, position: int, pair: int, dimension: int) -> tuple:
        angle = position / 10_000 ** (2 * pair / dimension)
        return cls.number(math.sin(angle)), cls.number(math.cos(angle))


class Unrounded(Exact):
    """Decimals that nobody rounds."""

    number, zero, root = staticmethod(written), ZERO, staticmethod(Decimal.sqrt)
    exp = staticmethod(lru_cache(maxsize=200_000)(CONTEXT.exp))

    @staticmethod
    def total(terms) -> Decimal:
        return sum(terms, ZERO)


class Hand(Unrounded):
    """School arithmetic: decimals as written, every written result rounded half away from zero."""

    @staticmethod
    def rounded(value: Decimal, places: int) -> Decimal:
        return value.quantize(unit(places), ROUND_HALF_UP, CONTEXT) or ZERO  # no negative zero

    @staticmethod
    def at_least(value: Decimal, bound: Decimal) -> bool:
        return value >= bound
