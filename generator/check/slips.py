"""A wrong number that would be right but for a slip of the pen: sign, decimal point, two digits, places.

It is only named; it costs what any wrong number costs.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from typing import Final

from generator.basics.grading import counted
from generator.basics.templates import text_of
from generator.check.check import WRONG, CheckedCell

PLACES: Final = "places"


def slip_of(cell: CheckedCell, places: int) -> str:
    """Which slip makes of the key's number, or of what follows from own ones, what is written; or ""."""
    value = cell.entry.value
    if cell.verdict != WRONG or value is None:
        return ""
    rights = {counted(Decimal(repr(each)), places) for each in (cell.expected, cell.follows) if each}
    slips = (name for name, makes in _SLIPS.items() if any(makes(value, right, places) for right in rights))
    return next(slips, "")


def in_words(slip: str, places: int) -> str:
    """What is said of it; "" for none."""
    return _words()["place" if slip == PLACES and places == 1 else slip].format(places=places) if slip else ""


def _sign(value: Decimal, right: Decimal, places: int) -> bool:
    return value == -right


def _point(value: Decimal, right: Decimal, places: int) -> bool:
    return value in (right * 10, right / 10)


def _digits(value: Decimal, right: Decimal, places: int) -> bool:
    """Two neighbours have changed places."""
    said = str(abs(right).scaleb(places).to_integral_value()).zfill(places + 1)
    swapped = (said[:i] + said[i + 1] + said[i] + said[i + 2 :] for i in range(len(said) - 1))
    return any(value == Decimal(each).scaleb(-places).copy_sign(right) for each in swapped)


def _places(value: Decimal, right: Decimal, places: int) -> bool:
    """Rounded too early."""
    written = max(0, -int(value.as_tuple().exponent))
    return written < places and counted(right, written) == value


_SLIPS: Final[dict[str, Callable[[Decimal, Decimal, int], bool]]] = {
    PLACES: _places,
    "sign": _sign,
    "point": _point,
    "digits": _digits,
}


@cache
def _words() -> dict[str, str]:
    words: dict[str, str] = tomllib.loads(text_of("check/mistakes.toml"))["slips"]
    return words
