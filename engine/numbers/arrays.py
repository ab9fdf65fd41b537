"""Functions that the formulas need on either kind of array: float64, or exact `Decimals`."""

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.numbers.counted import Counted, side_by_side
from engine.numbers.decimals import Decimals, Irrational

# --- What can go wrong in a calculation, as data: the kind, the quantity and the cell. No sentences here.

Kind = Literal["zero_divisor", "not_finite", "unplayable", "shape", "vocabulary", "logarithm"]


class CalculationError(Exception):
    """A step that cannot be computed.

    kind: what happened; name: the quantity (or weight) it happened in; index: the cell, counted from 0.
    axes: what the index counts, where it is known.
    """

    def __init__(
        self, kind: Kind, name: str, index: tuple[int, ...] = (), axes: tuple[str, ...] = ()
    ) -> None:
        super().__init__(f"{kind}: {name}{list(index)}")
        self.kind = kind
        self.name = name
        self.index = index
        self.axes = axes


# float64 arrays in the exact arithmetic, `Decimals` in the hand arithmetic: the same operators on both, which
# the type system cannot say of NumPy's arrays.
Floats: TypeAlias = NDArray[np.float64]
Array: TypeAlias = Any
_FLOAT_NOISE: Final = 1e-12


def exp(x: Array) -> Array:
    if isinstance(x, Counted):
        return Counted(np.full(x.shape, np.nan), x.done).typed("exponentials")
    return Irrational("exp", x) if isinstance(x, Decimals) else np.exp(x)


def sqrt(x: Array) -> Array:
    if isinstance(x, Counted):
        return Counted(np.sqrt(x.given), x.done).typed("roots")
    return Irrational("sqrt", x) if isinstance(x, Decimals) else np.sqrt(x)


def ln(x: Array) -> Array:
    """Natural logarithm."""
    if isinstance(x, Counted):
        return Counted(np.full(x.shape, np.nan), x.done).typed("exponentials")
    return Irrational("ln", x) if isinstance(x, Decimals) else np.log(x)


def positive(x: Array) -> Array:
    """True where x > 0: the slope of ReLU, taken as 0 at the corner."""
    if isinstance(x, Counted):
        return x.given != 0
    return np.asarray(x.digits > 0) if isinstance(x, Decimals) else np.asarray(x > 0)


def relu(x: Array) -> Array:
    if isinstance(x, Counted):
        return Counted(np.where(x.given == 0, 0.0, np.nan), x.done)
    if isinstance(x, Decimals):
        return Decimals(np.maximum(x.digits, 0), x.places)
    return np.maximum(x, 0.0)


def partial_sums(parts: Array, up_to: Floats, read: Callable[[Floats], Array]) -> Array:
    """parts @ up_to, where up_to holds 1 for each part that has been reached, 0 elsewhere."""
    return parts.steps_of(up_to) if isinstance(parts, Counted) else parts @ read(up_to)


def has_direction(squares: Array, places: int) -> NDArray[np.bool_]:
    """Which lengths are not rounded to 0: those whose square is at least half a unit squared."""
    if isinstance(squares, Counted):
        return np.asarray(squares.given != 0)
    if isinstance(squares, Decimals):
        return np.asarray(Irrational("sqrt", squares).rounded(places).digits != 0)
    return np.asarray(squares >= (0.5 * 10.0**-places) ** 2 * (1 - _FLOAT_NOISE))


def missing(norm: Array, directed: NDArray[np.bool_]) -> Array:
    """1 − norm where there is no direction, 0 elsewhere."""
    if isinstance(norm, Counted):
        return Counted(np.zeros(norm.shape))
    hidden: NDArray[Any] = (~directed).astype(np.int64)
    if isinstance(norm, Decimals):
        return Decimals(hidden, 0) - norm * hidden
    return hidden - norm * hidden


def concatenate(parts: Sequence[Array]) -> Array:
    """Side by side along the last axis."""
    if isinstance(parts[0], Counted):
        return side_by_side(parts)
    if isinstance(parts[0], Decimals):
        places = max(part.places for part in parts)
        return Decimals(np.concatenate([part.rounded(places).digits for part in parts], axis=-1), places)
    leading = np.broadcast_shapes(*(part.shape[:-1] for part in parts))  # some may lack the axis of pupils
    return np.concatenate([np.broadcast_to(part, (*leading, part.shape[-1])) for part in parts], axis=-1)


# --- Floats and places go in; the same numbers rounded as on paper come out, whole arrays at once.
#
# Where many pupils are one run, the numbers are floats that stand for decimal fractions, so a tie such as
# 0.285 arrives a little beside the half. Everything within `GUARD` of a half counts as a tie. That decides
# as the decimals would: in units of the last place, a product of numbers with at most k places more than
# are kept misses a half by at least 10^-k, and a quotient with divisor b (a whole number of units) by at
# least 1 / (2b); both are beyond the guard for k ≤ 8 and b ≤ 10^8, and float errors stay below it up to
# 10^6 units, from where on the guard grows with the number.

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
