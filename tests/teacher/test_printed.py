import io
import re
from functools import cache

import pdfplumber

from generator.build import build
from generator.calculation_document import ranges_of
from generator.options import Options
from generator.pdf import layout
from generator.typeset import Typesetter
from generator.worksheet import documents, judge, lay_out_sheet
from teacher.sheets import KATZE

STATIONS = ("4b", "8", "S")


@cache
def printed(name):
    built = build(Options(satz=KATZE, stationen=",".join(STATIONS)))
    ranges = ranges_of(built.calculation)
    sheet, desk = lay_out_sheet(built, ranges)
    paper = Typesetter("pdf")
    found = documents(sheet, desk, judge(sheet, desk, ranges), paper, "pdf")
    html = next(document.html for document in found if document.name == name)
    return layout(html, paper.images)


def text_of_first_page(layout):
    with pdfplumber.open(io.BytesIO(layout.write())) as pdf:
        return pdf.pages[0].extract_text()


def page_of(layout, station):
    return next(n for n, page in enumerate(layout.anchors, 1) if f"station-{station}" in page)


def test_the_contents_name_the_page_of_every_station():
    for name in ("arbeitsblatt", "loesung"):
        pages = [int(number) for number in re.findall(r"\.{5,}\s*(\d+)", text_of_first_page(printed(name)))]
        assert pages == [page_of(printed(name), station) for station in STATIONS]


def test_sheet_and_key_of_a_booklet_break_at_the_same_places():
    sheet, key = printed("arbeitsblatt"), printed("loesung")
    assert sheet.pages == key.pages
    for ours, theirs in zip(sheet.anchors, key.anchors, strict=True):
        assert set(ours) == set(theirs)


def test_the_teachers_pages_print_with_their_code():
    text = text_of_first_page(printed("lehrkraft"))
    assert "Lehrkraftseiten" in text
    assert f'papierformer blatt "{KATZE}" --stationen 4b,8,S' in text
    assert "geschätzt" in text
