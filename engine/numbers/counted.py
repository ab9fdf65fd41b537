"""Arrays that count: given numbers go through the formulas, and what is typed into a calculator comes out.

Counted is what a person does who has the printed tables in view: a product with a given 0 falls away, one
with a given 1 or −1 is no multiplication, and a matrix that only picks a component costs nothing. A
subtraction counts as an addition, a logarithm as an exponential: it lies on the same key.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

KEYS: Final = ("multiplications", "additions", "divisions", "exponentials", "roots", "sines")


class Counted:
    """given: the numbers that are printed, nan where each pupil has an own. done: keys so far, (…, KEYS)."""

    __slots__ = ("done", "given")
    __array_ufunc__ = None  # ndarray leaves the operators to us

    def __init__(self, given: NDArray[Any], done: NDArray[Any] | None = None) -> None:
        self.given = np.asarray(given, dtype=np.float64)
        shape = (*self.given.shape, len(KEYS))
        self.done = np.zeros(shape, dtype=np.int64) if done is None else np.broadcast_to(done, shape)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.given.shape

    def typed(self, key: str, where: Any = True) -> Counted:
        """The same after one more key."""
        return Counted(self.given, self.done + _once(key, np.broadcast_to(where, self.shape)))

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

    def steps_of(self, up_to: NDArray[Any]) -> Counted:
        """Partial sums: each is the one before and one more."""
        further = (self.given != 0) & (up_to.sum(0) > 1)
        return Counted(np.where(self.given == 0, 0.0, np.nan)).typed("additions", further)


def side_by_side(parts: Sequence[Counted]) -> Counted:
    given = np.concatenate([part.given for part in parts], axis=-1)
    return Counted(given, np.concatenate([part.done for part in parts], axis=-2))


def _counted(value: Any) -> Counted:
    return value if isinstance(value, Counted) else Counted(np.asarray(value))


def _known(result: NDArray[Any], a: NDArray[Any], b: NDArray[Any], neutral: int) -> NDArray[Any]:
    """The result where one of the two changes nothing; else a number that has to be worked out."""
    return np.asarray(np.where((a == neutral) | (b == neutral), result, np.nan))


def _multiplied(given: NDArray[Any]) -> NDArray[np.bool_]:
    return np.asarray((given != 0) & (np.abs(given) != 1))


def _once(key: str, times: NDArray[Any]) -> NDArray[Any]:
    counts: NDArray[Any] = np.asarray(times, dtype=np.int64)[..., None] * (np.array(KEYS) == key)
    return counts
