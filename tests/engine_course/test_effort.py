"""The effort of single cells against counts made by hand on the example, and its cover of the whole trace."""

from dataclasses import replace

import numpy as np
import pytest
from course_models import example, random_model

from engine.calculation import calculate
from engine.choosing import Choice
from engine.effort import NOTHING, SECONDS, Operations, effort, operations
from engine.errors import CalculationError
from engine.generation import generate

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
    ("round2.logit", (6,), (4, 3, 0, 0, 0, 0)),  # the end token
    ("round2.cumulative", (6,), (0, 1, 0, 0, 0, 0)),
]


@pytest.mark.parametrize(("name", "index", "wanted"), BY_HAND)
def test_cells_of_the_example_as_counted_by_hand(name, index, wanted):
    assert operations(name, index, example()) == Operations(*wanted, cells=1)


def test_a_row_of_attention_weights_and_its_minutes():
    blanks = [("block1.head1.score", (2, j)) for j in range(6)]
    blanks += [("block1.head1.scaled", (2, j)) for j in range(6)]
    total = effort(blanks, example())
    assert total == Operations(multiplications=6, additions=3, divisions=3, cells=6)  # three are hidden
    seconds = 6 * SECONDS["multiplications"] + 3 * SECONDS["additions"] + 3 * SECONDS["divisions"]
    assert total.minutes == pytest.approx((seconds + 6 * SECONDS["cells"]) / 60)
    assert effort([], example()) == NOTHING
    assert NOTHING.minutes == 0


def test_weights_that_are_not_picks_are_multiplied():
    model = example()
    W = model.weights["block1.head1.W_Q"].copy()
    W[:, 0] = [0.5, -1.0, 0.0, 2.0]
    weights = {**model.weights, "block1.head1.W_Q": W}
    weights["block1.norm1.gamma"] = model.weights["block1.norm1.gamma"] * 1.1
    weights["block1.norm1.beta"] = model.weights["block1.norm1.beta"] + 0.2
    weights["block1.ffn.b_1"] = model.weights["block1.ffn.b_1"] - 1
    model = replace(model, weights=weights)
    for name in ("block1.head1.query", "unmasked.head1.query"):
        assert operations(name, (0, 0), model) == Operations(multiplications=2, additions=2, cells=1)
    normed = operations("block1.norm1.output", (0, 0), model)
    assert normed == Operations(multiplications=1, additions=2, divisions=1, cells=1)
    assert operations("block1.ffn.hidden", (0, 2), model) == Operations(additions=2, cells=1)


def test_a_given_one_or_zero_spares_the_multiplication_of_word_vectors():
    embedding = np.array([[1.0, 0.5, 0.0, -1.0], [0.3, 0.2, 0.9, 1.0]])
    model = replace(example(), tokens=("a", "b"), embedding=embedding)
    assert operations("similarity.dot", (0, 1), model) == Operations(multiplications=1, additions=2, cells=1)
    assert operations("similarity.norm", (0,), model) == Operations(
        multiplications=1, additions=2, roots=1, cells=1
    )


def test_switches_that_spare_work():
    model = replace(example(), scaling=False, positions=False, causal_mask=False)
    assert operations("block1.head1.scaled", (0, 0), model) == Operations(cells=1)
    assert operations("input", (0, 0), model) == Operations(cells=1)
    assert operations("block1.head1.exp_sum", (0,), model).additions == 5
    for name in ("positional_encoding", "unmasked.head1.query"):
        with pytest.raises(ValueError, match="known"):
            operations(name, (0, 0), model)


@pytest.mark.parametrize("seed", range(12))
def test_every_quantity_of_a_calculation_has_an_effort_where_it_shows_a_number(seed):
    try:
        calculation = calculate(random_model(seed))
    except CalculationError:
        pytest.skip("not playable")
    model = calculation.model
    for name, quantity in calculation.hand.items():
        cells = set(quantity.cells())
        assert cells
        for index in cells:
            assert operations(name, index, model).cells == 1
        if quantity.visible is not None and ".head" in name:
            hidden = next(iter(set(_all(quantity.values.shape)) - cells), None)
            assert hidden is None or operations(name, hidden, model) == NOTHING


def _all(shape):
    return [(i, j) for i in range(shape[0]) for j in range(shape[1])]


def test_every_quantity_of_a_generated_text_has_an_effort():
    generation = generate(example(), Choice("top_p"), 2)
    for name, quantity in generation.hand.items():
        for index in quantity.cells():
            assert operations(name, index, generation.rounds[0].model).cells == 1


@pytest.mark.parametrize(
    ("name", "index"),
    [
        ("loss", ()),
        ("gradient.block1.head1.query", (0, 0)),
        ("block2.concat", (0, 0)),
        ("block1.head3.score", (0, 0)),
        ("temperature3.exp", (0,)),
        ("entry.query", (0, 0)),
        ("logit", (6,)),
        ("logit", (0, 0)),
        ("input", (0, -1)),
        ("temperature1.exp_sum", (0,)),
    ],
)
def test_what_the_forward_pass_does_not_have_is_refused(name, index):
    with pytest.raises(ValueError, match=r"effort|cell"):
        operations(name, index, example())
