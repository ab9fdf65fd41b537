"""What lets a scan be found again: four black squares and a DataMatrix on each page of a worksheet.

They stand in the margins where copiers and printers still print. The DataMatrix says sheet, pupil and page;
it stands beside the upper right square, so it also says which way up the page is. It has 14 × 14 modules
(ISO/IEC 16022, ECC 200), as small as a page's corner: eight codewords (a letter is one, two digits together
are one), and ten more that repair what a pen or copier spoils.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple

SIDE: Final = 14  # modules


def data_matrix(text: str) -> list[list[bool]]:
    """Rows of modules, dark ones true. ValueError for a text that needs more than eight codewords."""
    import zxingcpp  # marks alone need it

    code = zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat.DataMatrix)
    picture: Any = zxingcpp.write_barcode_to_image(code, add_quiet_zones=False)
    modules: Any = memoryview(picture)
    if modules.shape != (SIDE, SIDE):
        raise ValueError(f"too long for a mark: {text!r}")
    return [[grey < 128 for grey in row] for row in modules.tolist()]


POINTS_PER_MM: Final = 72 / 25.4


class Layout(NamedTuple):
    """Where the marks stand, in mm: the sides of the squares and of the DataMatrix, how far squares keep from
    the paper's edges and from the lower one, and the white between the DataMatrix and its square.
    """

    square: float
    inset: float
    low: float
    matrix: float
    gap: float

    def squares(self, width: float, height: float) -> tuple[tuple[float, float], ...]:
        """The squares' upper left corners, clockwise from the page's upper left."""
        left, right = self.inset, width - self.inset - self.square
        top, bottom = self.inset, height - self.low - self.square
        return (left, top), (right, top), (right, bottom), (left, bottom)

    def matrix_corner(self, width: float) -> tuple[float, float]:
        """The DataMatrix's upper left corner."""
        return width - self.inset - self.square - self.gap - self.matrix, self.inset


MARKS: Final = Layout(square=3.2, inset=8.2, low=10.2, matrix=7.0, gap=1.3)  # many printers lose 8 mm
EARLIER: Final = Layout(square=5.0, inset=5.0, low=5.0, matrix=8.0, gap=2.0)  # on sheets of before 0.5.0
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


def operators(mark: PageMark, width: float, height: float) -> bytes:
    """The marks of a page as PDF draws them, in points from its upper left corner. width, height: in mm."""
    shapes = [_rectangle(x, y, MARKS.square, MARKS.square) for x, y in MARKS.squares(width, height)]
    left, top = MARKS.matrix_corner(width)
    module = MARKS.matrix / SIDE
    for row, modules in enumerate(data_matrix(mark.text)):
        for dark in re.finditer(b"\1+", bytes(modules)):  # side by side
            x, wide = left + dark.start() * module, len(dark[0]) * module
            shapes.append(_rectangle(x, top + row * module, wide, module))
    return b"/Artifact BMC\nq\n0 0 0 rg\n" + b"\n".join(shapes) + b"\nf\nQ\nEMC"


@lru_cache(maxsize=2_000)
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
