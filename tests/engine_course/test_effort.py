"""The effort of single cells against counts made by hand on the example, and its cover of the whole trace."""

from dataclasses import replace
from functools import cache

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
    ("embedding", (0, 0), (0, 0, 0, 0, 0, 0)),
    ("positional_encoding", (2, 0), (0, 0, 0, 0, 0, 1)),  # sin 2
    ("positional_encoding", (2, 3), (0, 0, 1, 0, 0, 1)),  # cos(2 / 100)
    ("input", (2, 0), (0, 1, 0, 0, 0, 0)),
    ("similarity.norm", (1,), (3, 2, 0, 0, 1, 0)),  # Katze: √(0,9² + 0,1² + 0,2²)
    ("similarity.dot", (1, 5), (1, 0, 0, 0, 0, 0)),  # Katze · Matte: only d4
    ("similarity.cosine", (1, 5), (1, 0, 1, 0, 0, 0)),
    ("entry.score", (0, 5), (4, 3, 0, 0, 0, 0)),
    ("entry.exp_sum", (0,), (0, 5, 0, 0, 0, 0)),
    ("entry.output", (0, 0), (6, 5, 0, 0, 0, 0)),
    ("entry.norm", (0,), (4, 3, 0, 0, 1, 0)),
    ("entry.cosine", (0, 1), (1, 0, 1, 0, 0, 0)),
    ("unmasked.head1.score", (0, 5), (2, 1, 0, 0, 0, 0)),
    ("unmasked.head1.exp_sum", (2,), (0, 5, 0, 0, 0, 0)),
    ("unmasked.head1.output", (2, 1), (6, 5, 0, 0, 0, 0)),
    ("block1.head1.query", (2, 0), (0, 0, 0, 0, 0, 0)),  # picks d1
    ("block1.head1.score", (2, 1), (2, 1, 0, 0, 0, 0)),
    ("block1.head1.scaled", (2, 1), (0, 0, 1, 0, 0, 0)),
    ("block1.head1.exp", (2, 1), (0, 0, 0, 1, 0, 0)),
    ("block1.head1.exp_sum", (2,), (0, 2, 0, 0, 0, 0)),
    ("block1.head1.weight", (2, 2), (0, 0, 1, 0, 0, 0)),
    ("block1.head1.output", (2, 1), (3, 2, 0, 0, 0, 0)),
    ("block1.concat", (2, 3), (0, 0, 0, 0, 0, 0)),
    ("block1.attention", (2, 3), (0, 0, 0, 0, 0, 0)),  # W_O is the identity
    ("context.norm", (2,), (4, 3, 0, 0, 1, 0)),
    ("context.dot", (2, 3), (4, 3, 0, 0, 0, 0)),
    ("block1.residual1", (2, 3), (0, 1, 0, 0, 0, 0)),
    ("block1.norm1.mean", (2,), (0, 3, 1, 0, 0, 0)),
    ("block1.norm1.variance", (2,), (4, 7, 1, 0, 0, 0)),
    ("block1.norm1.std", (2,), (0, 0, 0, 0, 1, 0)),
    ("block1.norm1.output", (2, 0), (0, 1, 1, 0, 0, 0)),
    ("block1.ffn.hidden", (2, 0), (0, 0, 0, 0, 0, 0)),  # d1
    ("block1.ffn.hidden", (2, 2), (0, 1, 0, 0, 0, 0)),  # d3 − d1
    ("block1.ffn.activation", (2, 2), (0, 0, 0, 0, 0, 0)),
    ("block1.ffn.output", (2, 0), (0, 0, 0, 0, 0, 0)),
    ("logit", (0,), (3, 2, 0, 0, 0, 0)),  # Die (0,9 | 0,1 | 0 | 0,1)
    ("logit", (5,), (1, 0, 0, 0, 0, 0)),  # Matte (0 | 0 | 0 | 0,9)
    ("temperature0.5.scaled_logit", (0,), (0, 0, 1, 0, 0, 0)),
    ("temperature1.scaled_logit", (0,), (0, 0, 0, 0, 0, 0)),
    ("temperature2.exp", (0,), (0, 0, 0, 1, 0, 0)),
    ("temperature2.exp_sum", (), (0, 5, 0, 0, 0, 0)),
    ("temperature2.probability", (0,), (0, 0, 1, 0, 0, 0)),
]


@cache
def of_example():
    """With two further rounds of a text."""
    calculation = calculate(example())
    return effort(all_passes(calculation, [texts_of({"top_p": generate(example(), WordChoice("top_p"), 2)})]))


def counted(model):
    return effort(calculate(model))


def test_cells_of_the_example_as_counted_by_hand():
    for name, index, wanted in BY_HAND:
        assert of_example().of(name, index) == Operations(*wanted, cells=1), (name, index)


def test_a_row_of_attention_weights_and_its_minutes():
    blanks = [("block1.head1.score", (2, j)) for j in range(6)]
    blanks += [("block1.head1.scaled", (2, j)) for j in range(6)]
    total = sum((of_example().of(*cell) for cell in blanks), NOTHING)
    assert total == Operations(multiplications=6, additions=3, divisions=3, cells=6)  # three are hidden
    seconds = 6 * SECONDS["multiplications"] + 3 * SECONDS["additions"] + 3 * SECONDS["divisions"]
    assert total.minutes == pytest.approx((seconds + 6 * SECONDS["cells"]) / 60)
    assert NOTHING.minutes == 0


def test_weights_that_are_not_picks_are_multiplied_and_given_ones_and_zeros_are_not():
    model = example()
    W = model.weights["block1.head1.W_Q"].copy()
    W[:, 0] = [0.5, -1.0, 0.0, 2.0]
    weights = {**model.weights, "block1.head1.W_Q": W}
    for name, factor, more in (("norm1.gamma", 1.1, 0), ("norm1.beta", 1, 0.2), ("ffn.b_1", 1, -1)):
        weights["block1." + name] = model.weights["block1." + name] * factor + more
    done = counted(replace(model, weights=weights))
    for name in ("block1.head1.query", "unmasked.head1.query"):
        assert done.of(name, (0, 0)) == Operations(multiplications=2, additions=2, cells=1)
    norm = Operations(multiplications=1, additions=2, divisions=1, cells=1)
    assert done.of("block1.norm1.output", (0, 0)) == norm
    assert done.of("block1.ffn.hidden", (0, 2)) == Operations(additions=2, cells=1)
    embedding = np.array([[1.0, 0.5, 0.0, -1.0], [0.3, 0.2, 0.9, 1.0]])
    done, plain = counted(replace(model, tokens=("a", "b"), embedding=embedding)), {"multiplications": 1}
    assert done.of("similarity.dot", (0, 1)) == Operations(**plain, additions=2, cells=1)
    assert done.of("similarity.norm", (0,)) == Operations(**plain, additions=2, roots=1, cells=1)


def test_switches_that_spare_work():
    done = counted(replace(example(), rules=Rules(scaling=False, positions=False, causal_mask=False)))
    assert done.of("block1.head1.scaled", (0, 0)) == done.of("input", (0, 0)) == Operations(cells=1)
    assert done.of("block1.head1.exp_sum", (0,)).additions == 5
    for name in ("positional_encoding", "unmasked.head1.query"):
        assert done.of(name, (0, 0)) is None


@pytest.mark.parametrize("seed", range(12))
def test_every_quantity_of_a_calculation_has_an_effort_where_it_shows_a_number(seed):
    try:
        calculation = calculate(one_sentence(seed, sheet=True))
    except CalculationError:
        pytest.skip("not playable")
    done = effort(calculation)
    for name, quantity in calculation.hand.items():
        cells = set(quantity.cells())
        assert cells
        for index in cells:
            assert done.of(name, index).cells == 1
        hidden = set(np.ndindex(*quantity.values.shape)) - cells
        for index in hidden if not name.startswith(("entry", "context")) else ():
            assert done.of(name, index) == NOTHING


def test_a_text_is_counted_from_its_printed_logits_on():
    generation = generate(example(), WordChoice("top_p"), 2)
    calculation = all_passes(calculate(example()), [texts_of({"top_p": generation})])
    done, kept = effort(calculation), generation.rounds[0].hand.n_kept
    assert done.of("top_p.round1.kept_sum", ()) == Operations(additions=kept - 1, cells=1)
    best = generation.rounds[0].hand.order
    assert done.of("top_p.round1.cumulative", (best[0],)) == Operations(cells=1)
    assert done.of("top_p.round1.cumulative", (best[1],)) == Operations(additions=1, cells=1)
