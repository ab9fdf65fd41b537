"""The ready examples: the textbook's published weights, and the example that runs through the course."""

from pathlib import Path

import numpy as np
import pytest

from generator.calculation.build import build
from generator.options.options import Options
from generator.stations.make_sheet import build_sheet

EXAMPLES = Path(__file__).parents[1] / "templates" / "examples"
# Rows of „May“ as an article prints them, without a mask: Q = K = V without scaling, and head 1 with scaling.
PUBLISHED = {
    "entry.weight": [0.3388, 0.0651, 0.1020, 0.1955, 0.1128, 0.1859],
    "unmasked.head1.weight": [0.068118, 0.181340, 0.071635, 0.027055, 0.456570, 0.195282],
}


def example(name):
    return build(Options.from_mapping({"vorlage": EXAMPLES / name}))


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_textbook_example_gives_the_published_weights(name):
    row = example("force.toml").calculation.exact[name].values[0]
    places = 6 if name.startswith("unmasked") else 4
    assert np.abs(row - PUBLISHED[name]).max() <= 0.6 * 10.0**-places


def test_the_textbook_example_has_no_positions():
    calculation = example("force.toml").calculation
    assert (calculation.hand["input"].values == calculation.model.embedding).all()
    assert calculation.model.sizes.d_head == 5


def test_the_running_example_is_the_default():
    named = example("katze.toml").calculation
    default = build(Options(satz="Die Katze sitzt auf der Matte")).calculation
    assert list(named.hand) == list(default.hand)
    assert all((named.hand[name].values == default.hand[name].values).all() for name in default.hand)


def test_the_two_sentences_have_a_word_more_and_a_way_back():
    built = example("uebersetzen.toml")
    assert built.two.calculation.model.vocabulary == ("The", "cat", "sits", "mat", "⟨Ende⟩")
    sheet, _ = build_sheet(built)
    assert [station.id for station in sheet.stations] == ["10", "11"]
    assert sheet.stations[1].parts.encoder.flows
    assert all(
        before > after for before, after in (built.learning.losses(), built.learning.losses(hand=False))
    )
