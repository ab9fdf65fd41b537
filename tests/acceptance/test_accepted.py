"""Ranges that accept honest work, and little more."""

from collections import defaultdict

import numpy as np
import pytest

from acceptance.configurations import configuration
from acceptance.further import further_configuration
from acceptance.validation import Count, judge, shown
from engine.judging.acceptance import accepted, simulate
from engine.numbers.arrays import half_up


def test_the_first_pupil_calculates_as_the_key(calculation):
    trace = next(simulate(calculation, 6, 0))
    for name, quantity in calculation.hand.items():
        everyone = np.broadcast_to(trace[name].values, (6, *quantity.values.shape))
        np.testing.assert_allclose(everyone[0], quantity.values, atol=1e-12, err_msg=name)


def test_one_unit_is_accepted_in_all_that_is_worked_out_and_what_is_given_is_itself(calculation, ranges):
    for name, quantity in calculation.hand.items():
        low, high, unit = ranges[name].low, ranges[name].high, 10.0**-quantity.places
        for bound in (low, high):
            np.testing.assert_array_equal(bound, half_up(bound, quantity.places))
            assert not np.any(np.signbit(bound) & (bound == 0))
        if name == "embedding":
            assert (low == quantity.values).all()
            assert (high == quantity.values).all()
        else:
            wide = (low <= quantity.values - unit + 1e-9) & (high >= quantity.values + unit - 1e-9)
            assert np.all(wide | ~shown(quantity)), name


def test_ranges_are_narrow(calculation, ranges):
    """Most cells of the example are accepted within one unit, and no weight with more than two."""
    widths = [
        ((ranges[name].high - ranges[name].low) * 10.0**quantity.places)[shown(quantity)]
        for name, quantity in calculation.hand.items()
        if quantity.values.ndim
    ]
    assert np.mean(np.concatenate(widths) <= 2.5) > 0.5
    weight = ranges["block1.head1.weight"]
    assert np.max(weight.high - weight.low) <= 0.04 + 1e-9


@pytest.mark.parametrize(
    ("make", "pupils", "least", "kinds"),
    [
        (configuration, 500, 100_000, {"head.score", "norm.square"}),
        (further_configuration, 400, 500_000, {"gradient.head.score", "round.share", "cross.attention"}),
    ],
)
def test_honest_pupils_are_accepted(make, pupils, least, kinds):
    """A small part of validation.py, with pupils whose habits and seeds the ranges do not know."""
    by_kind = defaultdict(Count)
    counts = [judge(seed, pupils, by_kind, make) for seed in range(2000, 2006)]
    cells, refused = sum(c.cells for c in counts), sum(c.refused for c in counts)
    assert cells > least
    assert refused <= cells * 1e-4
    assert kinds <= by_kind.keys()


def test_rounds_begin_with_printed_probabilities():
    """Their ranges are those of few steps: sums are exact, shares at most one unit off."""
    calculation = further_configuration(2004)
    ranges = accepted(calculation)
    for name, quantity in calculation.hand.items():
        if ".round" in name:
            seen, unit = shown(quantity), 10.0**-quantity.places
            widths = (ranges[name].high - ranges[name].low)[seen]
            assert np.all(widths < (8 if name.endswith("cumulative") else 2) * unit + 1e-9), name


def test_a_wrong_number_is_refused(calculation, ranges):
    """No division by the root is no honest way."""
    score = calculation.hand["block1.head1.score"]
    assert not ranges["block1.head1.scaled"].contains(half_up(score.values, 2))[shown(score)].any()


def test_where_a_divisor_is_nearly_zero_the_pupils_still_come_through():
    calculation = configuration(1007)
    ranges = accepted(calculation)
    assert all(np.isfinite(r.low).all() and np.isfinite(r.high).all() for r in ranges.values())
