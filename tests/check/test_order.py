"""An order of words by a number, of earlier sheets: what honest rounding allows."""

import numpy as np

from engine.judging.ranges import Range, joined, places


def test_who_may_stand_where():
    low, high = np.array([0.3, 0.08, 0.05, 0.07, 0.05]), np.array([0.4, 0.1, 0.06, 0.09, 0.06])
    allowed, exact = Range(low, high), np.array([0.35, 0.09, 0.055, 0.08, 0.055])
    possible = places(allowed, exact, [0, 1, 3, 2])
    assert possible == [(0,), (1, 3), (3, 1), (2,)]  # 2 and 4 are one vector: the smaller ID stands first
    wider = joined(allowed, possible)
    np.testing.assert_allclose(wider.low, [0.3, 0.07, 0.05, 0.07, 0.05])
    np.testing.assert_allclose(wider.high, [0.4, 0.1, 0.06, 0.1, 0.06])
    assert places(allowed, exact, [0, 1, 3, 2, 4])[-1] == (4,)
