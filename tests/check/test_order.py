"""An order of words by a number: what honest rounding allows is on the key."""

import re

import numpy as np
import pytest

from engine.judging.ranges import Range, joined, places
from generator.calculation.build import build
from generator.options.options import Options
from generator.stations.make_sheet import make_sheet

OPTIONS = {"satz": "Die Katze sitzt auf der Matte", "gewichte": "gelernt", "startwert": 1}
PROBABILITY = "temperature1.probability"


def test_who_may_stand_where():
    low, high = np.array([0.3, 0.08, 0.05, 0.07, 0.05]), np.array([0.4, 0.1, 0.06, 0.09, 0.06])
    allowed, exact = Range(low, high), np.array([0.35, 0.09, 0.055, 0.08, 0.055])
    possible = places(allowed, exact, [0, 1, 3, 2])
    assert possible == [(0,), (1, 3), (3, 1), (2,)]  # 2 and 4 are one vector: the smaller ID stands first
    wider = joined(allowed, possible)
    np.testing.assert_allclose(wider.low, [0.3, 0.07, 0.05, 0.07, 0.05])
    np.testing.assert_allclose(wider.high, [0.4, 0.1, 0.06, 0.1, 0.06])
    assert places(allowed, exact, [0, 1, 3, 2, 4])[-1] == (4,)


@pytest.fixture(scope="module")
def sheet():
    """The sheet, its ranges, and the words whose probabilities lie so near that they may change places."""
    built = build(Options.from_mapping(OPTIONS))
    whole = make_sheet(built)
    return built, whole.ranges, whole.sheet


def ranking(sheet):
    station = next(each for each in sheet.stations if each.id == "9")
    return station.parts.greedy.ranking.rows


def test_the_key_names_every_word_that_honest_numbers_put_at_a_place(sheet):
    built, ranges, laid_out = sheet
    allowed, words = ranges[PROBABILITY], built.calculation.model.vocabulary
    (row,) = ranking(laid_out)
    values = built.whole.hand[PROBABILITY].values
    order = sorted(range(len(words)), key=lambda word: -values[word])[: len(row.cells)]
    shared = 0
    for place, (cell, word) in enumerate(zip(row.cells, order, strict=True)):
        surely_above = [sum(allowed.low > high) for high in allowed.high]
        perhaps_above = [sum(allowed.high >= low) - 1 for low in allowed.low]
        may_stand = [
            name
            for name, least, most in zip(words, surely_above, perhaps_above, strict=True)
            if least <= place <= most
        ]
        assert words[word] in may_stand
        assert sorted(re.findall("„(.+?)“", cell.text) or [cell.text]) == sorted(may_stand)
        shared += len(may_stand) > 1
    assert 0 < shared < len(row.cells)
