"""Who prints the HTML from a browser gets the pages of the PDF: as many, with the same tasks on each."""

from __future__ import annotations

import io
import re

import pdfplumber
import pytest
from markupsafe import escape

from generator.basics.fonts import coverage
from tests.laid_out import SEEN, files_of
from tests.pdf.signs import pages_of, signs

BAR = 3 / 25.4 * 72  # points: how high a bar of a table is


@pytest.fixture(scope="module")
def made():
    return files_of(SEEN)


def tasks_by_page(data):
    with pdfplumber.open(io.BytesIO(data)) as pdf:
        said = [page.extract_text().replace("\N{NO-BREAK SPACE}", " ") for page in pdf.pages]
    return [sorted(re.findall(r"/ ?\d+ ?BE|Selbst prüfen|Seite \d+ von \d+", page)) for page in said]


@pytest.mark.parametrize(
    "name",
    ["loesung", *(pytest.param(name, marks=pytest.mark.thorough) for name in ("arbeitsblatt", "lehrkraft"))],
)
def test_the_same_pages_as_the_pdf(chromium, made, name):
    page = chromium.new_page()
    page.set_content(made[f"{name}.html"].decode())
    printed = page.pdf(prefer_css_page_size=True)
    page.close()
    assert tasks_by_page(printed) == tasks_by_page(made[f"{name}.pdf"])
    with pdfplumber.open(io.BytesIO(printed)) as pdf:
        first = pdf.pages[0]
        assert "Papierformer · CC BY 4.0" in first.extract_text() or name == "loesung"
        right = (210 - 20) * 72 / 25.4 + 0.6
        assert [s.text for page in pages_of(printed) for s in signs(page) if s.right > right] == []
        if name != "lehrkraft":
            numbers = re.findall(r"(?<=\D)(\d+)$", first.extract_text().split("Inhalt")[1], re.MULTILINE)
            with pdfplumber.open(io.BytesIO(made[f"{name}.pdf"])) as ours:
                theirs = ours.pages[0].extract_text().split("Inhalt")[1]
            assert numbers[:3] == re.findall(r"\.{5,} ?(\d+)$", theirs, re.MULTILINE)[:3]
            assert (
                sum(abs(rect["height"] - BAR) < 0.5 for rect in filled(pdf)) >= 3
            )  # bars, which are backgrounds


def filled(pdf):
    return [
        rect
        for page in pdf.pages
        for rect in page.rects
        if rect["fill"] and rect["non_stroking_color"] != (1, 1, 1)
    ]


def test_every_sign_of_a_formula_has_a_glyph(made):
    for name, page in made.items():
        if name.endswith(".html"):
            for formula in re.findall(r"<math.*?</math>", page.decode(), re.DOTALL):
                signs = {ord(c) for c in re.sub(r"<[^>]*>|&\w+;", "", formula) if not c.isspace()}
                lacking = signs - coverage("math") - coverage("text")
                assert not lacking, (escape(formula), [chr(code) for code in lacking])
