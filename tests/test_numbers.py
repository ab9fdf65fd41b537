"""Numbers as text and back: read as what they say, or left unread; never as another number."""

from decimal import ROUND_HALF_UP, Decimal
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.basics.numbers import NotANumber, NumberFormat, parse_number, read_number

KOMMA = NumberFormat()
PUNKT = NumberFormat("punkt")


WRITTEN = [
    (0.5, 2, "0,50"), (-0.5, 2, "−0,50"), (-0.001, 2, "0,00"), (-0.0, 2, "0,00"), (0.285, 2, "0,29"),
    (-0.285, 2, "−0,29"), (2.5, 0, "3"), (1234.5, 1, "1234,5"), (12345.5, 2, "12\u202f345,50"),
    (-1234567.891, 2, "−1\u202f234\u202f567,89"), (99999.995, 2, "100\u202f000,00"), (1e-9, 2, "0,00"),
    (1e22, 0, "10\u202f000\u202f000\u202f000\u202f000\u202f000\u202f000\u202f000"), (2.0, None, "2"),
    (Decimal("0.300"), None, "0,3"), (Decimal("1E+2"), None, "100"), (np.int64(-3), 1, "−3,0"),
    (np.float64(0.285), 2, "0,29"),  # its shortest text
]  # fmt: skip


def test_text():
    for value, places, expected in WRITTEN:
        assert KOMMA.text(value, places) == expected
        assert PUNKT.text(value, places) == expected.replace(",", ".")
    assert KOMMA.vector([0.8, 1.4, -1], 1) == "(0,8 | 1,4 | −1,0)"
    for value in (float("nan"), float("inf"), Decimal("NaN"), Decimal("-Infinity"), Decimal("1E+999999")):
        with pytest.raises(ValueError, match="finite"):
            KOMMA.text(value, 2)


TYPED = (  # digits alone, as options take them
    ("0,46", "0.46"), ("0.46", "0.46"), ("−0,46", "-0.46"), ("- 0,46", "-0.46"), ("–0,46", "-0.46"),
    ("+3", "3"), (" 3 ", "3"), ("≈ 0,46", "0.46"), ("≈0,46", "0.46"), ("= 2", "2"), (",5", "0.5"),
    ("-.5", "-0.5"), ("007", "7"), ("12 345,6", "12345.6"), ("12\u202f345", "12345"), ("12345", "12345"),
    ("36,7 %", "0.367"), ("36,7%", "0.367"), ("-0", "0"), ("\u00a00,5\u00a0", "0.5"),
)  # fmt: skip
MINUS = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
HALF = (
    "0,5", "0.5", ",5", ".5", "00,5", "+0,5", "+ 0,5", "0,50", " 0,5 ", "\xa00,5", "0,5\u200b", "\ufeff0,5",
    "½", "1/2", "1 / 2", "1\u20442", "1\u22152", "2/4", "0 1/2", "50 %", "50%", "50 Prozent", "50\uff05",
    "5e-1", "5E-1", "5e-01", "0,05e1", "0.05E+1", "5·10^-1", "5 · 10^-1", "5*10^-1", "5x10^-1", "5×10^-1",
    "ca. 0,5", "ca 0,5", "ca.0,5", "circa 0,5", "Ca. 0,5", "etwa 0,5", "rund 0,5", "ungefähr 0,5", "≈ 0,5",
    "≈0,5", "~0,5", "~ 0,5", "≃ 0,5", "≅ 0,5", "= 0,5", "=0,5", "gerundet 0,5", "ger. 0,5", "0,5 (gerundet)",
    "0,5(gerundet)", "0,5 gerundet", "0,5 (ger.)", "0,5 (unsicher)", "0,5 unsicher", "0,5 (?)", "0,5 ?",
    "0,5?", "0,5 (ca.)", "0,5 (geschätzt)", "0,5 (rund)", "≈ 0,5 (gerundet)", "0\uff0c5", "0\uff0e5",
    "\uff10,\uff15", "\uff10\uff0c\uff15", "\uff0b0,5", "'0,5", '="0,5"', '"0,5"',
)  # fmt: skip
OTHERS = {
    "1.234,5": "1234.5", "12.345,6": "12345.6", "1.234.567,8": "1234567.8", "1,234.5": "1234.5",
    "1,234,567.8": "1234567.8", "1 234,5": "1234.5", "1\u202f234,5": "1234.5", "1 234": "1234",
    "12 345": "12345", "1'234,5": "1234.5", "1’234.5": "1234.5", "1.234": "1.234", "1,234": "1.234",
    "7.041": "7.041", "1½": "1.5", "1 ½": "1.5", "1 1/2": "1.5", "3/4": "0.75", "¾": "0.75", "¼": "0.25",
    "0": "0", "-0": "0", "−0,00": "0", "3": "3", "\uff13": "3", "1e3": "1000", "1,5e2": "150",
    "36,7 %": "0.367", "0,5 %": "0.005", "1e0": "1", "007": "7",
}  # fmt: skip
UNREAD = (
    "", " ", "-", "≈", ",", ".", "5,", "5.", "1,2,3", "1.2.3", "1.23,4", "1,23.4", "0.123,4", "0 123", "1 2",
    "12 34", "1  234", "0,5 0,6", "0,5 oder 0,6", "0,5-0,6", "0,5 bis 0,6", "0,5/0,6", "1/0", "0/0", "1/2/3",
    "(0,5)", "0,5-", "0,5−", "±0,5", "+-0,5", "--0,5", "−−0,5", "1'234", "1_000", "0x10", "nan", "inf", "∞",
    "Infinity", "zwei", "O,5", "0,O5", "l,5", "0,5l", "²", "2²", "10^2", "√2", "e", "e5", "5e", "5e-",
    "5e999", "\u0663", "\u0966", "²/3", "½½", "½1", "1/½", "%", "5 %%", "0,,5", "0..5", "0.,5", "0, 5",
    "0 ,5", "- -1", "x", "?", "0,5 cm", "0,5 \u20ac", "2,1;0,5", "0,5|0,6", "[0,5]", "{0,5}", "0,5 (negativ)",
    "0,5 (minus)", "minus 0,5", "0,5 (auf 2 Stellen)", "0,33…", "0,3...", "0,(3)", "1.234,56,7", "1 234 5",
    "1.234.56", "01. Feb", "1:2", "50 \u2030", "5 mal 10", "0·5", "0'5", "ca.", "etwa",
    "9999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999",
    "0,5 = 1/2", "1/2 = 0,5", "=A1", "=1+1", "1+1", "0,5\n0,6", "0,5\x1b[31m", "None", "null", "true",
)  # fmt: skip
MEANT = [
    *((text, Decimal("0.5")) for text in HALF),
    *((sign + space + text, Decimal("-0.5")) for sign, space, text in
      product(MINUS, ("", " "), ("0,5", "½", "1/2", "5e-1"))),
    *((text, Decimal(value)) for text, value in (*OTHERS.items(), *TYPED)),
]  # fmt: skip


# Read where a pupil wrote it, and no value of an option.
NOT_ALONE = ("1.234,5", "1e5", "1E-2", "1/2", "½", "３", "ca. 0,5", "0,5 (gerundet)")


def test_read_as_meant():
    assert [(text, found) for text, value in MEANT if (found := read_number(text)) != value] == []
    for text, value in TYPED:
        found = parse_number(text)
        assert found == Decimal(value), ascii(text)
        assert not (found == 0 and found.is_signed())


def test_read_not_at_all():
    for text in UNREAD:
        with pytest.raises(NotANumber) as caught:
            read_number(text)
        assert caught.value.reason, ascii(text)
    for text in (*UNREAD, *NOT_ALONE):
        with pytest.raises(ValueError, match="not a number"):
            parse_number(text)


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
