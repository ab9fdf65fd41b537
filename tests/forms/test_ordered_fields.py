"""Fields of numbers that are put in order: their label tells the place, not the word that is asked for."""

from __future__ import annotations

import io
import re

import pytest
from pypdf import PdfReader, PdfWriter

from generator.check.form_answers import fields_of
from generator.options.options import Options
from generator.output.many import Printers
from generator.production.worksheet import make_files

WORDS = ("Die", "Katze", "sitzt")


class Silent:
    def step(self, *_):
        pass


@pytest.fixture(scope="module")
def files():
    options = Options(satz=" ".join(WORDS), stationen=("8", "9"), ausfuellbar=True)
    with Printers() as printers:
        return make_files(options, Silent(), printers).files


def ordered(titles):
    return [title for title in titles if title.startswith("Platz ")]


def test_the_label_says_the_place_and_no_word(files):
    fields = PdfReader(io.BytesIO(files["arbeitsblatt-ausfuellbar.pdf"])).get_fields()
    page = files["arbeitsblatt-ausfuellbar.html"].decode()
    on_paper = ordered(field["/TU"] for field in fields.values() if "/FT" in field)
    on_screen = ordered(re.findall(r'<input class="fill"[^>]*aria-label="([^"]*)"', page))
    assert sorted(on_paper) == sorted(on_screen)
    assert [title.partition(":")[0] for title in on_screen] == ["Platz 1", "Platz 2", "Platz 3"]
    assert all("Wahrscheinlichkeit" in title for title in on_screen)
    assert not [title for title in on_screen for word in WORDS if word in title]


@pytest.mark.parametrize("written", ["probability[1]", "probability[1]@9"])
def test_a_number_written_at_either_place_is_that_of_the_cell(files, written):
    content = files["arbeitsblatt-ausfuellbar.pdf"]
    writer = PdfWriter(clone_from=io.BytesIO(content))
    for page in writer.pages:
        if "/Annots" in page:
            name = "temperature1." + written
            writer.update_page_form_field_values(page, {name: "0,25"}, auto_regenerate=False)
    out = io.BytesIO()
    writer.write(out)
    filled = {name: text for name, text in fields_of(out.getvalue(), "x").items() if text}
    assert filled == {"temperature1.probability[1]": "0,25"}
