"""The positional encoding goes in; its divisors and angles, with as many places as a pupil needs, come out.

10000^(2i/d) is rarely a round number. A sheet prints it rounded, and its quotients too: with the fewest
places from which every sine and cosine of the sentence comes out as the trace has it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.forward.forward import alternating, angles
from generator.basics.numbers import NumberFormat
from generator.sheet.desk import Desk

_MOST_PLACES: Final = 9
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class PositionDivisors:
    """One divisor for each component; the angles pos : divisor, in radians, have at most `angle_places`."""

    divisors: tuple[Decimal, ...]
    angle_places: int
    format: NumberFormat

    def text(self, component: int) -> str:
        return self.format.text(self.divisors[component], None)

    def angle_text(self, position: int, component: int) -> str:
        return self.format.text(self._angle(position, component), None)

    def is_exact(self, position: int, component: int) -> bool:
        return self._angle(position, component) * self.divisors[component] == position

    def _angle(self, position: int, component: int) -> Decimal:
        unit = Decimal(1).scaleb(-self.angle_places)
        return (Decimal(position) / self.divisors[component]).quantize(unit, ROUND_HALF_UP)


def divisors_of(desk: Desk) -> PositionDivisors:
    """The divisors of the desk's model."""
    d_model = desk.sizes.d_model
    true = 1 / angles(2, d_model)[1]  # (d_model,)
    written = desk.quantity("positional_encoding")
    position = np.arange(desk.n)[:, None]  # (n, 1)
    unit = 10.0 ** (written.places or 0)

    def agrees(angle: Floats) -> bool:
        value = alternating(np.sin(angle), np.cos(angle)) * unit  # (n, d_model)
        half_up = np.sign(value) * np.floor(np.abs(value) + 0.5)
        return bool(np.array_equal(half_up, np.rint(written.values * unit)))

    places = _first(lambda p: agrees(position / np.round(true, p)))
    divisors = np.round(true, places)
    angle_places = _first(lambda p: agrees(np.round(position / divisors, p)))
    return PositionDivisors(
        tuple(Decimal(repr(float(d))).normalize() for d in divisors), angle_places, desk.format
    )


def _first(enough: Callable[[int], bool]) -> int:
    return next((p for p in range(1, _MOST_PLACES) if enough(p)), _MOST_PLACES)
