"""Cells that are one number by the formulas: found, and one number in both arithmetics."""

from dataclasses import replace

import numpy as np
import pytest
from acceptance.configurations import example

from engine.backward.backward import Lesson
from engine.backward.gradient_step import learn
from engine.forward.calculation import all_passes, calculate
from engine.model.rules import Rules

PLAIN = calculate(example())
CASES = {
    "example": PLAIN,
    "other switches": calculate(replace(example(), rules=Rules(False, False, False))),
    "learning": all_passes(PLAIN, [learn(example(), Lesson(0, 0.1))]),
}
LAST = PLAIN.model.n_tokens - 1
# A case, a cell, and another that is the same number there.
SAME = [
    ("example", ("similarity.cosine", (2, 1)), ("similarity.cosine", (1, 2))),
    ("example", ("entry.exp", (2, 1)), ("entry.exp", (1, 2))),
    ("example", ("unmasked.head1.exp", (3, 1)), ("block1.head1.exp", (3, 1))),
    ("example", ("unmasked.head1.weight", (LAST, 0)), ("block1.head1.weight", (LAST, 0))),
    ("example", ("block1.head2.output", (2, 1)), ("block1.attention", (2, 3))),
    ("other switches", ("embedding", (0, 0)), ("input", (0, 0))),
    ("other switches", ("block1.head2.score", (1, 0)), ("block1.head2.scaled", (1, 0))),
]


@pytest.mark.parametrize("case", CASES)
def test_aliases_are_one_number_in_both_arithmetics_and_know_each_other(case):
    calculation = CASES[case]
    assert len(calculation.aliases) > 100
    for cell, names in calculation.aliases.items():
        assert cell in names
        for trace, noise in ((calculation.hand, 0.0), (calculation.exact, 1e-9)):
            values = [float(trace[name].values[index]) for name, index in names]
            assert np.ptp(values) <= noise, names


def test_what_is_one_number_by_the_formulas_is_found_and_what_is_worked_out_is_none():
    for case, cell, other in SAME:
        assert other in CASES[case].aliases.get(cell, ()), (case, cell)
    # In a row with a mask the weights are others; picked components and open ReLUs are what is asked for.
    masked = PLAIN.aliases.get(("unmasked.head1.weight", (2, 0)), ())
    assert ("block1.head1.weight", (2, 0)) not in masked
    for names in PLAIN.aliases.values():
        quantities = {name for name, _ in names}
        assert not {"block1.head1.query", "input"} <= quantities
        assert not {"block1.head1.output", "block1.head1.value"} <= quantities
        assert not {"block1.ffn.activation", "block1.ffn.hidden"} <= quantities
