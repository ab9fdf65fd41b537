"""The PDFs of a class go in; one file for the copier comes out, each sheet beginning on a front page."""

from __future__ import annotations

import io
from collections.abc import Iterable


def bound(sheets: Iterable[bytes]) -> bytes:
    """The pages of all PDFs; an empty page follows a sheet of an odd number of pages."""
    from pypdfium2 import PdfDocument

    whole = PdfDocument.new()
    for content in sheets:
        sheet = PdfDocument(content)
        whole.import_pages(sheet)
        if len(sheet) % 2:
            whole.new_page(*sheet[0].get_size())
        sheet.close()
    written = io.BytesIO()
    whole.save(written)
    return written.getvalue()
