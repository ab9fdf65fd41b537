"""Sentences to tokens: words stay whole, every visible sign is kept, one word has one ID."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model.rules import token_ids, tokenize, vocabulary_of


@pytest.mark.parametrize(
    ("sentence", "tokens"),
    [
        ("Die Katze sitzt auf der Matte", ["Die", "Katze", "sitzt", "auf", "der", "Matte"]),
        ("„Ja“, sagte er …", ["„", "Ja", "“", ",", "sagte", "er", "…"]),
        ("Geht's dir gut?", ["Geht's", "dir", "gut", "?"]),
        ("Die E-Mail kostet 3,50 €", ["Die", "E-Mail", "kostet", "3,50", "€"]),
        ("Am 3.10. um 12 Uhr", ["Am", "3.10", ".", "um", "12", "Uhr"]),
        ("  viel   Platz ", ["viel", "Platz"]),
        ("e\u0301te\u0301", ["été"]),
        ("👩\u200d🚀 fliegt 👍🏽", ["👩\u200d🚀", "fliegt", "👍🏽"]),
        ("القط على السجادة", ["القط", "على", "السجادة"]),
        ("$\\LaTeX$", ["$", "\\", "LaTeX", "$"]),
    ],
)
def test_words_and_punctuation(sentence, tokens):
    assert tokenize(sentence) == tokens


@given(st.text())
def test_nothing_visible_is_lost_or_invented(sentence):
    tokens, composed = tokenize(sentence), unicodedata.normalize("NFC", sentence)
    assert "".join(tokens) == "".join(composed.split())
    assert all(token and not any(sign.isspace() for sign in token) for token in tokens)


def test_repeated_words_share_an_id_and_case_is_kept():
    tokens = tokenize("Wenn Fliegen hinter Fliegen fliegen")
    vocabulary = vocabulary_of(tokens)
    assert vocabulary == ["Wenn", "Fliegen", "hinter", "fliegen"]
    assert token_ids(tokens, vocabulary) == [0, 1, 2, 1, 3]
    with pytest.raises(KeyError):
        token_ids(["Hund"], vocabulary)
