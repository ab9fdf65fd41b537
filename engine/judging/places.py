"""The accepted range of a row of numbers goes in; which of them may stand where in their order comes out.

Numbers whose ranges overlap may change places. Equal ones of equal vectors do not: there the sheet's rule
decides, the smaller number of the word first.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from engine.judging.ranges import Range
from engine.numbers.arrays import Floats
from engine.numbers.rounding import GUARD

_SAME: Final = 1e-12


def places(allowed: Range, exact: Floats, order: Sequence[int]) -> list[tuple[int, ...]]:
    """For each place of `order`, the largest first, all that honest work can put there, the key's first.

    exact: the unrounded numbers.
    """
    n = len(exact)
    twins = np.abs(exact[:, None] - exact[None, :]) <= _SAME
    earlier = np.tri(n, k=-1, dtype=np.bool_).T  # [i, j]: i comes before j
    above = np.where(twins, earlier, allowed.low[:, None] > allowed.high[None, :] + GUARD)  # [i, j]: surely
    first, last = above.sum(0), n - 1 - above.sum(1)
    return [
        (own, *(int(i) for i in np.flatnonzero((first <= place) & (place <= last)) if i != own))
        for place, own in enumerate(order)
    ]


def joined(allowed: Range, possible: Sequence[tuple[int, ...]]) -> Range:
    """The range with room at each place for all that may stand there; a place's number is the key's."""
    low, high = allowed.low.copy(), allowed.high.copy()
    for own, *others in possible:
        for other in others:
            low[own] = min(low[own], allowed.low[other])
            high[own] = max(high[own], allowed.high[other])
    return Range(low, high, allowed.leaders)
