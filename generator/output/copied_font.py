"""In: a PDF that is about to be written. Out: the same, with the font of the unseen text below formulas."""

from __future__ import annotations

from typing import Any

from generator.output.formulas.copied import COPIED_FONT, TO_UNICODE


def add_copied_font(pdf: Any) -> None:
    """Makes the font known to the pages; they share one table of fonts."""
    import pydyf

    by_reference: dict[bytes, Any] = {}
    for entry in pdf.objects:
        by_reference[entry.reference] = entry
    mapping = pydyf.Stream([_to_unicode()], compress=True)
    pdf.add_object(mapping)
    first, last = min(TO_UNICODE), max(TO_UNICODE)
    font = pydyf.Dictionary({"Type": "/Font", "Subtype": "/Type1", "BaseFont": "/Helvetica"})
    font |= {"FirstChar": first, "LastChar": last, "Widths": pydyf.Array([556] * (last - first + 1))}
    font |= {"Encoding": "/WinAnsiEncoding", "ToUnicode": mapping.reference}
    pdf.add_object(font)
    for reference in dict.fromkeys(by_reference[page]["Resources"] for page in pdf.page_references):
        by_reference[by_reference[reference]["Font"]][COPIED_FONT] = font.reference


def _to_unicode() -> bytes:
    pairs = [f"<{code:02x}> <{sign.encode('utf-16-be').hex()}>" for code, sign in TO_UNICODE.items()]
    blocks = [pairs[start : start + 100] for start in range(0, len(pairs), 100)]
    listed = "\n".join(f"{len(b)} beginbfchar\n" + "\n".join(b) + "\nendbfchar" for b in blocks)
    return (
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n"
        "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n"
        f"1 begincodespacerange\n<00> <ff>\nendcodespacerange\n{listed}\n"
        "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend"
    ).encode("ascii")
