"""Parts of a model switched off: the same as with matrices of zeros; numbers that say nothing are found."""

from dataclasses import replace

import numpy as np
import pytest

from engine.forward.calculation import calculate
from engine.judging.parts import (
    copies,
    dead_components,
    dead_units,
    heads_of,
    networks_of,
    parts_not_needed,
    probabilities_without,
    traces_without,
)
from engine.model.model import Model, Sizes
from engine.model.weights import make_weights


@pytest.fixture(scope="module")
def model():
    sizes, rng = Sizes(4, 2, 6, 2), np.random.default_rng(3)
    embedding = rng.integers(-9, 10, (4, 4)) / 10
    return Model(sizes, ("a", "b", "c", "d"), embedding, make_weights(sizes, "dezimal", rng))


def silent(model, *names):
    """With matrices of zeros."""
    return replace(model, weights={n: w * (n not in names) for n, w in model.weights.items()})


ZEROS = {
    "block1.head2.output": ("block1.head2.W_V",),
    "block2.head1.output": ("block2.head1.W_V",),
    "block2.ffn.output": ("block2.ffn.W_2", "block2.ffn.b_2"),
}


def test_a_part_that_is_off_writes_zeros(model):
    choices = [(), *((part,) for part in ZEROS), tuple(ZEROS)]
    found, trace = probabilities_without(model, *choices), traces_without(model, *choices)
    for place, choice in enumerate(choices):
        expected = calculate(silent(model, *(name for part in choice for name in ZEROS[part]))).hand
        assert np.array_equal(found[place], expected["temperature1.probability"].values)
        for name in ("block1.attention", "block2.residual2", "logit"):
            assert np.array_equal(trace[name].values[place].squeeze(), expected[name].values), name
    assert len(np.unique(found, axis=0)) == len(choices)


def test_what_is_not_needed_has_a_name(model):
    heads, networks = heads_of(model.sizes), networks_of(model.sizes)
    mute = silent(model, *(n for n in model.weights if n.endswith(("W_V", "W_2", "b_2"))))
    likeliest = calculate(mute).predicted()
    assert parts_not_needed(mute, likeliest) == (*heads, *networks, "attention")
    assert parts_not_needed(mute, (likeliest + 1) % 4) == ()  # it does not come out in any case


def test_idle_units_and_components(model):
    trace = calculate(model).hand
    W_1 = np.array([[1.0, 2.0, 0.0, -1.0], [0.0, 0.0, 1.0, 0.0]])
    weights = {"W_1": W_1, "b_1": np.zeros(4), "W_2": np.ones((4, 2))}
    activation = np.array([[1.0, 2.0, 0.5, 0.0], [0.0, 0.0, 0.7, 0.0]])
    # The second copies the first, the third is always awake, the fourth never.
    assert dead_units(activation, weights, "").tolist() == [False, True, True, True]
    weights["W_2"] = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [1.0, 0.0]])
    assert dead_units(activation, weights, "").tolist() == [True, True, True, True]
    several = np.stack([W_1, W_1 * [1, -1, 1, 1]])  # the other way round it is no copy
    assert copies(several, np.zeros((2, 4))).tolist() == [
        [False, True, False, False],
        [False, False, False, True],
    ]
    assert dead_components(trace, "block1.head1.") == ()
    own = {**model.weights, "block1.head1.W_K": model.weights["block1.head1.W_K"] * [1, 0]}
    assert dead_components(calculate(replace(model, weights=own)).hand, "block1.head1.") == ("key2",)
