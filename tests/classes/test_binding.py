"""Sheets bound to one file stay what they were: text, tags, links, bookmarks, both standards."""

import io
import re

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
    pages = PdfReader(io.BytesIO(bound)).pages
    texts = [pages[n].extract_text() for n in range(len(pages))]
    own = [[p.extract_text() for p in PdfReader(io.BytesIO(data)).pages] for data in sheets]
    assert texts == [*own[0], "", *own[1], "", *own[2]]
    assert pages[1].mediabox == pages[0].mediabox


def test_tags_and_alternatives_of_all_sheets_stand_in_one_tree(sheets, bound):
    assert list(alternatives(bound)) == [words for data in sheets for words in alternatives(data)]
    reader = PdfReader(io.BytesIO(bound))
    root = reader.trailer["/Root"]["/StructTreeRoot"]
    assert all(kid["/P"].get_object() == root for kid in (k.get_object() for k in root["/K"]))
    parents = {}
    for kid in root["/ParentTree"]["/Kids"]:
        numbers = kid.get_object()["/Nums"]
        low, high = kid.get_object()["/Limits"]
        assert (low, high) == (numbers[0], numbers[-2])
        parents |= dict(zip(numbers[::2], numbers[1::2], strict=True))
    for sheet_page in reader.pages:
        if "/StructParents" in sheet_page:
            for element in parents[sheet_page["/StructParents"]].get_object():
                assert element.get_object()["/Pg"].get_object() == sheet_page
    heads = re.findall(r"/ID", str([parents]))
    assert heads == []


def test_heads_of_tables_are_told_apart(bound):
    reader = PdfReader(io.BytesIO(bound))
    objects = [reader.get_object(n) for n in range(1, int(reader.trailer["/Size"])) if n != 0]
    elements = [o for o in objects if isinstance(o, dict) and o.get("/Type") == "/StructElem"]
    names = [str(o["/ID"]) for o in elements if "/ID" in o]
    assert len(names) == len(set(names)) == 3
    wanted = [str(h) for o in elements if "/Headers" in o.get("/A", {}) for h in o["/A"]["/Headers"]]
    assert sorted(wanted) == sorted(names)


def test_bookmarks_and_links_lead_to_their_own_sheet(bound):
    reader = PdfReader(io.BytesIO(bound))
    places = []
    for entry in reader.outline:
        if not isinstance(entry, list):
            places.append((entry.title, reader.get_destination_page_number(entry)))
        else:
            places += [(each.title, reader.get_destination_page_number(each)) for each in entry[:1]]
    assert places == [
        (title, at) for n, at in ((1, 0), (2, 2), (3, 4)) for title in (f"{n} – Zoë (5 0 R)", f"Blatt {n}")
    ]
    targets = []
    for number in (0, 2, 4):
        link = reader.pages[number]["/Annots"][0].get_object()
        name = link["/Dest"] if "/Dest" in link else link["/A"]["/D"]
        targets.append(reader.get_destination_page_number(reader.named_destinations[str(name)]))
    assert targets == [0, 2, 5]
    assert reader.metadata.title == "Alle „Blätter“"


def test_what_sheets_have_in_common_stands_there_once(sheets, bound):
    assert len(bound) < 0.7 * sum(map(len, sheets))


@needs_verapdf
def test_verapdf_finds_nothing(bound, tmp_path):
    path = tmp_path / "bound.pdf"
    path.write_bytes(bound)
    assert_nothing_found([path])


@pytest.mark.parametrize("damage", [b"", b"%PDF-1.7", b"startxref\n9\n%%EOF"])
def test_what_is_no_pdf_of_ours_is_refused(damage):
    with pytest.raises(ValueError, match=r"."):
        bind([Bound("x", damage)], "t", io.BytesIO())
    with pytest.raises(ValueError, match="no sheet"):
        bind([], "t", io.BytesIO())
