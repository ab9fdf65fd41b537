"""Sheets bound to one file stay what they were: text, tags, links, bookmarks, both standards."""

import io

import pytest
from pypdf import PdfReader

from generator.output.binding import Bound, bind
from generator.output.pdf import write_pdf
from generator.output.shared.shared_layout import SharedLayout
from tests.pdf.compare import alternatives
from tests.pdf.documents import page
from tests.pdf.verapdf import assert_nothing_found, needs_verapdf

PICTURE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="9" height="9">'
    '<title>Bild {}</title><path d="M0 0L9 9"/></svg>'
)


def sheet(number, pages=1):
    table = f"<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>{number}</td></tr></tbody></table>"
    more = '<p style="break-before:page">mehr</p>' * (pages - 1)
    link = '<p><a href="#ziel">hin (5 0 R)</a></p>'
    end = '<h2 id="ziel">Ziel \\ (1 0 R)</h2>'
    return page(f"<h1>Blatt {number}</h1>{link}{table}{PICTURE.format(number)}{more}{end}")


@pytest.fixture(scope="module")
def sheets():
    titled = [(sheet(n), f"Blatt {n}") for n in (1, 2)]
    shared = [SharedLayout.of(html, {}, title=t).result(html, {}, title=t).data for html, t in titled]
    return [*shared, write_pdf(sheet(3, pages=2), title="Blatt 3").data]


@pytest.fixture(scope="module")
def bound(sheets):
    out = io.BytesIO()
    bind([Bound(f"{n} – Zoë (5 0 R)", data) for n, data in enumerate(sheets, 1)], "Alle „Blätter“", out)
    return out.getvalue()


def test_every_sheet_begins_on_a_front_page_and_says_the_same(sheets, bound):
    texts = [found.extract_text() for found in PdfReader(io.BytesIO(bound)).pages]
    own = [[p.extract_text() for p in PdfReader(io.BytesIO(data)).pages] for data in sheets]
    assert texts == [*own[0], "", *own[1], "", *own[2]]
    assert list(alternatives(bound)) == [words for data in sheets for words in alternatives(data)]
    assert len(bound) < 0.7 * sum(map(len, sheets)), "what they have in common stands there once"


def test_tags_of_all_sheets_stand_in_one_tree_and_heads_of_tables_are_told_apart(bound):
    reader = PdfReader(io.BytesIO(bound))
    root = reader.trailer["/Root"]["/StructTreeRoot"]
    assert all(kid.get_object()["/P"].get_object() == root for kid in root["/K"])
    parents = {}
    for kid in root["/ParentTree"]["/Kids"]:
        numbers = kid.get_object()["/Nums"]
        assert list(kid.get_object()["/Limits"]) == [numbers[0], numbers[-2]]
        parents |= dict(zip(numbers[::2], numbers[1::2], strict=True))
    for sheet_page in reader.pages:
        if "/StructParents" in sheet_page:
            for element in parents[sheet_page["/StructParents"]].get_object():
                assert element.get_object()["/Pg"].get_object() == sheet_page
    objects = [reader.get_object(n) for n in range(1, int(reader.trailer["/Size"]))]
    elements = [o for o in objects if isinstance(o, dict) and o.get("/Type") == "/StructElem"]
    names = [str(o["/ID"]) for o in elements if "/ID" in o]
    assert len(names) == len(set(names)) == 3
    assert sorted(str(h) for o in elements for h in o.get("/A", {}).get("/Headers", ())) == sorted(names)


def test_bookmarks_and_links_lead_to_their_own_sheet(bound):
    reader = PdfReader(io.BytesIO(bound))
    entries = [each[0] if isinstance(each, list) else each for each in reader.outline]
    places = [(each.title, reader.get_destination_page_number(each)) for each in entries]
    starts = ((1, 0), (2, 2), (3, 4))
    assert places == [(title, at) for n, at in starts for title in (f"{n} – Zoë (5 0 R)", f"Blatt {n}")]
    targets = []
    for _, number in starts:
        link = reader.pages[number]["/Annots"][0].get_object()
        name = link["/Dest"] if "/Dest" in link else link["/A"]["/D"]
        targets.append(reader.get_destination_page_number(reader.named_destinations[str(name)]))
    assert targets == [0, 2, 5]
    assert reader.metadata.title == "Alle „Blätter“"


@needs_verapdf
def test_verapdf_finds_nothing(bound, tmp_path):
    path = tmp_path / "bound.pdf"
    path.write_bytes(bound)
    assert_nothing_found([path])


def test_what_is_no_pdf_of_ours_is_refused():
    for sheets in ([], [Bound("x", b"")], [Bound("x", b"startxref\n9\n%%EOF")]):
        with pytest.raises(ValueError, match="no"):
            bind(sheets, "t", io.BytesIO())
