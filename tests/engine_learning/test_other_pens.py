"""A lesson with other pens: many pupils in one run, and a pupil's own numbers followed."""

import numpy as np
import pytest

from engine.backward.backward import DEFAULT_RATES, Lesson
from engine.backward.gradient_step import learn, write_lesson
from engine.pens.careless import CarelessPen
from engine.pens.pens import Numbers, PupilPen
from engine_learning.random_models import example, example_translation

CASES = [
    (model, Lesson(word, DEFAULT_RATES[path], path))
    for model, word in ((example(), 0), (example_translation(), 2))
    for path in ("ausgabe", "attention", "alles")
]


@pytest.mark.parametrize(("model", "lesson"), CASES)
def test_the_loss_falls_however_a_class_rounds(model, lesson):
    learning = learn(model, lesson)
    pen = CarelessPen(learning.hand, 200, np.random.default_rng(0))
    papers = write_lesson(learning.model, lesson, pen, "entry.score" in learning.hand)
    assert papers.keys() == learning.hand.keys()
    name = learning.loss_name
    assert papers[name].values.shape == (200,)
    assert np.all(papers["after." + name].values < papers[name].values)
    for name in learning.names:  # the first pupil rounds everything, as the key does
        values = papers[name].values
        own = values if values.ndim == learning[name].values.ndim else values[0]
        np.testing.assert_allclose(own, learning[name].values, atol=1e-9, err_msg=name)


@pytest.mark.parametrize(("model", "lesson"), CASES)
def test_own_numbers_are_followed_and_none_give_the_key(model, lesson):
    learning = learn(model, lesson)
    entry = "entry.score" in learning.hand
    same = write_lesson(learning.model, lesson, PupilPen(learning.hand, 2, {}), entry)
    assert all(np.array_equal(same[name].values, learning[name].values) for name in learning.hand)
    name = "gradient." + learning.loss_name.replace("loss", "logit")
    one = np.eye(len(model.vocabulary), dtype=bool)[lesson.word]
    pen = PupilPen(learning.hand, 2, {name: Numbers(np.where(one, -0.5, 0.0), one)})
    followed = write_lesson(learning.model, lesson, pen, entry)
    assert np.array_equal(pen.right[name], learning[name].values)
    changed = [n for n in learning.names if not np.array_equal(followed[n].values, learning[n].values)]
    assert changed[0] == name
    assert "after." + learning.loss_name in changed
