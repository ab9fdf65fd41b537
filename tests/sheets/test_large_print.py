"""Large print and wider margins: all of a page grows, nothing leaves it, sheet and key still match."""

from __future__ import annotations

import io

import pytest
from congruence import differences
from faults import all_faults, crossings, empty_pages, narrow_blanks, overlaps, spills
from paper import paper
from pypdf import PdfReader

from generator.calculation.build import build
from generator.options.options import Options
from generator.output.formulas.typeset import Typesetter
from generator.output.pdf import paginate
from generator.sheet.fields import BOTTOM, TOP, page_format
from generator.stations.make_sheet import make_sheet
from tests.laid_out import pair_of

SLACK = 0.3
MM_PER_PT = 25.4 / 72
CASES = {
    14: {"satz": "Die Katze sitzt", "stationen": ("0", "4b", "5"), "rand": "rechts"},
    16: {"satz": "Der alte Hund jagt heute den roten Ball", "stationen": ("2", "3", "4a", "8"), "heads": 1},
    18: {"satz": "Die Katze sitzt auf der Matte", "stationen": ("1", "6", "9", "S"), "rand": "links"},
}


@pytest.mark.parametrize(
    "size", [pytest.param(14, marks=pytest.mark.thorough), pytest.param(16, marks=pytest.mark.thorough), 18]
)
def test_everything_grows_and_nothing_leaves_the_page(size):
    options = Options(**CASES[size], schrift=size)
    whole, typesetter = make_sheet(build(options)), Typesetter("pdf")
    pages = {each.name: paper(each.html, typesetter.images) for each in pair_of(whole, typesetter)}
    page = page_format(size, options.rand)
    for name, found in pages.items():
        assert {tuple(round(side * page.zoom) for side in each) for each in found.sizes} == {(297, 210)}
        outside = [str(box) for box in found.boxes if is_ink(box) and leaves(box, page)]
        faults = all_faults(found, [overlaps, spills, narrow_blanks, empty_pages])
        running = [box for box in found.boxes if box.kind == "TextBox" and box.tag == "p"]
        running = [text for text in running if not text.element.get("class")]
        small = [str(text) for text in running if text.height * page.zoom < size * MM_PER_PT]
        assert running
        assert (outside[:5], faults[:5], small[:5]) == ([], [], []), name
    assert not differences(*pages.values())
    assert not list(crossings(pages["loesung"]))


def is_ink(box):
    return not box.in_margin and min(box.width, box.height) > 0 and (box.is_leaf or "write" in box.classes)


def leaves(box, page):
    left, top, right, bottom = (side * page.zoom for side in (box.left, box.top, box.right, box.bottom))
    return (
        left < page.left - SLACK
        or right > page.width - page.right + SLACK
        or top < TOP - SLACK
        or bottom > page.height - BOTTOM + 1
    )


def test_the_file_is_a4_and_knows_where_its_blanks_are():
    options = Options(satz="Die Katze", stationen=("2",), schrift=16)
    whole = make_sheet(options, ranges={})
    typesetter = Typesetter("pdf")
    html = pair_of(whole, typesetter)[0].html
    laid_out = paginate(html, typesetter.images)
    box = PdfReader(io.BytesIO(laid_out.write())).pages[0].mediabox
    assert (round(box.width), round(box.height)) == (842, 595)
    assert max(blank.right for blank in laid_out.result(b"").blanks) > 159


@pytest.mark.parametrize(("side", "left", "right"), [(None, 25, 20), ("links", 33, 12), ("rechts", 12, 33)])
def test_a_wider_margin_on_either_side(side, left, right):
    page = page_format(None, side)
    assert (page.left, page.right, page.width, page.zoom) == (left, right, 210, 1)
