"""What only WeasyPrint's own modules tell of a line: where Pango lets it end, how high its text makes it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

PICTURE: Final = "\u2e80"
"""What WeasyPrint takes a picture or a box in a line for."""


@lru_cache(maxsize=2_000)  # worksheet and key have most of their lines in common
def line_ends(text: str) -> frozenset[int]:
    """The places in a German text at which a line may end, each counted by the signs before it."""
    from weasyprint.text.line_break import get_log_attrs

    found = get_log_attrs(text, "de")
    return frozenset(place for place in range(1, len(text)) if found[place].is_line_break)


def line_of(style: Any) -> tuple[float, float]:
    """Height and baseline of a line that holds nothing but text of this style, in CSS px."""
    from weasyprint.text.line_break import strut

    height, baseline = strut(style)
    return height, baseline
