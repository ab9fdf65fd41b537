"""Pages of pupils (to fill in) and teachers in a browser and printed from it; axe-core finds nothing."""

import io
import re
from itertools import islice

import pdfplumber
import pytest
from markupsafe import escape

from generator.basics.fonts import coverage
from tests.laid_out import SEEN, files_of, html_of, sheet_of
from tests.page.looking import clean
from tests.pdf.signs import pages_of, signs, text_of

BAR = 3 / 25.4 * 72  # points: how high a bar of a table is
WIDE = "[...document.querySelectorAll('.scroll')].filter(e => e.scrollWidth > e.clientWidth + 1)"


@pytest.fixture(scope="module")
def made():
    return files_of(SEEN)


@pytest.fixture
def shown(made, chromium):
    """A function: a page of the sheet on a phone."""
    page = chromium.new_page(viewport={"width": 360, "height": 900})
    page.set_default_timeout(120_000)  # a busy machine is no finding

    def show(name):
        page.set_content(made[f"{name}.html"].decode())
        return page

    yield show
    page.close()


@pytest.mark.parametrize("name", ["arbeitsblatt-ausfuellbar", "loesung", "lehrkraft", "stundenkarte"])
def test_no_finding_of_axe_and_what_scrolls_can_be_reached_by_keyboard(shown, name, request):
    page, both = shown(name), ["light", "dark"]
    if name == "arbeitsblatt-ausfuellbar":
        page.wait_for_function(f"{WIDE}.length > 0 && {WIDE}.every(e => e.tabIndex === 0)")
    if name == "loesung":
        widths = page.evaluate("[...document.querySelectorAll('td.small')].map(e => e.clientWidth)")
        assert len(widths) > 10
        assert min(widths) > 90, "sums have room beside their results"
    dark = name in ("loesung", "stundenkarte")  # of the sheet's and of the teacher's pages one each
    clean(page, both if request.config.getoption("--gruendlich") else [both[dark]])


def tasks_by_page(data):
    said = [text_of(page).replace("\N{NO-BREAK SPACE}", " ") for page in pages_of(data)]
    return [sorted(re.findall(r"/ ?\d+ ?BE|Selbst prüfen|Seite \d+ von \d+", page)) for page in said]


def contents(data):
    """The first numbers of the pages that the table of contents names."""
    return re.findall(r"(?<=\D)(\d+)$", text_of(pages_of(data)[0]).split("Inhalt")[1], re.MULTILINE)[:3]


@pytest.mark.parametrize(
    "name",
    ["loesung", *(pytest.param(name, marks=pytest.mark.thorough) for name in ("arbeitsblatt", "lehrkraft"))],
)
def test_who_prints_from_a_browser_gets_the_pages_of_the_pdf(shown, made, name):
    printed = shown(name).pdf(prefer_css_page_size=True)
    assert tasks_by_page(printed) == tasks_by_page(made[f"{name}.pdf"])
    pages = pages_of(printed)
    assert "· CC BY 4.0" in text_of(pages[0]) or name == "loesung"
    right = (210 - 20) * 72 / 25.4 + 0.6
    assert [s.text for page in pages for s in signs(page) if s.right > right] == []
    if name != "lehrkraft":
        assert contents(printed) == contents(made[f"{name}.pdf"])
        assert len(contents(printed)) == 3
        bars = (rect for rect in filled(printed) if abs(rect["height"] - BAR) < 0.5)
        assert len([*islice(bars, 3)]) == 3  # bars, which are backgrounds


def filled(data):
    with pdfplumber.open(io.BytesIO(data)) as pdf:
        for page in pdf.pages:
            yield from (
                rect for rect in page.rects if rect["fill"] and rect["non_stroking_color"] != (1, 1, 1)
            )


def test_every_sign_of_a_formula_has_a_glyph(made):
    pages = [page.decode() for name, page in made.items() if name.endswith(".html")]
    pages.append(html_of(*sheet_of("Die Katze", stationen="5,6,11,S", lernen="ausgabe"), "key"))
    for page in pages:
        for formula in re.findall(r"<math.*?</math>", page, re.DOTALL):
            signs = {ord(c) for c in re.sub(r"<[^>]*>|&\w+;", "", formula) if not c.isspace()}
            lacking = signs - coverage("math") - coverage("text")
            assert not lacking, (escape(formula), [chr(code) for code in lacking])
