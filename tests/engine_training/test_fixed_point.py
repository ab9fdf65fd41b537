"""The grid on which training calculates: every sum is exact, so no order of summing changes a weight."""

from fractions import Fraction
from functools import reduce
from operator import add

import numpy as np

from engine.model.model import Sizes
from engine.model.rules import Rules
from engine.training import steps
from engine.training.descent import Course, Parameters, descend
from engine.training.one_sentence import VECTORS, OneSentence
from engine.training.steps import LARGEST_VALUE, on_grid
from engine.training.texts import Corpus

MOST_TERMS = 2**7  # so many products add up without rounding
TEXTS = (("die", "Katze", "sitzt", "auf", "der", "Matte"), ("die", "Maus", "sitzt", "auf", "der", "Wiese"))


def test_the_largest_sum_of_products_is_exact():
    rng = np.random.default_rng(5)
    a, b = (on_grid(rng.uniform(-LARGEST_VALUE, LARGEST_VALUE, MOST_TERMS)) for _ in range(2))
    exact = sum(Fraction(x) * Fraction(y) for x, y in zip(a.tolist(), b.tolist(), strict=True))
    orders = [rng.permutation(MOST_TERMS) for _ in range(5)]
    assert {Fraction(float(reduce(add, (a * b)[order]))) for order in orders} == {exact}
    assert Fraction(float(a @ b)) == exact


def test_values_go_to_the_nearest_point_and_none_beyond_the_grid():
    halves = (np.arange(-50, 50) + 0.5) / 2**18
    assert np.array_equal(on_grid(halves), np.rint(halves * 2**18) / 2**18)
    assert on_grid(np.array([1e9, -1e9, 0.3])).tolist() == [LARGEST_VALUE, -LARGEST_VALUE, 78643 / 2**18]


added = []


class Backwards(np.ndarray):
    """Adds up the terms of every sum and of every matrix product in the other direction."""

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        plain = [np.asarray(each) if isinstance(each, np.ndarray) else each for each in inputs]
        if ufunc is np.matmul:
            plain = [plain[0][..., ::-1], plain[1][..., ::-1, :]]
            added.append(ufunc)
        elif ufunc is np.add and method == "reduce":
            plain = [np.flip(plain[0], kwargs["axis"])]
            added.append(ufunc)
        result = getattr(ufunc, method)(*plain, **kwargs)
        return result.view(Backwards) if isinstance(result, np.ndarray) else result


def test_the_order_of_sums_decides_no_weight(monkeypatch):
    corpus = Corpus(TEXTS, tuple(dict.fromkeys(word for text in TEXTS for word in text)))
    task = OneSentence(Sizes(4, 2, 8), Rules(), corpus, TEXTS[0][:-1])  # so that the heads are led
    centres = np.linspace(-0.5, 0.5, len(corpus.vocabulary) * 4).round(1).reshape(-1, 4)
    parameters = Parameters(task.shapes, {VECTORS: centres}, 0.3, 0.7)

    def last():
        *_, moment = descend(task, parameters, Course(0.03, steps=15), 2, 7)
        return moment

    plain = last()
    monkeypatch.setattr(steps, "on_grid", lambda *values: on_grid(*values).view(Backwards))
    backwards = last()
    assert len(added) > 15 * 20
    assert len({*added}) == 2
    for name, value in plain.steps.written.items():
        assert np.array_equal(value, np.array(backwards.steps.written[name])), name
    for name, table in plain.tables.items():
        assert np.array_equal(table, backwards.tables[name])
