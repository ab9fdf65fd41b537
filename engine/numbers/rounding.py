"""Floats and places go in; the same numbers rounded as on paper come out, whole arrays at once.

Where many pupils are one run, the numbers are floats that stand for decimal fractions, so a tie such as 0.285
arrives a little beside the half. Everything within `GUARD` of a half counts as a tie. That decides as the
decimals would: in units of the last place, a product of numbers with at most k places more than are kept
misses a half by at least 10^-k, and a quotient with divisor b (a whole number of units) by at least
1 / (2b); both are beyond the guard for k ≤ 8 and b ≤ 10^8, and float errors stay below it up to 10^6 units,
from where on the guard grows with the number.
"""

from typing import Final

import numpy as np

from engine.numbers.arrays import Floats

GUARD: Final = 2e-9
_GUARD_SHARE: Final = 4e-15


def half_up(values: Floats, places: int) -> Floats:
    """Half away from zero (kaufmännisch, DIN 1333); no negative zero."""
    size = in_units(values, places)
    return _signed(np.floor(size + (0.5 + _guard(size))), values, places)


def half_even(values: Floats, places: int) -> Floats:
    """Half to the even digit; no negative zero."""
    size = in_units(values, places)
    up = np.floor(size + (0.5 + _guard(size)))
    odd_tie = (up - size > 0.5 - 2 * _guard(size)) & (up % 2 == 1)
    return _signed(up - odd_tie, values, places)


def cut(values: Floats, places: int) -> Floats:
    """Digits beyond `places` dropped, which is no rounding; no negative zero."""
    size = in_units(values, places)
    return _signed(np.floor(size + _guard(size)), values, places)


def in_units(values: Floats, places: int) -> Floats:
    """|values| in units of the last place."""
    return np.abs(values) * 10.0**places


def _guard(size: Floats) -> Floats:
    return GUARD + _GUARD_SHARE * size


def _signed(units: Floats, values: Floats, places: int) -> Floats:
    return np.copysign(units, values) / 10.0**places + 0.0
