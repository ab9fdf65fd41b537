"""Greek letters of formulas: loaded by helpers that print, so it needs nothing."""

from __future__ import annotations

from typing import Final

_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau phi psi omega"
)
GREEK_LETTERS: Final = dict(zip(_NAMES.split(), "αβγδεζηθικλμνξπρστφψω", strict=True))
"""Of each letter in formulas its name and its sign."""
