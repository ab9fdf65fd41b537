"""A value in, its German text out ("−0,50"), and back: the one place where numbers are written and read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Literal

MINUS = "\N{MINUS SIGN}"
THOUSANDS_SPACE = "\N{NARROW NO-BREAK SPACE}"
DecimalSign = Literal["komma", "punkt"]

_EXACT = Context(prec=700, rounding=ROUND_HALF_UP)  # a float has at most 309 digits before the point
_GROUPED_FROM = 5
_LONGEST = 80
_TYPED = re.compile(
    r"""
    (?:[≈~=]\s*)?                                                 # "≈ 0,46"
    (?P<sign>[+\-−–])?\s*
    (?P<whole>[0-9]{1,3}(?:[\ \u00a0\u2009\u202f][0-9]{3})+|[0-9]+)?   # 12 345
    (?:[.,](?P<places>[0-9]+))?
    \s*(?P<percent>%)?
    """,
    re.VERBOSE,
)


@dataclass(frozen=True)
class NumberFormat:
    """How numbers look in one document: decimal comma or decimal point, everything else is the same."""

    decimal_sign: DecimalSign = "komma"

    def text(self, value: float | Decimal, places: int | None, sign: bool = False) -> str:
        """The value with `places` decimals, rounded half away from zero: −12345.5 -> "−12 345,50".

        `places=None` writes the value as it is, without trailing zeros (temperatures). `sign` puts a plus
        before everything that is not negative. Zero never has a minus. ValueError for nan and infinity.
        """
        negative, whole, decimals = _digits(value, places)
        before = MINUS if negative else "+" if sign else ""
        comma = "," if self.decimal_sign == "komma" else "."
        return before + _grouped(whole, THOUSANDS_SPACE) + (comma + decimals if decimals else "")

    def vector(self, values: Iterable[float | Decimal], places: int | None) -> str:
        """Components between bars, since a comma never separates a list: "(0,8 | 1,4)"."""
        return "(" + " | ".join(self.text(value, places) for value in values) + ")"

    def tex(self, value: float | Decimal, places: int | None, sign: bool = False) -> str:
        r"""The same number for a formula: "-0{,}80", "12\,345{,}5"."""
        negative, whole, decimals = _digits(value, places)
        before = "-" if negative else "+" if sign else ""
        comma = "{,}" if self.decimal_sign == "komma" else "."
        return before + _grouped(whole, r"\,") + (comma + decimals if decimals else "")


def parse_number(text: str) -> Decimal:
    """The number that a person typed: comma or point, any minus, "12 345", "≈ 0,46", "36,7 %" (0.367).

    ValueError for everything else: nothing, words, two numbers, 1e5, hexadecimal, nan, infinity.
    """
    found = _TYPED.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    if found is None or not (found["whole"] or found["places"]):
        raise ValueError("not a number")
    digits = re.sub(r"\D", "", found["whole"] or "0") + "." + (found["places"] or "0")
    value = _EXACT.create_decimal(digits)
    if found["percent"]:
        value = value.scaleb(-2, _EXACT)
    return -value if value and found["sign"] in ("-", MINUS, "–") else value


def decimal_of(value: float | Decimal) -> Decimal:
    """The decimal number that a person reads in the value: a float is its shortest text, 0.1 is 1/10."""
    return value if isinstance(value, Decimal) else Decimal(repr(float(value)))


def _digits(value: float | Decimal, places: int | None) -> tuple[bool, str, str]:
    """Whether a minus is due, the digits before and the digits after the decimal sign."""
    number = decimal_of(value)
    if not number.is_finite() or abs(number.adjusted()) > 400:
        raise ValueError("only finite numbers of a sensible size can be written")
    if places is None:
        whole, _, decimals = f"{abs(number):f}".partition(".")
        decimals = decimals.rstrip("0")
    else:
        number = number.quantize(Decimal(1).scaleb(-places), context=_EXACT)
        whole, _, decimals = f"{abs(number):f}".partition(".")
    return number < 0, whole, decimals


def _grouped(whole: str, space: str) -> str:
    if len(whole) < _GROUPED_FROM:
        return whole
    first = len(whole) % 3
    groups = [whole[:first]] if first else []
    return space.join(groups + [whole[i : i + 3] for i in range(first, len(whole), 3)])
