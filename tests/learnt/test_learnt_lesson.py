"""Station 11 with --gewichte gelernt: a step from a state before the end of the training."""

import json
from decimal import Decimal
from functools import cache

import numpy as np
import pytest
from judging import judge
from reference.recomputation import differences

from engine.judging.acceptance import accepted
from engine.numbers.arrays import half_up
from generator.calculation.build import build
from generator.calculation.document import document_of
from generator.calculation.rebuild import rebuild
from generator.check.answers import Answers
from generator.check.entries import Entry
from generator.options.options import Options

KATZE = "Die Katze sitzt auf der Matte"
HUND = "Der Hund jagt den Ball"
PATHS = ("ausgabe", "attention", "alles")
P = "temperature1.probability"


@cache
def built_of(path, satz=KATZE, **more):
    return build(Options(satz=satz, gewichte="gelernt", lernen=path, **more))


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("satz", [KATZE, pytest.param(HUND, marks=pytest.mark.thorough)])
def test_the_step_of_an_earlier_model_makes_the_right_word_likelier(path, satz):
    built = built_of(path, satz)
    learning, learnt, weights = built.learning, built.learnt, built.calculation.model.weights
    model, hand, word = (
        learning.model,
        learning.hand,
        built.calculation.model.vocabulary.index(satz.split()[-1]),
    )
    assert learning.lesson.word == word
    assert 0 < learnt.step_of(model) < learnt.steps
    before, after = (hand[at + P].values[word] for at in ("before.", "after."))
    assert before + 0.01 < after
    assert before < built.calculation[P].values[word]
    lower, higher = learning.losses()
    assert higher < lower
    assert np.array_equal(hand["before.embedding"].values, model.embedding)
    heads = [name for name in weights if name.endswith(("W_Q", "W_K", "W_V"))]
    assert not any(np.array_equal(weights[name], model.weights[name]) for name in heads)
    assert not {name for name in hand if name.startswith(("block", "logit", "temperature"))}


@pytest.mark.parametrize("path", PATHS)
def test_read_back_and_recomputed(path, monkeypatch):
    contents = json.loads(json.dumps(document_of(built_of(path), {})))
    monkeypatch.setattr("generator.calculation.build.learn_texts", None)
    again = rebuild(contents)
    assert not again.changed
    assert set(again.calculation.hand) == set(contents["quantities"])
    assert not differences(contents)


def test_a_changed_earlier_state_is_noticed():
    contents = json.loads(json.dumps(document_of(built_of("ausgabe"), {})))
    contents["weights"]["before.vocabulary_embedding"][0][0] += 0.5
    assert "before.logit" in rebuild(contents).changed


def test_a_pupils_own_numbers_follow_through():
    built = built_of("ausgabe", stationen="11")
    whole, word = built.passes, built.learning.lesson.word
    ranges = accepted(whole)

    def entry(name, index, value):
        return Entry(name, index, str(value), Decimal(str(value)))

    error = float(whole["gradient.logit"].values[word])
    right = [entry("loss", (), float(whole["loss"].values)), entry("gradient.logit", (word,), error)]
    assert {cell.verdict for cell in judge(whole, Answers(tuple(right), 0), ranges).cells} == {"richtig"}
    y = whole["before.block1.norm2.output"].values[-1]
    wrong = [entry("gradient.logit", (word,), error + 0.1)]
    wrong += [
        entry("gradient.vocabulary_embedding", (word, c), float(half_up(np.array((error + 0.1) * y[c]), 4)))
        for c in range(4)
    ]
    slip, *following = judge(whole, Answers(tuple(wrong), 0), ranges).cells
    assert (slip.verdict, slip.charged) == ("falsch", True)
    assert {cell.verdict for cell in following} <= {"folgefehler", "angenommen"}
    assert [cell.follows for cell in following] == [float(each.value) for each in wrong[1:]]


def test_a_rate_of_the_teacher_is_kept():
    assert built_of("attention", lernrate=0.3).learning.lesson.rate == 0.3
