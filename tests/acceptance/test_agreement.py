"""Ranges that agree: copies, exponentials, ReLU, what follows from printed numbers; all from the trace."""

import numpy as np
import pytest
from mistakes.sheet_simulation import options, sheet_of

from acceptance.configurations import configuration
from acceptance.further import further_configuration
from acceptance.identities import (
    behind_closed,
    copied,
    disagreements,
    exponentials_cut,
    same,
    squares_beyond,
    squares_cut,
    sums_apart,
)
from engine.judging.acceptance import accepted
from engine.numbers.arrays import half_up


def places_of(calculation, name):
    return calculation.hand[name].places


def test_cells_that_are_one_number_have_one_range(calculation, ranges):
    assert len({copy[0] for copy, _ in copied(calculation)}) >= 5
    count, wrong = disagreements(calculation, ranges, {})
    assert count > 100
    assert wrong == []


@pytest.mark.parametrize("on_a_sheet", [False, True])
def test_a_relu_that_nobody_opens_is_0_for_all_that_follows(on_a_sheet):
    calculation, _, printed = sheet_of({"satz": "Die Katze sitzt auf der Matte"})
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


@pytest.mark.parametrize("make", [configuration, further_configuration])
@pytest.mark.parametrize("seed", [2000, 2003])
def test_exponentials_have_the_ranges_of_their_exponents(make, seed):
    calculation = make(seed)
    found = accepted(calculation)
    assert exponentials_cut(calculation, found, {}) == []


def test_a_sum_of_accepted_numbers_is_accepted():
    calculation, _, printed = sheet_of({"satz": "Die Katze sitzt auf der Matte"})
    ranges = accepted(calculation, printed)
    sums = [name for name in calculation.hand if name.endswith(".exp_sum") and name in ranges]
    assert len(sums) >= 4
    for name in sums:
        parts, total = ranges[name.removesuffix("_sum")], ranges[name]
        holds = (total.low <= parts.low.sum(-1) + 1e-9) & (parts.high.sum(-1) <= total.high + 1e-9)
        assert np.all(holds | printed.get(name, False)), name


@pytest.mark.parametrize("make", [configuration, further_configuration])
@pytest.mark.parametrize("seed", [2000, 2003])
def test_squares_and_sums_of_a_layer_norm_agree_with_its_deviations(make, seed):
    calculation = make(seed)
    found = accepted(calculation)
    assert any(name.endswith(".norm1.square") for name in found)
    assert squares_cut(calculation, found) == sums_apart(calculation, found) == []
    assert squares_beyond(calculation, found)[1] == []


@pytest.mark.parametrize("sentence", ["Die Katze sitzt auf der Matte", "Der alte Kapitän segelt nach Hause"])
def test_on_a_sheet_most_squares_have_the_squares_of_the_column_beside_them(sentence):
    calculation, _, printed = sheet_of({"satz": sentence})
    at_ends, wrong = squares_beyond(calculation, accepted(calculation, printed))
    assert wrong == []
    assert at_ends > 0.5 * 2 * 2 * calculation.hand["input"].values.size  # both ends, both norms


def test_what_follows_from_printed_numbers_alone_is_what_they_give():
    """Sums and products of printed numbers: the result, and the unit beside it that is always accepted."""
    calculation, _, printed = sheet_of({"satz": "Die Katze sitzt auf der Matte", "stufe": 1})
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
    widths = {}
    for title, ranges in (("alone", alone), ("sheet", found)):
        all_widths = (
            (n, (ranges[n].high - ranges[n].low) * 10.0 ** places_of(calculation, n)) for n in blanks
        )
        widths[title] = np.concatenate([each[blanks[n]] for n, each in all_widths])
    for name, quantity in calculation.hand.items():
        seen = True if quantity.visible is None else quantity.visible
        assert np.all(found[name].contains(quantity.values) | ~np.asarray(seen)), name
    assert widths["sheet"].mean() < 1.02 * widths["alone"].mean()
    assert np.median(widths["sheet"]) <= np.median(widths["alone"])
