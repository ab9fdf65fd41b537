"""A pen that writes what many pupils write, each rounding in a way of their own.

One run is a whole class: arrays carry a leading axis `pupils` from the first step that leaves a choice. Every
pupil begins with the printed input. After that each cell may be rounded (a half up or to the even digit)
before the next step reads it, or be carried on in full; on paper it is rounded in either case. The root of
d_k is the printed one, the full one, or one with any number of places in between. Rounds of a generated text
begin with the printed probabilities.
"""

from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.numbers.arrays import GUARD, Array, Floats, half_up
from engine.pens.pens import ExactPen, Visible, places_of_root
from engine.trace import Kind, Printed, Quantity, Trace

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
