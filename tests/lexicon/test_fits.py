"""What stands for a word, or is said of it, wherever it stands: every line is there for something."""

from dataclasses import replace
from itertools import product

import pytest

from generator.words.exchanges import similar_texts
from generator.words.fits import adjectives_of, kin, objects_of
from generator.words.noun_kinds import read_toml
from generator.words.noun_slots import Case, Slot, slot_at
from generator.words.tagger import tag

FITS = read_toml("fits.toml")
FORMS = ("masculine", "feminine", "neuter", "plural")


@pytest.mark.parametrize("form", FITS["kin"])
def test_every_word_has_the_others_of_its_line(form):
    slot = Slot((form,), Case.ACCUSATIVE, "") if form in FORMS else None
    for line in FITS["kin"][form]:
        words = line.split()
        assert len(words) == len(set(words)) > 1
        for word in words:
            assert kin(word, slot, form in FORMS) == words
    assert kin("Bus", Slot(("masculine",), Case.GENITIVE, ""), True) == [], "it is for its place alone"
    assert kin("Eltern", Slot(("plural",), Case.DATIVE, ""), True) == []


def test_of_every_noun_its_adjectives_are_found():
    for nouns, stems in FITS["adjectives"].items():
        for noun in nouns.split():
            assert adjectives_of(noun) == stems.split()
    assert adjectives_of("Nachthimmel") == adjectives_of("Himmel")
    assert adjectives_of("Sandale") == adjectives_of("Bücherei") == []


@pytest.mark.parametrize(
    ("sentence", "line"),
    [
        ("Der Arzt verschreibt dem Patienten ein Medikament", "Medikament Mittel Pulver"),
        ("Die Kinder spielen am Montag", "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag"),
    ],
)
def test_the_end_is_of_its_line(sentence, line):
    found = similar_texts(sentence.split(), 2)
    assert found
    assert {text[-1] for text in found} <= set(line.split())


OBJECT = {"masculine": "den", "feminine": "die", "neuter": "das", "plural": "alle"}


def test_every_verb_has_its_own_objects():
    """A beginning that an earlier line has, too, would never be reached."""
    for line, objects in FITS["objects"].items():
        forms = [form for form in OBJECT if form in objects]
        known = ["Wir", line.split()[0], OBJECT[forms[0]], objects[forms[0]].split()[0]]
        before, verb, article, noun = tag(known)
        for beginning, form in product(line.split(), forms):
            nouns, slot = objects[form].split(), Slot((form,), Case.ACCUSATIVE, "")
            tagged = [before, replace(verb, word=beginning), article, replace(noun, word=nouns[0])]
            assert len(objects_of(tagged, 3, slot)) == len(nouns) == len(set(nouns)), (beginning, form)


def test_objects_are_of_this_verb_alone():
    tagged = tag(["Lisa", "schenkt", "ihrer", "Freundin", "ein", "Buch"])
    slot = slot_at(tagged, 3)
    assert slot is None or objects_of(tagged, 3, slot) == [], "a dative is no object"
    for text in similar_texts(["Der", "Hund", "sucht", "seinen", "Knochen"], 2):
        assert text[-1] not in ("Brille", "Mütze", "Schlüssel")
    for sentence in ("Die Königin trägt eine goldene Krone", "Der Mechaniker repariert den alten Motor"):
        assert {t[-1] for t in similar_texts(sentence.split(), 2)} <= {sentence.split()[-1], "Mütze", "Hose"}
