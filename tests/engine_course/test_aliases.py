"""Cells that are one number by the formulas: found, and one number in both arithmetics."""

from dataclasses import replace

import numpy as np
import pytest
from acceptance.configurations import example

from engine.backward.backward import Lesson
from engine.backward.gradient_step import learn
from engine.forward.calculation import all_passes, calculate
from engine.model.rules import Rules


def calculations():
    plain = calculate(example())
    yield "example", plain
    yield "no_mask", calculate(replace(example(), rules=Rules(causal_mask=False, scaling=False)))
    yield "no_positions", calculate(replace(example(), rules=Rules(positions=False)))
    yield "learning", all_passes(plain, [learn(example(), Lesson(0, 0.1))])


CALCULATIONS = dict(calculations())


@pytest.mark.parametrize("case", CALCULATIONS)
def test_aliases_are_one_number_in_both_arithmetics_and_know_each_other(case):
    calculation = CALCULATIONS[case]
    assert len(calculation.aliases) > 100
    for cell, names in calculation.aliases.items():
        assert cell in names
        for trace, noise in ((calculation.hand, 0.0), (calculation.exact, 1e-9)):
            values = [float(trace[name].values[index]) for name, index in names]
            assert np.ptp(values) <= noise, names


def names_of(case, name, *index):
    return set(CALCULATIONS[case].aliases.get((name, index), ()))


@pytest.mark.parametrize("name", ["entry.score", "entry.exp", "similarity.cosine", "context.dot"])
def test_what_two_words_have_in_common_is_one_number_for_both(name):
    assert (name, (1, 2)) in names_of("example", name, 2, 1)


def test_a_head_before_its_mask_heads_side_by_side_and_an_idle_matrix():
    for ending in ("query", "key", "value", "score", "scaled", "exp"):
        assert ("block1.head1." + ending, (3, 1)) in names_of("example", "unmasked.head1." + ending, 3, 1)
    last = CALCULATIONS["example"].model.n_tokens - 1
    assert ("block1.head1.weight", (last, 0)) in names_of("example", "unmasked.head1.weight", last, 0)
    assert ("block1.head1.weight", (2, 0)) not in names_of("example", "unmasked.head1.weight", 2, 0)
    assert {("block1.concat", (2, 3)), ("block1.attention", (2, 3))} <= names_of(
        "example", "block1.head2.output", 2, 1
    )
    assert ("input", (0, 0)) in names_of("no_positions", "embedding", 0, 0)
    assert ("block1.head2.scaled", (1, 0)) in names_of("no_mask", "block1.head2.score", 1, 0)


def test_a_picked_component_an_open_relu_and_a_weight_of_1_are_worked_out():
    """They are the same number only because of these weights, and what an exercise is about."""
    model = CALCULATIONS["example"].model
    assert set(np.unique(model.weights["block1.head1.W_Q"])) == {0.0, 1.0}
    endings = {("block1.head1.query", "input"), ("block1.ffn.activation", "block1.ffn.hidden")}
    for names in CALCULATIONS["example"].aliases.values():
        quantities = {name for name, _ in names}
        assert not any(pair <= quantities for pair in map(set, endings))
        assert not {"block1.head1.output", "block1.head1.value"} <= quantities
