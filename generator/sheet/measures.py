"""The page and what a hand needs on it, in mm, for stations, figures, other formats and the style sheets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from generator.options.options import Side

PAGE: Final = (210.0, 297.0)  # A4
TOP, RIGHT, BOTTOM, LEFT = 15.0, 20.0, 18.0, 25.0  # margins; holes at the left
TEXT_WIDTH: Final = PAGE[0] - LEFT - RIGHT
TABLE_WIDTH: Final = TEXT_WIDTH - 1.0  # for the columns of a table, less its rules
WORD_WIDTH: Final = 27.0  # the column of the words
TEXT_SIZE: Final = 11.0  # pt, of running text
BLANK_WIDTHS: Final = (14, 14, 16, 19, 22, 25, 28, 31, 34)  # of a blank in a line, by places


def blank_width(places: int) -> float:
    """The column that a hand needs for a number with its sign: −0,00 takes 18."""
    return 12.0 + 3.0 * places


_WIDER: Final = 8.0  # mm that a wider margin takes from the other, of which so much stays:
_LEAST_MARGIN: Final = 10.0


@dataclass(frozen=True)
class PageFormat:
    """A sheet of A4 and how much larger all is printed than it is laid out; the text is TEXT_WIDTH wide then.

    width, height, left and right are as printed.
    """

    width: float
    height: float
    left: float
    right: float
    zoom: float = 1.0

    @property
    def css(self) -> str:
        """The page of the print style sheet, in the measures of the layout."""
        lengths = (self.width, self.height, TOP, self.right, BOTTOM, self.left)
        width, height, top, right, bottom, left = (
            f"{length / self.zoom:.4f}".rstrip("0").rstrip(".") + "mm" for length in lengths
        )
        return f"@page {{ size: {width} {height}; margin: {top} {right} {bottom} {left}; }}"


def page_format(text_size: int | None = None, wider: Side | None = None) -> PageFormat:
    """text_size: pt, on a sheet turned to landscape, so that tables and figures grow with the text.

    wider: the side of the wider margin, for holes or a hand.
    """
    zoom = (text_size or TEXT_SIZE) / TEXT_SIZE
    width, height = PAGE if text_size is None else PAGE[::-1]
    both = width - zoom * TEXT_WIDTH
    left, right = both * LEFT / (LEFT + RIGHT), both * RIGHT / (LEFT + RIGHT)
    if wider is not None:
        shift = max(0.0, min(_WIDER, right - _LEAST_MARGIN))
        left, right = left + shift, right - shift
    if wider == "rechts":
        left, right = right, left
    return PageFormat(width, height, left, right, zoom)


def blanks_css() -> str:
    """The widths of blanks outside tables."""
    return "\n".join(f".p{places}.blank {{ width: {width}mm; }}" for places, width in enumerate(BLANK_WIDTHS))
