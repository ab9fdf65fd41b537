"""A PDF written object by object."""

from __future__ import annotations

import io

import pypdfium2

from generator.output.pdf_objects import PdfFile


def test_a_file_of_more_objects_than_two_bytes_count():
    written = io.BytesIO()
    file = PdfFile(written)
    root, pages, page, info, first = (file.new() for _ in range(5))
    last = file.new(70_000) + 69_999
    file.add(root, b"<</Type /Catalog/Pages %d 0 R>>" % pages)
    file.add(pages, b"<</Type /Pages/Kids [%d 0 R]/Count 1>>" % page)
    file.add(info, b"<<>>")
    parts = {n: b"<</Order %d>>" % n for n in range(first, last)}
    parts[page] = b"<</Type /Page/Parent %d 0 R/MediaBox [0 0 321 654]>>" % pages
    file.together(parts)
    file.finish(root, info)
    with pypdfium2.PdfDocument(written.getvalue()) as document:
        assert document[0].get_size() == (321, 654)
