"""Every PDF keeps PDF/UA-1 and PDF/A-2a: says veraPDF, where Java is at hand, and say the tags themselves."""

from __future__ import annotations

import io

import pytest
from pypdf import PdfReader

from generator.options.options import Options
from generator.output.standards import FORMULA_MARK
from tests.laid_out import KATZE, SEEN, files_of
from tests.pdf.verapdf import assert_nothing_found, needs_verapdf

CASES = {  # every kind of document once, with all that changes its tags or its pages
    "seen": SEEN,
    "groups": Options(satz="Die Katze schläft", stationen=("4b",), gruppen="heads", gewichte="ganzzahlig"),
    "two": Options(satz="Die Katze", zielsatz="The cat", lernen="ausgabe", stationen=("11",)),
}
MORE = {
    "both": Options(satz="Die Katze", zielsatz="The cat", lernen="ausgabe", stationen=("10", "11")),
    "stations": Options(satz=KATZE, stationen=("0", "3", "6"), ausfuellbar=True),
    "large": Options(satz="Die Katze schläft", stationen=("4b",), schrift=16, rand="links", ausfuellbar=True),
    "all": Options(satz="Die Katze", zielsatz="The cat", lernen="alles", stationen=("10", "11")),
}
ALIKE = ("gruppe-2", "zusammen", "lehrkraft", "stundenkarte")  # as gruppe-1, and as of another case


@pytest.fixture(scope="module")
def papers(tmp_path_factory, request):
    folder = tmp_path_factory.mktemp("papers")
    more = MORE if request.config.getoption("--gruendlich") else {}
    for case, options in (CASES | more).items():
        for name, data in files_of(options).items():
            alike = not more and case != "seen" and name.startswith(ALIKE)
            if name.endswith(".pdf") and not alike:
                (folder / f"{case}-{name}").write_bytes(data)
    return sorted(folder.iterdir())


@needs_verapdf
def test_verapdf_finds_nothing(papers):
    assert_nothing_found(papers)


def structure(reader):
    """Every element of the tag tree, with what it holds."""
    waiting = [reader.trailer["/Root"]["/StructTreeRoot"]]
    while waiting:
        element = waiting.pop().get_object()
        kids = element.get("/K", [])
        kids = [
            kid.get_object()
            for kid in (kids if isinstance(kids, list) else [kids])
            if not isinstance(kid, int)
        ]
        if "/S" in element:
            yield element, kids
        waiting += kids


def test_tags_say_what_a_reader_needs_and_hold_every_field(papers):
    for path in papers:
        reader = PdfReader(io.BytesIO(path.read_bytes()))
        root = reader.trailer["/Root"]
        assert root["/Lang"] == "de"
        assert root["/MarkInfo"]["/Marked"]
        metadata = root["/Metadata"].get_object().get_data().decode()
        for said in ("pdfuaid:part>1<", 'pdfaid:part="2"', 'pdfaid:conformance="A"'):
            assert said in metadata
        kinds, tagged = set(), []
        for element, kids in structure(reader):
            kind = element["/S"]
            kinds.add(kind)
            if kind in ("/Figure", "/Formula"):
                assert element["/Alt"].strip(), path.name
                assert FORMULA_MARK not in element["/Alt"]
            held = [kid["/Obj"].get_object() for kid in kids if kid.get("/Type") == "/OBJR"]
            assert not held or kind in ("/Link", "/Form"), f"{path.name}: a {kind} holds a link or a field"
            tagged += held if kind == "/Form" else []
        assert {"/H1", "/P", "/Table", "/TH", "/TD"} <= kinds, path.name
        assert "/Formula" in kinds or "stundenkarte" in path.name  # a card may do without
        boxes = [box.get_object() for page in reader.pages for box in page.get("/Annots", [])]
        fields = [box["/StructParent"] for box in boxes if box["/Subtype"] == "/Widget"]
        assert sorted(fields) == sorted(box["/StructParent"] for box in tagged)
        assert (len(fields) > 40) == ("ausfuellbar" in path.name)
        assert not root.get("/AcroForm", {}).get("/NeedAppearances")
