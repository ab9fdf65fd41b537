"""Numbers as written and unrounded go in; the places that honest rounding allows as the largest come out."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from engine.numbers.arrays import Floats

_NOISE: Final = 1e-9


def largest(written: Floats, unrounded: Floats, among: Sequence[int] | None = None) -> tuple[int, ...]:
    """The largest as written, then the largest with all digits, if that is another; of equals all.

    among: the places that are compared; None: all.
    """
    places = np.arange(len(written)) if among is None else np.asarray(among, dtype=np.int64)
    found: list[int] = []
    for numbers in (written[places], unrounded[places]):
        found += [int(place) for place in places[numbers >= numbers.max() - _NOISE]]
    return tuple(dict.fromkeys(found))
