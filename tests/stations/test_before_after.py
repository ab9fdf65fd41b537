"""The word before and after a station: its bars are withheld, and what the key says of it is so."""

import numpy as np
import pytest
from laid_out import KATZE, html_of, laid_out

from generator.options.options import Options
from generator.sheet.sheet import Figure, walk
from generator.sheet.whole_sheet import withheld
from generator.stations.output.exchange import Run, finding_of_mix, finding_of_others


def sheet_of(**options):
    return laid_out(Options.from_mapping({"satz": KATZE, **options}))


def test_a_station_alone_shows_the_word_before_and_asks_for_it_after():
    sheet, desk = sheet_of(stationen="5")
    (figure,) = (each for each in walk(withheld(sheet), Figure) if "vorher" in each.title)
    before, after = figure.drawing.text.split("; ")
    assert "zu zeichnen" not in before
    assert after.count("zu zeichnen") == 4
    html = html_of(sheet, desk, "worksheet")
    assert "von welchem Wort kommt das" not in html  # the heads are not on this sheet


def run(word, *words):
    """A model that says one word of three."""
    shares = np.array([0.6 if w == word else 0.2 for w in ("See", "Meer", "Dach")])
    return Run(words, ("See", "Meer", "Dach"), [np.ones(2) / 2], shares, shares, 1.0)


def test_two_sentences_that_go_on_alike_are_said_so():
    _, desk = sheet_of(stationen="6")
    alike = finding_of_others(desk, [run("Meer", "Stern", "hell"), run("Meer", "Mond", "matt")])
    assert alike.case == "alike"
    unlike = finding_of_others(desk, [run("Meer", "Stern", "hell"), run("Dach", "Mond", "matt")])
    assert unlike.case == "each"
    assert [(each.word, each.share) for each in unlike.sayings] == [("Meer", "0,600"), ("Dach", "0,600")]


@pytest.mark.parametrize(
    ("mix", "said"),
    [
        ("Meer", "as_with_one"),
        ("See", "as_with_own"),
        ("Dach", "as_with_none"),
    ],
)
def test_what_the_mix_says_is_compared_with_the_other_sentences(mix, said):
    _, desk = sheet_of(stationen="6")
    own, star = run("See", "Mond", "hell"), run("Meer", "Stern", "hell")
    dim = run("Meer" if mix == "nobody" else "See", "Mond", "matt")
    own_words = finding_of_mix(
        desk, run(mix, "Stern", "matt"), own, [star, dim if mix != "See" else star], (0, 1)
    )
    assert own_words.case == said
    assert own_words.same == (["Stern"] if mix == "Meer" else [])
