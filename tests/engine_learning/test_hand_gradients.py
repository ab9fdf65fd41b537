"""The hand arithmetic of lessons, cell by cell against the calculation with `decimal`."""

from decimal import ROUND_HALF_UP, Decimal

import numpy as np
import pytest
from reference.arithmetics import CONTEXT, NotPlayableError
from reference.backward import lesson_by_decimal
from reference.task import task_of

from engine.backward.backward import Lesson
from engine.backward.gradient_step import write_lesson
from engine.numbers.arrays import CalculationError, ln
from engine.numbers.decimals import Decimals
from engine.pens.pens import SchoolPen
from engine_learning.random_models import one_sentence, two_sentences

SHARE = 12  # every path with every rate, and with every number of places
PATHS = ("alles", "alles", "attention", "ausgabe")
BESIDE = ("similarity.", "unmasked.", "context.")
CHUNKS = [0, *(pytest.param(first, marks=pytest.mark.thorough) for first in range(SHARE, 96, SHARE))]


def compare(model, lesson):
    """The traces' cells against the notes; False where both say that a step has no value."""
    try:
        notes = lesson_by_decimal(task_of(model), lesson)
    except NotPlayableError:
        with pytest.raises(CalculationError):
            write_lesson(model, lesson, SchoolPen(model.rules.places), entry=False)
        return False
    trace = write_lesson(model, lesson, SchoolPen(model.rules.places), entry=False)
    for name, quantity in trace.items():
        if not name.startswith(BESIDE):
            seen = True if quantity.visible is None else quantity.visible
            found, wanted = np.where(seen, quantity.values, np.nan), np.array(notes[name], dtype=float)
            assert np.array_equal(found, wanted, equal_nan=True), (name, found, wanted)
            assert not np.signbit(found[found == 0]).any(), name
    # The second calculation does the pass after the step anew, also what cannot have changed.
    assert {n for n in notes if not n.startswith("after.")} <= set(trace)
    return True


@pytest.mark.parametrize("draw", [one_sentence, two_sentences])
@pytest.mark.parametrize("first", CHUNKS)
def test_every_hand_cell_of_random_lessons(draw, first):
    playable = 0
    for seed in range(first, first + SHARE):
        model = draw(seed, sheet=True, places=1 + seed % 4, temperatures=(1.0,))
        word, head = seed % len(model.vocabulary), 1 + seed % model.sizes.n_heads
        playable += compare(model, Lesson(word, (0.5, 0.1, 0.25)[seed % 3], PATHS[seed % 4], head))
    assert playable >= SHARE // 2


def test_logarithms_are_rounded_as_decimal_does():
    rng = np.random.default_rng(5)
    values = np.concatenate([rng.integers(1, 1000, 60) / 1000, rng.integers(1, 10**6, 60) / 100, [1.0]])
    for places in (2, 8, 13):
        found = (-ln(Decimals.from_floats(values))).rounded(places)
        unit = Decimal(1).scaleb(-places)
        for value, wanted in zip(values, found.digits, strict=True):
            exact = -CONTEXT.ln(Decimal(repr(float(value))))
            assert int(wanted) == int(exact.quantize(unit, ROUND_HALF_UP, CONTEXT).scaleb(places, CONTEXT))
