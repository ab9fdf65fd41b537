"""A figure as SVG goes in, a PNG comes out: drawn with our own fonts, so that it looks as on paper."""

from __future__ import annotations

import io
from functools import cache
from typing import Final

from generator.output.pdf import PdfUnavailable, layout

_DOTS_PER_INCH: Final = 250
_POINTS_PER_INCH: Final = 72
_GREYS: Final = 16


@cache
def png(svg: str, width: float, height: float) -> bytes | None:
    """The picture of width × height mm in shades of grey; None where the libraries of the PDF are missing."""
    page = f"@page {{ size: {width}mm {height}mm; margin: 0 }} svg {{ display: block }} body {{ margin: 0 }}"
    html = f'<!doctype html><html lang="de"><head><style>{page}</style></head><body>{svg}</body></html>'
    try:
        data = layout(html, title="").write()
    except PdfUnavailable:
        return None
    import pypdfium2

    with pypdfium2.PdfDocument(data) as document:
        drawn = document[0].render(scale=_DOTS_PER_INCH / _POINTS_PER_INCH, grayscale=True).to_pil()
    out = io.BytesIO()
    drawn.quantize(_GREYS).save(out, "PNG", optimize=True, dpi=(_DOTS_PER_INCH, _DOTS_PER_INCH))
    return out.getvalue()
