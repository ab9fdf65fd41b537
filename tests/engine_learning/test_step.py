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


def test_the_default_next_word():
    assert next_word_to_learn(calculate(example(temperatures=(2.0,)))) == 0
    two = calculate_encoder_decoder(example_translation())
    assert two.model.vocabulary[next_word_to_learn(two)] == "<Ende>"


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        *(({"rate": rate}, ValueError) for rate in (0.0, -0.5, float("nan"), float("inf"))),
        *(({"word": word}, IndexError) for word in (6, -1)),
        *(({"head": head}, IndexError) for head in (0, 3)),
    ],
)
def test_no_such_rate_word_or_head(wrong, error):
    with pytest.raises(error):
        learn(example(), Lesson(**{"word": 0, "rate": 0.1} | wrong))


def test_an_enormous_rate_is_named_as_a_fault_of_the_pass_after():
    with pytest.raises(CalculationError) as caught:
        learn(example(), Lesson(0, 1e6))
    assert caught.value.name.startswith("after.")


def test_a_probability_written_as_zero_has_no_loss_by_hand():
    model = replace(example(places=6), embedding=example().embedding * 6)
    calculation = calculate(model)
    assert calculation["temperature1.probability"].values[0] == 0
    assert next_word_to_learn(calculation) == calculation.predicted() != 0
    with pytest.raises(CalculationError) as caught:
        learn(model, Lesson(0, 0.1))
    assert (caught.value.kind, caught.value.name) == ("logarithm", "loss")


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
    pen = CarelessPen(learning.hand, 200, np.random.default_rng(0))
    papers = write_lesson(learning.model, lesson, pen, "entry.score" in learning.hand)
    assert papers.keys() == learning.hand.keys() == learning.exact.keys()
    name = learning.loss_name
    assert papers[name].values.shape == (200,)
    assert np.all(papers["after." + name].values < papers[name].values)
    for name in learning.names:  # the first pupil rounds everything, as the key does
        values = papers[name].values
        own = values if values.ndim == learning[name].values.ndim else values[0]
        np.testing.assert_allclose(own, learning[name].values, atol=1e-9, err_msg=name)


@pytest.mark.parametrize(("model", "lesson"), CASES[2::3])
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
