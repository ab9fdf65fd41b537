"""In: nouns and names. Out: their kinds, above all where a rule could be tricked."""

import tomllib
from collections import Counter
from importlib.resources import files

import pytest

from generator.words.noun_kinds import NounKind, Origin, compound_head, name_kind, noun_kind

L, D, P, T, A = NounKind.LIVING, NounKind.THING, NounKind.PLACE, NounKind.TIME, NounKind.ABSTRACT


LISTED = {L: "Katze", D: "Matte Waffe Sturm", P: "Wald", T: "Woche Phase", A: "Freiheit"}
BY_RULE = {
    L: "Nachtwächter Zirkuselefant Schwimmlehrerin Dampfschifffahrtskapitän Kätzlein Köchin",
    D: "Gartenschere Geburtstagskuchen Mathe-Heft",
    P: "Schulbibliothek Bananerei",
    T: "Frühlingsnacht",
    A: "Bläulichkeit Verwunderungen",
}


@pytest.mark.parametrize(("words", "origin"), [(LISTED, Origin.LISTED), (BY_RULE, Origin.RULE)])
def test_listed_nouns_compounds_and_endings(words, origin):
    for kind, own in words.items():
        assert {word: noun_kind(word) for word in own.split()} == dict.fromkeys(own.split(), (kind, origin))


def test_no_compound_without_a_plausible_first_part():
    for word in ("waffe", "phase", "sturm", "traum", "grund", "klasse", "schaum", "kreis", "preis"):
        assert compound_head(word) is None, word


def test_inflected_forms_find_their_noun():
    pairs = """Mäuse Maus, Häusern Haus, Füße Fuß, Nüsse Nuss, Vätern Vater, Tages Tag, Gartens Garten,
        Museen Museum, Themen Thema, Geheimnisse Geheimnis, Lehrerinnen Lehrerin, STRASSE Straße"""
    for inflected, lemma in map(str.split, pairs.split(",")):
        assert noun_kind(inflected).kind is noun_kind(lemma).kind, inflected
        assert noun_kind(inflected).origin is not Origin.GUESSED, inflected


def test_names_homonyms_and_unknown_words():
    assert noun_kind("Xyzen", "Baum") == (L, Origin.LISTED), "the tagger knew its lemma"
    for word in ("Bank", "Leiter", "Netz", "Xyzzy"):
        assert noun_kind(word).origin is Origin.GUESSED, word
    assert name_kind("Anna") == name_kind("Annas") == (L, Origin.LISTED)
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
