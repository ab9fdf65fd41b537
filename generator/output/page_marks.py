"""What lets a scan be found again: four black squares and a DataMatrix on each page of a worksheet.

They stand in the margins where copiers still print. The DataMatrix says sheet, pupil and page; it stands
beside the upper right square, so it also says which way up the page is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from generator.output.data_matrix import SIDE, data_matrix

POINTS_PER_MM: Final = 72 / 25.4
SQUARE: Final = 5.0  # mm
INSET: Final = 5.0  # mm between a square and the paper's edge
MATRIX: Final = 8.0  # mm
_GAP: Final = 2.0  # mm between the DataMatrix and its square: more than the white that it needs
_TEXT: Final = re.compile(r"([A-Z2-7]{4})(\d{4})(\d{4})")
_MOST: Final = 10_000


class PageMark(NamedTuple):
    """sheet: its name of four letters. pupil: the number in a class set, 0 for a sheet by itself."""

    sheet: str
    pupil: int
    page: int

    @property
    def text(self) -> str:
        return f"{self.sheet}{self.pupil % _MOST:04}{self.page % _MOST:04}"

    @classmethod
    def of(cls, text: str) -> PageMark | None:
        """What a DataMatrix says; None if it is none of ours."""
        found = _TEXT.fullmatch(text)
        return cls(found[1], int(found[2]), int(found[3])) if found else None


def square_corners(width: float, height: float) -> tuple[tuple[float, float], ...]:
    """The squares' upper left corners in mm, clockwise from the page's upper left."""
    left, right = INSET, width - INSET - SQUARE
    top, bottom = INSET, height - INSET - SQUARE
    return (left, top), (right, top), (right, bottom), (left, bottom)


def matrix_corner(width: float) -> tuple[float, float]:
    """The DataMatrix's upper left corner in mm."""
    return width - INSET - SQUARE - _GAP - MATRIX, INSET


def operators(mark: PageMark, width: float, height: float) -> bytes:
    """The marks of a page as PDF draws them, in points from its upper left corner. width, height: in mm."""
    shapes = [_rectangle(x, y, SQUARE, SQUARE) for x, y in square_corners(width, height)]
    left, top = matrix_corner(width)
    module = MATRIX / SIDE
    for row, modules in enumerate(data_matrix(mark.text)):
        for start, length in _runs(modules):
            shapes.append(_rectangle(left + start * module, top + row * module, length * module, module))
    return b"/Artifact BMC\nq\n0 0 0 rg\n" + b"\n".join(shapes) + b"\nf\nQ\nEMC"


def _runs(modules: tuple[bool, ...]) -> Iterator[tuple[int, int]]:
    """Where dark modules side by side begin, and how many they are."""
    for found in re.finditer("1+", "".join("01"[dark] for dark in modules)):
        yield found.start(), found.end() - found.start()


def _rectangle(x: float, y: float, width: float, height: float) -> bytes:
    return b"%.3f %.3f %.3f %.3f re" % tuple(side * POINTS_PER_MM for side in (x, y, width, height))


class Blank(NamedTuple):
    """Where a number is to be written: its page counted from 1, its sides in mm, its cell as `name[2,1]`."""

    page: int
    left: float
    top: float
    right: float
    bottom: float
    cell: str


def boxes_with(
    source: Any, wanted: Any, cell: Any = None, seen: set[Any] | None = None
) -> Iterator[tuple[Any, Any]]:
    """The boxes of wanted elements, each with the box that is its room: the cell of a table, or itself.

    source: a box as WeasyPrint laid it out.
    """
    seen = set() if seen is None else seen
    box = getattr(source, "_box", source)  # absolutely placed boxes stand behind a placeholder
    kind, element = type(box).__name__, box.element
    if kind == "TableCellBox":
        cell = box
    if element is not None and kind not in ("TextBox", "LineBox") and wanted(element):
        if element not in seen:
            seen.add(element)
            yield box, cell if kind == "InlineBox" and cell is not None else box
        return
    for child in getattr(box, "children", ()):
        yield from boxes_with(child, wanted, cell, seen)


def blank_places(document: Any, zoom: float) -> Iterator[tuple[Any, Blank]]:
    """Each blank for a number in a laid out document, with its element."""
    scale = 0.75 * zoom / POINTS_PER_MM
    for number, page in enumerate(document.pages, 1):
        for box, room in boxes_with(page._page_box, is_number_blank):
            left, top = room.padding_box_x(), room.padding_box_y()
            sides = left, top, left + room.padding_width(), top + room.padding_height()
            element = box.element
            cell = f"{element.get('data-q')}[{element.get('data-i')}]"
            x, y, right, bottom = (round(side * scale, 2) for side in sides)
            yield element, Blank(number, x, y, right, bottom, cell)


def is_number_blank(element: Any) -> bool:
    return element.get("data-q") is not None and "blank" in (element.get("class") or "").split()
