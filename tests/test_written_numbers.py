"""Ways to write a number: read as what they say, or left unread; never as another number."""

from decimal import Decimal
from itertools import product

import pytest

from generator.basics.numbers import NotANumber, read_number

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
    *((text, Decimal(value)) for text, value in OTHERS.items()),
]  # fmt: skip


def test_there_are_many_ways():
    assert len({text for text, _ in MEANT} | set(UNREAD)) > 243


def test_read_as_meant():
    assert [(text, found) for text, expected in MEANT if (found := read_number(text)) != expected] == []


def test_read_not_at_all():
    for text in UNREAD:
        with pytest.raises(NotANumber) as caught:
            read_number(text)
        assert caught.value.reason, ascii(text)
