"""Stations 4a and 4b: what options leave out is neither asked nor printed."""

import re
from collections import Counter

import pytest
from laid_out import KATZE, laid_out

from generator.options.options import Options
from generator.sheet.sheet import Figure, Table
from generator.sheet.tree import walk
from tests.laid_out import html_of


def sheet_of(stations, **options):
    return laid_out(Options.from_mapping({"satz": KATZE, "stationen": stations, **options}))


def text_of(stations, view="worksheet", **options):
    """The page's text with the spoken text of its formulas, spaces joined."""
    sheet, desk = sheet_of(stations, **options)
    html = html_of(sheet, desk, view, "pdf")
    spoken = re.sub(r'<img[^>]*alt="([^"]*)"[^>]*>', r"\1", html.split("</style>")[-1])
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", spoken).replace("&nbsp;", " "))


def columns_of(sheet):
    return {column for table in walk(sheet, Table) for column in table.columns}


@pytest.mark.parametrize("stations", ["4a", "4b", "4a,4b"])
def test_without_scaling_there_is_one_column_of_scores_and_no_root(stations):
    sheet, _ = sheet_of(stations, skalierung=False)
    assert "scaled" not in columns_of(sheet)
    assert not [number for number in sheet.blanks() if number.name.endswith(".scaled")]
    assert "Wurzel" not in text_of(stations, skalierung=False).replace("Wurzel aus dem Gewicht", "")
    assert "scaled" in columns_of(sheet_of(stations)[0])


def test_station_4b_alone_says_how_to_round_and_what_the_divisor_is():
    text = text_of("4b")
    assert "So rundest du" in text
    assert "≈ 1,41 geteilt; ein Key hat" in text
    assert "Zweitbelegung von ln" in text
    assert "Zweitbelegung von ln" not in text_of("4a,4b").split("Multi-Head Attention")[-1]


def test_the_root_is_said_to_be_that_of_d_k_where_it_is_first_taken():
    before = text_of("4a").partition("1,41")[0]
    assert "haben d k gleich 2 Komponenten" in before
    assert "geteilt durch Wurzel aus d k" in before


def test_axes_of_the_drawing_have_all_numbers_of_the_key():
    for style in ("auswahl", "dezimal"):
        drawn = [
            f for f in walk(sheet_of("4a", gewichte=style)[0], Figure) if f.title.startswith("Zum Zeichnen")
        ]
        assert drawn
        for figure in drawn:
            given, key = (
                sorted(re.findall(r">(−?[\d,]+)</text>", str(drawing.shapes)))
                for drawing in (figure.empty, figure.drawing)
            )
            assert not Counter(key) - Counter(given)


def test_one_head_is_not_spoken_of_as_many():
    text = text_of("4b", heads=1)
    assert "mit mehreren Heads nebeneinander" not in text
    assert "mehrere Ohren" not in text
    assert "aller Heads" not in text


def test_without_positions_the_input_is_the_word_vectors():
    assert "Wortvektor plus Position" in text_of("4a")
    assert "Wortvektor plus Position" not in text_of("4a", positionen=False)


@pytest.mark.parametrize("view", ["worksheet", "key"])
def test_the_cover_asks_and_tells_nothing(view):
    said = text_of("0,1,2,3,4b", view)
    cover = said[: said.index("Inhalt")]
    assert "Dein Tipp: Wem hört „Matte“ zu? Zeichne über die gestrichelten Bögen" in cover
    assert not re.search(r"\d,\d", cover)


def test_sheets_of_other_seeds_ask_for_the_same_cells():
    """So a class shares one layout: which rows of a table are given depends on no number."""
    of_seeds = (sheet_of("4a,4b", gewichte="dezimal", startwert=seed)[0] for seed in range(1, 6))
    asked = {tuple((n.name, n.index) for n in sheet.blanks()) for sheet in of_seeds}
    assert len(asked) == 1
    seen = {index[1] for name, index in asked.pop() if name == "block1.head2.score"}
    assert seen == {1, 2, 4, 5}  # „Katze“ is worked out, „Die“ and „auf“ are given
