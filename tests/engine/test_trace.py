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

AXES = {"token", "dim", "head_dim", "hidden", "word"}
HEAD = ("query", "key", "value", "score", "scaled", "exp", "exp_sum", "weight", "output")
NORM = ("mean", "variance", "std", "output")
TEMPERATURE = ("scaled_logit", "exp", "exp_sum", "probability")


def calculation(**options):
    return build(Options(satz="Die Katze sitzt auf der Matte", **options)).calculation


def names_of_the_contract(blocks, heads, temperatures, masked=True, positions=True):
    """The names as contract.md lists them, in its order."""
    yield from ["embedding", *(["positional_encoding"] if positions else []), "input"]
    yield from (f"unmasked.head1.{part}" for part in HEAD if masked)
    for b in range(1, blocks + 1):
        at = f"block{b}."
        yield from (f"{at}head{k}.{part}" for k in range(1, heads + 1) for part in HEAD)
        yield from (at + name for name in ("concat", "attention", "residual1"))
        yield from (f"{at}norm1.{part}" for part in NORM)
        yield from (f"{at}ffn.{part}" for part in ("hidden", "activation", "output"))
        yield from (f"{at}{name}" for name in ("residual2", *(f"norm2.{part}" for part in NORM)))
    yield "logit"
    yield from (f"temperature{t}.{part}" for t in temperatures for part in TEMPERATURE)


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ({}, names_of_the_contract(1, 2, ("0.5", "1", "2"))),
        (
            {"dimension": 6, "heads": 3, "bloecke": 2, "temperatur": [0.25, 10]},
            names_of_the_contract(2, 3, ("0.25", "10")),
        ),
        (
            {"heads": 1, "maske": False, "positionen": False, "temperatur": [1]},
            names_of_the_contract(1, 1, ("1",), masked=False, positions=False),
        ),
    ],
)
def test_the_names_of_the_contract_stand_in_their_order(options, wanted):
    wanted = list(wanted)
    found = [name for name in calculation(**options).hand if name in set(wanted)]
    assert found == wanted


def test_a_norm_writes_the_steps_that_it_names_and_divides_by_the_last():
    hand, norm = calculation().hand, Sizes().norm
    at = "block1.norm1."
    assert [name.removeprefix(at) for name in hand if name.startswith(at)] == [*norm.steps, "output"]
    residual, output = (hand[f"block1.{name}"].values for name in ("residual1", "norm1.output"))
    spread = np.ptp(residual, axis=1) / np.ptp(output, axis=1)
    assert spread == pytest.approx(hand[at + norm.divisor].values, abs=0.02)


@pytest.mark.parametrize("places", [1, 2, 4, 6])
def test_both_arithmetics_note_the_same_and_cells_fit_their_places(places):
    made = calculation(nachkommastellen=places, bloecke=2)
    assert list(made.exact) == list(made.hand)
    for name, quantity in made.hand.items():
        exact = made.exact[name]
        assert set(quantity.axes) <= AXES
        assert (quantity.axes, exact.places) == (exact.axes, None)
        assert quantity.values.shape == exact.values.shape
        assert quantity.values.ndim == len(quantity.axes)
        assert np.array_equal(np.round(quantity.values, quantity.places), quantity.values)
        assert not np.any(np.signbit(quantity.values) & (quantity.values == 0))
        hidden = 0 if quantity.visible is None else np.abs(quantity.values[~quantity.visible]).sum()
        assert hidden == 0


def test_the_mask_hides_what_comes_later_and_nothing_else():
    hand = calculation().hand
    for part in ("score", "scaled", "exp", "weight"):
        assert np.array_equal(hand[f"block1.head2.{part}"].visible, np.tri(6, dtype=bool))
        assert hand[f"unmasked.head1.{part}"].visible is None
    assert list(hand["block1.head1.weight"].cells())[:4] == [(0, 0), (1, 0), (1, 1), (2, 0)]
    assert all(q.visible is None for n, q in calculation(maske=False).hand.items() if n.startswith("block"))


def test_a_name_is_written_once():
    trace = Trace()
    trace.note(Quantity("logit", N.over("word"), 2, np.zeros(3)))
    with pytest.raises(ValueError, match="twice"):
        trace.note(Quantity("logit", N.over("word"), 2, np.zeros(3)))


def test_rows_of_weights_sum_to_one_and_probabilities_too():
    made = calculation(gewichte="dezimal", bloecke=2)
    for name, quantity in made.exact.items():
        if name.endswith((".weight", ".probability")):
            assert quantity.values.sum(-1) == pytest.approx(1)
    for name, quantity in made.hand.items():
        if name.endswith((".weight", ".probability")):
            units = 10**quantity.places * np.abs(quantity.values.sum(-1) - 1)
            assert np.all(units <= quantity.values.shape[-1] / 2 + 1)


def test_the_example_predicts_matte():
    made = calculation()
    assert made.model.vocabulary[made.predicted()] == "Matte"


@pytest.mark.parametrize("blocks", [1, pytest.param(12, marks=pytest.mark.thorough)])
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
