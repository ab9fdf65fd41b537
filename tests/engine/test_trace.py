"""A model as large as GPT-2 small."""

from itertools import chain

import numpy as np
import pytest

from engine.forward.calculation import calculate
from engine.model.model import Model, Sizes
from engine.model.weights import make_weights


@pytest.mark.thorough
def test_gpt2_small_runs_in_both_arithmetics():
    """d_model 768, 12 heads, 12 blocks, 64 tokens: every quantity finite, within memory and seconds."""
    blocks = 12
    sizes = Sizes(768, 12, 3072, blocks)
    rng = np.random.default_rng(0)
    words = tuple(f"w{i}" for i in range(64))
    vectors = rng.integers(-9, 10, size=(64, 768)) / 10
    made = calculate(Model(sizes, words, vectors, make_weights(sizes, "auswahl", rng)))
    assert len([name for name in made.hand if name.endswith(".query")]) == 12 * blocks + 1
    assert made.hand[f"block{blocks}.norm2.output"].values.shape == (64, 768)
    numbers = chain.from_iterable((made.exact[name].values, made.hand[name].values) for name in made.hand)
    assert all(np.isfinite(values).all() for values in numbers)
    assert float(np.abs(made.exact[f"block{blocks}.norm2.mean"].values).max()) < 10
