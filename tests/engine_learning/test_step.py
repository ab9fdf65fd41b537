"""One step of learning on the examples: the loss falls in both arithmetics; what the lesson refuses."""

from dataclasses import replace

import numpy as np
import pytest

from engine.backward.backward import DEFAULT_RATES, Lesson
from engine.backward.gradient_step import learn, next_word_to_learn, write_lesson
from engine.forward.calculation import calculate
from engine.forward.encoder_decoder import calculate_encoder_decoder
from engine.model.model import weight_shapes
from engine.numbers.arrays import CalculationError
from engine.pens.pens import CarelessPen, Numbers, PupilPen
from engine_learning.random_models import example, example_translation

PATHS = ("ausgabe", "attention", "alles")


def lesson(word, path="alles", head=1):
    return Lesson(word, DEFAULT_RATES[path], path, head)


@pytest.mark.parametrize("path", PATHS)
def test_the_step_lowers_the_loss_of_the_example_visibly(path):
    model = example()
    word = next_word_to_learn(calculate(model))
    assert model.vocabulary[word] == "Die"
    learning = learn(model, lesson(word, path))
    for before, after in (learning.losses(), learning.losses(hand=False)):
        assert round(after, 2) < round(before, 2)


def test_which_weights_each_path_changes():
    def changed(path, model=None, head=1):
        learning = learn(model or example(), lesson(0, path, head))
        return [name.removeprefix("step.") for name in learning.names if name.startswith("step.")]

    assert changed("ausgabe") == ["vocabulary_embedding"]
    assert changed("attention", head=2) == [f"block1.head2.{W}" for W in ("W_Q", "W_K", "W_V")]
    assert changed("alles") == [*weight_shapes(example().sizes), "vocabulary_embedding"]
    cross = [f"decoder.block1.cross.head1.{W}" for W in ("W_Q", "W_K", "W_V")]
    assert changed("attention", example_translation()) == cross


def test_the_forward_pass_stands_before_it_unchanged():
    whole = calculate(example())
    learning = learn(example(), lesson(0))
    assert list(learning.hand)[: len(whole.hand)] == list(whole.hand)
    assert learning.names[0] == "loss"
    assert learning.exact.keys() == learning.hand.keys()
    for name, quantity in whole.hand.items():
        assert np.array_equal(learning[name].values, quantity.values)


def test_the_default_next_word():
    assert next_word_to_learn(calculate(example(temperatures=(2.0,)))) == 0
    two = calculate_encoder_decoder(example_translation())
    assert two.model.vocabulary[next_word_to_learn(two)] == "<Ende>"


@pytest.mark.parametrize("rate", [0.0, -0.5, float("nan"), float("inf")])
def test_no_such_rate(rate):
    with pytest.raises(ValueError, match="rate"):
        Lesson(0, rate)


@pytest.mark.parametrize(("word", "head"), [(6, 1), (-1, 1), (0, 0), (0, 3)])
def test_no_such_word_or_head(word, head):
    with pytest.raises(IndexError):
        learn(example(), Lesson(word, 0.1, "alles", head))


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
        learn(model, lesson(0))
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
