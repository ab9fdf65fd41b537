"""The batched way forward and back is the engine's own: same loss, same gradients."""

import numpy as np
import pytest

from engine.backward.backward import Lesson
from engine.backward.gradient_step import learn
from engine.model.model import Model, Sizes, Vocabulary, weight_shapes
from engine.model.rules import Rules
from engine.pens.pens import ExactPen
from engine.training.one_sentence import OUTPUT, VECTORS, OneSentence
from engine.training.steps import GridPen
from engine.training.texts import Corpus

WORDS = tuple("abcdefg")


def tables_for(task, rng):
    """Small numbers with one decimal, so that no limit of the training is met."""
    return {name: rng.integers(-6, 7, shape) / 10 for name, shape in task.shapes.items()}


class NoTrace(ExactPen):
    """Exact, and the same name may be written for several passes."""

    def write(self, name, value, kind, visible=None):
        return np.where(visible, value, 0.0) if visible is not None else np.asarray(value)


def engines_gradients(task, tables):
    """Beginning by beginning, the last token alone, with the engine's own lesson; the printed input."""
    own = {name: tables[name] for name in weight_shapes(task.sizes) if name in tables} | task.kept
    known = Vocabulary(task.corpus.vocabulary, tables[VECTORS], tables[OUTPUT])
    total, losses = {name: 0.0 for name in task.shapes if name != VECTORS}, []
    for beginning, after in task.corpus.followers.items():
        tokens = tuple(known.words[i] for i in beginning)
        model = Model(task.sizes, tokens, known.rows(tokens), own, task.rules, known=known)
        for word, count in after.items():
            trace, share = learn(model, Lesson(word, 0.1, "alles")).exact, count / after.total()
            losses.append(share * float(trace["loss"].values))
            for name in total:
                total[name] = total[name] + share * trace["gradient." + name].values
    return total, sum(losses)


@pytest.mark.parametrize(
    ("sizes", "switches"),
    [
        (Sizes(6, 3, 5, 2), {}),
        (Sizes(4, 1, 8), {"causal_mask": False}),
    ],
)
def test_loss_and_gradients_are_the_engines(sizes, switches):
    rng = np.random.default_rng([1, sizes.d_model])
    texts = (*(tuple(rng.choice(list(WORDS), 4)) for _ in range(3)), WORDS[:3])
    # Without positions, since the exact arithmetic does not round the input as the sheet does.
    task = OneSentence(sizes, Rules(positions=False, **switches), Corpus(texts, WORDS), ())
    tables = tables_for(task, rng)
    steps = task.steps({name: table[None] for name, table in tables.items()}, NoTrace())
    found = task.gradients(steps)
    expected, loss = engines_gradients(task, tables)
    probability = steps.written["temperature1.probability"][0]
    assert -(task.reading.right * np.log(probability)).sum() == pytest.approx(loss, rel=1e-9)
    for name, gradient in expected.items():
        assert found[name][0] == pytest.approx(gradient, rel=1e-7, abs=1e-9), name


def test_gradient_of_the_word_vectors():
    """Against differences of the loss; the input's rounding is gone through straight."""
    rng = np.random.default_rng(3)
    texts = (("a", "b", "a", "c"), ("b", "a", "d", "e"))
    task = OneSentence(Sizes(4, 2, 8), Rules(), Corpus(texts, WORDS), ())
    tables = {name: table[None] for name, table in tables_for(task, rng).items()}
    found = task.gradients(task.steps(tables, NoTrace()))[VECTORS][0]

    def loss(shift):
        x = task.input(tables[VECTORS][:, task.reading.ids]) + shift[task.reading.ids]
        steps = task.steps(tables, NoTrace())
        steps.written.clear()
        steps.predict(x)
        return -(task.reading.right * np.log(steps.written["temperature1.probability"][0])).sum()

    for word in range(len(WORDS)):
        for component in range(4):
            shift = np.zeros((len(WORDS), 4))
            shift[word, component] = 1e-5
            slope = (loss(shift) - loss(-shift)) / 2e-5
            assert found[word, component] == pytest.approx(slope, abs=2e-5)


def test_several_starts_are_each_alone():
    rng = np.random.default_rng(1)
    task = OneSentence(Sizes(4, 2, 8), Rules(), Corpus((("a", "b", "c"), ("a", "c", "d")), WORDS), ())
    both = [tables_for(task, rng) for _ in range(2)]
    together = {name: np.stack([each[name] for each in both]) for name in task.shapes}
    found = task.gradients(task.steps(together, GridPen()))
    for start, tables in enumerate(both):
        alone = task.gradients(task.steps({name: table[None] for name, table in tables.items()}, GridPen()))
        for name, gradient in alone.items():
            assert np.array_equal(found[name][start], gradient[0])
