"""In: hand-labelled German sentences. Out: how often the lexicon agrees, against measured floors."""

from collections import Counter
from pathlib import Path

import pytest

from generator.words import hanta
from generator.words.noun_kinds import Origin, WordClass
from generator.words.word_vectors import word_vectors

CLASSES = {
    "ART": WordClass.ARTICLE,
    "PRO": WordClass.PRONOUN,
    "QUE": WordClass.QUESTION,
    "PRE": WordClass.PREPOSITION,
    "CON": WordClass.CONJUNCTION,
    "PAR": WordClass.PARTICLE,
    "VER": WordClass.VERB,
    "ADJ": WordClass.ADJECTIVE,
    "ADV": WordClass.ADVERB,
    "NUM": WordClass.NUMERAL,
    "PUN": WordClass.PUNCTUATION,
    "N": WordClass.NOUN,
    "E": WordClass.NAME,
}
KINDS = {"l": "living", "d": "thing", "p": "place", "t": "time", "a": "abstract"}


def labelled(name: str) -> list[list[tuple[str, str, str]]]:
    """The sentences of a file as lists of (word, class label, kind label)."""
    lines = (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines()
    return [
        [(word, *label.partition("-")[::2]) for word, _, label in (w.rpartition("/") for w in line.split())]
        for line in lines
        if line and not line.startswith("#")
    ]


def measure(name: str, spelling=str) -> tuple[float, float, list[str]]:
    """Share of right classes, share of right kinds, and the list of misses."""
    right: dict[str, list[bool]] = {"classes": [], "kinds": []}
    misses = []
    for sentence in labelled(name):
        found = word_vectors([spelling(word) for word, _, _ in sentence], 4)
        for vector, (word, label, kind) in zip(found, sentence, strict=True):
            asked = [("classes", vector.word_class, CLASSES[label])]
            asked += [("kinds", vector.kind, KINDS[kind])] if kind else []
            for what, own, wanted in asked:
                right[what].append(own == wanted)
                misses += [f"{word}: {own}, not {wanted}"] * (own != wanted)
    return *(sum(each) / len(each) for each in right.values()), misses


# Measured with the tagger: on the 60 sentences it was developed on 1.000 and 1.000, small letters 0.996 and
# 0.992, capitals 0.992 and 0.992. On 30 sentences written afterwards: 0.996 and 0.875 when first measured.
# Without it: 0.988 and 0.985; small letters 0.934 and 0.894; afterwards 0.970 and 0.844.
@pytest.mark.parametrize(
    ("tagger", "name", "spelling", "classes_floor", "kinds_floor"),
    [
        (True, "labelled_sentences.txt", str, 0.99, 0.98),
        (True, "labelled_sentences.txt", str.lower, 0.985, 0.97),
        (True, "labelled_sentences.txt", str.upper, 0.98, 0.97),
        (True, "held_out_sentences.txt", str, 0.99, 0.87),
        (True, "held_out_sentences.txt", str.lower, 0.98, 0.86),
        (False, "labelled_sentences.txt", str, 0.98, 0.97),
        (False, "labelled_sentences.txt", str.lower, 0.92, 0.88),
        (False, "held_out_sentences.txt", str, 0.96, 0.83),
    ],
)
def test_classes_and_kinds(monkeypatch, tagger, name, spelling, classes_floor, kinds_floor):
    def missing(*_):
        raise hanta.TaggerUnavailableError("switched off")

    if not tagger:
        monkeypatch.setattr(hanta, "tag_sentence", missing)
    classes, kinds, misses = measure(name, spelling)
    assert classes >= classes_floor, misses
    assert kinds >= kinds_floor, misses


def test_listed_kinds_are_reliable_and_wrong_ones_are_mostly_marked():
    wrong = Counter()
    for sentence in labelled("held_out_sentences.txt"):
        found = word_vectors([word for word, _, _ in sentence], 4)
        for vector, (_, _, kind) in zip(found, sentence, strict=True):
            if kind and vector.kind != KINDS[kind]:
                wrong[vector.origin] += 1
    assert wrong[Origin.LISTED] <= 1
    assert wrong[Origin.GUESSED] >= wrong[Origin.RULE]
