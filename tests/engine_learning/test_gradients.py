"""Exact gradients against slopes of the loss that the second calculation gives, unrounded."""

from decimal import Decimal, localcontext
from operator import add

import numpy as np
import pytest
from reference.arithmetics import CONTEXT, Unrounded
from reference.backward import each
from reference.models import Pass
from reference.task import task_of
from reference.transformer import Pen, Written

from engine.backward.backward import Lesson
from engine.backward.gradient_step import write_lesson
from engine.pens.pens import ExactPen
from engine_learning.random_models import one_sentence, two_sentences

SHARE = 8  # models of a test
STEP = Decimal("1e-18")
# What only the way back writes; engine_learning/test_document.py judges it.
BETWEEN = (".average", ".overlap", ".jacobian", ".normalised", ".input", ".source")


class Moved(Pen):
    """Adds to a table what belongs to its name, as soon as it is written."""

    def __init__(self, moved):
        super().__init__(Unrounded, {})
        self.moved = moved

    def passed_on(self, name):
        found = super().passed_on(name)
        return each(add, found, self.moved[name]) if name in self.moved else found


def loss_of(model, word, moved):
    """With these tables moved a little: weights, and what is calculated from them."""
    with localcontext(CONTEXT):
        one = Pass(task_of(model), Unrounded, Moved(moved))
        for name in one.weights.keys() & moved.keys():
            one.weights[name] = Written(each(add, list(one.weights[name]), moved[name]), 0)
        one.run()
        return one.loss(word), one


def decimals(array, factor):
    """A table of arithmetic that rounds nothing."""
    return [decimals(part, factor) for part in array] if array.ndim else Decimal(repr(float(array))) * factor


@pytest.mark.parametrize("draw", [one_sentence, two_sentences])
@pytest.mark.parametrize(
    "first", [0, *(pytest.param(first, marks=pytest.mark.thorough) for first in range(SHARE, 96, SHARE))]
)
def test_gradients_are_slopes_of_the_loss(draw, first):
    """A wrong one spoils the sum of all on ways that nobody chose; then each is asked alone."""
    for seed in range(first, first + SHARE):
        model = draw(seed)
        word, rng = seed % len(model.vocabulary), np.random.default_rng([7, seed])
        trace = write_lesson(model, Lesson(word, 0.01), ExactPen(), entry=False)
        loss, untouched = loss_of(model, word, {})
        assert trace[untouched.side + "loss"].values == pytest.approx(float(loss), rel=1e-10)
        names = {name.removeprefix("gradient.") for name in trace if name.startswith("gradient.")}
        asked = names & (untouched.weights.keys() | untouched.page.keys())
        assert untouched.weights.keys() <= asked
        assert [name for name in names - asked if not name.endswith(BETWEEN)] == []
        gradients = {name: trace["gradient." + name] for name in sorted(asked)}
        for name, quantity in gradients.items():
            assert quantity.visible is None or not quantity.values[~quantity.visible].any(), name
        ways = {name: rng.normal(size=quantity.values.shape) for name, quantity in gradients.items()}

        def wrong(*names, model=model, word=word, gradients=gradients, ways=ways):
            parts = [gradients[name].values * ways[name] for name in names]
            found, size = sum(part.sum() for part in parts), sum(np.abs(part).sum() for part in parts)
            tables = ({name: decimals(ways[name], step) for name in names} for step in (STEP, -STEP))
            forth, back = (loss_of(model, word, moved)[0] for moved in tables)
            return abs(found - float((forth - back) / (2 * STEP))) > 1e-9 * size + 1e-12

        assert not wrong(*gradients), [name for name in gradients if wrong(name)]
