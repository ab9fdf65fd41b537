"""Exact decimals against `decimal` and `fractions`: every sum, product and quotient, every tie."""

from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.numbers.decimals import Decimals, Irrational, Quotient

WIDE = Context(prec=90, rounding=ROUND_HALF_UP)
TYPED = st.decimals(
    min_value=-(10**6), max_value=10**6, allow_nan=False, allow_infinity=False, places=3
) | st.integers(-50, 50).map(Decimal)
HUGE = st.integers(-(10**25), 10**25)


def fractions(found: Decimals) -> list[Fraction]:
    return [Fraction(int(digit), 10**found.places) for digit in found.digits.flat]


def half_up(value: Fraction, places: int) -> Fraction:
    """Away from zero at a tie, by whole numbers alone."""
    unit = 10**places
    size = (2 * abs(value.numerator) * unit + value.denominator) // (2 * value.denominator)
    return Fraction(size if value >= 0 else -size, unit)


def test_many_roundings_with_ties_agree_with_decimal():
    rng = np.random.default_rng(1333)
    for places in range(1, 9):
        for kept in range(places):
            digits = rng.integers(-(10**9), 10**9, size=3_000)
            tie = 5 * 10 ** (places - kept - 1)
            digits[::2] -= digits[::2] % (2 * tie) - tie  # every second one lies exactly between two
            floats = digits / 10.0**places
            unit = Decimal(1).scaleb(-kept)
            wanted = [float(Decimal(repr(f)).quantize(unit, ROUND_HALF_UP)) for f in floats.tolist()]
            found = Decimals.from_floats(floats).rounded(kept).to_floats()
            assert np.array_equal(found, wanted)
            assert not np.any(np.signbit(found) & (found == 0))


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=5))
def test_floats_are_the_decimals_they_print_as_and_come_back(values):
    found = Decimals.from_floats(np.array(values))
    assert fractions(found) == [Fraction(Decimal(repr(value))) for value in values]
    assert found.to_floats().tolist() == values


# Python integers take over where 64 bits are not enough, and give the same results.
@given(st.lists(st.tuples(TYPED, TYPED) | st.tuples(HUGE, HUGE), min_size=1, max_size=6), st.integers(0, 9))
@example([(-1279477, 72087048356)], 2)  # a single number between 2**63 and 2**64
def test_sums_differences_products_and_quotients(pairs, places):
    x, y = ([Fraction(pair[side]) for pair in pairs] for side in (0, 1))
    a, b = (Decimals(np.array([int(v * 1000) for v in side], dtype=object), 3) for side in (x, y))
    assert fractions(a + b) == [p + q for p, q in zip(x, y, strict=True)]
    assert fractions(a - b) == [p - q for p, q in zip(x, y, strict=True)]
    assert fractions(a * b) == [p * q for p, q in zip(x, y, strict=True)]
    assert fractions(a.sum(0)) == [sum(x)]
    assert fractions(a.rounded(places)) == [half_up(value, places) for value in x]
    assert a.to_floats().tolist() == [float(value) for value in x]
    total = sum(p * q for p, q in zip(x, y, strict=True))
    assert fractions((a @ b).rounded(places)) == [half_up(total, places)]
    quotient = a / b
    zeros = [i for i, value in enumerate(y) if value == 0]
    assert quotient.zero_cell() == ((zeros[0],) if zeros else None)
    if not zeros:
        exact = [p / q for p, q in zip(x, y, strict=True)]
        assert fractions(quotient.rounded(places)) == [half_up(value, places) for value in exact]
        wanted = [half_up(q * p + r, places) for q, p, r in zip(exact, x, y, strict=True)]
        assert fractions((quotient * a + b).rounded(places)) == wanted


@pytest.mark.parametrize("size", [2**26, 2**31, 2**40, 2**61])
def test_the_bounds_between_the_three_ways_to_calculate(size):
    """Around 2**53 and 2**62 the product changes from floats to int64 to Python integers."""
    for near in (size - 1, size, size + 1):
        a = Decimals(np.array([[near, -near], [near, 1]], dtype=np.int64), 2)
        exact = [[int(v) for v in row] for row in a.digits]
        wanted = [[sum(r[k] * exact[k][j] for k in range(2)) for j in range(2)] for r in exact]
        assert [[int(v) for v in row] for row in (a @ a).digits] == wanted
        assert [[int(v) for v in row] for row in (a * a).digits] == [[v * v for v in row] for row in exact]
        assert [int(v) for v in (a + a).digits.flat] == [2 * v for row in exact for v in row]


@pytest.mark.parametrize("function", ["exp", "sqrt"])
def test_exponentials_and_roots_are_rounded_correctly(function):
    """Close to a tie, too: ln of one, cut after 12 places, lands within 10^-11 of it, on either side."""
    rng = np.random.default_rng(7)
    least = -900 if function == "exp" else 0
    arguments = [Decimal(int(d)).scaleb(-p) for p in (1, 2, 3) for d in rng.integers(least, 900, size=60)]
    arguments += [Decimal(each) for each in ("0", "0.0625", "2.25", "2", "40")]
    near = [round(WIDE.ln(Decimal(tie)), 12) for tie in ("1.125", "2.375", "19.005", "0.015", "0.05")]
    arguments += near if function == "exp" else []
    x = Decimals.from_floats(np.array(list(map(float, arguments))))
    for places in range(7):
        found, unit = Irrational(function, x).rounded(places), Decimal(1).scaleb(-places)
        assert found.places == places
        wanted = [getattr(WIDE, function)(each).quantize(unit, context=WIDE) for each in arguments]
        assert fractions(found) == [Fraction(value) for value in wanted]


def test_the_first_zero_divisor_is_found_and_what_is_beyond_every_float_is_infinite():
    rows = Decimals.from_floats(np.ones((3, 2)))
    sums = Decimals.from_floats(np.array([[1.0], [0.0], [0.0]]))
    assert Quotient(rows, sums).zero_cell() == (1, 0)
    digits = np.array([10**400, -(10**400), 7], dtype=object)
    assert Decimals(digits, 2).to_floats().tolist() == [np.inf, -np.inf, 0.07]
