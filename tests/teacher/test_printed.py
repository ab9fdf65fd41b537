import re
from functools import cache

import pytest

from generator.calculation.build import build
from generator.figures.parts import qr_code
from generator.options.options import Options
from generator.output.formulas.typeset import Typesetter
from generator.output.pdf import paginate
from generator.production.worksheet import fitted_to_lesson
from generator.stations.make_sheet import make_sheet
from teacher.sheets import KATZE, made
from tests.laid_out import documents_of
from tests.pdf.signs import pages_of, signs, text_of

STATIONS = ("2", "6", "S")
MM = 72 / 25.4


@cache
def documents(satz=KATZE, stationen=STATIONS, **options):
    built, choice = fitted_to_lesson(build(Options(satz=satz, stationen=",".join(stationen), **options)))
    paper = Typesetter("pdf")
    return documents_of(make_sheet(built), paper, choice), paper.images


@cache
def printed(name, **options):
    pages, images = documents(**options)
    return paginate(pages[name].html, images)


def text_of_first_page(layout):
    return text_of(pages_of(layout.write())[0])


def page_of(layout, station):
    return next(n for n, page in enumerate(layout.anchors, 1) if f"station-{station}" in page)


def test_the_contents_name_the_page_of_every_station():
    for name in ("arbeitsblatt", "loesung"):
        pages = [int(number) for number in re.findall(r"\.{5,}\s*(\d+)", text_of_first_page(printed(name)))]
        assert pages == [page_of(printed(name), station) for station in STATIONS]


def test_the_teachers_pages_print_with_their_code():
    first, *_, last = map(text_of, pages_of(printed("lehrkraft").write()))
    assert "Lehrkraftseiten" in first
    assert "Geschätzt" in first
    assert f'papierformer blatt "{KATZE}" --gewichte auswahl --stationen 2,6,S' in last
    assert "Aufwand" in last  # so it is not nearly empty


def test_halves_side_by_side_begin_together():
    begun, torn = set(), []
    for page in printed("lehrkraft", stationen=(), gewichte="dezimal", startwert=2).document.pages:
        for row in page._page_box.descendants():
            if type(row).__name__ != "TableRowBox" or row.element.get("class") != "halves":
                continue
            if row.element not in begun and not all(cell.children for cell in row.children):
                torn.append("".join(row.element.itertext())[:60])
            begun.add(row.element)
    assert len(begun) > 5
    assert torn == []


LONG = "Die Donaudampfschifffahrtsgesellschaftskapitänsmütze liegt heute neben dem Sofa"


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"satz": LONG, "dimension": 16, "heads": 4, "stationen": ("4a", "8"), "zeit": 90},
        {"stationen": ("4b",), "gruppen": "token", "zielsatz": "The cat", "dezimalzeichen": "punkt"},
    ],
)
def test_nothing_of_the_teachers_pages_runs_into_the_margins(options):
    pages = pages_of(printed("lehrkraft", **options).write())
    for number, page in enumerate(pages, 1):
        beyond = [s.text for s in signs(page) if not 25 * MM - 1 < s.left <= s.right < 190 * MM + 1]
        assert not beyond, (number, "".join(beyond)[:80])
        assert len(text_of(page)) > 200  # the last page may be short
    first = text_of(pages[0])
    for part in ("Kopieren", "Austeilen", "Zeit"):
        assert part in first


def test_a_text_too_long_for_paper_has_no_code():
    assert qr_code("x" * 3000, "QR-Code") is None
    assert qr_code("x" * 900, "QR-Code") is None


def test_contents_lead_to_every_station_and_stations_fold_in_the_key_on_the_screen_only():
    sheet, _, html = made(stationen="4a,4b,8,S")
    for name in ("arbeitsblatt", "loesung"):
        contents = re.search(r'(?s)<ul class="contents">.*?</ul>', html[name]).group()
        ids = re.findall(r'href="#(station-[^"]+)"', contents)
        assert ids == [f"station-{station.id}" for station in sheet.stations]
        assert all(html[name].count(f'id="{each}"') == 1 for each in ids)
        assert html[name].count("<details") == (4 if name == "loesung" else 0)
