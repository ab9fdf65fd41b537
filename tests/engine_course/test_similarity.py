"""Lengths, dot products and cosines against `decimal`, number by number."""

from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal, localcontext

import numpy as np
import pytest
from course_models import example, random_model

from engine.forward.calculation import calculate
from engine.forward.forward import Forward
from engine.judging.acceptance import accepted
from engine.numbers.arrays import CalculationError
from engine.pens.pens import ExactPen, Numbers, PupilPen, SchoolPen


def half_up(value, places):
    return value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)


def quotient(dividend, divisor, places):
    return half_up(dividend / divisor, places) if divisor else None


def by_hand(rows, places):
    """norm, dot, cosine of decimal vectors in school arithmetic; None for a cell without a direction."""
    with localcontext() as context:
        context.prec = 60
        vectors = [[Decimal(repr(float(x))) for x in row] for row in rows]
        norm = [half_up(sum(x * x for x in v).sqrt(), places + 1) for v in vectors]
        exact_dot = [[sum(x * y for x, y in zip(v, w, strict=True)) for w in vectors] for v in vectors]
        dot = [[half_up(x, places + 1) for x in row] for row in exact_dot]
        cosine = [
            [quotient(d, norm[i] * norm[j], places) for j, d in enumerate(row)] for i, row in enumerate(dot)
        ]
    return norm, dot, cosine


def calculations():
    found = [calculate(example()), calculate(example(places=3))]
    for seed in range(60):
        try:
            found.append(calculate(random_model(seed)))
        except CalculationError:
            continue
    return found


ALL = calculations()


@pytest.mark.parametrize(("at", "source"), [("similarity.", None), ("context.", "block1.attention")])
def test_hand_values_are_those_of_decimal(at, source):
    hidden = 0
    for calculation in ALL:
        model, hand = calculation.model, calculation.hand
        rows = model.vocabulary_embedding if source is None else hand[source].values
        norm, dot, cosine = by_hand(rows, model.rules.places)
        table = hand[at + "cosine"]
        assert hand[at + "norm"].values.tolist() == [float(x) for x in norm]
        assert hand[at + "dot"].values.tolist() == [[float(x) + 0.0 for x in row] for row in dot]
        assert hand[at + "norm"].places == model.rules.places + 1
        assert table.places == model.rules.places
        for i, row in enumerate(cosine):
            for j, wanted in enumerate(row):
                seen = table.visible is None or bool(table.visible[i, j])
                assert seen == (wanted is not None)
                assert table.values[i, j] == (float(wanted) if seen else 0)
                hidden += not seen
    assert len(ALL) > 40
    assert hidden > 0


def test_exact_values_and_hidden_cells():
    for calculation in ALL:
        rows = calculation.model.vocabulary_embedding
        table = calculation.exact["similarity.cosine"]
        lengths = np.linalg.norm(rows, axis=1)
        for i, j in np.ndindex(*table.values.shape):
            if lengths[i] and lengths[j]:
                wanted = rows[i] @ rows[j] / lengths[i] / lengths[j]
                assert table.values[i, j] == pytest.approx(wanted)
            else:
                assert table.visible is not None
                assert not table.visible[i, j]


def test_the_example_on_paper():
    hand = calculate(example()).hand
    # Katze (0,0 | 0,9 | 0,1 | 0,2) and Matte (0 | 0 | 0 | 0,9): √0,86 ≈ 0,927; 0,18 / (0,927 · 0,900) ≈ 0,22
    assert (hand["similarity.norm"].values[1], hand["similarity.dot"].values[1, 5]) == (0.927, 0.18)
    assert hand["similarity.cosine"].values[1, 5] == 0.22
    assert hand["similarity.cosine"].values[0, 4] == 1  # „Die“ and „der“ have one vector


def test_the_names_stand_between_the_contracts_own_and_move_none_of_them():
    names = list(calculate(example()).hand)
    assert names[:6] == [
        "embedding",
        "positional_encoding",
        "input",
        "similarity.norm",
        "similarity.dot",
        "similarity.cosine",
    ]
    place = names.index("block1.attention")
    following = ["context.norm", "context.dot", "context.cosine", "block1.residual1"]
    assert names[place + 1 : place + 5] == following
    assert sum(name.startswith("context.") for name in names) == 3


@pytest.mark.parametrize("pen", [ExactPen(), SchoolPen(2)])
def test_words_without_a_direction_are_like_no_other(pen):
    model = example()
    rows = model.embedding * np.array([[0], [1], [1], [1], [0], [0.001]])
    Forward(replace(model, embedding=rows), pen).similarity()
    visible = pen.trace["similarity.cosine"].visible
    assert visible.sum(axis=1).tolist() == [0, 3, 3, 3, 0, 0]  # 0.0009 is 0,00 on paper


def test_a_class_of_careless_pupils_gets_ranges_and_hidden_cells_stay_hidden():
    model = example()
    embedding = model.embedding * np.array([[0], [1], [1], [1], [1], [1]])
    calculation = calculate(replace(model, embedding=embedding))
    ranges = accepted(calculation)
    for at in ("similarity.", "context."):
        for ending in ("norm", "dot", "cosine"):
            quantity, bounds = calculation.hand[at + ending], ranges[at + ending]
            assert bounds.contains(quantity.values).all()
    assert calculation.hand["similarity.cosine"].visible.sum() == 25
    assert ranges["similarity.cosine"].high[0].tolist() == [0.0] * 6


def test_a_pupil_who_wrote_a_length_of_zero_does_not_stop_the_check():
    calculation = calculate(example())
    names = {"similarity.norm": Numbers(np.zeros(6), np.array([True] + [False] * 5))}
    pen = PupilPen(calculation.hand, 2, names)
    Forward(calculation.model, pen).similarity()
    right = pen.right["similarity.cosine"]
    assert right[1].tolist()[1:] == calculation.hand["similarity.cosine"].values[1].tolist()[1:]
