"""Functions that the formulas need on each kind of array: float64, exact `Decimals`, or `Counted`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.numbers.decimals import Decimals, Irrational

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

KEYS: Final = ("multiplications", "additions", "divisions", "exponentials", "roots", "sines")
_ONE_OF: Final = dict(zip(KEYS, np.eye(len(KEYS), dtype=np.int64), strict=True))


class Counted:
    """Counts what a person types into a calculator who has the printed tables in view.

    A product with a given 0 falls away, one with a given 1 or −1 is no multiplication, and a matrix that only
    picks a component costs nothing. A subtraction counts as an addition, a logarithm as an exponential: it
    lies on the same key. given: the numbers that are printed, nan where each pupil has an own. done: keys so
    far, (…, KEYS).
    """

    __slots__ = ("done", "given")
    __array_ufunc__ = None  # ndarray leaves the operators to us

    def __init__(self, given: NDArray[Any], done: NDArray[Any] | None = None) -> None:
        self.given: NDArray[Any] = np.asarray(given, dtype=np.float64)
        shape = (*self.given.shape, len(KEYS))
        if done is None:
            done = np.zeros(shape, dtype=np.int64)
        self.done = done if done.shape == shape else np.broadcast_to(done, shape)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.given.shape

    def typed(self, key: str, where: Any = True) -> Counted:
        """The number after one more key of the calculator."""
        return Counted(self.given, self.done + _once(key, where))

    def swapaxes(self, a: int, b: int) -> Counted:
        return Counted(self.given.swapaxes(a, b), self.done.swapaxes(a - 1, b - 1))  # counted from the end

    def __getitem__(self, index: Any) -> Counted:
        whole = (*index, slice(None)) if isinstance(index, tuple) and Ellipsis in index else index
        return Counted(self.given[index], self.done[whole])

    def __neg__(self) -> Counted:
        return Counted(-self.given, self.done)

    def __add__(self, other: Any) -> Counted:
        other = _counted(other)
        sum_ = Counted(_known(self.given + other.given, self.given, other.given, 0), self.done + other.done)
        return sum_.typed("additions", (self.given != 0) & (other.given != 0))

    __sub__ = __add__

    def __mul__(self, other: Any) -> Counted:
        other = _counted(other)
        zero = (self.given == 0) | (other.given == 0)
        done = self.done if other is self else self.done + other.done  # a square's root is worked out once
        product = _known(self.given * other.given, np.abs(self.given), np.abs(other.given), 1)
        typed = _multiplied(self.given) & _multiplied(other.given)
        return Counted(np.where(zero, 0.0, product), np.where(zero[..., None], 0, done)).typed(
            "multiplications", typed
        )

    def __truediv__(self, other: Any) -> Counted:
        other = _counted(other)
        typed = (np.abs(other.given) != 1) & (self.given != 0)
        given = np.where(self.given == 0, 0.0, np.where(typed, np.nan, self.given / other.given))
        done = np.where((self.given == 0)[..., None], 0, self.done + other.done)
        return Counted(given, done).typed("divisions", typed)

    def __matmul__(self, other: Counted) -> Counted:
        """Both are written numbers, so that nothing is left to be counted in them."""
        terms = (self.given != 0).astype(np.int64) @ (other.given != 0).astype(np.int64)
        products = _multiplied(self.given).astype(np.int64) @ _multiplied(other.given).astype(np.int64)
        done = _once("multiplications", products) + _once("additions", np.maximum(terms - 1, 0))
        return Counted(np.where(terms == 0, 0.0, np.nan), done)

    def sum(self, axis: int) -> Counted:
        """axis: counted from the end."""
        terms = (self.given != 0).sum(axis)
        done = self.done.sum(axis - 1) + _once("additions", np.maximum(terms - 1, 0))
        return Counted(np.where(terms == 0, 0.0, np.nan), done)


def _counted(value: Any) -> Counted:
    return value if isinstance(value, Counted) else Counted(np.asarray(value))


def _known(result: NDArray[Any], a: NDArray[Any], b: NDArray[Any], neutral: int) -> NDArray[Any]:
    """The result where one of the two changes nothing; else a number that has to be worked out."""
    return np.asarray(np.where((a == neutral) | (b == neutral), result, np.nan))


def _multiplied(given: NDArray[Any]) -> NDArray[np.bool_]:
    return np.asarray((given != 0) & (np.abs(given) != 1))


def _once(key: str, times: Any) -> NDArray[Any]:
    counts: NDArray[Any] = np.asarray(times, dtype=np.int64)[..., None] * _ONE_OF[key]
    return counts


class Masked(NamedTuple):
    """Numbers of a kind that has no −∞, which stands where they are not visible."""

    numbers: Decimals | Counted
    visible: NDArray[np.bool_]


def masked(x: Array, visible: NDArray[np.bool_] | None) -> Array:
    """The numbers with −∞ in the cells that are not visible."""
    if visible is None:
        return x
    return Masked(x, visible) if isinstance(x, (Decimals, Counted)) else np.where(visible, x, -np.inf)


def exp(x: Array) -> Array:
    if isinstance(x, Masked):
        return exp(x.numbers) * x.visible
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
        return Decimals(np.maximum(x.digits, 0), x.places, x.most)
    return np.maximum(x, 0.0)


def partial_sums(parts: Array, up_to: Floats, read: Callable[[Floats], Array]) -> Array:
    """parts @ up_to, where up_to holds 1 for each part that has been reached, 0 elsewhere."""
    if isinstance(parts, Counted):  # each is the one before and one more
        further = (parts.given != 0) & (up_to.sum(0) > 1)
        return Counted(np.where(parts.given == 0, 0.0, np.nan)).typed("additions", further)
    return parts @ read(up_to)


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
        given = np.concatenate([part.given for part in parts], axis=-1)
        return Counted(given, np.concatenate([part.done for part in parts], axis=-2))
    if isinstance(parts[0], Decimals):
        places = max(part.places for part in parts)
        return Decimals(np.concatenate([part.rounded(places).digits for part in parts], axis=-1), places)
    leading = np.broadcast_shapes(*(part.shape[:-1] for part in parts))  # some may lack the axis of pupils
    return np.concatenate([np.broadcast_to(part, (*leading, part.shape[-1])) for part in parts], axis=-1)


_KEPT: Final = 31 * 2**20  # bytes; glibc learns from blocks of up to 32 MiB


def keep_freed_memory() -> None:
    """Lets the C library keep what large arrays leave free: to fetch it anew costs more than to compute.

    It gives back at once what is larger than the largest block that it has seen freed.
    """
    np.empty(_KEPT, np.uint8)


# Rounding as on paper, whole arrays at once. Where many pupils are one run, the numbers are floats that stand
# for decimal fractions, so a tie such as 0.285 arrives a little beside the half. All within `GUARD` of a half
# counts as a tie. That decides as the decimals would: in units of the last place, a product of numbers
# with at most k places more than are kept misses a half by at least 10^-k, and a quotient with divisor b (a
# whole number of units) by at least 1 / (2b); both are beyond the guard for k ≤ 8 and b ≤ 10^8, and float
# errors stay below it up to 10^6 units, from where on the guard grows with the number.

GUARD: Final = 2e-9
_GUARD_SHARE: Final = 4e-15


def half_up(values: Floats, places: int) -> Floats:
    """Half away from zero (kaufmännisch, DIN 1333); no negative zero."""
    return _written(values, places, 0.5)


def cut(values: Floats, places: int) -> Floats:
    """Digits beyond `places` dropped, which is no rounding; no negative zero."""
    return _written(values, places, 0.0)


def _written(values: Floats, places: int, more: float) -> Floats:
    """The whole units of each number and a bit more of one."""
    unit = 10.0**places
    size = np.abs(values) * unit
    units = np.floor(size + (more + (GUARD + _GUARD_SHARE * size)))
    return np.asarray(np.copysign(units, values) / unit + 0.0)
