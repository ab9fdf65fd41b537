"""Of drawn numbers the first that can be played is taken: |scaled| below 4, and every hand step has a value.

That the program's own draws are such is asked of random configurations, with the reference.
"""

import numpy as np

from engine.forward.calculation import LARGEST_SCALED, calculate, draw_playable, largest_scaled
from engine.model.model import Model, Sizes
from engine.model.rules import Rules
from engine.model.weights import make_weights
from engine.numbers.arrays import CalculationError

QUIET = [[0.1, 0.2, 0.3, 0.4], [0.4, 0.1, 0.2, 0.9], [0.5, 0.5, 0.1, 0.2]]
LOUD = [[2.0, 2.0, 2.0, 2.5], [2.0, 1.0, 2.0, 2.2], [1.0, 2.0, 2.2, 2.0]]
LOUDER = [[2.0, 2.0, 2.0, 2.5], [2.0, 1.0, 2.0, 2.2], [1.0, 2.0, 2.5, 2.0]]
FLAT = [[0.5, 0.5, 0.5, 0.503]] * 3  # a spread that rounds to 0: the normalisation would divide by it


def model(vectors):
    sizes = Sizes(4, 2, 8, 1)
    weights = make_weights(sizes, "auswahl", np.random.default_rng(0))
    return Model(sizes, ("eins", "zwei", "drei"), np.array(vectors), weights, Rules(positions=False))


def of_draws(*draws):
    """What comes of these, of which the last is drawn again and again; and how many were drawn."""
    drawn = []

    def make(attempt):
        drawn.append(attempt)
        return model(draws[min(attempt, len(draws) - 1)])

    try:
        return draw_playable(make, calculate), len(drawn)
    except CalculationError as error:
        return error, len(drawn)


def test_the_first_playable_draw_is_taken():
    calculation, drawn = of_draws(LOUD, FLAT, LOUD, QUIET)
    assert drawn == 4
    assert calculation.model.embedding.tolist() == QUIET
    assert largest_scaled(calculation) < LARGEST_SCALED <= largest_scaled(calculate(model(LOUD)))


def test_where_no_draw_is_quiet_the_first_that_can_be_computed_is_taken(monkeypatch):
    monkeypatch.setattr("engine.forward.calculation.MOST_DRAWS", 5)
    assert of_draws(FLAT, LOUD, LOUDER)[0].model.embedding.tolist() == LOUD
    refusal, drawn = of_draws(FLAT)  # it names the cell that nobody can compute
    assert (refusal.kind, len(refusal.index), drawn) == ("zero_divisor", 2, 5)
    assert refusal.name in calculate(model(QUIET)).hand
