"""In: a PDF that is about to be written. Out: the font that viewers write into its fields with.

A simple font with every sign of Windows' Latin alphabet and a true minus: viewers and libraries can write in
it, which few can in the composite fonts of the pages.
"""

from __future__ import annotations

import io
from functools import cache
from typing import Any, Final

from generator.basics import fonts

FONT_NAME: Final = "Blatt"
_FILE: Final = "papierformer-sans-regular.ttf"
_FIRST, _LAST = 32, 255
_MINUS_AT: Final = 129  # a code that Windows' Latin alphabet leaves free
_NONSYMBOLIC: Final = 32


@cache
def _signs() -> dict[int, str]:
    """Code -> sign."""
    signs = {}
    for code in range(_FIRST, _LAST + 1):
        sign = bytes([code]).decode("cp1252", errors="ignore")
        if sign and sign.isprintable():
            signs[code] = sign
    return signs | {_MINUS_AT: "\N{MINUS SIGN}", 160: "\N{NO-BREAK SPACE}"}


@cache
def _font() -> tuple[bytes, tuple[int, ...], dict[str, Any]]:
    """The font's file, its widths by code, and what its descriptor says."""
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont

    font = TTFont(fonts.folder() / "pdf" / _FILE, recalcTimestamp=False)
    options = Options(layout_features=[], hinting=False, notdef_outline=True, glyph_names=False)
    options.recalc_timestamp = False
    subsetter = Subsetter(options)
    subsetter.populate(text="".join(_signs().values()))
    subsetter.subset(font)
    units = 1000 / font["head"].unitsPerEm
    names, advances = font.getBestCmap(), font["hmtx"].metrics
    widths = tuple(
        round(advances[names.get(ord(_signs()[code]), ".notdef")][0] * units)
        if code in _signs()
        else round(advances[".notdef"][0] * units)
        for code in range(_FIRST, _LAST + 1)
    )
    head, line = font["head"], font["hhea"]
    box = [round(side * units) for side in (head.xMin, head.yMin, head.xMax, head.yMax)]
    capital = round(getattr(font["OS/2"], "sCapHeight", line.ascent) * units)
    said = {"FontBBox": box, "Ascent": round(line.ascent * units), "Descent": round(line.descent * units)}
    file = io.BytesIO()
    font.save(file)
    return file.getvalue(), widths, said | {"CapHeight": capital, "ItalicAngle": 0, "StemV": 80}


def add_font(pdf: Any) -> Any:
    """Puts the font into the file; its dictionary."""
    import pydyf

    content, widths, said = _font()
    name = "/AAAAAA+Papierformer-Sans-Regular"
    file = pydyf.Stream([content], pydyf.Dictionary({"Length1": len(content)}), compress=True)
    pdf.add_object(file)
    descriptor = pydyf.Dictionary({"Type": "/FontDescriptor", "FontName": name, "Flags": _NONSYMBOLIC})
    descriptor |= {**said, "FontBBox": pydyf.Array(said["FontBBox"]), "FontFile2": file.reference}
    pdf.add_object(descriptor)
    encoding = {"Type": "/Encoding", "BaseEncoding": "/WinAnsiEncoding"}
    encoding["Differences"] = pydyf.Array([_MINUS_AT, "/minus"])
    font = pydyf.Dictionary({"Type": "/Font", "Subtype": "/TrueType", "BaseFont": name})
    font |= {"FirstChar": _FIRST, "LastChar": _LAST, "Widths": pydyf.Array(widths)}
    font |= {"FontDescriptor": descriptor.reference, "Encoding": pydyf.Dictionary(encoding)}
    pdf.add_object(font)
    return font
