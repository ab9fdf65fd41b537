"""What lets a scan be found again: four black squares and a DataMatrix on each page of a worksheet.

They stand in the margins where copiers and printers still print. The DataMatrix says sheet, pupil and page;
it stands beside the upper right square, so it also says which way up the page is. It has 14 × 14 modules
(ISO/IEC 16022, ECC 200), as small as a page's corner: eight codewords (a letter is one, two digits together
are one), and ten more that repair what a pen or copier spoils.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

SIDE: Final = 14  # modules
_INNER: Final = 12  # without the frame
_DATA, _REPAIR = 8, 10  # codewords
_FIELD: Final = 0x12D  # the polynomial of the field with 256 elements
_PAD: Final = 129


def data_matrix(text: str) -> tuple[tuple[bool, ...], ...]:
    """Rows of modules, dark ones true. ValueError for a text that needs more than eight codewords."""
    words = [130 + int(pair) if len(pair) == 2 else ord(pair) + 1 for pair in re.findall(r"\d\d|[ -~]", text)]
    if len(words) > _DATA:
        raise ValueError(f"too long for a mark: {text!r}")
    words += [_PAD, *map(_mixed_pad, range(len(words) + 2, _DATA + 1))][: _DATA - len(words)]
    words += _repair(words)
    inner = [[bool(words[word] >> 7 - bit & 1) for word, bit in row] for row in _places()]
    rows = [[column % 2 == 0 for column in range(SIDE)]]
    rows += [[True, *row, place % 2 == 0] for place, row in enumerate(inner)]
    rows.append([True] * SIDE)
    return tuple(map(tuple, rows))


def _mixed_pad(place: int) -> int:
    """What fills a place (from 1) behind the first that is empty."""
    mixed = _PAD + 149 * place % 253 + 1
    return mixed if mixed <= 254 else mixed - 254


@cache
def _powers() -> tuple[tuple[int, ...], dict[int, int]]:
    """The powers of 2 in the field, and their exponents."""
    powers = [1]
    while len(powers) < 255:
        doubled = powers[-1] * 2
        powers.append(doubled ^ _FIELD if doubled > 255 else doubled)
    return tuple(powers), {power: exponent for exponent, power in enumerate(powers)}


def _times(one: int, other: int) -> int:
    powers, exponents = _powers()
    return powers[(exponents[one] + exponents[other]) % 255] if one and other else 0


@cache
def _generator() -> tuple[int, ...]:
    """(x − 2¹)(x − 2²)… of as many factors as there are codewords for repair, highest power first."""
    product = [1]
    for exponent in range(1, _REPAIR + 1):
        root = _powers()[0][exponent]
        shifted = [*product, 0]
        product = [a ^ _times(root, b) for a, b in zip(shifted, [0, *product], strict=True)]
    return tuple(product)


def _repair(words: list[int]) -> list[int]:
    rest = [0] * _REPAIR
    for word in words:
        lead = word ^ rest[0]
        rest = [a ^ _times(lead, b) for a, b in zip([*rest[1:], 0], _generator()[1:], strict=True)]
    return rest


_SHAPE: Final = ((-2, -2), (-2, -1), (-1, -2), (-1, -1), (-1, 0), (0, -2), (0, -1), (0, 0))  # of a codeword
# One codeword of this size is bent around the corners.
_CORNER: Final = ((11, 0), (11, 1), (11, 2), (0, 10), (0, 11), (1, 11), (2, 11), (3, 11))


@cache
def _places() -> tuple[tuple[tuple[int, int], ...], ...]:
    """For each module its codeword and bit, 0 the highest."""
    size = _INNER
    found: dict[tuple[int, int], tuple[int, int]] = {}
    word = 0

    def put(row: int, column: int) -> None:
        nonlocal word
        for bit, (down, right) in enumerate(_SHAPE):
            y, x = row + down, column + right
            if y < 0:
                y, x = y + size, x + 4 - (size + 4) % 8
            if x < 0:
                x, y = x + size, y + 4 - (size + 4) % 8
            found[y, x] = (word, bit)
        word += 1

    row, column = 4, 0
    while row < size or column < size:
        if row == size and column == 0:
            found.update({place: (word, bit) for bit, place in enumerate(_CORNER)})
            word += 1
        while row >= 0 and column < size:
            if row < size and column >= 0 and (row, column) not in found:
                put(row, column)
            row, column = row - 2, column + 2
        row, column = row + 1, column + 3
        while row < size and column >= 0:
            if row >= 0 and column < size and (row, column) not in found:
                put(row, column)
            row, column = row + 2, column - 2
        row, column = row + 3, column + 1
    return tuple(tuple(found[y, x] for x in range(size)) for y in range(size))


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
