"""Lengths, dot products and cosines against `decimal`, number by number."""

from dataclasses import replace

import numpy as np
import pytest
from acceptance.configurations import example

from engine.forward.calculation import calculate
from engine.forward.forward import Forward
from engine.pens.pens import ExactPen, Numbers, PupilPen, SchoolPen


@pytest.mark.parametrize("pen", [ExactPen(), SchoolPen(2)])
def test_words_without_a_direction_are_like_no_other(pen):
    model = example()
    rows = model.embedding * np.array([[0], [1], [1], [1], [0], [0.001]])
    Forward(replace(model, embedding=rows), pen).similarity()
    visible = pen.trace["similarity.cosine"].visible
    assert visible.sum(axis=1).tolist() == [0, 3, 3, 3, 0, 0]  # 0.0009 is 0,00 on paper


def test_a_pupil_who_wrote_a_length_of_zero_does_not_stop_the_check():
    calculation = calculate(example())
    names = {"similarity.norm": Numbers(np.zeros(6), np.array([True] + [False] * 5))}
    pen = PupilPen(calculation.hand, 2, names)
    Forward(calculation.model, pen).similarity()
    right = pen.right["similarity.cosine"]
    assert right[1].tolist()[1:] == calculation.hand["similarity.cosine"].values[1].tolist()[1:]
