"""Ranges that agree: copies, exponentials, ReLU, what follows from printed numbers; all from the trace."""

import numpy as np
import pytest
from mistakes.sheet_simulation import options, sheet_of

from acceptance.configurations import configuration, example
from acceptance.further import further_configuration
from engine.calculation.calculation import calculate
from engine.judging.acceptance import accepted
from engine.numbers.rounding import half_up


def places_of(calculation, name):
    return calculation.hand[name].places


def same(ranges, cell, source, sign=1):
    """Whether two cells have one range."""
    (name, index), (other, place) = cell, source
    ends = sorted(sign * float(bound[place]) for bound in (ranges[other].low, ranges[other].high))
    return np.allclose(ends, [ranges[name].low[index], ranges[name].high[index]], atol=1e-9)


def columns(weights, bias=0.0):
    """Of a product x · W + b: for each result the component that it copies, where it is one."""
    bias = np.broadcast_to(bias, weights.shape[1])
    for j, column in enumerate(weights.T):
        chosen = np.flatnonzero(column)
        if len(chosen) == 1 and column[chosen[0]] == 1 and bias[j] == 0:
            yield int(chosen[0]), j


@pytest.fixture(scope="module")
def selecting():
    return calculate(example())


@pytest.fixture(scope="module")
def ranges(selecting):
    return accepted(selecting)


PRODUCTS = (
    ("input", "block1.head1.W_Q", None, "block1.head1.query"),
    ("input", "block1.head2.W_V", None, "block1.head2.value"),
    ("block1.concat", "block1.W_O", None, "block1.attention"),
    ("block1.norm1.output", "block1.ffn.W_1", "block1.ffn.b_1", "block1.ffn.hidden"),
    ("block1.ffn.activation", "block1.ffn.W_2", "block1.ffn.b_2", "block1.ffn.output"),
)


@pytest.mark.parametrize(("source", "matrix", "bias", "name"), PRODUCTS)
def test_what_is_multiplied_by_one_has_its_sources_range(selecting, ranges, source, matrix, bias, name):
    weights = selecting.model.weights
    for i, j in columns(weights[matrix], weights.get(bias, 0.0)):
        for token in range(selecting.model.n_tokens):
            assert same(ranges, (name, (token, j)), (source, (token, i))), (token, i, j)


def test_some_of_them_are_copies(selecting):
    weights = selecting.model.weights
    found = [list(columns(weights[matrix], weights.get(bias, 0.0))) for _, matrix, bias, _ in PRODUCTS]
    assert sum(map(bool, found)) >= 3


def test_put_together_is_what_the_heads_gave(selecting, ranges):
    d_head = selecting.model.sizes.d_head
    for token, j in selecting.hand["block1.concat"].cells():
        source = f"block1.head{j // d_head + 1}.output", (token, j % d_head)
        assert same(ranges, ("block1.concat", (token, j)), source)


def test_nothing_added_changes_nothing(selecting, ranges):
    weights = selecting.model.weights
    empty = [j for j, column in enumerate(weights["block1.W_O"].T) if not column.any()]
    for j in empty:
        for token in range(selecting.model.n_tokens):
            assert same(ranges, ("block1.residual1", (token, j)), ("input", (token, j)))


@pytest.mark.parametrize("make", [configuration, further_configuration])
@pytest.mark.parametrize("seed", [2000, 2003])
def test_exponentials_have_the_ranges_of_their_exponents(make, seed):
    calculation = make(seed)
    found = accepted(calculation)
    checked = 0
    for name, quantity in calculation.hand.items():
        before, _, ending = name.rpartition(".")
        if ending == "activation" and not name.startswith(("gradient", "step")):
            np.testing.assert_array_equal(found[name].low, np.maximum(found[before + ".hidden"].low, 0))
            np.testing.assert_array_equal(found[name].high, np.maximum(found[before + ".hidden"].high, 0))
        if ending != "exp" or ".round" in name or name.startswith(("gradient", "step")):
            continue
        exponents = (f"{before}.{x}" for x in ("scaled", "scaled_logit", "score"))
        exponent = next(x for x in exponents if x in calculation.hand)
        seen = True if quantity.visible is None else quantity.visible
        for bound in (found[exponent].low, found[exponent].high):
            written = half_up(np.exp(bound), quantity.places)
            assert np.all(found[name].contains(written) | ~np.asarray(seen)), name
        checked += 1
    assert checked or make is further_configuration


def test_what_follows_from_printed_numbers_alone_is_what_they_give():
    """Sums and products of printed numbers: nothing beside the result."""
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
        for bound in (found[name].low, found[name].high):
            np.testing.assert_allclose(bound[known & natural], exact[known & natural], atol=1e-9)
        checked += int((known & natural).sum())
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
    assert widths["sheet"].mean() < widths["alone"].mean()
    assert np.median(widths["sheet"]) <= np.median(widths["alone"])
