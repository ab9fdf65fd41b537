"""The corpus for station 1: friendly for any sentence, and the same every time."""

import random

import pytest

from engine.model.rules import tokenize
from engine.texts.byte_pairs import SPACE, encode, letters, train
from generator.words.byte_pair_corpus import (
    LARGEST_COUNT,
    MERGES,
    MOST_LETTERS,
    MOST_WORDS,
    RULES,
    corpus_for,
)

FEWER = RULES - 1  # so many words that no room is left for helpers with the same pairs
SENTENCES = {  # how many rules fire in the word to cut, of German sentences at least
    "Die Katze sitzt auf der Matte": RULES,
    "Anna liest ein Buch, das niemand kennt.": RULES,
    "Der große Bär schläft im Wald, weil er müde ist und der lange Winter kommt; Schnee fällt leise.": FEWER,
    "Wo ist 42?": 0,
    "a b c d e": 0,
} | dict.fromkeys(
    (
        "?!",
        "😀 👍🏽 🇩🇪 und 👩‍🏫",
        "مرحبا بالعالم كيف حالك",
        "␣ ␣",
        "A" * 300 + " " + "B" * 200,
    )
)


def tied_rounds(corpus):
    """The rounds that the printed rule must decide, counted from 1."""
    return tuple(r.number for r in corpus.training.rounds if r.decided_by != "count")


@pytest.mark.parametrize("sentence", SENTENCES)
def test_the_corpus_suits_counting_by_hand(sentence):
    tokens, rules = tokenize(sentence), SENTENCES[sentence]
    corpus = corpus_for(tuple(tokens))
    rounds = corpus.training.rounds
    assert 1 <= len(corpus.counts) <= MOST_WORDS
    assert sum(len(letters(word)) for word in corpus.counts) <= MOST_LETTERS
    assert all(1 <= count <= LARGEST_COUNT for count in corpus.counts.values())
    assert set(corpus.added) <= set(corpus.counts)
    assert corpus.training == train(corpus.counts, max(MERGES, len(rounds)), least_count=2)
    assert all(round_.count >= 2 for round_ in rounds)
    assert corpus == corpus_for(tuple(tokens))
    if rules is not None:
        own = [word for word in corpus.counts if word not in corpus.added]
        assert set(own) <= set(tokens)
        assert list(corpus.counts)[: len(own)] == own  # before the helpers
        if len("".join(tokens)) > 4:  # hardly a tie
            assert len(rounds) >= MERGES
            assert all(number >= MERGES for number in tied_rounds(corpus))
    if rules:
        cut = encode(corpus.word, corpus.training)
        assert len(cut.steps) >= rules
        assert None not in cut.ids
        assert sum(piece != SPACE for piece in cut.pieces) > 1


def test_random_sentences_of_everyday_words():
    rng, tied = random.Random(0), 0
    text = (
        "der die das Hund Katze Maus läuft springt sieht schnell langsam heute gestern Schule Lehrerin Ball "
        "ich du wir spielen essen trinken in auf unter neben grün rot Haus Garten Anna Ben 3 Uhr oft nie"
    )
    words = text.split()
    for _ in range(12):
        corpus = corpus_for(tuple(rng.choices(words, k=rng.randint(2, 24))))
        assert len(corpus.training.rounds) >= MERGES
        tied += bool(set(tied_rounds(corpus)) & {1, 2, 3})
    assert tied <= 1
