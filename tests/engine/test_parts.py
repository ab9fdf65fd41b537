"""Parts of a model switched off: the same as with matrices of zeros; numbers that say nothing are found."""

from dataclasses import replace

import numpy as np

from engine.forward.calculation import calculate
from engine.judging.parts import (
    copies,
    dead_units,
    heads_of,
    networks_of,
    parts_not_needed,
    probabilities_without,
)
from engine.model.model import Model, Sizes
from engine.model.weights import make_weights

SIZES, RNG = Sizes(4, 2, 6, 2), np.random.default_rng(3)
VECTORS = RNG.integers(-9, 10, (4, 4)) / 10
MODEL = Model(SIZES, ("a", "b", "c", "d"), VECTORS, make_weights(SIZES, "dezimal", RNG))
ZEROS = {
    "block1.head2.output": ("block1.head2.W_V",),
    "block2.head1.output": ("block2.head1.W_V",),
    "block2.ffn.output": ("block2.ffn.W_2", "block2.ffn.b_2"),
}


def silent(*names):
    """With matrices of zeros."""
    return replace(MODEL, weights={n: w * (n not in names) for n, w in MODEL.weights.items()})


def test_a_part_that_is_off_writes_zeros():
    choices = [(), *((part,) for part in ZEROS), tuple(ZEROS)]
    found = probabilities_without(MODEL, *choices)
    for row, choice in zip(found, choices, strict=True):
        expected = calculate(silent(*(name for part in choice for name in ZEROS[part])))
        assert np.array_equal(row, expected["temperature1.probability"].values)
    assert len(np.unique(found, axis=0)) == len(choices)


def test_what_is_not_needed_has_a_name():
    mute = silent(*(name for name in MODEL.weights if name.endswith(("W_V", "W_2", "b_2"))))
    likeliest = calculate(mute).predicted()
    assert parts_not_needed(mute, likeliest) == (*heads_of(SIZES), *networks_of(SIZES), "attention")
    assert parts_not_needed(mute, (likeliest + 1) % 4) == ()  # it does not come out in any case


def test_a_unit_that_is_a_copy_always_awake_or_never_is_idle():
    W_1 = np.array([[1.0, 2.0, 0.0, -1.0], [0.0, 0.0, 1.0, 0.0]])
    weights = {"W_1": W_1, "b_1": np.zeros(4), "W_2": np.ones((4, 2))}
    activation = np.array([[1.0, 2.0, 0.5, 0.0], [0.0, 0.0, 0.7, 0.0]])
    assert dead_units(activation, weights, "").tolist() == [False, True, True, True]
    several = np.stack([W_1, W_1 * [1, -1, 1, 1]])  # the other way round it is no copy
    assert [np.flatnonzero(row).tolist() for row in copies(several, np.zeros((2, 4)))] == [[1], [3]]
