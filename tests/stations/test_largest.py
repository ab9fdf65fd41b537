"""Answers that name the largest number: all that honest rounding allows."""

import numpy as np
import pytest

from engine.judging.largest import largest
from generator.calculation.build import build
from generator.options.options import Options
from generator.production.worksheet import lay_out_sheet


@pytest.mark.parametrize(
    ("written", "unrounded", "among", "places"),
    [
        ([0.2, 0.5, 0.3], [0.21, 0.49, 0.3], None, (1,)),
        ([0.23, 0.23, 0.2], [0.226, 0.231, 0.2], None, (0, 1)),
        ([0.23, 0.22, 0.2], [0.226, 0.2261, 0.2], None, (0, 1)),
        ([0.5, 0.23, 0.2], [0.5, 0.2, 0.23], (1, 2), (1, 2)),
    ],
)
def test_written_and_unrounded_numbers_both_count(written, unrounded, among, places):
    assert largest(np.array(written), np.array(unrounded), among) == places


@pytest.mark.parametrize("sentence", ["Im Winter schlafen kleine Füchse", "Die Katze sitzt auf der Matte"])
def test_the_key_names_every_word_that_may_have_the_largest_weight(sentence):
    """With the first sentence two written weights tie, and unrounded the second is larger."""
    built = build(Options.from_mapping({"satz": sentence, "stationen": "4a"}))
    sheet, desk = lay_out_sheet(built)
    answer = sheet.stations[0].parts.head.strongest.text
    name = "unmasked.head1.weight"
    for token in desk.exercises:
        for numbers in (built.calculation.hand, built.calculation.exact):
            row = numbers[name].values[token]
            for place in np.flatnonzero(row >= row.max() - 1e-9):
                assert f"„{desk.words[place]}“" in answer.partition(f"„{desk.words[token]}“ → ")[2]
