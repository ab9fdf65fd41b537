"""In: nouns and names. Out: their kinds, above all where a rule could be tricked."""

import tomllib
from collections import Counter
from importlib.resources import files

import pytest

from generator.words.noun_kinds import NounKind, Origin, compound_head, name_kind, noun_kind

L, D, P, T, A = NounKind.LIVING, NounKind.THING, NounKind.PLACE, NounKind.TIME, NounKind.ABSTRACT


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("Katze", L),
        ("Matte", D),
        ("Wald", P),
        ("Woche", T),
        ("Freiheit", A),
        ("Waffe", D),
        ("Phase", T),
        ("Sturm", D),
    ],
)
def test_listed_nouns(word, kind):
    assert noun_kind(word) == (kind, Origin.LISTED)


@pytest.mark.parametrize(
    "word", ["waffe", "phase", "sturm", "traum", "grund", "klasse", "schaum", "kreis", "preis"]
)
def test_no_compound_without_a_plausible_first_part(word):
    assert compound_head(word) is None


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("Gartenschere", D),
        ("Nachtwächter", L),
        ("Zirkuselefant", L),
        ("Schulbibliothek", P),
        ("Frühlingsnacht", T),
        ("Geburtstagskuchen", D),
        ("Schwimmlehrerin", L),
        ("Donaudampfschifffahrtsgesellschaftskapitän", L),
        ("Mathe-Heft", D),
        ("Kätzlein", L),
        ("Köchin", L),
        ("Bananerei", P),
        ("Bläulichkeit", A),
        ("Verwunderungen", A),
    ],
)
def test_compounds_and_endings(word, kind):
    assert noun_kind(word) == (kind, Origin.RULE)


@pytest.mark.parametrize(
    ("inflected", "lemma"),
    [
        ("Mäuse", "Maus"),
        ("Häusern", "Haus"),
        ("Füße", "Fuß"),
        ("Nüsse", "Nuss"),
        ("Vätern", "Vater"),
        ("Tages", "Tag"),
        ("Gartens", "Garten"),
        ("Museen", "Museum"),
        ("Themen", "Thema"),
        ("Geheimnisse", "Geheimnis"),
        ("Lehrerinnen", "Lehrerin"),
        ("STRASSE", "Straße"),
    ],
)
def test_inflected_forms_find_their_noun(inflected, lemma):
    assert noun_kind(inflected).kind is noun_kind(lemma).kind
    assert noun_kind(inflected).origin is not Origin.GUESSED


def test_lemma_of_the_tagger_helps():
    assert noun_kind("Xyzen", "Baum") == (L, Origin.LISTED)


@pytest.mark.parametrize("word", ["Bank", "Leiter", "Netz", "Drachen", "Xyzzy"])
def test_homonyms_and_unknown_words_are_marked_as_guessed(word):
    assert noun_kind(word).origin is Origin.GUESSED


def test_names():
    assert name_kind("Anna") == (L, Origin.LISTED)
    assert name_kind("Annas") == (L, Origin.LISTED)
    assert name_kind("Berlin") == (P, Origin.LISTED)
    assert name_kind("Lüneburg") == (P, Origin.RULE)
    assert name_kind("Zyxa") == (L, Origin.GUESSED)


def test_list_is_large_and_no_noun_stands_twice():
    data = tomllib.loads(files("generator.words").joinpath("nouns.toml").read_text(encoding="utf-8"))
    nouns = [
        word for kind in (*NounKind, "homonyms") for words in data[kind].values() for word in words.split()
    ]
    assert len(nouns) > 2000
    assert [word for word, times in Counter(nouns).items() if times > 1] == []
    assert all(word[0].isupper() and word.isprintable() and "\u00ad" not in word for word in nouns)
