"""Ranges that agree: copies, exponentials, ReLU, squares and sums; on sheets, too, and no wider there."""

from functools import partial

import numpy as np
import pytest
from mistakes.sheet_simulation import options, sheet_of

from acceptance.configurations import configuration, example
from acceptance.further import further_configuration
from acceptance.identities import disagreements, exponentials_cut, squares_beyond, squares_cut, sums_apart
from engine.forward.calculation import calculate
from engine.judging.acceptance import accepted
from tests.laid_out import KATZE

CASES = {
    "example": lambda: calculate(example()),
    "sentence": partial(configuration, 2003),
    "further": partial(further_configuration, 2003),
}


@pytest.mark.parametrize("case", CASES)
def test_ranges_agree_with_each_other(case):
    """Cells that are one number have one range; e^x has that of x; squares and sums those of deviations."""
    calculation = CASES[case]()
    found = accepted(calculation)
    count, wrong = disagreements(calculation, found, {}, of_sentence=case != "further")
    assert count > 100 or case != "example"
    assert wrong == exponentials_cut(calculation, found, {}) == []
    assert any(name.endswith(".norm1.square") for name in found)
    assert squares_cut(calculation, found) == sums_apart(calculation, found) == []
    assert squares_beyond(calculation, found)[1] == []


def test_on_a_sheet_a_sum_of_accepted_numbers_is_accepted_and_squares_are_those_of_the_column_beside_them():
    calculation, _, printed = sheet_of({"satz": KATZE})
    ranges = accepted(calculation, printed)
    for name in (name for name in calculation.hand if name.endswith(".exp_sum") and name in ranges):
        parts, total = ranges[name.removesuffix("_sum")], ranges[name]
        holds = (total.low <= parts.low.sum(-1) + 1e-9) & (parts.high.sum(-1) <= total.high + 1e-9)
        assert np.all(holds | printed.get(name, False)), name
    at_ends, wrong = squares_beyond(calculation, ranges)
    assert wrong == []
    assert at_ends > 0.5 * 2 * 2 * calculation.hand["input"].values.size  # both ends, both norms


@pytest.mark.parametrize("seed", [0, 2])
def test_ranges_of_a_sheet_hold_the_hand_value_and_are_no_wider(seed):
    calculation, blanks, printed = sheet_of(options(seed))
    alone, found = accepted(calculation), accepted(calculation, printed)
    units = {name: 10.0 ** calculation.hand[name].places for name in blanks}
    own, others = (
        np.concatenate([((each[n].high - each[n].low) * units[n])[blanks[n]] for n in blanks])
        for each in (found, alone)
    )
    for name, quantity in calculation.hand.items():
        seen = True if quantity.visible is None else quantity.visible
        assert np.all(found[name].contains(quantity.values) | ~np.asarray(seen)), name
    assert own.mean() < 1.02 * others.mean()
    assert np.median(own) <= np.median(others)
