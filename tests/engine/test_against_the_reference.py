"""The engine against the second calculation, cell by cell, in both arithmetics, without a difference.

Names, axes, places and the order, on which other programs rely, are compared as well.
"""

import pytest
from reference.compare import judge

# Of every tenth the texts are compared: chosen in all ways, with an end token (10, 30) and without one.
FIRST, EACH = (*range(8), 10), 15
FURTHER = [pytest.param(range(n, n + EACH), marks=pytest.mark.thorough) for n in range(8, 240, EACH)]


@pytest.mark.parametrize("seeds", [FIRST, *FURTHER])
def test_random_configurations_have_no_differing_cell(seeds):
    outcomes = [judge(seed) for seed in seeds]
    assert [(outcome.seed, *outcome.faults[:3]) for outcome in outcomes if outcome.faults] == []
    assert min(outcome.cells for outcome in outcomes) > 100
