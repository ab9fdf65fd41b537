"""An order of words by a number: what honest rounding allows is on the key, and `pruefe` accepts it."""

import json
from itertools import pairwise

import numpy as np
import pytest

from engine.judging.ranges import Range, joined, places
from generator.calculation.build import build
from generator.calculation.document import document_of, to_json
from generator.commands.check_command import run
from generator.options.options import Options
from generator.production.question_banks import expected_numbers
from generator.sheet.whole_sheet import document_of_sheet
from generator.stations.make_sheet import build_sheet, make_sheet, ranges_on_sheet
from generator.teacher.review import review

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
    ranges = ranges_on_sheet(built)
    return built, ranges, build_sheet(built, ranges)[0]


def ranking(sheet):
    station = next(each for each in sheet.stations if each.id == "9")
    return station.parts.greedy.ranking.rows


def test_the_key_names_every_word_that_honest_numbers_put_at_a_place(sheet):
    built, ranges, laid_out = sheet
    allowed = ranges[PROBABILITY]
    words, shared = built.calculation.model.vocabulary, 0
    rows = ranking(laid_out)
    for row, below in pairwise(rows):
        (text, number), (other, lower) = row.cells, below.cells
        overlap = allowed.low[number.index] <= allowed.high[lower.index]
        shared += overlap
        assert (f"„{words[lower.index[0]]}“" in text.text) == overlap
        assert (f"„{words[number.index[0]]}“" in other.text) == overlap
    assert 0 < shared < len(rows) - 1


def test_a_changed_order_is_accepted(sheet, tmp_path):
    """Each of two near words has the outermost number of the other."""
    built, ranges, laid_out = sheet
    allowed = ranges[PROBABILITY]
    path = tmp_path / "rechnung.json"
    contents = document_of(built, ranges) | document_of_sheet(laid_out, built.whole.hand)
    path.write_text(to_json(contents), encoding="utf-8")
    rows, looked_at = ranking(laid_out), 0
    for row, below in pairwise(rows):
        (_, number), (_, lower) = row.cells, below.cells
        if allowed.low[number.index] > allowed.high[lower.index]:
            continue
        looked_at += 1
        answers = {
            f"{PROBABILITY};{number.address}": allowed.high[lower.index],
            f"{PROBABILITY};{lower.address}": allowed.low[number.index],
        }
        written = tmp_path / "antworten.csv"
        lines = [f"{cell};{value:.3f}" for cell, value in answers.items()]
        written.write_text("name;index;wert\n" + "\n".join(lines) + "\n", encoding="utf-8")
        report = json.loads(run(str(path), str(written), as_json=True))
        assert {cell["verdict"] for cell in report["cells"]} <= {"richtig", "angenommen"}
        assert not any(cell["charged"] for cell in report["cells"])
    assert looked_at > 0


def test_questions_accept_the_same(sheet):
    built, ranges, _ = sheet
    whole = make_sheet(built)
    laid_out = whole.sheet
    expected = expected_numbers(whole, review(laid_out, whole.desk, ranges))
    allowed, wider = ranges[PROBABILITY], 0
    for row, below in pairwise(ranking(laid_out)):
        (_, number), (_, lower) = row.cells, below.cells
        asked = expected[PROBABILITY, lower.address]
        if allowed.low[number.index] <= allowed.high[lower.index]:
            assert float(asked.high) >= allowed.high[number.index]
            wider += 1
        assert not any(asked.low <= wrong <= asked.high for wrong, _ in asked.hints)
    assert wider
