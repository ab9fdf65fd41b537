"""A small corpus (word to count) to a sentence, for counting pairs of letters by hand.

The corpus holds words of the sentence and a few everyday words that share pairs of letters with them. Counts
and added words are chosen so that the first merges are decided by the counts alone, as far as the letters
allow; what stays tied is decided by the printed rule (engine.texts.byte_pairs). The same sentence
always gives the same corpus.
"""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress, pairwise
from operator import itemgetter
from typing import Final

from engine.texts.byte_pairs import SPACE, Encoding, Training, encode, letters, merge_rounds, train
from generator.words.noun_kinds import read_toml

MERGES: Final = 5
RULES: Final = 3  # that fire in the word to cut
_MOST_MERGES: Final = 12
_LONGEST_TO_CUT: Final = 12
MOST_WORDS: Final = 10
MOST_LETTERS: Final = 60
LARGEST_COUNT: Final = 6
_LONGEST_WORD: Final = 14
_MOST_SENTENCE_WORDS: Final = 7
_MOST_HELPERS: Final = 4
_HELPERS_TRIED: Final = 12
_MOST_CHANGES: Final = 6
_BEAM: Final = 3
_WORST: Final = (MERGES + 1,)
_LEAST_COUNT: Final = 2  # of a pair that is merged
_KEPT: Final = 64  # sentences whose options change while their corpus stays

_EVERYDAY: Final = tuple(read_toml("everyday.toml")["families"].split())

Counts = dict[str, int]


@dataclass(frozen=True)
class BytePairCorpus:
    """What station 1 counts.

    counts: word to count, the sentence's words first. added: which words are not of the sentence. training:
    the first merges (only pairs that occur twice or more), at least MERGES where there are so many, and more
    if then a word takes RULES of them and stays in parts. word: that one, rather from outside the corpus.
    """

    counts: Mapping[str, int]
    added: tuple[str, ...]
    training: Training
    word: str


@lru_cache(_KEPT)
def corpus_for(tokens: tuple[str, ...]) -> BytePairCorpus:
    """Build the corpus of a sentence."""
    words = _sentence_words(tokens)
    start = {word: min(max(1, tokens.count(word)), LARGEST_COUNT) for word in words}
    counts = _without_ties(start, _helpers(words))
    added = tuple(word for word in counts if word not in start)
    return BytePairCorpus(counts, added, *_with_word(counts, tokens))


def _sentence_words(tokens: Sequence[str]) -> list[str]:
    """The sentence's words in order, without marks and very long words as long as others are left."""
    distinct = list(dict.fromkeys(token for token in tokens if SPACE not in token)) or ["Wort"]
    are_words = [any(unicodedata.category(sign)[0] in "LN" for sign in word) for word in distinct]
    readable = list(compress(distinct, are_words)) or distinct
    short = [word for word in readable if len(letters(word)) <= _LONGEST_WORD]
    chosen: list[str] = []
    room = MOST_LETTERS - 2 * _MOST_HELPERS
    for word in short:
        if len(chosen) < _MOST_SENTENCE_WORDS and len(letters(word)) <= room:
            chosen.append(word)
            room -= len(letters(word))
    return chosen or ["".join(letters(min(readable, key=len))[:MOST_LETTERS])]


def _helpers(words: Sequence[str]) -> list[str]:
    """Everyday words with the most pairs of the sentence, the best first."""
    pairs = {pair for word in words for pair in pairwise(letters(word))}  # the mark before a word apart
    shared = {
        word: len(pairs.intersection(pairwise(letters(word)))) for word in _EVERYDAY if word not in words
    }
    ranked = sorted(shared, key=lambda word: (-shared[word] / len(word), -shared[word], word))
    return [word for word in ranked if shared[word]][:_HELPERS_TRIED]


def _without_ties(counts: Counts, helpers: Sequence[str]) -> Counts:
    """Change one count or one helper at a time, from the few best corpora so far, until no tie is left."""
    beam = [(_untidiness(counts), counts)]
    seen = {frozenset(counts.items())}
    best = beam[0]
    for _ in range(_MOST_CHANGES):
        if best[0][:2] == (0, 0):
            break
        nearest: list[tuple[tuple[int, ...], Counts]] = []
        for changed in (changed for _, kept in beam for changed in _changes(kept, helpers)):
            key = frozenset(changed.items())
            if key not in seen:
                seen.add(key)
                worst = nearest[-1][0] if len(nearest) == _BEAM else _WORST
                nearest = sorted([*nearest, (_untidiness(changed, worst), changed)], key=itemgetter(0))[
                    :_BEAM
                ]
        if not nearest:
            break
        beam = nearest
        best = min(best, beam[0], key=itemgetter(0))
    return best[1]


def _changes(counts: Counts, helpers: Sequence[str]) -> Iterator[Counts]:
    for word in counts:
        for count in range(1, LARGEST_COUNT + 1):
            if count != counts[word]:
                yield {**counts, word: count}
        if word in helpers:
            yield {other: count for other, count in counts.items() if other != word}
    size = sum(len(letters(word)) for word in counts)
    added = sum(word in helpers for word in counts)
    if len(counts) < MOST_WORDS and added < _MOST_HELPERS:
        for word in helpers:
            if word not in counts and size + len(letters(word)) <= MOST_LETTERS:
                for count in range(1, LARGEST_COUNT):
                    yield {**counts, word: count}


def _untidiness(counts: Counts, worst: tuple[int, ...] = _WORST) -> tuple[int, ...]:
    """Smaller is better: missing rounds, ties (early ones weigh most), then much to count.

    worst: what is certainly more need not be told exactly.
    """
    missing, ties, rivals = MERGES, 0, 0
    for round_ in merge_rounds(counts, MERGES, _LEAST_COUNT):
        missing -= 1
        rivals += len(round_.tied) - 1
        ties += (round_.decided_by != "count") * 2**missing
        if (0, ties) > worst[:2]:
            return _WORST
    return missing, ties, rivals, sum(counts.values()) + 2 * len(counts)


def _with_word(counts: Counts, tokens: Sequence[str]) -> tuple[Training, str]:
    """As few merges as give the best word to cut, and that word."""
    trained = (train(counts, merges, _LEAST_COUNT) for merges in range(MERGES, _MOST_MERGES))
    found = [(training, _word_to_cut(counts, tokens, training)) for training in trained]
    return max(found, key=lambda each: _worth(encode(each[1], each[0])))


def _word_to_cut(counts: Counts, tokens: Sequence[str], training: Training) -> str:
    """The best one, rather short and rather a new one than one that has been counted."""

    def worth(word: str) -> tuple[tuple[bool, int], bool, bool]:
        short = len(letters(word)) <= _LONGEST_TO_CUT
        return _worth(encode(word, training)), short, word not in counts

    new = (word for word in _EVERYDAY if word not in tokens and None not in encode(word, training).ids)
    words: list[str] = [*dict.fromkeys([*new, *counts])]
    return max(words, key=worth)


def _worth(cut: Encoding) -> tuple[bool, int]:
    """A word is better if it stays in parts (the mark before it alone is none), then the more merges it
    takes, up to RULES.
    """
    return sum(piece != SPACE for piece in cut.pieces) > 1, min(RULES, len(cut.steps))
