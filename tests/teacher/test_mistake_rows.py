"""The teacher's list of wrong numbers: what stands in it, and by what a mistake is shown."""

import pytest
from acceptance.configurations import example

from engine.forward.calculation import calculate
from engine.judging.acceptance import accepted
from engine.judging.expectation import Expectation, ExpectedMistake, expect
from generator.basics.numbers import NumberFormat
from generator.teacher.expected_mistakes import mistake_rows, shown_mistakes


@pytest.fixture(scope="module")
def calculation():
    return calculate(example())


@pytest.mark.parametrize(("name", "off", "leads"), [("input", 1, 1), ("logit", 1, 0), ("logit", 2, 1)])
def test_a_number_one_unit_off_leads_to_no_mistake_where_one_rounds(calculation, name, off, leads):
    index = next(iter(calculation.hand[name].cells()))
    value = calculation.hand[name].values[index] + off * 10.0 ** -calculation.hand[name].places
    foreseen = {(name, index): (ExpectedMistake(("cut",), value, here=True),)}
    expectation = Expectation(foreseen, (), (), 1)
    assert len(mistake_rows(calculation, expectation, foreseen, NumberFormat())) == leads


def test_an_example_counts_as_wrong_and_is_made_by_one_mistake_alone_where_there_is_one(calculation):
    value = calculation.hand["logit"].values[0]
    near = ExpectedMistake(("cut",), value + 0.01, here=True)
    shared = ExpectedMistake(("cut", "first_token"), value + 0.2, here=True)
    alone = ExpectedMistake(("cut",), value + 0.3, here=True)
    cells = [("logit", (0,))]

    def sentence(*several):
        expectation = Expectation({cells[0]: several}, (), (), 1)
        shown = shown_mistakes(calculation, expectation, cells, NumberFormat())
        return next(m.sentence for m in shown if m.short == "abgeschnitten")

    for best, others in ((near, ()), (shared, (near,)), (alone, (near, shared))):
        text = NumberFormat().text(best.value, calculation.hand["logit"].places)
        assert f"Steht dort {text}," in sentence(*others, best)
        assert f"Steht dort {text}," in sentence(best, *others)


def test_logits_are_told_by_their_words(calculation):
    blanks = [("logit", (i,)) for i in range(3)]
    expectation = expect(calculation, accepted(calculation), blanks)
    (row,) = mistake_rows(calculation, expectation, blanks, NumberFormat())
    assert [text.split()[0] for text in row.expected] == [
        f"„{word}“" for word in calculation.model.vocabulary[:3]
    ]
