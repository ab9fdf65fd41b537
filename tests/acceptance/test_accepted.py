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


def test_a_unit_is_accepted_in_all_that_is_worked_out_seldom_more_and_a_wrong_number_never(
    calculation, ranges
):
    widths = []
    for name, quantity in calculation.hand.items():
        low, high, unit = ranges[name].low, ranges[name].high, 10.0**-quantity.places
        for bound in (low, high):
            np.testing.assert_array_equal(bound, half_up(bound, quantity.places))
            assert not np.any(np.signbit(bound) & (bound == 0))
        if name == "embedding":  # what is given is itself
            assert (low == quantity.values).all()
            assert (high == quantity.values).all()
        else:
            wide = (low <= quantity.values - unit + 1e-9) & (high >= quantity.values + unit - 1e-9)
            assert np.all(wide | ~shown(quantity)), name
        widths += ((high - low) / unit)[shown(quantity)].tolist()
    assert np.mean(np.array(widths) <= 2.5) > 0.5
    weight, score = ranges["block1.head1.weight"], calculation.hand["block1.head1.score"]
    assert np.max(weight.high - weight.low) <= 0.04 + 1e-9
    undivided = half_up(score.values, 2)  # no division by the root is no honest way
    assert not ranges["block1.head1.scaled"].contains(undivided)[shown(score)].any()


@pytest.mark.parametrize(
    ("make", "seeds", "least", "kinds"),
    [
        (configuration, range(2000, 2004), 50_000, {"head.score", "norm.square"}),
        (
            further_configuration,
            range(2000, 2006),
            250_000,
            {"gradient.head.score", "round.share", "cross.attention"},
        ),
    ],
)
def test_honest_pupils_are_accepted(make, seeds, least, kinds):
    """A small part of validation.py, with pupils whose habits and seeds the ranges do not know."""
    by_kind = defaultdict(Count)
    counts = [judge(seed, 200, by_kind, make) for seed in seeds]
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
            widths = (ranges[name].high - ranges[name].low)[shown(quantity)]
            most = (8 if name.endswith("cumulative") else 2) * 10.0**-quantity.places
            assert np.all(widths < most + 1e-9), name


def test_where_a_divisor_is_nearly_zero_the_pupils_still_come_through():
    ranges = accepted(configuration(1007))
    assert all(np.isfinite(r.low).all() and np.isfinite(r.high).all() for r in ranges.values())
