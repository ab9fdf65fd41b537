"""Of drawn numbers the first that can be played is taken: |scaled| below 4, and every hand step has a value.

That the program's own draws are such is asked of random configurations, with the reference.
"""

import numpy as np
import pytest

from engine.forward.calculation import LARGEST_SCALED, calculate, draw_playable, largest_scaled
from engine.model.model import Model, Sizes
from engine.model.rules import Rules
from engine.model.weights import make_weights
from engine.numbers.arrays import CalculationError

QUIET = [[0.1, 0.2, 0.3, 0.4], [0.4, 0.1, 0.2, 0.9], [0.5, 0.5, 0.1, 0.2]]
LOUD = [[2.0, 2.0, 2.0, 2.5], [2.0, 1.0, 2.0, 2.2], [1.0, 2.0, 2.2, 2.0]]
FLAT = [[0.5, 0.5, 0.5, 0.503]] * 3  # a spread that rounds to 0: the normalisation would divide by it


def model(vectors):
    sizes = Sizes(4, 2, 8, 1)
    weights = make_weights(sizes, "auswahl", np.random.default_rng(0))
    return Model(sizes, ("eins", "zwei", "drei"), np.array(vectors), weights, Rules(positions=False))


def of_draws(*draws):
    """What comes of these, of which the last is drawn again and again."""
    return draw_playable(lambda attempt: model(draws[min(attempt, len(draws) - 1)]), calculate)


def test_the_first_playable_draw_is_taken_or_else_the_first_that_can_be_computed(monkeypatch):
    monkeypatch.setattr("engine.forward.calculation.MOST_DRAWS", 5)
    calculation = of_draws(LOUD, FLAT, LOUD, QUIET)
    assert calculation.model.embedding.tolist() == QUIET
    assert largest_scaled(calculation) < LARGEST_SCALED <= largest_scaled(calculate(model(LOUD)))
    assert of_draws(FLAT, LOUD, FLAT).model.embedding.tolist() == LOUD
    with pytest.raises(CalculationError) as caught:
        of_draws(FLAT)
    assert (caught.value.kind, len(caught.value.index)) == (
        "zero_divisor",
        2,
    )  # the cell that nobody can compute
    assert caught.value.name in calculation.hand
