"""The example is learnt: right, clearly, with all heads, and in the arithmetic of the sheet."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from engine.forward.calculation import calculate
from engine.judging.acceptance import simulate
from engine.model.model import Sizes
from engine.model.rules import Rules
from engine.training.budget import STARTS
from engine.training.criteria import Evidence, faults, finds_every_word
from engine.training.examination import by_hand, examine, spoken
from engine.training.one_sentence import OneSentence, Problem
from engine.training.texts import Corpus
from engine.training.training import budget_of, train

TEXTS = (
    ("Die", "Katze", "sitzt", "auf", "der", "Matte"),
    ("Die", "Maus", "sitzt", "auf", "der", "Wiese"),
    ("Die", "Katze", "liegt", "auf", "der", "Bank"),
)
CLASSES = {
    "Die": (0.9, 0.1, 0.0, 0.1),
    "der": (0.9, 0.1, 0.0, 0.1),
    "auf": (0.5, 0.0, 0.3, 0.4),
    "Katze": (0.0, 0.9, 0.1, 0.2),
    "Maus": (0.1, 0.9, 0.1, 0.2),
    "sitzt": (0.0, 0.1, 0.9, 0.0),
    "liegt": (0.0, 0.2, 0.9, 0.0),
    "Matte": (0.0, 0.0, 0.0, 0.9),
    "Wiese": (0.0, 0.1, 0.0, 0.9),
    "Bank": (0.1, 0.0, 0.0, 0.9),
}


def problem_of(texts=TEXTS, **switches):
    words = tuple(dict.fromkeys(word for text in texts for word in text))
    classes = np.array([CLASSES[word] for word in words])
    task = OneSentence(Sizes(4, 2, 8), Rules(**switches), Corpus(texts, words), texts[0][:-1])
    return Problem(task, classes)


def evidence_of(trained):
    problem = trained.problem
    models = problem.model(trained.states[-1]), problem.model(trained.states[0])
    return Evidence(*models, problem.task.corpus, problem.classes)


@cache
def of_the_example():
    return train([problem_of()], 0)


@pytest.fixture(scope="module")
def trained():
    return of_the_example()


def test_nothing_is_missing_weights_fit_on_paper_and_vectors_stay_near_their_class(trained):
    assert list(faults(evidence_of(trained))) == []
    weights, classes = trained.states[-1].weights, trained.problem.classes
    for name, table in weights.items():
        assert np.abs(table).max() <= 2, name
        assert (np.round(table * 10) / 10 == table).all(), name
    own = np.concatenate([weights[n].ravel() for n in trained.problem.task.shapes if "block" in n])
    assert (own == 0).mean() > 0.4
    vectors = trained.states[-1].vocabulary.vectors
    assert np.abs(vectors - classes).max() <= trained.reach + 0.05
    assert np.abs(vectors).max() <= 0.9
    assert len(np.unique(vectors, axis=0)) >= len(np.unique(classes, axis=0))


def test_honest_rounding_leaves_the_winner(trained):
    """Pupil by pupil, with the calculation of the sheet, after every beginning."""
    model, corpus = trained.problem.model(trained.states[-1]), trained.problem.task.corpus
    for beginning, after in corpus.followers.items():
        if len(after) == 1:
            (right,) = after
            for papers in simulate(calculate(spoken(model, beginning)), 100, 8):
                assert (np.atleast_2d(papers["logit"].values).argmax(-1) == right).all()


@pytest.mark.parametrize("causal", [True, False])
def test_texts_examined_together_are_each_alone(trained, causal):
    # Of several lengths, by numbers that have hardly learnt, so that nothing is plain.
    texts = (*TEXTS, ("Die", "Maus", "liegt"))
    problem = problem_of(texts, causal_mask=causal)
    model = problem.model(trained.states[1])
    found = examine(model, problem.task.corpus)
    assert len({p.probability for p in found}) > 3
    for each in found:
        row = by_hand(spoken(model, each.beginning))[-1]
        assert (each.probability, each.second) == (row[each.right], np.delete(row, each.right).max())


@pytest.mark.thorough
def test_other_switches():
    found = train([problem_of(TEXTS[:2], causal_mask=False, positions=False)], 3)
    assert found is not None
    assert finds_every_word(evidence_of(found))


def test_what_cannot_be_learnt_ends():
    # Every text is the same word again and again, as often followed by another: nothing is decided.
    texts = (("Die", "Die", "Die"), ("Die", "Die", "der"), ("Die", "der"))
    assert train([problem_of(texts)], 0, attempts=1) is None


def test_a_training_ends_by_itself():
    """What is estimated decides, not a clock: large models learn in fewer starts, the largest in none."""
    small = budget_of([problem_of()])
    assert small.starts == STARTS
    wide = replace(problem_of(), task=replace(problem_of().task, sizes=Sizes(16, 16, 32, 2)))
    assert 0 < budget_of([wide]).starts < STARTS
    huge = replace(problem_of(), task=replace(problem_of().task, sizes=Sizes(16, 16, 32, 60)))
    assert train([huge], 0) is None
    attempts = 0
    while small.allows_attempt(found=False):
        small.attempted()
        attempts += 1
    assert 3 < attempts < 20
    assert not small.allows_look(found=True)
