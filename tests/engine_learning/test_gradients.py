"""Exact gradients against automatic differentiation and differences of an independent forward pass."""

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
STEP = 3e-4
RELATIVE, ABSOLUTE = 1e-6, 1e-10
# Values that only the way back knows; no value of the forward pass has them as its gradient.
BETWEEN = (".average", ".overlap", ".jacobian")


def smooth(model, word, weights, loss):
    """No ReLU near its corner, no vector without spread: there differences would not be derivatives."""
    tap = Taps()
    loss(weights, model, word, tap)
    return all(
        np.abs(value).min() > 2e-3 if name.endswith("hidden") else value.std(axis=-1).min() > 0.2
        for name, value in tap.seen.items()
        if name.endswith("hidden") or ".residual" in name
    )


def lessons(draw, first):
    """A share of the configurations: model, its weights with the vocabulary's vectors, word, loss."""
    for seed in range(first, first + SHARE):
        for again in range(1000):
            model = draw(seed + 100_000 * again)
            two = isinstance(model, EncoderDecoderModel)
            side, loss = ("decoder.", two_sentence_loss) if two else ("", one_sentence_loss)
            weights = {**model.weights, side + "vocabulary_embedding": model.vocabulary_embedding}
            word = seed % len(model.vocabulary)
            if smooth(model, word, weights, loss):
                yield model, weights, word, loss
                break
        else:
            raise AssertionError("no smooth model")


def assert_close(found, wanted, name):
    assert found.shape == wanted.shape, name
    allowed = RELATIVE * np.abs(wanted).max() + ABSOLUTE
    assert np.abs(found - wanted).max() <= allowed, (name, found, wanted)


def central_differences(weights, name, loss, *task):
    """All entries of one weight at once, by the rule of fourth order: 4·size weights on a leading axis.

    NaN for an entry whose way there and back passes the corner of a ReLU, where there is no derivative.
    """
    own, tap = weights[name], Taps()
    steps = np.eye(own.size).reshape(own.size, *own.shape) * STEP
    moved = np.concatenate([own + factor * steps for factor in (1, -1, 2, -2)])
    losses = loss({**weights, name: moved}, *task, tap).reshape(4, own.size)
    corner = np.zeros(own.size, dtype=bool)
    for hidden in (value for at, value in tap.seen.items() if at.endswith("hidden") and value.ndim == 3):
        sides = (hidden > 0).reshape(4, own.size, -1)
        corner |= (sides != sides[0]).any(axis=(0, 2))
    near_up, near_down, far_up, far_down = losses
    slope = (8 * (near_up - near_down) - (far_up - far_down)) / (12 * STEP)
    return np.where(corner, np.nan, slope).reshape(own.shape)


@pytest.mark.parametrize("draw", [one_sentence, two_sentences])
@pytest.mark.parametrize(
    "first",
    [
        first if first < USUAL * SHARE else pytest.param(first, marks=pytest.mark.thorough)
        for first in range(0, CONFIGURATIONS, SHARE)
    ],
)
def test_gradients_are_those_of_autograd_and_of_central_differences(draw, first):
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
        found = trace["gradient." + name].values
        assert_close(found, wanted, name)
        slopes = central_differences(weights, name, loss, model, word)
        assert np.isnan(slopes).mean() < 0.3
        assert_close(np.where(np.isnan(slopes), 0, found), np.nan_to_num(slopes), name)
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
