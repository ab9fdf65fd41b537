"""Ids of stations go in; how running text names them comes out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from generator.option_kinds import in_words

_FORMULAS: Final = "S"


def named(ids: Iterable[str]) -> str:
    """Station 4a; Stationen 4a, 4b und 8 sowie die Formelsammlung."""
    given = list(ids)
    numbered = [name for name in given if name != _FORMULAS]
    formulas = ["die Formelsammlung"] if _FORMULAS in given else []
    word = "Station" if len(numbered) == 1 else "Stationen"
    stations = [f"{word} {in_words(numbered, 'und')}"] if numbered else []
    return " sowie ".join(stations + formulas)
