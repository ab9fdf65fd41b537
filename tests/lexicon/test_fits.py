"""Exchanged words go with the rest of the sentence: what one can do with what, and who does it."""

import pytest

from generator.words.exchanges import similar_texts
from generator.words.noun_kinds import exchange_lists, fold, read_toml

FITS = read_toml("fits.toml")


def listed(role, verb, form):
    return set(FITS[role][verb][form].split())


@pytest.mark.parametrize(
    ("sentence", "fitting"),
    [
        (
            "Der Arzt verschreibt dem Patienten ein Medikament",
            listed("objects", "verschreib verschrieb", "neuter"),
        ),
        ("Der Bauer melkt morgens die Kühe", {"Kühe", "Ziegen", "Schafe"}),
        ("Mein Bruder spielt am liebsten Fußball", set(FITS["kin"]["masculine"][0].split())),
        (
            "Maschinen lernen aus vielen Daten",
            set(FITS["kin"]["dative"][0].split()),
        ),
        ("Die Band spielt laute Musik", set(FITS["kin"]["feminine"][0].split())),
        ("Frische Luft tut gut", {"gut", "wohl", "weh"}),
    ],
)
def test_the_end_fits(sentence, fitting):
    words = sentence.split()
    found = similar_texts(words, 2)
    assert found
    assert {text[-1] for text in found} <= fitting


@pytest.mark.parametrize(
    ("sentence", "doers"),
    [
        ("Der Arzt verschreibt dem Patienten ein Medikament", {"Arzt", "Tierarzt", "Zahnarzt", "Doktor"}),
        ("Der Hund bellt den Briefträger an", {"Hund", "Dackel", "Pudel"}),
    ],
)
def test_nobody_does_what_others_do(sentence, doers):
    assert {text[1] for text in similar_texts(sentence.split(), 2)} <= doers


def test_nobody_gladly_knows():
    never = exchange_lists()["others"]["not_gladly"].split()
    for text in similar_texts(["Sie", "erzählt", "gern", "Geschichten"], 2):
        assert fold(text[1]) not in never


def test_a_dative_is_no_object():
    texts = similar_texts(["Lisa", "schenkt", "ihrer", "Freundin", "ein", "Buch"], 2)
    assert not {text[3] for text in texts} & listed("objects", "schenk", "feminine")


def test_words_of_one_line_are_different():
    for line in (line for lines in FITS["kin"].values() for line in lines):
        words = line.split()
        assert len(words) == len(set(words)) > 1


def test_a_line_is_for_its_form_alone():
    """„Daten“ is a dative among messy plurals only where it is one; nothing singular stands for a plural."""
    for sentence in ("Die Daten liegen heute im Park", "Viele Computer stehen heute im Park"):
        noun = sentence.split()[1]
        for text in similar_texts(sentence.split(), 3):
            assert text[1] == noun or text[1].endswith(("n", "e", "s", "r"))
            assert text[1] not in ("Messwerten", "Beispielen", "Signalen", "Laptop")
