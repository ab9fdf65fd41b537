"""The effort of single cells against counts made by hand on the example, and its cover of the whole trace."""

from dataclasses import replace

import numpy as np
import pytest
from engine_learning.random_models import example, one_sentence

from engine.forward.calculation import all_passes, calculate
from engine.judging.teaching import NOTHING, SECONDS, Operations, effort
from engine.model.rules import Rules
from engine.numbers.arrays import CalculationError
from engine.texts.choosing import WordChoice
from engine.texts.generation import generate, texts_of

# name, index -> multiplications, additions, divisions, exponentials, roots, sines; counted on paper
BY_HAND = [
    ("positional_encoding", (2, 3), (0, 0, 1, 0, 0, 1)),  # cos(2 / 100)
    ("similarity.norm", (1,), (3, 2, 0, 0, 1, 0)),  # Katze: √(0,9² + 0,1² + 0,2²)
    ("similarity.cosine", (1, 5), (1, 0, 1, 0, 0, 0)),
    ("entry.score", (0, 5), (4, 3, 0, 0, 0, 0)),
    ("block1.head1.query", (2, 0), (0, 0, 0, 0, 0, 0)),  # picks d1
    ("block1.head1.score", (2, 1), (2, 1, 0, 0, 0, 0)),
    ("block1.head1.exp_sum", (2,), (0, 2, 0, 0, 0, 0)),
    ("block1.head1.weight", (2, 2), (0, 0, 1, 0, 0, 0)),
    ("block1.head1.output", (2, 1), (3, 2, 0, 0, 0, 0)),
    ("block1.attention", (2, 3), (0, 0, 0, 0, 0, 0)),  # W_O is the identity
    ("block1.residual1", (2, 3), (0, 1, 0, 0, 0, 0)),
    ("block1.norm1.variance", (2,), (4, 7, 1, 0, 0, 0)),
    ("block1.norm1.std", (2,), (0, 0, 0, 0, 1, 0)),
    ("block1.norm1.output", (2, 0), (0, 1, 1, 0, 0, 0)),
    ("block1.ffn.hidden", (2, 2), (0, 1, 0, 0, 0, 0)),  # d3 − d1
    ("logit", (0,), (3, 2, 0, 0, 0, 0)),  # Die (0,9 | 0,1 | 0 | 0,1)
    ("temperature1.scaled_logit", (0,), (0, 0, 0, 0, 0, 0)),
    ("temperature2.probability", (0,), (0, 0, 1, 0, 0, 0)),
]


def counted(model):
    return effort(calculate(model))


def test_cells_of_the_example_as_counted_by_hand_and_its_minutes():
    done = counted(example())
    for name, index, wanted in BY_HAND:
        assert done.of(name, index) == Operations(*wanted, cells=1), (name, index)
    cells = [(f"block1.head1.{end}", (2, j)) for end in ("score", "scaled") for j in range(6)]
    total = sum((done.of(*cell) for cell in cells), NOTHING)
    assert total == Operations(multiplications=6, additions=3, divisions=3, cells=6)  # three are hidden
    seconds = 6 * SECONDS["multiplications"] + 3 * SECONDS["additions"] + 3 * SECONDS["divisions"]
    assert total.minutes == pytest.approx((seconds + 6 * SECONDS["cells"]) / 60)


def test_weights_that_are_not_picks_are_multiplied_and_given_ones_and_zeros_are_not():
    model = example()
    W = model.weights["block1.head1.W_Q"].copy()
    W[:, 0] = [0.5, -1.0, 0.0, 2.0]
    weights = {**model.weights, "block1.head1.W_Q": W}
    for name, factor, more in (("norm1.gamma", 1.1, 0), ("norm1.beta", 1, 0.2), ("ffn.b_1", 1, -1)):
        weights["block1." + name] = model.weights["block1." + name] * factor + more
    done = counted(replace(model, weights=weights))
    assert done.of("block1.head1.query", (0, 0)) == Operations(multiplications=2, additions=2, cells=1)
    norm = Operations(multiplications=1, additions=2, divisions=1, cells=1)
    assert done.of("block1.norm1.output", (0, 0)) == norm
    assert done.of("block1.ffn.hidden", (0, 2)) == Operations(additions=2, cells=1)
    done = counted(replace(example(), rules=Rules(scaling=False, positions=False, causal_mask=False)))
    assert done.of("block1.head1.scaled", (0, 0)) == done.of("input", (0, 0)) == Operations(cells=1)
    assert done.of("block1.head1.exp_sum", (0,)).additions == 5


def test_every_quantity_of_a_calculation_has_an_effort_where_it_shows_a_number():
    for seed in range(8):
        try:
            calculation = calculate(one_sentence(seed, sheet=True))
        except CalculationError:
            continue
        done = effort(calculation)
        for name, quantity in calculation.hand.items():
            cells = set(quantity.cells())
            assert {done.of(name, index).cells for index in cells} == {1}
            hidden = set(np.ndindex(*quantity.values.shape)) - cells
            for index in hidden if not name.startswith(("entry", "context")) else ():
                assert done.of(name, index) == NOTHING


def test_a_text_is_counted_from_its_printed_logits_on():
    generation = generate(example(), WordChoice("top_p"), 2)
    done = effort(all_passes(calculate(example()), [texts_of({"top_p": generation})]))
    best, second, *_ = generation.rounds[0].hand.order
    kept = generation.rounds[0].hand.n_kept
    assert done.of("top_p.round1.kept_sum", ()) == Operations(additions=kept - 1, cells=1)
    assert done.of("top_p.round1.cumulative", (best,)) == Operations(cells=1)
    assert done.of("top_p.round1.cumulative", (second,)) == Operations(additions=1, cells=1)
