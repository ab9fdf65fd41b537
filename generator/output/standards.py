"""What makes our PDFs both PDF/UA-1 (ISO 14289-1) and PDF/A-2a (ISO 19005-2).

WeasyPrint writes one of the two: PDF/A-2a (colours, identifier, tags). This adds the name of the other to the
metadata, turns the pictures of formulas, tagged as figures, into formulas, and names the font of the unseen
text below them.
"""

import re
from typing import Any, Final
from xml.etree import ElementTree

from generator.output.formulas.wording import COPIED_FONT, TO_UNICODE

VARIANT: Final = "pdf/a-2a"
FORMULA_MARK: Final = "\ue0f0"  # begins a formula's text alternative until its tag is written
# PDF/A wants every property that it does not know itself to be described (ISO 19005-2, 6.6.2.3.3).
_PDF_UA: Final = """<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
 xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<r:Description r:about=""><pdfuaid:part>1</pdfuaid:part></r:Description>
<r:Description r:about=""><pdfaExtension:schemas><r:Bag><r:li r:parseType="Resource">
<pdfaSchema:schema>PDF/UA identification schema</pdfaSchema:schema>
<pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>
<pdfaSchema:property><r:Seq><r:li r:parseType="Resource">
<pdfaProperty:name>part</pdfaProperty:name><pdfaProperty:valueType>Integer</pdfaProperty:valueType>
<pdfaProperty:category>internal</pdfaProperty:category>
<pdfaProperty:description>Part of ISO 14289</pdfaProperty:description>
</r:li></r:Seq></pdfaSchema:property></r:li></r:Bag></pdfaExtension:schemas></r:Description></r:RDF>"""


def claim_both(metadata: Any) -> None:
    """Lets the metadata of a document (WeasyPrint's `DocumentMetadata`) name both standards."""
    for prefix, address in re.findall(r'xmlns:(pdf\w+)="([^"]+)"', _PDF_UA):
        ElementTree.register_namespace(prefix, address)  # the standard asks for these prefixes to the letter
    own = metadata.generate_rdf_metadata

    def both(variant: str, version: int, conformance: str) -> bytes:
        tree = ElementTree.fromstring(own(variant, version, conformance))
        tree.extend(ElementTree.fromstring(_PDF_UA))
        written: bytes = ElementTree.tostring(tree, encoding="utf-8")
        return written

    metadata.generate_rdf_metadata = both


def mark_formulas(root: Any) -> None:
    """Tells the formulas of a document's tree apart from figures, for `finish_tags`."""
    for image in root.iter("img"):
        if "tex" in image.get("class", "").split():
            image.set("alt", FORMULA_MARK + image.get("alt"))


def finish_tags(document: Any, pdf: Any) -> None:
    """WeasyPrint's `finisher`: pictures of formulas become formulas."""
    for entry in pdf.objects:
        if isinstance(entry, dict) and entry.get("S") == "/Figure" and "Alt" in entry:
            alt = entry["Alt"].string
            if alt.startswith(FORMULA_MARK):
                entry["S"] = "/Formula"
                entry["Alt"].string = alt.removeprefix(FORMULA_MARK)


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
