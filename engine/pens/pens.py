"""Pens, that is rounding policies: what is written of a computed value, and so what the next step reads."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from math import prod
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.numbers.arrays import GUARD, KEYS, Array, CalculationError, Counted, Floats, half_up
from engine.numbers.decimals import Decimals, Irrational, Quotient
from engine.trace import Kind, Operation, Places, Printed, Quantity, Trace

Visible = NDArray[np.bool_] | None
Rounding = Callable[[Floats, int], Floats]


class Pen(Protocol):
    trace: Trace

    def read(self, given: NDArray[np.float64]) -> Array:
        """A printed table (weights, word vectors, a constant) as numbers to calculate with."""

    def constant(self, value: Array) -> Array:
        """A constant of the formulas as the sheet prints it, e.g. √2 ≈ 1.41; no quantity of its own."""

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        """Note a quantity and return what was written; hidden cells read as 0."""


class ExactPen:
    """Rounding policy: none; every value in full (float64)."""

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
        self.trace.note(Quantity(name, kind, None, written, visible))
        return written


class SchoolPen:
    """Rounding policy of the key: half away from zero to the quantity's places; exact decimals in between."""

    def __init__(self, places: int) -> None:
        self.trace = Trace()
        self.places = places

    def read(self, given: NDArray[np.float64]) -> Array:
        return Decimals.from_floats(given)

    def constant(self, value: Array) -> Array:
        return value.rounded(self.places)

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        if isinstance(value, Quotient) and (cell := value.zero_cell()) is not None:
            raise CalculationError("zero_divisor", name, cell, kind.axes)
        if isinstance(value, Irrational) and (cell := value.undefined_cell()) is not None:
            raise CalculationError("logarithm", name, cell, kind.axes)
        if isinstance(value, np.ndarray):
            value = Decimals.from_floats(np.asarray(np.round(value, 15), dtype=np.float64))
        written = value.rounded(places_of(kind.places, self.places, getattr(value, "places", None)))
        if visible is not None:
            written = written * visible
        written = self.on_paper(name, written)
        floats = written.to_floats()
        if not np.isfinite(floats).all():
            raise CalculationError("not_finite", name)
        self.trace.note(Quantity(name, kind, written.places, floats, visible))
        return written

    def on_paper(self, name: str, written: Decimals) -> Decimals:
        """What finally stands on the paper; a pen with numbers of its own puts them in here."""
        return written


@cache  # asked for at every step of every run
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


def places_of_root(printed: Trace) -> int:
    """The places with which √d_k is printed: those of the scores that are divided by it."""
    return next(quantity.places or 0 for quantity in printed.by(Operation.SCALED))


class CountingPen:
    """Rounds nothing and counts: what a pupil types into the calculator for each cell.

    done: per quantity (…, KEYS and at last the cell itself), 0 where hidden.
    """

    def __init__(self) -> None:
        self.trace = Trace()
        self.done: dict[str, NDArray[np.int64]] = {}

    def read(self, given: Floats) -> Array:
        return Counted(given)

    def constant(self, value: Array) -> Array:
        return Counted(value.given)

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        if isinstance(value, np.ndarray):  # sines and cosines; the first pair's angles are not divided
            angle = Counted(np.full(value.shape, np.nan)).typed("sines")
            value = angle.typed("divisions", np.arange(value.shape[-1]) >= 2)
        self.done[name] = done = np.ones((*value.shape, len(KEYS) + 1), np.int64)
        done[..., :-1] = value.done
        own = (value.given != 0) | (kind.printed is not Printed.NO)  # what is 0 for everyone stays 0
        if visible is not None:
            done[~visible] = 0
            own &= visible
        return Counted(np.where(own, np.nan, 0.0))


LARGEST: Final = 1e10  # a number beyond is judged, but nothing is computed from it
_LARGEST_EXPONENT: Final = 50
_MOST_PLACES: Final = 8


_FURTHEST: Final = 1e12  # what is beyond cannot be computed on paper


@dataclass(frozen=True)
class Numbers:
    """What a pupil wrote of one quantity: values where `given`, both in the quantity's shape."""

    values: NDArray[np.float64]
    given: NDArray[np.bool_]

    def usable(self) -> NDArray[np.bool_]:
        return self.given & (np.abs(self.values) <= LARGEST)


class PupilPen(SchoolPen):
    """Rounding policy of the key, but the pupil's numbers are read on; `right`: what follows from them.

    key: the hand trace; its value takes the place where the pupil's numbers lead to a division by zero, to
    the root of a negative number, or to the logarithm of a number that has none. undefined: the functions of
    these steps ("/" for a division), and of exponentials that nobody writes, by the names of the quantities.
    """

    def __init__(self, key: Trace, places: int, numbers: Mapping[str, Numbers]) -> None:
        super().__init__(places)
        self.key = key
        self.numbers = numbers
        self.right: dict[str, NDArray[np.float64]] = {}
        self.undefined: dict[str, str] = {}

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        self.impossible: NDArray[np.bool_] | None = None
        function, endless = "/", False
        if isinstance(value, Quotient):
            value = self.possible(value)
        elif isinstance(value, Irrational):
            function = value.function
            endless = function == "exp" and _endless(value.argument, visible)
            value = self.bounded(value)
        if endless or (self.impossible is not None and self.impossible.any()):
            self.undefined[name] = function
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
            return Irrational("ln", Decimals(np.maximum(digits, 1), places), value.factor)
        limit = _LARGEST_EXPONENT * 10**places
        return Irrational("exp", Decimals(np.clip(digits, -limit, limit), places), value.factor)

    def on_paper(self, name: str, written: Decimals) -> Decimals:
        if self.impossible is not None:
            written = _where(self.impossible, self.key[name].values, written)
        self.right[name] = written.to_floats()
        if name in self.numbers:
            own = self.numbers[name]
            written = _where(own.usable(), half_up(own.values, _MOST_PLACES), written)
        return written


def numbers_of(trace: Trace) -> dict[str, Numbers]:
    """A trace as if a pupil had written it."""
    return {name: Numbers(quantity.values, quantity.shown) for name, quantity in trace.items()}


def _endless(argument: Decimals, visible: Visible) -> bool:
    """Whether an exponential that is seen has more digits than anybody writes."""
    large = np.asarray(argument.digits > _LARGEST_EXPONENT * 10**argument.places)
    return bool((large if visible is None else large & visible).any())


def _where(chosen: NDArray[np.bool_], values: NDArray[np.float64], otherwise: Decimals) -> Decimals:
    if not np.any(chosen):
        return otherwise
    own = Decimals.from_floats(np.where(chosen, values, 0.0))
    places = max(own.places, otherwise.places)
    own, otherwise = own.rounded(places), otherwise.rounded(places)
    return Decimals(np.asarray(np.where(chosen, own.digits, otherwise.digits)), places)


class FloatPen(ExactPen):
    """Rounding policy of the pupil's pen in floats: quick, within a unit, and also for exchanged steps.

    printed: the hand trace; where a step cannot be computed, its value takes the place and `right` holds nan.
    """

    def __init__(self, printed: Trace, numbers: Mapping[str, Numbers], rounding: Rounding = half_up) -> None:
        super().__init__()
        self.printed = printed
        self.numbers = numbers
        self.rounding = rounding
        self.right: dict[str, Floats] = {}

    def constant(self, value: Array) -> Array:
        return half_up(np.asarray(value), places_of_root(self.printed))

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        printed = self.printed[name]
        full = np.asarray(value, dtype=np.float64)
        if full.shape != printed.values.shape:
            full = np.broadcast_to(full, printed.values.shape)
        if visible is not None:
            full = np.where(visible, full, 0.0)
        if np.abs(full).max(initial=0) < _FURTHEST:  # no nan either
            written = self.right[name] = self.rounding(full, printed.places or 0)
        else:
            sensible = np.abs(full) < _FURTHEST
            written = self.rounding(np.where(sensible, full, 0.0), printed.places or 0)
            self.right[name] = np.where(sensible, written, np.nan)
            written = np.where(sensible, written, printed.values)
        if name in self.numbers:
            written = np.where(self.numbers[name].usable(), self.numbers[name].values, written)
        return written


# --- What many pupils write, each rounding in a way of their own.
#
# One run is a whole class: arrays carry a leading axis `pupils` from the first step that leaves a choice.
# Every pupil begins with the printed input. After that each cell may be rounded (a half up or to the even
# digit) before the next step reads it, or be carried on in full; on paper it is rounded in either case. The
# root of d_k is the printed one, the full one, or one with any number of places in between. Rounds of a
# generated text begin with the printed probabilities.


PURE: Final = 6  # pupils that round all alike
_ALWAYS: Final = 255
_FEW: Final = 10_000
_MOST_PLACES_OF_ROOT: Final = 8


class CarelessPen(ExactPen):
    """Rounding policy of many pupils at once: which cells are rounded before they are read on is drawn.

    printed: the hand trace, whose places and whose input table all pupils use. The habits follow from a
    pupil's number, the draws from `rng`. first: the number of the first pupil. The first PURE are the pure
    ways: all rounded, nothing rounded, with a half up, to the even digit, and both mixed. Of the others,
    every second decides table by table, the rest cell by cell, and they differ in how often they round.
    """

    def __init__(self, printed: Trace, pupils: int, rng: np.random.Generator, first: int = 0) -> None:
        super().__init__()
        self.printed = printed
        self.pupils = pupils
        self.rng = rng
        number = self.numbered(first)
        often = rng.choice([16, 64, 128, 128, 192, 240], size=pupils)
        pure = number < PURE
        self.often = np.where(pure, np.where(number % 2 == 0, _ALWAYS, 0), often).astype(np.uint8)
        self.even = np.where(pure, number % 3 / 2, rng.choice([0.0, 0.5, 1.0], size=pupils))
        self.by_table = np.where(number % 2 == 1, _ALWAYS, 0).astype(np.uint8)
        self.by_cell = np.where(number % 2 == 1, 0, self.often).astype(np.uint8)

    def numbered(self, first: int) -> NDArray[np.int64]:
        """The number of each pupil, from which the habits follow."""
        return np.arange(first, first + self.pupils)

    def constant(self, value: Array) -> Array:
        """The root with as many places as each pupil likes, from those that the sheet prints to all."""
        least = places_of_root(self.printed)
        roots = [half_up(np.asarray(value), p) for p in range(least, max(least, _MOST_PLACES_OF_ROOT) + 1)]
        choices = np.array([roots[0], roots[0], *roots, value, value], dtype=np.float64)
        drawn = choices[self.rng.integers(len(choices), size=self.pupils)]
        drawn = np.where(self.often == _ALWAYS, choices[0], np.where(self.often == 0, choices[-1], drawn))
        return drawn[:, None, None]  # (pupils, 1, 1)

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        printed = self.printed[name]
        if kind.printed is not Printed.NO:
            self.note(printed, printed.values, printed.values)
            return printed.values
        full = np.asarray(value, dtype=np.float64)
        if visible is not None:
            full = full.copy()
            full[..., ~visible] = 0.0  # quicker than `where`
        axes = len(kind.axes)
        unit = 10.0 ** (printed.places or 0)
        size = np.asarray(np.abs(full))
        size *= unit
        digits = np.asarray(size + (0.5 + GUARD))
        np.floor(digits, out=digits)
        if full.ndim == axes:
            if np.abs(digits - size).max(initial=0) < GUARD:  # whole digits: nothing to choose yet
                self.note(printed, full, full)
                return full
            full, size, digits = (each[None].repeat(self.pupils, axis=0) for each in (full, size, digits))
        self.round_ties(digits, np.subtract(digits, size, out=size))
        on_paper = np.copysign(digits, full, out=digits)
        on_paper /= unit
        on_paper += 0.0  # no negative zero
        carried = self.carried(on_paper, full, axes)
        if kind.divisor and not carried.all():  # who sees a 0 there takes more places
            carried = np.where(carried == 0, full, carried)
        self.note(printed, on_paper, full)
        return carried

    def round_ties(self, digits: Floats, added: Floats) -> None:
        """Of the ties among digits rounded half up some go to the even digit instead."""
        cells = np.flatnonzero(added > 0.5 - 2 * GUARD)
        odd = cells[digits.flat[cells] % 2 == 1] if len(cells) else cells
        if len(odd):
            down = self.rng.random(len(odd)) < self.even[odd // (digits.size // len(digits))]
            digits.flat[odd] -= down

    def carried(self, on_paper: Floats, full: Floats, axes: int) -> Floats:
        """What each pupil goes on with: one of the two, bit for bit; no processor could guess which."""
        own = full.view(np.int64)
        chosen = np.bitwise_xor(on_paper.view(np.int64), own, order="C")
        chosen *= self.rounds(full.shape, axes)
        chosen ^= own
        return chosen.view(np.float64)

    def rounds(self, shape: tuple[int, ...], axes: int) -> NDArray[np.bool_]:
        """Who rounds which cell before reading on; (pupils, …) of the given shape."""
        draws, by_table = self.draws(shape), self.draws((self.pupils,))
        often = np.maximum(self.by_cell, (by_table <= self.often) * self.by_table)
        return np.asarray(draws <= often[(slice(None), *(None,) * axes)])

    def draws(self, shape: tuple[int, ...]) -> NDArray[np.uint8]:
        """Numbers from 1 to 255, all as likely; many come quicker as bytes without zeros, and the same."""
        found, wanted = b"", prod(shape)
        if wanted < _FEW:
            return self.rng.integers(1, 256, size=shape, dtype=np.uint8)
        while len(found) < wanted:
            further = 4 * ((wanted - len(found) + 3) // 4)  # whole words, as the generator draws them
            found += self.rng.bytes(further).replace(b"\0", b"")
        return np.frombuffer(found, np.uint8, wanted).reshape(shape)

    def note(self, printed: Quantity, on_paper: Floats, full: Floats) -> None:
        """Keep what stands on the papers, (pupils, …), or without that axis where all write the same.

        full: the same before it was rounded.
        """
        self.trace.note(printed.holding(on_paper))
