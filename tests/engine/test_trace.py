"""The trace: each name is written once; as large as GPT-2 small."""

from itertools import chain

import numpy as np
import pytest

from engine.forward.calculation import calculate
from engine.model.model import Model, Sizes
from engine.model.weights import make_weights
from engine.trace import N, Quantity, Trace


def test_a_name_is_written_once():
    trace = Trace()
    trace.note(Quantity("logit", N.over("word"), 2, np.zeros(3)))
    with pytest.raises(ValueError, match="twice"):
        trace.note(Quantity("logit", N.over("word"), 2, np.zeros(3)))


@pytest.mark.thorough
@pytest.mark.parametrize("blocks", [1, 12])
def test_gpt2_small_runs_in_both_arithmetics(blocks):
    """d_model 768, 12 heads, 12 blocks, 64 tokens: every quantity finite, within memory and seconds."""
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
