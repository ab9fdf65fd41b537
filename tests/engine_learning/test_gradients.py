"""Exact gradients against automatic differentiation of an independent forward pass."""

import autograd
import numpy as np
import pytest

from engine.backward.backward import Lesson
from engine.backward.gradient_step import write_lesson
from engine.model.model import EncoderDecoderModel
from engine.pens.pens import ExactPen
from engine_learning.plain_transformer import Taps, one_sentence_loss, two_sentence_loss
from engine_learning.random_models import one_sentence, two_sentences

CONFIGURATIONS = 100  # of each kind of model
SHARE = 10  # a test's share of them
USUAL = 1  # share; the rest is for --gruendlich
RELATIVE, ABSOLUTE = 1e-6, 1e-10
# Values that only the way back knows; no value of the forward pass has them as its gradient.
BETWEEN = (".average", ".overlap", ".jacobian")


def lessons(draw, first):
    """A share of the configurations: model, its weights with the vocabulary's vectors, word, loss."""
    for seed in range(first, first + SHARE):
        model = draw(seed)
        two = isinstance(model, EncoderDecoderModel)
        side, loss = ("decoder.", two_sentence_loss) if two else ("", one_sentence_loss)
        weights = {**model.weights, side + "vocabulary_embedding": model.vocabulary_embedding}
        yield model, weights, seed % len(model.vocabulary), loss


def assert_close(found, wanted, name):
    assert found.shape == wanted.shape, name
    allowed = RELATIVE * np.abs(wanted).max() + ABSOLUTE
    assert np.abs(found - wanted).max() <= allowed, (name, found, wanted)


@pytest.mark.parametrize("draw", [one_sentence, two_sentences])
@pytest.mark.parametrize(
    "first",
    [
        first if first < USUAL * SHARE else pytest.param(first, marks=pytest.mark.thorough)
        for first in range(0, CONFIGURATIONS, SHARE)
    ],
)
def test_gradients_are_those_of_autograd(draw, first):
    for model, weights, word, loss in lessons(draw, first):
        compare(model, weights, word, loss)


def compare(model, weights, word, loss):
    def loss_of(weights, added=None):
        return loss(weights, model, word, Taps(added))

    trace = write_lesson(model, Lesson(word, 0.01), ExactPen(), entry=False)
    side = "decoder." if loss is two_sentence_loss else ""
    assert trace[side + "loss"].values == pytest.approx(loss_of(weights), rel=1e-10)
    tap = Taps()
    loss(weights, model, word, tap)
    zeros = {name: np.zeros_like(value) for name, value in tap.seen.items() if f"gradient.{name}" in trace}
    by_weight, by_value = autograd.grad(lambda pair: loss_of(*pair))((weights, zeros))
    names = {n.removeprefix("gradient.") for n in trace if n.startswith("gradient.")}
    assert set(weights) <= names
    assert {n for n in names if not n.endswith(BETWEEN)} == set(by_weight) | set(by_value)
    for name, wanted in by_weight.items():
        assert_close(trace["gradient." + name].values, wanted, name)
        assert_close(trace["step." + name].values, weights[name] - 0.01 * wanted, name)
    for name, wanted in by_value.items():
        quantity = trace["gradient." + name]
        if quantity.visible is not None:
            hidden = ~quantity.visible
            assert not quantity.values[hidden].any()
            if name.endswith(("score", "scaled")):  # a hidden score changes nothing
                assert not wanted[hidden].any()
            wanted = np.where(hidden, 0, wanted)
        assert_close(quantity.values, wanted, name)
    after = {name: trace["step." + name].values for name in weights}
    assert trace[f"after.{side}loss"].values == pytest.approx(loss_of(after), rel=1e-9)


@pytest.mark.parametrize("draw", [one_sentence, two_sentences])
def test_what_lies_between_is_what_its_name_says(draw):
    for model, _, word, _ in lessons(draw, 0):
        trace = write_lesson(model, Lesson(word, 0.01), ExactPen(), entry=False)
        for name in [n for n in trace if n.endswith(BETWEEN)]:
            at = name.removeprefix("gradient.").rpartition(".")[0] + "."
            found = trace[name].values
            if ".head" in at:
                weight = trace[at + "weight"].values
                if name.endswith("jacobian"):
                    own = autograd.jacobian(lambda s: autograd.numpy.exp(s) / autograd.numpy.exp(s).sum())
                    wanted = own(np.log(weight[-1]))
                else:
                    wanted = (weight * trace[f"gradient.{at}weight"].values).sum(-1)
            else:
                inner = trace[f"gradient.{at}normalised"].values
                hat = trace[at + "normalised"].values if name.endswith("overlap") else 1
                wanted = (inner * hat).mean(-1)
            assert_close(found, wanted, name)


@pytest.mark.parametrize("draw", [one_sentence, two_sentences])
@pytest.mark.parametrize("path", ["ausgabe", "attention"])
def test_shorter_paths_have_the_same_gradients(draw, path):
    for model, _, word, _ in lessons(draw, 20):
        head = 1 + word % model.sizes.n_heads
        whole = write_lesson(model, Lesson(word, 0.01), ExactPen(), entry=False)
        short = write_lesson(model, Lesson(word, 0.01, path, head), ExactPen(), entry=False)
        names = [n for n in short if n.startswith("gradient.") and not n.endswith("jacobian")]
        assert len(names) < len([n for n in whole if n.startswith("gradient.")])
        for name in names:
            assert np.array_equal(short[name].values, whole[name].values)
        stepped = [n for n in short if n.startswith("step.")]
        assert len(stepped) == (1 if path == "ausgabe" else 3)
        for name in stepped:
            assert np.array_equal(short[name].values, whole[name].values)
