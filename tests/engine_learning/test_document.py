"""rechnung.json of two sentences and of lessons, recomputed from the file alone with `decimal` and lists."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
from laid_out import KATZE, contents_of
from reference.arithmetics import Hand, Unrounded
from reference.backward import lesson_by_decimal
from reference.models import Pass
from reference.task import Task

from engine.backward.backward import Lesson
from generator.calculation.document import to_json
from generator.options.options import Options

LEARNT = {"gewichte": "gelernt"}
CASES = {
    "two, two blocks": {"zielsatz": "A dog", "bloecke": 2, "gewichte": "ganzzahlig", "nachkommastellen": 3},
    "two, plain": {"zielsatz": "Le chat", "maske": False, "skalierung": False, "positionen": False},
    "output": {"lernen": "ausgabe", "lernrate": 0.7},
    "attention": {"lernen": "attention", "richtig": "sitzt", "nachkommastellen": 3, "zielsatz": "The cat"},
    "all": {"lernen": "alles", "zielsatz": "The cat", "gewichte": "dezimal", "heads": 1},
    "all, two blocks": {"satz": "Vögel singen laut", "lernen": "alles", "bloecke": 2, "ffn": 3},
    "learnt": {**LEARNT, "lernen": "attention", "zielsatz": "The cat sits on the mat", "laenge": 2},
    "learnt, all": {**LEARNT, "lernen": "alles"},
}
USUAL = [pytest.param(case, marks=pytest.mark.thorough) if case == "learnt, all" else case for case in CASES]
LEADS = ("block", "encoder.", "decoder.", "vocabulary_embedding", "input_embedding")
BEFORE = "before."  # an earlier state of a trained model, from which its lesson takes a step
ADDED = ("loss", "gradient.", "step.", "after.", BEFORE)


def task_of(contents, two=False, before=""):
    """What a reader of the file knows: sizes and switches, the given tables, the words."""
    side = "decoder." if two else ""
    every = {
        n.removeprefix(before): w for n, w in contents["weights"].items() if n.startswith(before or LEADS)
    }
    own = {name: w for name, w in every.items() if name.startswith(("encoder.", "decoder.")) == two}
    entering = own.pop(side + "input_embedding", own[side + "vocabulary_embedding"])
    source = contents["quantities"]["embedding"]["hand"]
    if "quelltokens" in contents:  # the encoder reads the word that a trained model finds, too
        vectors, vocabulary = contents["weights"]["input_embedding"], contents["vocabulary"]
        source = [vectors[vocabulary.index(token)] for token in contents["quelltokens"]]
    rows = contents["quantities"][before + side + "embedding"]["hand"]
    task = Task({"optionen": contents["optionen"], "weights": own}, rows, source if two else None)
    task.entering = entering
    return task


def notes_of(contents, arithmetic):
    """Every table that the second calculation gives, under its name in the file."""
    options, quantities, notes = contents["optionen"], contents["quantities"], {}
    if "lernen" in options:
        right = contents["vocabulary"].index(options["richtig"])
        lesson = Lesson(right, options["lernrate"], options["lernen"])
        before = BEFORE if f"{BEFORE}logit" in quantities else ""
        found = lesson_by_decimal(task_of(contents, before=before), lesson, arithmetic)
        notes |= {name if name.startswith(ADDED) else before + name: v for name, v in found.items()}
    if "zieltokens" in contents:
        two = task_of(contents, two=True)
        if "decoder.loss" in quantities:  # all weights learn, and what is right is the end of the sentence
            end = len(contents["zielvokabular"]) - 1
            notes |= lesson_by_decimal(two, Lesson(end, options["lernrate"], "alles"), arithmetic)
        notes |= Pass(two, arithmetic).run() | rounds(two, quantities, arithmetic)
    return notes


def rounds(two, quantities, arithmetic):
    """The target sentence word by word; the file's hand arithmetic says which word comes next."""
    notes, rows = {}, [two.embedding[0]]
    while (logit := f"round{len(rows)}.decoder.logit") in quantities:
        now = SimpleNamespace(
            **vars(two) | {"embedding": rows, "temperatures": {"1": 1}}, mentions=two.mentions
        )
        found = Pass(now, arithmetic).run()
        kept = ("decoder.logit", "decoder.temperature1.")
        notes |= {f"round{len(rows)}.{name}": v for name, v in found.items() if name.startswith(kept)}
        chosen = int(np.argmax(quantities[logit]["hand"]))
        rows = [*rows, two.entering[chosen] if chosen < len(two.entering) else None]
    return notes


def numbers(values):
    return np.array(values, dtype=float)  # None, where the mask hides a cell, becomes nan


@pytest.mark.parametrize("case", USUAL)
def test_values_are_those_of_decimal_rounded_and_not(case):
    options = Options.from_mapping({"satz": KATZE} | CASES[case])
    contents = json.loads(to_json(contents_of(options)))
    quantities, by_hand, exact = (
        contents["quantities"],
        notes_of(contents, Hand),
        notes_of(contents, Unrounded),
    )
    checked = [n for n in quantities if n.startswith(("encoder.", "decoder.", "round", *ADDED))]
    assert len(checked) >= 5
    for name in checked:
        hand, places = numbers(quantities[name]["hand"]), quantities[name]["places"]
        assert np.array_equal(hand, numbers(by_hand[name]), equal_nan=True), name
        assert np.allclose(hand, np.round(hand, places), rtol=0, atol=1e-12, equal_nan=True), name
        found, wanted = numbers(quantities[name]["exact"]), numbers(exact[name])
        np.testing.assert_allclose(found, wanted, rtol=1e-8, atol=1e-9, err_msg=name)
    both = "zielsatz" in CASES[case] and options.lernen
    assert ("gradient.encoder.block1.norm2.output" in checked) == (both in ("attention", "alles"))
    assert ({"decoder.loss", "after.decoder.loss"} <= {*checked}) == (both == "alles")
    if case.startswith("learnt"):  # the earlier state stands with the vectors of its words
        vectors = contents["weights"]["before.input_embedding"]
        rows = [vectors[contents["vocabulary"].index(token)] for token in contents["tokens"]]
        assert quantities["before.embedding"]["hand"] == rows
