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
    """Every element of the tag tree."""
    waiting = [reader.trailer["/Root"]["/StructTreeRoot"]]
    while waiting:
        element = waiting.pop().get_object()
        if not isinstance(element, dict):
            continue
        if "/S" in element:
            yield element
        kids = element.get("/K", [])
        kids = kids if isinstance(kids, list) else [kids]
        waiting += [kid for kid in kids if not isinstance(kid, int)]


def test_tags_say_what_a_reader_needs(papers):
    for path in papers:
        data = path.read_bytes()
        reader = PdfReader(io.BytesIO(data))
        root = reader.trailer["/Root"]
        assert root["/Lang"] == "de"
        assert root["/MarkInfo"]["/Marked"]
        metadata = root["/Metadata"].get_object().get_data().decode()
        for said in ("pdfuaid:part>1<", 'pdfaid:part="2"', 'pdfaid:conformance="A"'):
            assert said in metadata
        kinds = set()
        for element in structure(reader):
            kind = element["/S"]
            kinds.add(kind)
            if kind in ("/Figure", "/Formula"):
                assert element["/Alt"].strip(), path.name
                assert FORMULA_MARK not in element["/Alt"]
            kids = element.get("/K", [])
            for kid in (kid.get_object() for kid in kids if not isinstance(kid, int)):
                if kid.get("/Type") == "/OBJR":
                    assert kind in ("/Link", "/Form"), f"{path.name}: a {kind} holds a link or a field"
        assert {"/H1", "/P", "/Table", "/TH", "/TD"} <= kinds, path.name
        assert "/Formula" in kinds or "stundenkarte" in path.name  # a card may do without


def test_every_field_stands_in_the_tag_tree(papers):
    path = next(path for path in papers if "ausfuellbar" in path.name)
    reader = PdfReader(path)
    tagged = [
        kid["/Obj"].get_object()
        for element in structure(reader)
        if element["/S"] == "/Form"
        for kid in (kid.get_object() for kid in element["/K"])
    ]
    widgets = [
        annotation.get_object()
        for page in reader.pages
        for annotation in page.get("/Annots", [])
        if annotation.get_object()["/Subtype"] == "/Widget"
    ]
    assert len(widgets) > 40
    assert [widget["/Rect"] for widget in tagged] != []
    assert sorted(widget["/StructParent"] for widget in widgets) == sorted(
        widget["/StructParent"] for widget in tagged
    )
    assert not reader.trailer["/Root"]["/AcroForm"].get("/NeedAppearances")
