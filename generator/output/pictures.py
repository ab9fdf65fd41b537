"""A PDF goes in; its pages come out as small pictures, in black and white, for the screen."""

from __future__ import annotations

import io
from collections.abc import Iterator


def pictures(pdf: bytes, width: int, most: int | None = None) -> Iterator[bytes]:
    """Each page as PNG, so many pixels wide. most: of the first pages; None for all."""
    import pypdfium2  # only who looks at pages waits for it

    document = pypdfium2.PdfDocument(pdf)
    try:
        for number in range(min(len(document), most or len(document))):
            page = document[number]
            image = page.render(scale=width / page.get_width(), grayscale=True).to_pil()
            out = io.BytesIO()
            image.quantize(16).save(out, "PNG", optimize=False)
            yield out.getvalue()
    finally:
        document.close()
