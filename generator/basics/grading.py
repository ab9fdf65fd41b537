"""The one rule of grading, for all who judge a written number: `pruefe`, the page, lessons, Moodle, STACK.

A number counts as what it rounds to in the places of its cell, half away from zero; one with fewer places as
it stands. It is right inside the accepted range: what honest rounding gives, at least one unit of the last
place to either side (engine/judging); what is given or copied is only itself. From own earlier numbers that
differ it is right up to one unit beside what follows.
"""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Final

_EXACT: Final = Context(prec=80, rounding=ROUND_HALF_UP)
_HAIR: Final = Decimal("1e-9")  # of a unit: no calculator shows so many places, every float tells them apart
_GROUPED: Final = re.compile(r"([-+]?)([1-9][0-9]{0,2}(?:([.,])[0-9]{3})(?:\3[0-9]{3})*)")


def unit(places: int) -> Decimal:
    """One unit of the last place."""
    return Decimal(1).scaleb(-places)


def counted(value: Decimal, places: int) -> Decimal:
    """What a written number counts as."""
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
