"""Values as German text ("−0,50"), and back, and what counts as right: the one place for written numbers."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal
from functools import lru_cache
from math import ceil
from typing import Final, Literal

MINUS = "\N{MINUS SIGN}"
THOUSANDS_SPACE = "\N{NARROW NO-BREAK SPACE}"
DecimalSign = Literal["komma", "punkt"]

_EXACT = Context(prec=700, rounding=ROUND_HALF_UP)  # a float has at most 309 digits before the point
_GROUPED_FROM = 5


@dataclass(frozen=True)
class NumberFormat:
    """How numbers look in one document: decimal comma or decimal point, everything else is the same."""

    decimal_sign: DecimalSign = "komma"

    def text(self, value: float | Decimal, places: int | None) -> str:
        """The value with `places` decimals, rounded half away from zero: −12345.5 -> "−12 345,50".

        `places=None` writes the value as it is, without trailing zeros (temperatures). Zero never has a
        minus. ValueError for nan and infinity.
        """
        negative, whole, decimals = _digits(value, places)
        if len(whole) >= _GROUPED_FROM:
            whole = f"{int(whole):,}".replace(",", THOUSANDS_SPACE)
        comma = "," if self.decimal_sign == "komma" else "."
        return MINUS * negative + whole + (comma + decimals if decimals else "")

    def vector(self, values: Iterable[float | Decimal], places: int | None) -> str:
        """Components between bars, since a comma never separates a list: "(0,8 | 1,4)"."""
        return "(" + " | ".join(self.text(value, places) for value in values) + ")"


QUICK: Final = 0.8  # of an estimate: what a class needs that calculates quickly
_FINE_BELOW: Final = 60  # minutes; a longer estimate is told in steps of five


def about(minutes: float) -> str:
    """An estimate no finer than it is: etwa 28 bis 35 Minuten, etwa 285 bis 355 Minuten."""
    step = 1 if minutes < _FINE_BELOW else 5
    low, high = (max(1, step * ceil(each / step)) for each in (QUICK * minutes, minutes))
    return f"etwa {f'{low} bis ' if low < high else ''}{high}\N{NO-BREAK SPACE}Minuten"


def decimal_of(value: float | Decimal) -> Decimal:
    """The decimal number that a person reads in the value: a float is its shortest text, 0.1 is 1/10."""
    return value if isinstance(value, Decimal) else Decimal(repr(float(value)))


@lru_cache(maxsize=10_000, typed=True)  # 1.0 and a decimal 1 are written differently
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


# What a person wrote: the one number that it can only mean, or a German reason why there is none. Fractions,
# powers of ten, „ca. 0,5“, „0,5 (gerundet)“ and thousands are read; what can be read in two ways is not.

_LONGEST: Final = 80
_CONTEXT: Final = Context(prec=60, rounding=ROUND_HALF_EVEN)
_ALIKE: Final = (
    dict.fromkeys((*range(0x2010, 0x2016), 0x2212, 0xFE58, 0xFE63, 0xFF0D), "-")
    | {0xFF10 + digit: str(digit) for digit in range(10)}
    | str.maketrans("\uff0c\uff0e\uff0b\uff05\uff1d\uff0f\u2044\u2215", ",.+%=///")
)
_HALVES: Final = {"½": (1, 2), "¼": (1, 4), "¾": (3, 4), "⅓": (1, 3), "⅔": (2, 3), "⅕": (1, 5), "⅛": (1, 8)}
_ABOUT: Final = re.compile(r"(?i)(?:[≈~≃≅=]|(?:ca|circa|etwa|rund|ungefähr|ungef|gerundet|ger)\b\.?:?)\s*")
_REMARK: Final = re.compile(
    r"(?i)\s*\(?\s*(?:gerundet|gerund\.|ger\.|geschätzt|unsicher|ca\.|ungefähr|etwa|rund|\?)\s*\)?$"
)
_SPACE: Final = "[ \u00a0\u2009\u202f]"
_BARE: Final = re.compile(rf"(?:[≈~=]\s*)?[+\-{MINUS}–]?[0-9 \u00a0\u2009\u202f]*(?:[.,][0-9]+)?\s*%?")
_PLAIN: Final = re.compile(
    rf"""
    (?:
      (?P<spaced>[1-9][0-9]{{0,2}}(?:{_SPACE}[0-9]{{3}})+)(?:[.,](?P<after_space>[0-9]+))?   # 12 345,6
    | (?P<dotted>[1-9][0-9]{{0,2}}(?:\.[0-9]{{3}})+),(?P<after_comma>[0-9]+)                 # 1.234,5
    | (?P<english>[1-9][0-9]{{0,2}}(?:,[0-9]{{3}})+)\.(?P<after_point>[0-9]+)                # 1,234.5
    | (?P<swiss>[1-9][0-9]{{0,2}}(?:['’][0-9]{{3}})+)[.,](?P<after_swiss>[0-9]+)             # 1'234,5
    | (?P<whole>[0-9]+)?(?:[.,](?P<places>[0-9]+))?                                          # 0,5
    )
    """,
    re.VERBOSE,
)
_POWER: Final = re.compile(r"\s*(?:[eE]|[·*x×]\s*10\s*\^)\s*(?P<sign>[+-])?(?P<digits>[0-9]{1,2})")
_FRACTION: Final = re.compile(
    r"(?:(?P<whole>[0-9]{1,6})\s+)?(?P<over>[0-9]{1,9})\s*/\s*(?P<under>[0-9]{1,9})"
)


class NotANumber(ValueError):  # noqa: N818
    """reason: in German, what follows „das ist keine Zahl: “."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"not a number: {reason}")
        self.reason = reason


@lru_cache(maxsize=2_000)
def parse_number(text: str) -> Decimal:
    """A number of digits alone: comma or point, any minus, "12 345", "≈ 0,46", "36,7 %" (0.367).

    NotANumber for everything else: nothing, words, two numbers, 1/2, 1e5, nan, infinity.
    """
    if len(text) > _LONGEST or not _BARE.fullmatch(text.strip()):
        raise NotANumber("daneben steht etwas anderes")
    return read_number(text)


def read_number(text: str) -> Decimal:
    """The number that was written. NotANumber where there is none, or more than one way to read it."""
    if len(text) > _LONGEST:
        raise NotANumber("zu lang")
    seen = "".join(sign for sign in text.translate(_ALIKE) if unicodedata.category(sign) != "Cf").strip()
    if quoted := re.fullmatch(r"=?\"([^\"]*)\"", seen):
        seen = quoted[1].strip()
    inner = seen.removeprefix("'")
    inner = inner[match.end() :] if (match := _ABOUT.match(inner)) else inner
    inner = _REMARK.sub("", inner).strip()
    sign, inner = (inner[0], inner[1:].lstrip()) if inner[:1] in ("+", "-") else ("", inner)
    share = re.fullmatch(r"(.*?)\s*(?:%|Prozent)", inner)
    value = _unsigned(share[1] if share else inner)
    if value is None:
        raise NotANumber(_why(seen))
    value = value.scaleb(-2, _CONTEXT) if share else value
    return -value if value and sign == "-" else value


def _unsigned(text: str) -> Decimal | None:
    if text and text[-1] in _HALVES and (not text[:-1].strip() or text[:-1].strip().isdecimal()):
        over, under = _HALVES[text[-1]]
        whole = text[:-1].strip()
        return _quotient(whole if whole.isascii() else "0", over, under)
    if fraction := _FRACTION.fullmatch(text):
        return _quotient(fraction["whole"], int(fraction["over"]), int(fraction["under"]))
    found = _PLAIN.match(text)
    value = _decimal(found) if found else None
    if found is None or value is None:
        return None
    rest = text[found.end() :]
    if not rest:
        return value
    power = _POWER.fullmatch(rest)
    return value.scaleb(int((power["sign"] or "") + power["digits"]), _CONTEXT) if power else None


def _quotient(whole: str | None, over: int, under: int) -> Decimal | None:
    return None if under == 0 else int(whole or 0) + _CONTEXT.divide(Decimal(over), Decimal(under))


def _decimal(found: re.Match[str]) -> Decimal | None:
    names = (("spaced", "after_space"), ("dotted", "after_comma"), ("english", "after_point"))
    for whole, places in (*names, ("swiss", "after_swiss"), ("whole", "places")):
        if found[whole] or found[places]:
            return Decimal(re.sub(r"[^0-9]", "", found[whole] or "0") + "." + (found[places] or "0"))
    return None


def _why(text: str) -> str:
    numbers = re.findall(r"[0-9]+", text)
    if not numbers:
        return "darin steht keine Ziffer"
    if re.fullmatch(r"\(.*\)", text) or re.search(r"[0-9]-$", text):
        return "das kann auch eine negative Zahl sein"
    if re.search(r"/\s*0+$", text):
        return "durch 0 kann man nicht teilen"
    if re.fullmatch(r"[+-]?[0-9.,'’ ]+", text) and len(numbers) > 1:
        return "die Zeichen zwischen den Ziffern lassen mehrere Lesarten zu"
    return "darin stehen zwei Zahlen" if len(numbers) > 2 else "daneben steht etwas anderes"


# --- The one rule of grading, for all who judge a number: `pruefe`, the page, lessons, Moodle, STACK.
#
# A number counts as what it rounds to in the places of its cell, half away from zero; one with fewer places
# as it stands. It is right inside the accepted range: what honest rounding gives, at least one unit of the
# last place to either side (engine/judging); what is given or copied is only itself. From own earlier numbers
# that differ it is right up to one unit beside what follows.


_HAIR: Final = Decimal("1e-9")  # of a unit: no calculator shows so many places, every float tells them apart
_GROUPED: Final = re.compile(r"([-+]?)([1-9][0-9]{0,2}(?:([.,])[0-9]{3})(?:\3[0-9]{3})*)")


def unit(places: int) -> Decimal:
    """One unit of the last place."""
    return Decimal(1).scaleb(-places)


def counted(value: Decimal, places: int) -> Decimal:
    """The value rounded to its places, as it is judged."""
    return value.quantize(unit(places), context=_EXACT) + 0  # no negative zero


def meant(text: str, value: Decimal, places: int, key: float) -> Decimal:
    """1023 for 1.023 in a cell of whole numbers, where that is nearer to the key's number; else `value`."""
    grouped = _GROUPED.fullmatch(text.strip().replace("\N{MINUS SIGN}", "-").replace("\N{EN DASH}", "-"))
    if places or grouped is None:
        return value
    whole = Decimal(grouped[1] + re.sub(r"[.,]", "", grouped[2]))
    return whole if abs(whole - Decimal(key)) < abs(value - Decimal(key)) else value


def counting(low: Decimal, high: Decimal, places: int) -> tuple[Decimal, Decimal]:
    """From where to where a number counts as one from low to high; a hair within where an end does not."""
    half, hair = unit(places) / 2, unit(places) * _HAIR
    return low - half + (-hair if low > 0 else hair), high + half + (hair if high < 0 else -hair)
