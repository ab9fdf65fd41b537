"""A PDF goes in; the signs of its pages come out with their places: read by PDFium, quickly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium


class Sign(NamedTuple):
    """left, top, right: the edges of its box, as high as its font, in pt from the page's corner."""

    text: str
    left: float
    top: float
    right: float


def pages_of(data: bytes) -> list[Any]:
    return list(pypdfium2.PdfDocument(data))


def signs(page: Any) -> Iterator[Sign]:
    """All that are no white space."""
    text, height, box = page.get_textpage(), page.get_height(), pdfium.FS_RECTF()
    for place in range(text.count_chars()):
        sign = chr(pdfium.FPDFText_GetUnicode(text, place))
        if sign.strip() and not pdfium.FPDFText_IsGenerated(text, place):
            pdfium.FPDFText_GetLooseCharBox(text, place, box)
            yield Sign(sign, box.left, height - box.top, box.right)


def text_of(page: Any) -> str:
    return page.get_textpage().get_text_range().replace("\r\n", "\n")
