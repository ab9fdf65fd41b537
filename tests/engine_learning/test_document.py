"""rechnung.json of two sentences and of lessons, recomputed from the file alone with `decimal` and lists."""

import json
from dataclasses import replace
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest
from laid_out import contents_of
from reference.arithmetics import Hand
from reference.backward import lesson_by_decimal
from reference.models import Pass, Unrounded

from engine.backward.backward import Lesson
from engine.model.model import Sizes
from engine.model.rules import Rules
from generator.calculation.document import to_json
from generator.options.options import Options

KATZE = "Die Katze sitzt auf der Matte"
CASES = {
    "two": {"zielsatz": "The cat sits"},
    "two, two blocks": {"zielsatz": "A dog", "bloecke": 2, "gewichte": "ganzzahlig", "nachkommastellen": 3},
    "two, plain": {"zielsatz": "Le chat", "maske": False, "skalierung": False, "positionen": False},
    "output": {"lernen": "ausgabe", "lernrate": 0.7},
    "attention": {"lernen": "attention", "richtig": "sitzt", "nachkommastellen": 3, "zielsatz": "The cat"},
    "all": {"lernen": "alles", "zielsatz": "The cat", "gewichte": "dezimal", "heads": 1},
    "learnt, output": {"gewichte": "gelernt", "lernen": "ausgabe"},
    "learnt, attention": {
        "gewichte": "gelernt",
        "lernen": "attention",
        "zielsatz": "The cat sits",
        "laenge": 4,
    },
    "learnt, all": {"gewichte": "gelernt", "lernen": "alles"},
    "all, two blocks": {"satz": "Vögel singen laut", "lernen": "alles", "bloecke": 2, "ffn": 3},
}
OTHERS = ("two", "learnt, output")  # what they show the others show as well
USUAL = [pytest.param(case, marks=pytest.mark.thorough) if case in OTHERS else case for case in CASES]
LEADS = ("block", "encoder.", "decoder.", "vocabulary_embedding", "input_embedding")
BEFORE = "before."  # an earlier state of a trained model, from which its lesson takes a step
LEARNT = ("loss", "gradient.", "step.", "after.", BEFORE)


@cache
def written(case):
    return json.loads(to_json(contents_of(Options.from_mapping({"satz": KATZE} | CASES[case]))))


def model_of(contents, two, before=""):
    """What a reader of the file knows: sizes and switches, the given tables, the words."""
    options, quantities = contents["optionen"], contents["quantities"]
    every = {name: np.array(values) for name, values in contents["weights"].items()}
    weights = {n.removeprefix(before): w for n, w in every.items() if n.startswith(before or LEADS)}
    side = "decoder." if two else ""
    own = {n: w for n, w in weights.items() if n.startswith(("encoder.", "decoder.")) == two}
    vocabulary = own.pop(side + "vocabulary_embedding")
    entering = own.pop(side + "input_embedding", vocabulary)
    switches = ("maske", "skalierung", "positionen", "temperatur", "nachkommastellen")
    return SimpleNamespace(
        sizes=Sizes(options["dimension"], options["heads"], options["ffn"], options["bloecke"]),
        rules=Rules(*(options[name] for name in switches)),
        embedding=np.array(quantities[before + side + "embedding"]["hand"]),
        entering=entering,
        source_embedding=source_of(contents),
        vocabulary_embedding=vocabulary,
        weights=own,
    )


def source_of(contents):
    """What the encoder reads: the sentence, of a trained model with the word that it finds."""
    if "quelltokens" not in contents:
        return np.array(contents["quantities"]["embedding"]["hand"])
    vectors, vocabulary = contents["weights"]["input_embedding"], contents["vocabulary"]
    return np.array([vectors[vocabulary.index(token)] for token in contents["quelltokens"]])


def notes_of(contents, arithmetic):
    """Every table that the second calculation gives, under its name in the file."""
    options, quantities = contents["optionen"], contents["quantities"]
    notes = {}
    if "lernen" in options:
        right = contents["vocabulary"].index(options["richtig"])
        lesson = Lesson(right, options["lernrate"], options["lernen"])
        before = BEFORE if f"{BEFORE}logit" in quantities else ""
        found = lesson_by_decimal(model_of(contents, False, before), lesson, arithmetic)
        notes |= {name if name.startswith(LEARNT) else before + name: v for name, v in found.items()}
    if "zieltokens" in contents:
        two = model_of(contents, True)
        if "decoder.loss" in quantities:  # all weights learn, and what is right is the end of the sentence
            end = len(contents["zielvokabular"]) - 1
            notes |= lesson_by_decimal(two, Lesson(end, options["lernrate"], "alles"), arithmetic)
        notes |= Pass(two, arithmetic).run()
        notes |= rounds(two, options["laenge"], quantities, arithmetic)
    return notes


def rounds(two, length, quantities, arithmetic):
    """The target sentence word by word; the file's hand arithmetic says which word comes next."""
    notes, rows = {}, [two.embedding[0]]
    rules = replace(two.rules, temperatures=(1.0,))
    for number in range(1, length + 1):
        now = SimpleNamespace(**vars(two) | {"embedding": np.array(rows), "rules": rules})
        kept = ("decoder.logit", "decoder.temperature1.")
        found = Pass(now, arithmetic).run()
        notes |= {f"round{number}.{name}": v for name, v in found.items() if name.startswith(kept)}
        chosen = int(np.argmax(quantities[f"round{number}.decoder.logit"]["hand"]))
        if chosen == len(two.vocabulary_embedding) - 1:
            break
        rows.append(two.entering[chosen])
    return notes


def test_the_earlier_state_stands_with_the_vectors_of_its_words():
    contents = written("learnt, all")
    vectors, tokens = contents["weights"]["before.input_embedding"], contents["tokens"]
    rows = [vectors[contents["vocabulary"].index(token)] for token in tokens]
    assert contents["quantities"]["before.embedding"]["hand"] == rows


def numbers(values):
    return np.array(values, dtype=float)  # None, where the mask hides a cell, becomes nan


@pytest.mark.parametrize("case", USUAL)
def test_values_are_those_of_decimal_rounded_and_not(case):
    contents = written(case)
    by_hand, exact = (notes_of(contents, arithmetic) for arithmetic in (Hand, Unrounded))
    further = ("encoder.", "decoder.", "round", *LEARNT)
    checked = {name: each for name, each in contents["quantities"].items() if name.startswith(further)}
    assert len(checked) >= 5
    for name, quantity in checked.items():
        hand = numbers(quantity["hand"])
        assert np.array_equal(hand, numbers(by_hand[name]), equal_nan=True), name
        assert np.allclose(hand, np.round(hand, quantity["places"]), rtol=0, atol=1e-12, equal_nan=True), name
        found, wanted = numbers(quantity["exact"]), numbers(exact[name])
        np.testing.assert_allclose(found, wanted, rtol=1e-8, atol=1e-9, err_msg=name)
    path = CASES[case].get("lernen")
    if "zielsatz" in CASES[case] and path in ("attention", "alles"):
        assert "gradient.encoder.block1.norm2.output" in checked
        assert ({"decoder.loss", "after.decoder.loss"} <= set(checked)) == (path == "alles")
