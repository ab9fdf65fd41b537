"""Weights in the three styles: the course's own for the example, drawn ones by their rules, all by seed."""

import numpy as np
import pytest

from engine.model.model import Sizes, weight_shapes
from engine.model.weights import make_weights

EXAMPLE = Sizes(4, 2, 8, 1)
SIZES = [EXAMPLE, Sizes(2, 2, 1, 1), Sizes(3, 1, 6, 2), Sizes(6, 3, 12, 2), Sizes(16, 4, 64, 1)]
COURSE = {  # the components (from 1) that each column takes, with their signs
    "head1.W_Q": [(1,), (2,)],
    "head1.W_K": [(3,), (4,)],
    "head1.W_V": [(2,), (4,)],
    "head2.W_Q": [(3,), (4,)],
    "head2.W_K": [(1,), (2,)],
    "head2.W_V": [(1,), (3,)],
    "W_O": [(1,), (2,), (3,), (4,)],
    "ffn.W_1": [(1,), (2,), (-1, 3), (-2, 4), (1,), (2,), (3, -4), (-1, 4)],
    "ffn.W_2": [(1,), (2,), (5,), (6,)],
}


def made(sizes, style, seed=0):
    return make_weights(sizes, style, np.random.default_rng(seed))


def columns(matrix):
    return [tuple(int(np.sign(x)) * (i + 1) for i, x in enumerate(column) if x) for column in matrix.T]


def test_the_example_has_the_matrices_of_the_course():
    weights = made(EXAMPLE, "auswahl")
    assert {name: columns(weights["block1." + name]) for name in COURSE} == COURSE
    for name, vector in weights.items():
        if vector.ndim == 1:
            assert (vector == name.endswith("gamma")).all(), name


@pytest.mark.parametrize("sizes", SIZES)
def test_every_style_keeps_its_rules_and_is_the_same_for_the_same_seed(sizes):
    for style in ("auswahl", "ganzzahlig", "dezimal"):
        first, again, other = (made(sizes, style, seed) for seed in (3, 3, 4))
        assert {name: matrix.shape for name, matrix in first.items()} == weight_shapes(sizes)
        assert all(np.array_equal(first[name], again[name]) for name in first)
        alike = all(np.array_equal(first[name], other[name]) for name in first)
        assert alike == (style == "auswahl")  # nothing is drawn there
        for name, matrix in first.items():
            if style == "dezimal":
                assert np.array_equal(np.round(matrix, 1), matrix)
                assert np.abs(matrix).max() <= (1.2 if name.endswith("gamma") else 0.9)
            else:
                assert np.isin(matrix, (-1, 0, 1)).all()
            if style == "ganzzahlig" and matrix.ndim == 2 and not name.endswith("W_O"):
                assert np.isin(np.count_nonzero(matrix, axis=0), (1, 2)).all()  # sparse


@pytest.mark.parametrize("sizes", SIZES)
def test_selections_pick_components_once_and_every_head_its_own(sizes):
    weights, heads = made(sizes, "auswahl"), range(1, sizes.n_heads + 1)
    for block in range(1, sizes.n_blocks + 1):
        for W in ("W_Q", "W_V"):  # what is searched, and what is taken
            picked = [each for head in heads for each in columns(weights[f"block{block}.head{head}.{W}"])]
            assert sorted(picked) == [(component,) for component in range(1, sizes.d_model + 1)]


@pytest.mark.parametrize("sizes", [(0, 1, 1, 1), (4, 3, 8, 1), (4, 2, 0, 1), (4, 2, 8, 0), (4, -2, 8, 1)])
def test_sizes_that_no_model_has(sizes):
    with pytest.raises(ValueError, match="no model"):
        Sizes(*sizes)
