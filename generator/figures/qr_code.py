"""A text as a QR code."""

from collections.abc import Sequence
from typing import Final

import segno
from markupsafe import Markup

from generator.sheet.sheet import Drawing, Figure

_QUIET: Final = 4  # modules of white that the standard asks for around the code
_MODULE: Final = 0.6  # mm; the smallest that a phone reads from a copied page
_WIDEST: Final = 60.0  # mm
_SMALLEST_MODULE: Final = 0.4  # mm; read from a print at 300 dpi, no longer from a copy of a copy


def qr_code(text: str, title: str) -> Figure | None:
    """The text as a QR code; None where it is too long for one that a phone could read on paper."""
    matrix = _modules(text)
    side = len(matrix) + 2 * _QUIET
    if not matrix or side * _MODULE > _WIDEST:
        return None
    path = "".join(_row(line, y + _QUIET) for y, line in enumerate(matrix))
    shapes = Markup('<path d="{}" fill="#000" transform="scale({})"/>').format(path, _MODULE)
    return Figure(title, side * _MODULE, side * _MODULE, Drawing(shapes, text))


def small_qr_code(text: str, title: str, side: float) -> Figure | None:
    """The text as a QR code of `side` mm whatever its length; None where its modules would be too small.

    The page around it is white, so the standard's edge is left to the page. Of one size for every text, so
    that sheets of a class have one layout.
    """
    matrix = _modules(text)
    if not matrix or side / len(matrix) < _SMALLEST_MODULE:
        return None
    module = side / len(matrix)
    path = "".join(_row(line, y, module, 0) for y, line in enumerate(matrix))
    shapes = Markup('<path d="{}" fill="#000" stroke="none"/>').format(path)
    return Figure(title, side, side, Drawing(shapes, text))


def _modules(text: str) -> Sequence[bytearray]:
    """Line by line; none where the text is too long for any code."""
    try:
        return segno.make(text, error="l", micro=False, boost_error=True).matrix
    except segno.DataOverflowError:
        return ()


def _row(line: bytearray, y: int, module: float = 1, edge: int = _QUIET) -> str:
    """The dark modules of one line, each run as one rectangle."""
    path, start = "", None
    for x, dark in enumerate([*line, 0]):
        if dark and start is None:
            start = x
        elif not dark and start is not None:
            left, right, top, bottom = (
                f"{place * module:.4g}" for place in (start + edge, x + edge, y, y + 1)
            )
            path += f"M{left} {top}H{right}V{bottom}H{left}Z"
            start = None
    return path
