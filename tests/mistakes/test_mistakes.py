"""Typical mistakes: each gives other numbers, is found and named, and is charged once."""

import math

import numpy as np
import pytest
from acceptance.configurations import configuration, example

from engine.forward.calculation import calculate
from engine.judging.acceptance import accepted
from engine.judging.expectation import Expectation, ExpectedMistake, confused, expect
from engine.judging.friendliness import assess, told_apart_best
from engine.judging.mistakes import ALL_MISTAKES, LEARNING_MISTAKES, MISTAKES, Mistake, mistaken_numbers
from engine.model.model import Model
from engine.model.rules import Rules
from engine.pens.pens import numbers_of
from generator.basics.cell_names import cell_title
from generator.basics.numbers import NumberFormat, parse_number
from generator.calculation.build import build
from generator.check.in_words import mistake_texts
from generator.commands.stress import run
from generator.options.options import Options
from generator.teacher.expected_mistakes import counts_as_right, letters_of, mistake_rows, shown_mistakes
from generator.teacher.review import certificate


def by_id(name):
    return next(mistake for mistake in MISTAKES if mistake.id == name)


def test_no_mistake_gives_the_key(calculation):
    none = Mistake("none", (type("Right", (by_id("cut").variants[0],), {}),), "")
    for numbers in ({}, numbers_of(calculation.hand)):
        (told,) = mistaken_numbers(calculation, none, numbers)
        for name, quantity in calculation.hand.items():
            np.testing.assert_allclose(told[name], quantity.values, atol=1e-12, err_msg=name)


@pytest.mark.parametrize(
    ("mistake", "name", "index", "value"),
    [
        ("scaling_forgotten", "block1.head1.scaled", (1, 1), 1.76),
        ("divided_by_dk", "block1.head1.scaled", (1, 1), 0.88),
        ("base_ten", "block1.head1.exp", (1, 0), 12.30),
        ("mask_as_zero", "block1.head1.exp_sum", (1,), 2.97 + 3.49 + 4),
        ("not_normalised", "block1.head1.weight", (1, 0), 2.97),
        ("variance_for_deviation", "block1.norm1.std", (0,), 0.31),
        ("temperature_multiplied", "temperature2.scaled_logit", (5,), 1.90),
        ("degrees", "positional_encoding", (1, 0), 0.017),
        ("sine_cosine_exchanged", "positional_encoding", (0, 0), 1.0),
        ("heads_in_wrong_order", "block1.concat", (0, 0), None),
    ],
)
def test_numbers_worked_out_by_hand(calculation, mistake, name, index, value):
    told = mistaken_numbers(calculation, by_id(mistake), numbers_of(calculation.hand))[0]
    if value is None:
        value = calculation.hand["block1.head2.output"].values[0, 0]
    assert told[name][index] == pytest.approx(value, abs=1e-9)


def test_numbers_of_the_way_back_worked_out_by_hand():
    """Another logarithm; 1 not taken off at the right word; a step up instead of down; ten times a step."""
    asked = {"satz": "Die Katze", "zielsatz": "The cat", "lernen": "ausgabe", "lernrate": "0,1"}
    passes = build(Options.from_mapping(asked)).passes
    key = numbers_of(passes.hand)
    told = {each.id: mistaken_numbers(passes, each, key)[0] for each in LEARNING_MISTAKES}
    loss = passes.hand["loss"].values
    np.testing.assert_allclose(told["common_logarithm"]["loss"], loss / math.log(10), atol=1e-3)
    name = next(n for n in passes.hand if n in ("gradient.logit", "gradient.decoder.logit"))
    off = told["target_forgotten"][name] - passes.hand[name].values
    assert sorted(set(np.round(off, 9).ravel())) == [0, 1]
    step = next(n for n in passes.hand if n.startswith("step."))
    new = passes.hand[step].values
    old = (told["uphill"][step] + new) / 2
    np.testing.assert_allclose(old, np.round(old, 1), atol=1e-4)
    np.testing.assert_allclose(told["rate_forgotten"][step] - old, 10 * (new - old), atol=0.06)


def test_expected_numbers_are_refused_ones_and_say_where_they_come_from(calculation, ranges):
    expectation = expect(calculation, ranges)
    found = expectation.numbers["block1.head1.scaled", (1, 0)]
    assert (found[0].ids, found[0].value, found[0].here) == (("scaling_forgotten",), 1.54, True)
    for (name, index), several in expectation.numbers.items():
        for foreseen in several:
            assert not ranges[name].low[index] - 1e-9 <= foreseen.value <= ranges[name].high[index] + 1e-9
    assert expectation.told_apart == expectation.possible == len(MISTAKES)


def test_what_cannot_be_told_apart_is_said(calculation, ranges):
    """In the logits alone of a text with two equal ends, first and last token are one."""
    one_row = {("block1.head1.exp_sum", (5,))}
    expectation = expect(calculation, ranges, one_row)
    assert {"mask_forgotten", "mask_as_zero"} <= set(expectation.unseen)
    text = certificate(calculation, expectation, NumberFormat()).warnings[-1]
    assert "Mit diesen Zahlen nicht zu sehen" in text
    assert "„Maske vergessen“" in text


def test_every_number_that_a_mistake_gives_leads_to_it_in_the_teachers_rows(calculation, ranges):
    expectation = expect(calculation, ranges)
    letters = letters_of(expectation)
    assert len(set(letters.values())) == len(letters) > 15
    for cell in expectation.numbers:
        if not cell[0].startswith(("block1.head1", "temperature1")):
            continue
        rows = mistake_rows(calculation, expectation, [cell], NumberFormat())
        given = {}
        for expected in expectation.numbers[cell]:
            made_here = (expected.here or expected.follows) and not expected.doubtful
            if made_here and not counts_as_right(calculation, cell, expected.value):
                text = NumberFormat().text(expected.value, calculation.hand[cell[0]].places)
                given.setdefault(text, set()).update(letters[mistake] for mistake in expected.ids)
        assert len(rows) == bool(given)
        for row in rows:
            (alone,) = row.cells
            assert {wrong.text: set(wrong.letters) for wrong in alone.wrong} == given
            values = [parse_number(wrong.text) for wrong in alone.wrong]
            assert values == sorted(set(values) - {parse_number(alone.expected)})
    name = "block1.head1.scaled"
    (row,) = mistake_rows(calculation, expectation, [(name, (4, i)) for i in range(5)], NumberFormat())
    assert row.title == "Head 1, Score durch √2 „der“"
    assert (row.cells[1].place, row.cells[1].expected) == ("„Katze“", "−0,50")
    forgotten = next(wrong for wrong in row.cells[1].wrong if wrong.text == "−0,71")
    assert letters["scaling_forgotten"] in forgotten.letters


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


def test_each_mistake_is_shown_once_with_a_sentence(calculation, ranges):
    blanks = [(name, index) for name, quantity in calculation.hand.items() for index in quantity.cells()]
    shown = shown_mistakes(calculation, expect(calculation, ranges, blanks), blanks, NumberFormat())
    assert {mistake.id for mistake in ALL_MISTAKES} == set(mistake_texts())
    forward = [mistake_texts()[mistake.id] for mistake in MISTAKES]
    assert [mistake.short for mistake in shown] == [text["short"].replace("d_k", "2") for text in forward]
    scaling = next(mistake for mistake in shown if mistake.short == "nicht durch √2")
    assert scaling.sentence.endswith(", wurde nicht durch √2 geteilt.")


def test_only_what_can_be_made_on_the_sheet_counts(calculation, ranges):
    """Neither what comes after the sheet nor what it prints."""
    weights = [("block1.head1.weight", (2, i)) for i in range(3)]
    expectation = expect(calculation, ranges, weights)
    assert "residual_forgotten" not in (*expectation.unseen, *sum(expectation.confusable, ()))
    assert expectation.possible < len(MISTAKES)
    name = "temperature2.scaled_logit"
    exps = [("temperature2.exp", (i,)) for i in range(6)]
    printed = {name: np.ones(6, np.bool_)}
    alone, given = (expect(calculation, ranges, exps, cells) for cells in ({}, printed))
    assert given.possible == alone.possible - 1
    assert not any("temperature_multiplied" in f.ids for found in given.numbers.values() for f in found)


def test_of_draws_as_friendly_the_one_that_tells_mistakes_apart_is_taken():
    """With equal rows, query and key exchanged give the same, and first and last token are one."""
    model = example()
    same = np.repeat(model.embedding[1:2], 6, axis=0)
    alike = Model(model.sizes, model.tokens, same, dict(model.weights), Rules(positions=False))
    apart, confusing = calculate(model), calculate(alike)
    assert confused(apart) == 0 < confused(confusing)
    draws = [((0, 0.1, 1), 0, confusing), ((0, 0.11, 3), 1, apart)]
    assert told_apart_best(draws) is apart
    assert told_apart_best([((0, 0.1, 1), 0, confusing), ((0, 0.3, 3), 1, apart)]) is confusing
    assert told_apart_best([((0, 0.1, 1), 0, confusing), ((1, 0.1, 1), 1, apart)]) is confusing


def test_the_certificate_speaks_of_the_sheet_alone():
    worst = max((configuration(seed) for seed in range(30)), key=lambda c: len(assess(c).faults))
    good = assess(worst)
    places = {"std": good.smallest_std_at, "exp": good.largest_exp_at, "scaled": good.largest_scaled_at}
    hard = [cell for fault, cell in places.items() if fault in good.faults]
    ranges = accepted(worst)
    beside = [(name, (*index[:-1], index[-1] - 1)) for name, index in hard if index[-1]]  # printed, not asked
    for blanks in ([cell] for cell in hard + beside):
        said = certificate(worst, expect(worst, ranges, blanks), NumberFormat(), blanks).unfriendly
        titles = [cell_title(worst[cell[0]], cell[1], worst.model) for cell in hard]
        named = {title for title in titles if any(title in sentence for sentence in said)}
        assert named == {title for title, cell in zip(titles, hard, strict=True) if cell == blanks[0]}


def test_the_stress_test_tabulates():
    steps = []
    text = run(["Der Hund schläft"], startwerte=2, stile=["dezimal"], step=lambda *step: steps.append(step))
    assert steps == [(1, 2), (2, 2)]
    assert text.startswith("2 Ziehungen, davon ")
    assert "dezimal: " in text


def test_columns_can_be_added_up_only_where_the_sheet_has_one(calculation, ranges):
    name = "block1.head1.exp"
    blanks = [("block1.head1.weight", (2, i)) for i in range(3)]
    visible = calculation.hand[name].visible
    rows = np.zeros_like(visible)
    rows[2] = visible[2]
    column = rows.copy()
    column[:, 1] = visible[:, 1]
    without, having = (expect(calculation, ranges, blanks, {name: cells}) for cells in (rows, column))
    assert "softmax_over_columns" not in letters_of(without)
    assert "softmax_over_columns" in letters_of(having)
    assert having.possible == without.possible + 1
