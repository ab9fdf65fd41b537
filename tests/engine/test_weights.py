"""Weights in the three styles: the course's own for the example, drawn ones by their rules, all by seed."""

import numpy as np
import pytest

from engine.model.model import Sizes, weight_shapes
from engine.model.weights import make_weights, picks

EXAMPLE = Sizes(4, 2, 8, 1)
SIZES = [
    Sizes(d, h, f, b)
    for d, h, f, b in [(2, 1, 4, 1), (2, 2, 1, 1), (3, 1, 6, 2), (5, 5, 7, 1), (6, 3, 12, 2), (16, 4, 64, 1)]
]


def rng(seed=0):
    return np.random.default_rng(seed)


def columns(matrix):
    """Each column as the components (from 1) that it takes, with their signs."""
    return [tuple(int(np.sign(x)) * (i + 1) for i, x in enumerate(column) if x) for column in matrix.T]


def test_the_example_has_the_matrices_of_the_course():
    weights = make_weights(EXAMPLE, "auswahl", rng())
    taken = {name: columns(matrix) for name, matrix in weights.items() if ".W_" in name and "head" in name}
    assert taken == {
        "block1.head1.W_Q": [(1,), (2,)],
        "block1.head1.W_K": [(3,), (4,)],
        "block1.head1.W_V": [(2,), (4,)],
        "block1.head2.W_Q": [(3,), (4,)],
        "block1.head2.W_K": [(1,), (2,)],
        "block1.head2.W_V": [(1,), (3,)],
    }
    assert np.array_equal(weights["block1.W_O"], np.eye(4))
    # d1, d2, d3−d1, d4−d2, d1, d2, d3−d4, d4−d1
    hidden = [(1,), (2,), (-1, 3), (-2, 4), (1,), (2,), (3, -4), (-1, 4)]
    assert columns(weights["block1.ffn.W_1"]) == hidden
    # hidden 1, 2, 5, 6 go to d1, d2, d3, d4
    assert columns(weights["block1.ffn.W_2"]) == [(1,), (2,), (5,), (6,)]
    for name in ("ffn.b_1", "ffn.b_2", "norm1.beta", "norm2.beta"):
        assert not weights[f"block1.{name}"].any()
    for name in ("norm1.gamma", "norm2.gamma"):
        assert np.array_equal(weights[f"block1.{name}"], np.ones(4))
    assert all(np.isin(matrix, (-1, 0, 1)).all() for matrix in weights.values())


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("style", ["auswahl", "ganzzahlig", "dezimal"])
def test_every_style_has_all_shapes_and_is_the_same_for_the_same_seed(style, sizes):
    first, again = (make_weights(sizes, style, rng(3)) for _ in range(2))
    assert {name: matrix.shape for name, matrix in first.items()} == weight_shapes(sizes)
    assert all(np.array_equal(first[name], again[name]) for name in first)
    other = make_weights(sizes, style, rng(4))
    same = all(np.array_equal(first[name], other[name]) for name in first)
    assert same == (style == "auswahl")  # nothing is drawn there


@pytest.mark.parametrize("sizes", SIZES)
def test_selections_pick_components_once_and_every_head_its_own(sizes):
    weights = make_weights(sizes, "auswahl", rng())
    for block in range(1, sizes.n_blocks + 1):
        searched, taken = [], []
        for head in range(1, sizes.n_heads + 1):
            for W, picked in zip(("W_Q", "W_K", "W_V"), picks(sizes, block, head), strict=True):
                matrix = weights[f"block{block}.head{head}.{W}"]
                assert columns(matrix) == [(component + 1,) for component in picked]
            searched += picks(sizes, block, head)[0]
            taken += picks(sizes, block, head)[2]
        assert sorted(searched) == list(range(sizes.d_model))
        assert sorted(taken) == list(range(sizes.d_model))
        assert np.isin(weights[f"block{block}.ffn.W_1"], (-1, 0, 1)).all()


@pytest.mark.parametrize("sizes", SIZES)
def test_whole_numbers_are_sparse(sizes):
    for name, matrix in make_weights(sizes, "ganzzahlig", rng(1)).items():
        assert np.isin(matrix, (-1, 0, 1)).all()
        if matrix.ndim == 2 and not name.endswith("W_O"):
            filled = np.count_nonzero(matrix, axis=0)
            assert filled.min() >= 1
            assert filled.max() <= 2


@pytest.mark.parametrize("sizes", SIZES)
def test_decimals_have_one_place_and_stay_below_one(sizes):
    for name, matrix in make_weights(sizes, "dezimal", rng(1)).items():
        assert np.array_equal(np.round(matrix, 1), matrix)
        assert np.abs(matrix).max() <= (1.2 if name.endswith("gamma") else 0.9)


@pytest.mark.parametrize("sizes", [(0, 1, 1, 1), (4, 3, 8, 1), (4, 2, 0, 1), (4, 2, 8, 0), (4, -2, 8, 1)])
def test_sizes_that_no_model_has(sizes):
    with pytest.raises(ValueError, match="no model"):
        Sizes(*sizes)
