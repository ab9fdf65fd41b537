"""What a person wrote in, the one number that it can only mean out; or a German reason why there is none.

More is read here than options take: fractions, powers of ten, „ca. 0,5“, „0,5 (gerundet)“, thousands. What
two people could read in two ways stays unread.
"""

from __future__ import annotations

import re
import unicodedata
from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import Final

_LONGEST: Final = 80
_CONTEXT: Final = Context(prec=60, rounding=ROUND_HALF_EVEN)
_DASHES: Final = dict.fromkeys((*range(0x2010, 0x2016), 0x2212, 0xFE58, 0xFE63, 0xFF0D), "-")
_DIGITS: Final = {0xFF10 + digit: str(digit) for digit in range(10)}
_WIDE: Final = {
    0xFF0C: ",",
    0xFF0E: ".",
    0xFF0B: "+",
    0xFF05: "%",
    0xFF1D: "=",
    0xFF0F: "/",
    0x2044: "/",
    0x2215: "/",
}
_ALIKE: Final = _DASHES | _DIGITS | _WIDE
_HALVES: Final = {"½": (1, 2), "¼": (1, 4), "¾": (3, 4), "⅓": (1, 3), "⅔": (2, 3), "⅕": (1, 5), "⅛": (1, 8)}
_ABOUT: Final = re.compile(
    r"(?:[≈~≃≅=]|(?:ca|circa|etwa|rund|ungefähr|ungef|gerundet|ger)\b\.?:?)\s*", re.IGNORECASE
)
_REMARK: Final = re.compile(
    r"\s*\(?\s*(?:gerundet|gerund\.|ger\.|geschätzt|unsicher|ca\.|ungefähr|etwa|rund|\?)\s*\)?", re.IGNORECASE
)
_SPACE: Final = "[ \u00a0\u2009\u202f]"
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
        super().__init__(reason)
        self.reason = reason


def read_number(text: str) -> Decimal:
    """The number that was written. NotANumber where there is none, or more than one way to read it."""
    if len(text) > _LONGEST:
        raise NotANumber("zu lang")
    seen = "".join(sign for sign in text.translate(_ALIKE) if unicodedata.category(sign) != "Cf").strip()
    if quoted := re.fullmatch(r"=?\"([^\"]*)\"", seen):
        seen = quoted[1].strip()
    inner = seen.removeprefix("'")
    inner = inner[match.end() :] if (match := _ABOUT.match(inner)) else inner
    inner = re.sub(rf"{_REMARK.pattern}$", "", inner, flags=re.IGNORECASE).strip()
    sign, inner = (inner[0], inner[1:].lstrip()) if inner[:1] in ("+", "-") else ("", inner)
    value = _percent(inner)
    if value is None:
        raise NotANumber(_why(seen))
    return -value if value and sign == "-" else value


def _percent(text: str) -> Decimal | None:
    share = re.fullmatch(r"(.*?)\s*(?:%|Prozent)", text)
    value = _unsigned(share[1] if share else text)
    return value if value is None or not share else value.scaleb(-2, _CONTEXT)


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
