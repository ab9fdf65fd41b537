"""Hidden units and components that say nothing are found.

What a model says without a part is asked of trained ones: engine_training/test_criteria.py, findings/.
"""

from dataclasses import replace

import numpy as np

from engine.forward.calculation import calculate
from engine.judging.parts import copies, dead_components, dead_units
from engine.model.model import Model, Sizes
from engine.model.weights import make_weights


def model():
    sizes, rng = Sizes(4, 2, 6, 2), np.random.default_rng(3)
    embedding = rng.integers(-9, 10, (4, 4)) / 10
    return Model(sizes, ("a", "b", "c", "d"), embedding, make_weights(sizes, "dezimal", rng))


def test_idle_units_and_components():
    one = model()
    trace = calculate(one).hand
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
    own = {**one.weights, "block1.head1.W_K": one.weights["block1.head1.W_K"] * [1, 0]}
    assert dead_components(calculate(replace(one, weights=own)).hand, "block1.head1.") == ("key2",)
