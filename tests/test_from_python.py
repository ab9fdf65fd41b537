"""`import generator`: the example of the docstring runs, and what it gives is what `blatt` writes."""

import doctest
import json
from pathlib import Path

import numpy as np
import pytest

import generator
from generator.calculation.build import build
from generator.calculation.rebuild import rebuild
from generator.check.answers import answers_in
from generator.check.check import check
from generator.options.options import Options
from generator.stations.make_sheet import build_sheet, make_sheet
from tests.laid_out import KATZE

WEIGHT = "unmasked.head1.weight"
EXAMPLES = Path(__file__).parents[1] / "templates" / "examples"


def test_the_examples_of_the_docstring_and_of_the_readme():
    readme = str(Path(__file__).parents[1] / "README.md")
    for result in (doctest.testmod(generator), doctest.testfile(readme, False, encoding="utf-8")):
        assert (result.attempted, result.failed) == (5, 0)


@pytest.fixture(scope="module")
def blatt():
    return generator.sheet(KATZE, stationen="4a", gewichte="auswahl")


def test_pages_and_verdicts(blatt):
    right = blatt.calculation[WEIGHT].values
    assert blatt.check({WEIGHT: right}).summary()["richtig"] == right.size
    wrong = right.copy()
    wrong[1, 0] += 0.5
    assert blatt.check({WEIGHT: wrong.tolist()}).summary()["falsch"] == 1
    table = f'name,index,wert\n{WEIGHT},"1,0","0,12"\n'
    assert [cell.verdict for cell in blatt.check(table.encode()).cells] == ["richtig"]
    assert "Lehrkraft" in blatt.teacher.html


def test_answers_are_checked_as_those_of_the_file_that_is_read_back(blatt):
    whole = make_sheet(Options(satz=KATZE, stationen="4a", gewichte="auswahl"))
    read = rebuild(json.loads(whole.record_json()))
    answers = {WEIGHT: (blatt.calculation[WEIGHT].values + 0.03).tolist()}
    from_file = check(read, answers_in(json.dumps(answers).encode(), "", read.axes))
    assert read.changed == ()
    assert from_file.as_json() == blatt.check(answers).as_json()


def test_errors_are_one_class_with_a_german_sentence(blatt):
    for options in ({"dimensionen": 3}, {"dimension": 3}, {"gewichte": 5}, {"stationen": "99"}):
        with pytest.raises(generator.UserError, match=r"[a-zäöü]"):
            generator.sheet(KATZE, **options)
    for answers in (b"\x00", {"nichts": [1]}):
        with pytest.raises(generator.UserError, match="keine einzige Zelle"):
            blatt.check(answers)
    for answers in ({WEIGHT: 3}, {WEIGHT: [[object()]]}):
        assert {cell.verdict for cell in blatt.check(answers).cells} == {"unlesbar"}


# The ready examples: the textbook's published weights, and the example that runs through the course.

# Rows of „May“ as an article prints them, without a mask: Q = K = V without scaling, and head 1 with scaling.
PUBLISHED = {
    "entry.weight": [0.3388, 0.0651, 0.1020, 0.1955, 0.1128, 0.1859],
    "unmasked.head1.weight": [0.068118, 0.181340, 0.071635, 0.027055, 0.456570, 0.195282],
}


def example(name):
    return build(Options.from_mapping({"vorlage": EXAMPLES / name}))


def test_the_textbook_example_gives_the_published_weights():
    calculation = example("force.toml").calculation
    for (name, weights), places in zip(PUBLISHED.items(), (4, 6), strict=True):
        assert np.abs(calculation.exact[name].values[0] - weights).max() <= 0.6 * 10.0**-places
    assert (calculation.hand["input"].values == calculation.model.embedding).all(), "no positions"


def test_the_two_sentences_have_a_word_more_and_a_way_back():
    built = example("uebersetzen.toml")
    assert built.two.calculation.model.vocabulary == ("The", "cat", "sits", "mat", "⟨Ende⟩")
    sheet, _ = build_sheet(built)
    assert [station.id for station in sheet.stations] == ["10", "11"]
    assert sheet.stations[1].parts.encoder.flows
    for before, after in (built.learning.losses(), built.learning.losses(hand=False)):
        assert before > after


def test_the_running_example_is_the_default():
    named, default = example("katze.toml").calculation, build(Options(satz=KATZE)).calculation
    assert list(named.hand) == list(default.hand)
    assert all((named.hand[name].values == default.hand[name].values).all() for name in default.hand)
