"""Exact gradients against slopes of the loss that the second calculation gives, unrounded."""

from decimal import Decimal, localcontext

import numpy as np
import pytest
from reference.arithmetics import CONTEXT

from engine.backward.backward import Lesson
from engine.backward.gradient_step import write_lesson
from engine.model.model import EncoderDecoderModel
from engine.pens.pens import ExactPen
from engine_learning import decimal_forward
from engine_learning.decimal_backward import LessonPaper
from engine_learning.decimal_forward import table
from engine_learning.random_models import one_sentence, two_sentences

CONFIGURATIONS = 100  # of each kind of model
SHARE = 10  # a test's share of them
USUAL = 1  # share; the rest is for --gruendlich
STEP = Decimal("1e-18")
# What only the way back writes; engine_learning/test_document.py judges it.
BETWEEN = (".average", ".overlap", ".jacobian", ".normalised", ".input", ".source")


@pytest.fixture(autouse=True)
def nothing_is_rounded(monkeypatch):
    monkeypatch.setattr(decimal_forward, "rounded", lambda value, _: value)


class Moved(LessonPaper):
    """Adds to a table what belongs to its name, as soon as it is written."""

    def __init__(self, model, weights, lesson, two, moved):
        super().__init__(model, weights, lesson, two)
        self.moved = moved

    def note(self, name, value, places):
        return super().note(name, added(value, self.moved[name]) if name in self.moved else value, places)


def added(value, step):
    if isinstance(value, list):
        return [added(v, s) for v, s in zip(value, step, strict=True)]
    return None if value is None else value + step


def loss_of(model, lesson, weights, moved):
    """With these tables moved a little: weights, and what is calculated from them."""
    two = isinstance(model, EncoderDecoderModel)
    with localcontext(CONTEXT):
        own = {
            name: added(table(w), moved[name]) if name in moved else table(w) for name, w in weights.items()
        }
        paper = Moved(model, own, lesson, two, moved)
        if two:
            paper.start("encoder.", model.source_embedding)
        paper.start(paper.side, model.embedding)
        paper.output_layer(paper.pass_through()[-1], paper.side)
        paper.loss()
        return paper.notes[paper.side + "loss"], paper.notes


def slope(model, lesson, weights, ways):
    """How fast the loss grows on these ways, all of them at once."""
    steps = [{name: table_of(way, sign * STEP) for name, way in ways.items()} for sign in (1, -1)]
    forth, back = (loss_of(model, lesson, weights, moved)[0] for moved in steps)
    return float((forth - back) / (2 * STEP))


def table_of(way, step):
    return [table_of(part, step) for part in way] if way.ndim else Decimal(float(way)) * step


def lessons(draw, first):
    """A share of the configurations: model, its weights with the vocabulary's vectors, word."""
    for seed in range(first, first + SHARE):
        model = draw(seed)
        side = "decoder." if isinstance(model, EncoderDecoderModel) else ""
        weights = {**model.weights, side + "vocabulary_embedding": model.vocabulary_embedding}
        yield model, weights, seed % len(model.vocabulary)


@pytest.mark.parametrize("draw", [one_sentence, two_sentences])
@pytest.mark.parametrize(
    "first",
    [
        first if first < USUAL * SHARE else pytest.param(first, marks=pytest.mark.thorough)
        for first in range(0, CONFIGURATIONS, SHARE)
    ],
)
def test_gradients_are_slopes_of_the_loss(draw, first):
    """A wrong one spoils the sum of all on ways that nobody chose; then each is asked alone."""
    for model, weights, word in lessons(draw, first):
        lesson, rng = Lesson(word, 0.01), np.random.default_rng([7, word])
        trace = write_lesson(model, lesson, ExactPen(), entry=False)
        loss, notes = loss_of(model, lesson, weights, {})
        name_of_loss = next(name for name in ("decoder.loss", "loss") if name in trace)
        assert trace[name_of_loss].values == pytest.approx(float(loss), rel=1e-10)
        names = {name.removeprefix("gradient.") for name in trace if name.startswith("gradient.")}
        asked = {name for name in names if name in weights or name in notes}
        assert set(weights) <= asked
        assert [name for name in names - asked if not name.endswith(BETWEEN)] == []
        gradients = {name: trace["gradient." + name] for name in sorted(asked)}
        for name, quantity in gradients.items():
            assert quantity.visible is None or not quantity.values[~quantity.visible].any(), name
        ways = {name: rng.normal(size=quantity.values.shape) for name, quantity in gradients.items()}

        def wrong(*names, lesson=lesson, model=model, weights=weights, gradients=gradients, ways=ways):
            parts = [gradients[name].values * ways[name] for name in names]
            found, size = sum(part.sum() for part in parts), sum(np.abs(part).sum() for part in parts)
            wanted = slope(model, lesson, weights, {name: ways[name] for name in names})
            return abs(found - wanted) > 1e-9 * size + 1e-12

        assert not wrong(*gradients), [name for name in gradients if wrong(name)]
        after = {name: trace["step." + name].values for name in weights}
        for name, stepped in after.items():
            assert stepped == pytest.approx(weights[name] - 0.01 * gradients[name].values, abs=1e-12), name
        again = trace["after." + name_of_loss].values
        assert again == pytest.approx(float(loss_of(model, lesson, after, {})[0]), rel=1e-9)


@pytest.mark.parametrize("draw", [one_sentence, two_sentences])
@pytest.mark.parametrize("path", ["ausgabe", "attention"])
def test_shorter_paths_have_the_same_gradients(draw, path):
    for model, _, word in lessons(draw, 20):
        head = 1 + word % model.sizes.n_heads
        whole = write_lesson(model, Lesson(word, 0.01), ExactPen(), entry=False)
        short = write_lesson(model, Lesson(word, 0.01, path, head), ExactPen(), entry=False)
        names = [n for n in short if n.startswith("gradient.") and not n.endswith("jacobian")]
        assert len(names) < len([n for n in whole if n.startswith("gradient.")])
        stepped = [n for n in short if n.startswith("step.")]
        assert len(stepped) == (1 if path == "ausgabe" else 3)
        for name in (*names, *stepped):
            assert np.array_equal(short[name].values, whole[name].values)
