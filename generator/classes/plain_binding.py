"""The PDFs of a class as a browser printed them go in; one file for the copier comes out, without tags.

What a browser writes has not the shape that `binding` keeps tags and bookmarks of: the pages alone are taken.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO


def printed_by_browser(content: bytes) -> bool:
    """Whether a browser of the Chromium family has printed this PDF."""
    return b"(Skia/PDF " in content


def bind_plainly(sheets: Iterable[bytes], out: BinaryIO, front: bool) -> None:
    """Writes the sheets' pages. front: each sheet begins on a front page."""
    import pypdfium2

    with pypdfium2.PdfDocument.new() as whole:
        for content in sheets:
            if front and len(whole) % 2:
                whole.new_page(*whole[len(whole) - 1].get_size()).close()
            with pypdfium2.PdfDocument(content) as sheet:
                whole.import_pages(sheet)
        whole.save(out)
