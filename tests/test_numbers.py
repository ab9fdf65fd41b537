from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.basics.numbers import NumberFormat, parse_number

KOMMA = NumberFormat()
PUNKT = NumberFormat("punkt")


WRITTEN = [
    (0.5, 2, "0,50"),
    (-0.5, 2, "−0,50"),
    (-0.001, 2, "0,00"),
    (-0.0, 2, "0,00"),
    (0.285, 2, "0,29"),
    (-0.285, 2, "−0,29"),
    (2.5, 0, "3"),
    (1234.5, 1, "1234,5"),
    (12345.5, 2, "12\u202f345,50"),
    (124439808, 0, "124\u202f439\u202f808"),
    (-1234567.891, 2, "−1\u202f234\u202f567,89"),
    (99999.995, 2, "100\u202f000,00"),
    (1e-9, 2, "0,00"),
    (1e22, 0, "10\u202f000\u202f000\u202f000\u202f000\u202f000\u202f000\u202f000"),
    (Decimal("0.300"), None, "0,3"),
    (Decimal("100"), None, "100"),
    (Decimal("1E+2"), None, "100"),
    (2.0, None, "2"),
]


def test_text():
    for value, places, expected in WRITTEN:
        assert KOMMA.text(value, places) == expected
        assert PUNKT.text(value, places) == expected.replace(",", ".")


def test_numpy_floats_are_read_as_their_shortest_text():
    numpy = pytest.importorskip("numpy")
    assert KOMMA.text(numpy.float64(0.285), 2) == "0,29"
    assert KOMMA.text(numpy.int64(-3), 1) == "−3,0"


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), Decimal("NaN"), Decimal("-Infinity"), Decimal("1E+999999")]
)
def test_nan_and_infinity_are_never_written(value):
    with pytest.raises(ValueError, match="finite"):
        KOMMA.text(value, 2)


def test_vector():
    assert KOMMA.vector([0.8, 1.4, -1], 1) == "(0,8 | 1,4 | −1,0)"


TYPED = [
    ("0,46", "0.46"),
    ("0.46", "0.46"),
    ("−0,46", "-0.46"),
    ("- 0,46", "-0.46"),
    ("–0,46", "-0.46"),
    ("+3", "3"),
    (" 3 ", "3"),
    ("≈ 0,46", "0.46"),
    ("≈0,46", "0.46"),
    ("= 2", "2"),
    (",5", "0.5"),
    ("-.5", "-0.5"),
    ("007", "7"),
    ("12 345,6", "12345.6"),
    ("12\u202f345", "12345"),
    ("12345", "12345"),
    ("36,7 %", "0.367"),
    ("36,7%", "0.367"),
    ("-0", "0"),
    ("\u00a00,5\u00a0", "0.5"),
]


def test_parse():
    for typed, expected in TYPED:
        value = parse_number(typed)
        assert value == Decimal(expected), ascii(typed)
        assert not (value == 0 and value.is_signed())


REFUSED = ["", " ", "-", "≈", ",", "5,", "1,2,3", "1.234,5", "1 2", "12 34", "1  234", "1e5", "1E-2", "0x10",
     "1_000", "nan", "NaN", "inf", "Infinity", "−∞", "zwei", "0,5 0,6", "--1", "+-1", "1/2", "٣", "３", "½",
     "²", "%", "5 %%", "9" * 100, "0,5\n0,6", "1\n234"]  # fmt: skip


def test_what_is_not_one_number_is_refused():
    for typed in REFUSED:
        with pytest.raises(ValueError, match="not a number"):
            parse_number(typed)


numbers = st.integers(0, 6).flatmap(
    lambda places: st.tuples(
        st.just(places), st.integers(-(10**12), 10**12).map(lambda units: Decimal(units).scaleb(-places))
    )
)


@given(numbers, st.sampled_from([KOMMA, PUNKT]))
def test_parse_undoes_text(number, style):
    places, value = number
    assert parse_number(style.text(value, places)) == value
    assert parse_number(style.text(value, None)) == value
    assert parse_number("≈ " + style.text(value, places)) == value


@given(st.floats(-1e15, 1e15, allow_nan=False), st.integers(0, 6))
def test_text_of_a_float_is_rounded_half_away_from_zero(value, places):
    rounded = Decimal(repr(value)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    text = KOMMA.text(value, places)
    assert parse_number(text) == rounded
    assert len(text.partition(",")[2]) == places
    assert text.startswith("−") == (rounded < 0)
