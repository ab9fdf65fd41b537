"""Ranges that agree: copies, exponentials, ReLU, what follows from printed numbers; all from the trace."""

from functools import cache, partial

import numpy as np
import pytest
from mistakes.sheet_simulation import options, sheet_of

from acceptance.configurations import configuration, example
from acceptance.further import further_configuration
from acceptance.identities import (
    behind_closed,
    disagreements,
    exponentials_cut,
    same,
    squares_beyond,
    squares_cut,
    sums_apart,
)
from engine.forward.calculation import calculate
from engine.judging.acceptance import accepted
from engine.numbers.arrays import half_up

CASES = {
    "example": lambda: calculate(example()),
    **{f"sentence {seed}": partial(configuration, seed) for seed in (2000, 2003)},
    **{f"further {seed}": partial(further_configuration, seed) for seed in (2000, 2003)},
}
on_sheet = cache(lambda sentence, level=2: sheet_of({"satz": sentence, "stufe": level}))
KATZE = "Die Katze sitzt auf der Matte"


def places_of(calculation, name):
    return calculation.hand[name].places


@pytest.mark.parametrize("case", CASES)
def test_ranges_agree_with_each_other(case):
    """Cells that are one number have one range; e^x has that of x; squares and sums those of deviations."""
    calculation = CASES[case]()
    found, sentence = accepted(calculation), not case.startswith("further")
    count, wrong = disagreements(calculation, found, {}, of_sentence=sentence)
    assert count > 100 or case != "example"
    assert wrong == exponentials_cut(calculation, found, {}) == []
    assert any(name.endswith(".norm1.square") for name in found)
    assert squares_cut(calculation, found) == sums_apart(calculation, found) == []
    assert squares_beyond(calculation, found)[1] == []


@pytest.mark.parametrize("on_a_sheet", [False, True])
def test_a_relu_that_nobody_opens_is_0_for_all_that_follows(on_a_sheet):
    calculation, _, printed = on_sheet(KATZE)
    found, wrong, looked_at = accepted(calculation, printed if on_a_sheet else None), [], set()
    for (name, index), left in behind_closed(calculation, found):
        looked_at.add((name.rpartition(".")[2], type(left)))
        if on_a_sheet and name in printed and printed[name][index]:
            continue
        if isinstance(left, float):
            unit = 10.0 ** -calculation.hand[name].places
            ends = found[name].low[index], found[name].high[index]
            agree = np.allclose(ends, (left - unit, left + unit), atol=1e-9)
        else:
            agree = same(found, (name, index), left)
        if not agree:
            wrong.append(f"{name}{index} has {found[name].low[index]} to {found[name].high[index]}: {left}")
    assert looked_at == {("output", float), ("output", tuple), ("residual2", tuple)}
    assert wrong == []


def test_a_sum_of_accepted_numbers_is_accepted():
    calculation, _, printed = on_sheet(KATZE)
    ranges = accepted(calculation, printed)
    sums = [name for name in calculation.hand if name.endswith(".exp_sum") and name in ranges]
    assert len(sums) >= 4
    for name in sums:
        parts, total = ranges[name.removesuffix("_sum")], ranges[name]
        holds = (total.low <= parts.low.sum(-1) + 1e-9) & (parts.high.sum(-1) <= total.high + 1e-9)
        assert np.all(holds | printed.get(name, False)), name


@pytest.mark.parametrize("sentence", [KATZE, "Der alte Kapitän segelt nach Hause"])
def test_on_a_sheet_most_squares_have_the_squares_of_the_column_beside_them(sentence):
    calculation, _, printed = on_sheet(sentence)
    at_ends, wrong = squares_beyond(calculation, accepted(calculation, printed))
    assert wrong == []
    assert at_ends > 0.5 * 2 * 2 * calculation.hand["input"].values.size  # both ends, both norms


def test_what_follows_from_printed_numbers_alone_is_what_they_give():
    """Sums and products of printed numbers: the result, and the unit beside it that is always accepted."""
    calculation, _, printed = on_sheet(KATZE, 1)
    found, checked = accepted(calculation, printed), 0
    for one, other, name in (
        ("input", "block1.attention", "block1.residual1"),
        ("block1.norm1.output", "block1.ffn.output", "block1.residual2"),
    ):
        known = printed.get(other, np.zeros_like(calculation.hand[other].values, dtype=bool))
        if one != "input":
            known = known & printed.get(one, np.zeros_like(known))
        exact = calculation.hand[one].values + calculation.hand[other].values
        natural = np.abs(half_up(exact, places_of(calculation, name)) - exact) < 1e-9
        told = known & natural
        unit = np.where(printed.get(name, np.zeros_like(known)), 0.0, 10.0 ** -places_of(calculation, name))
        for bound, beside in ((found[name].low, -unit), (found[name].high, unit)):
            np.testing.assert_allclose(bound[told], (exact + beside)[told], atol=1e-9)
        checked += int(told.sum())
    assert checked > 4


@pytest.mark.parametrize("seed", range(4))
def test_ranges_of_a_sheet_hold_the_hand_value_and_are_no_wider(seed):
    calculation, blanks, printed = sheet_of(options(seed))
    alone, found = accepted(calculation), accepted(calculation, printed)
    units = {name: 10.0 ** places_of(calculation, name) for name in blanks}
    own, others = (
        np.concatenate([((each[n].high - each[n].low) * units[n])[blanks[n]] for n in blanks])
        for each in (found, alone)
    )
    for name, quantity in calculation.hand.items():
        seen = True if quantity.visible is None else quantity.visible
        assert np.all(found[name].contains(quantity.values) | ~np.asarray(seen)), name
    assert own.mean() < 1.02 * others.mean()
    assert np.median(own) <= np.median(others)
