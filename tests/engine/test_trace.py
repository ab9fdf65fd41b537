"""The trace: names as the contract has them, each written once, cells that fit their places."""

from itertools import chain

import numpy as np
import pytest

from engine.forward.calculation import calculate
from engine.model.model import Model, Sizes
from engine.model.weights import make_weights
from engine.trace import N, Quantity, Trace
from generator.calculation.build import build
from generator.options.options import Options


def calculation(**options):
    return build(Options(satz="Die Katze sitzt auf der Matte", **options)).calculation


def test_a_norm_writes_the_steps_that_it_names_and_divides_by_the_last():
    hand, norm = calculation().hand, Sizes().norm
    at = "block1.norm1."
    assert [name.removeprefix(at) for name in hand if name.startswith(at)] == [*norm.steps, "output"]
    residual, output = (hand[f"block1.{name}"].values for name in ("residual1", "norm1.output"))
    spread = np.ptp(residual, axis=1) / np.ptp(output, axis=1)
    assert spread == pytest.approx(hand[at + norm.divisor].values, abs=0.02)


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
