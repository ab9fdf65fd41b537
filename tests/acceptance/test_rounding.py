"""Floats rounded in whole arrays, against `decimal`."""

from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.numbers.arrays import cut, half_up

WAYS = ((half_up, ROUND_HALF_UP), (cut, ROUND_DOWN))
NUMBERS = st.decimals(-1000, 1000, places=4)


@pytest.mark.parametrize(("function", "rule"), WAYS)
@given(a=NUMBERS, b=st.decimals("0.01", 100, places=2), places=st.integers(0, 4))
def test_products_and_quotients_are_rounded_as_decimals(function, rule, a, b, places):
    x, y = float(a), float(b)
    for found, exact in ((x * y, a * b), (-x * y, -a * b), (x / y, a / b)):
        wanted = exact.quantize(Decimal(1).scaleb(-places), rule)
        assert function(np.array([found]), places)[0] == float(wanted)


def test_ties_and_signs():
    ties = np.array([0.285, -0.285, 1.005, 0.275, -0.004, 0.0])
    assert half_up(ties, 2).tolist() == [0.29, -0.29, 1.01, 0.28, 0.0, 0.0]
    assert cut(ties, 2).tolist() == [0.28, -0.28, 1.0, 0.27, 0.0, 0.0]
    assert not np.signbit(half_up(ties, 2)[-2:]).any()
