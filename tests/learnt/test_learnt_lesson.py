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
from tests.laid_out import KATZE

P = "temperature1.probability"


@cache
def built_of(path, satz=KATZE, **more):
    return build(Options(satz=satz, gewichte="gelernt", lernen=path, **more))


@cache
def contents_of(path):
    return json.dumps(document_of(built_of(path), {}))


@pytest.mark.parametrize("path", ["ausgabe", "attention", "alles"])
@pytest.mark.parametrize("satz", [KATZE, pytest.param("Der Hund jagt den Ball", marks=pytest.mark.thorough)])
def test_the_step_of_an_earlier_model_makes_the_right_word_likelier(path, satz):
    built = built_of(path, satz)
    learning, learnt, weights = built.learning, built.learnt, built.calculation.model.weights
    model, hand = learning.model, learning.hand
    word = built.calculation.model.vocabulary.index(satz.split()[-1])
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


@pytest.mark.parametrize("path", ["ausgabe", pytest.param("attention", marks=pytest.mark.thorough), "alles"])
def test_read_back_and_recomputed(path, monkeypatch):
    contents = json.loads(contents_of(path))
    monkeypatch.setattr("generator.calculation.build.learn_texts", None)
    again = rebuild(contents)
    assert not again.changed
    assert set(again.calculation.hand) == set(contents["quantities"])
    assert not differences(contents)
    contents["weights"]["before.vocabulary_embedding"][0][0] += 0.5
    assert "before.logit" in rebuild(contents).changed


def test_a_pupils_own_numbers_follow_through():
    built = built_of("ausgabe", stationen="11")
    whole, word = built.passes, built.learning.lesson.word

    def judged(*written):
        entries = tuple(Entry(name, at, str(value), Decimal(str(value))) for name, at, value in written)
        return judge(whole, Answers(entries, 0), accepted(whole)).cells

    error = float(whole["gradient.logit"].values[word])
    right = judged(("loss", (), float(whole["loss"].values)), ("gradient.logit", (word,), error))
    assert {cell.verdict for cell in right} == {"richtig"}
    y, wrong = whole["before.block1.norm2.output"].values[-1], error + 0.1
    follows = [float(half_up(np.array(wrong * component), 4)) for component in y]
    rows = [("gradient.vocabulary_embedding", (word, c), value) for c, value in enumerate(follows)]
    slip, *following = judged(("gradient.logit", (word,), wrong), *rows)
    assert (slip.verdict, slip.charged) == ("falsch", True)
    assert {cell.verdict for cell in following} <= {"folgefehler", "angenommen"}
    assert [cell.follows for cell in following] == follows


def test_a_rate_of_the_teacher_is_kept():
    assert built_of("attention", lernrate=0.3).learning.lesson.rate == 0.3
