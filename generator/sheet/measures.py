"""The page and what a hand needs on it, in mm, for stations, figures, other formats and the style sheets."""

from __future__ import annotations

from typing import Final

PAGE: Final = (210.0, 297.0)  # A4
TOP, RIGHT, BOTTOM, LEFT = 15.0, 20.0, 18.0, 25.0  # margins; holes at the left
TEXT_WIDTH: Final = PAGE[0] - LEFT - RIGHT
TABLE_WIDTH: Final = TEXT_WIDTH - 1.0  # for the columns of a table, less its rules
WORD_WIDTH: Final = 27.0  # the column of the words
BLANK_WIDTHS: Final = (14, 14, 16, 19, 22, 25, 28, 31, 34)  # of a blank in a line, by places


def blank_width(places: int) -> float:
    """The column that a hand needs for a number with its sign: −0,00 takes 18."""
    return 12.0 + 3.0 * places


def page_css() -> str:
    """The page of the print style sheet."""
    return f"@page {{ size: A4; margin: {TOP:g}mm {RIGHT:g}mm {BOTTOM:g}mm {LEFT:g}mm; }}"


def blanks_css() -> str:
    """The widths of blanks outside tables."""
    return "\n".join(f".p{places}.blank {{ width: {width}mm; }}" for places, width in enumerate(BLANK_WIDTHS))
