"""One step of learning on the examples: the loss falls in both arithmetics; what the lesson refuses."""

from dataclasses import replace

import numpy as np
import pytest

from engine.backward.backward import DEFAULT_RATES, Lesson
from engine.backward.gradient_step import learn, next_word_to_learn, write_lesson
from engine.forward.calculation import calculate
from engine.forward.encoder_decoder import calculate_encoder_decoder
from engine.numbers.arrays import CalculationError
from engine.pens.pens import CarelessPen, Numbers, PupilPen
from engine_learning.random_models import example, example_translation

# Its first word is written with the probability 0.
SURE = replace(example(places=6), embedding=example().embedding * 6)


def test_the_default_next_word():
    assert next_word_to_learn(calculate(example(temperatures=(2.0,)))) == 0
    two = calculate_encoder_decoder(example_translation())
    assert two.model.vocabulary[next_word_to_learn(two)] == "<Ende>"
    assert next_word_to_learn(calculate(SURE)) == calculate(SURE).predicted() != 0


@pytest.mark.parametrize(
    ("model", "wrong", "error", "said"),
    [
        *((example(), {"rate": rate}, ValueError, None) for rate in (0.0, -0.5, float("nan"), float("inf"))),
        *((example(), {"word": word}, IndexError, None) for word in (6, -1)),
        *((example(), {"head": head}, IndexError, None) for head in (0, 3)),
        (example(), {"rate": 1e6}, CalculationError, r": after\."),
        (SURE, {}, CalculationError, "logarithm: loss"),
    ],
)
def test_what_cannot_be_a_lesson_is_refused_and_named(model, wrong, error, said):
    with pytest.raises(error, match=said):
        learn(model, Lesson(**{"word": 0, "rate": 0.1} | wrong))


# A lesson with other pens: many pupils in one run, and a pupil's own numbers followed.

CASES = [
    (model, Lesson(word, DEFAULT_RATES[path], path))
    for model, word in ((example(), 0), (example_translation(), 2))
    for path in ("ausgabe", "attention", "alles")
]


@pytest.mark.parametrize(("model", "lesson"), CASES)
def test_the_loss_falls_however_a_class_rounds(model, lesson):
    learning = learn(model, lesson)
    before, after = learning.losses(hand=False)
    assert round(after, 2) < round(before, 2)
    pen = CarelessPen(learning.hand, 100, np.random.default_rng(0))
    papers = write_lesson(learning.model, lesson, pen, "entry.score" in learning.hand)
    assert papers.keys() == learning.hand.keys() == learning.exact.keys()
    name = learning.loss_name
    assert papers[name].values.shape == (100,)
    assert np.all(papers["after." + name].values < papers[name].values)
    for name in learning.names:  # the first pupil rounds everything, as the key does
        values = papers[name].values
        own = values if values.ndim == learning[name].values.ndim else values[0]
        np.testing.assert_allclose(own, learning[name].values, atol=1e-9, err_msg=name)


@pytest.mark.parametrize(("model", "lesson"), CASES[2::3])
def test_own_numbers_are_followed_and_none_give_the_key(model, lesson):
    learning = learn(model, lesson)
    entry, name = "entry.score" in learning.hand, "gradient." + learning.loss_name.replace("loss", "logit")
    one = np.eye(len(model.vocabulary), dtype=bool)[lesson.word]
    for own, first in (({}, []), ({name: Numbers(np.where(one, -0.5, 0.0), one)}, [name])):
        pen = PupilPen(learning.hand, 2, own)
        followed = write_lesson(learning.model, lesson, pen, entry)
        changed = [n for n in learning.hand if not np.array_equal(followed[n].values, learning[n].values)]
        assert changed[:1] == first
        assert ("after." + learning.loss_name in changed) == bool(own)
        assert not own or np.array_equal(pen.right[name], learning[name].values)
