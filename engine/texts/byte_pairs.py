"""Byte-pair encoding (Sennrich, Haddow, Birch 2016), with the counting table of every round.

It works on visible characters instead of bytes, so that it can be counted by hand. A real tokenizer does not
throw the space away: it marks it and leaves it at the beginning of the word that follows („Ġ“ in GPT-2, „▁“
in SentencePiece), so that the text can be put together again and „auf“ inside a word differs from „auf“ as a
word. Here too each word begins with the mark „␣“, a letter like the others, and a pair never reaches across
words. The first word of a text gets it as well (GPT-2 calls this `add_prefix_space`); so a word is always the
same row of letters.

The rule of every round: the pair with the highest count; among equals the one whose left part has the smaller
ID, then the one whose right part has. IDs: the alphabet sorted by code point, new parts appended. This agrees
with the trainer of the library `tokenizers`.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final, Literal

from engine.model.rules import JOINER, extends

SPACE: Final = "␣"
Pair = tuple[str, str]
Pieces = tuple[str, ...]
DecidedBy = Literal["count", "left", "right"]


@dataclass(frozen=True)
class Merge:
    """One learned rule: left and right become the token left + right, which has the ID token_id."""

    left: str
    right: str
    token_id: int

    @property
    def token(self) -> str:
        return self.left + self.right

    @property
    def pair(self) -> Pair:
        return self.left, self.right


@dataclass(frozen=True)
class MergeRound:
    """One round of counting.

    number: counted from 1. words: the corpus before the merge, pieces of each word with the word's count.
    ids: of their pieces. count: the highest. tied: all pairs that have it, best first by the rule, so one
    where nothing was tied. decided_by: what chose among them, the count alone or the older left or right
    part.
    """

    number: int
    words: tuple[tuple[Pieces, int], ...]
    ids: Mapping[str, int] = field(repr=False, compare=False)
    count: int
    merge: Merge
    tied: tuple[Pair, ...]
    decided_by: DecidedBy

    @cached_property
    def counts(self) -> Mapping[Pair, int]:
        """Every pair with its count, best first by the rule."""
        return count_pairs(self.words, self.ids)

    @property
    def merged(self) -> tuple[tuple[Pieces, int], ...]:
        """The corpus after the merge."""
        return tuple((_merged(pieces, self.merge.pair), count) for pieces, count in self.words)


@dataclass(frozen=True)
class Training:
    """All rounds; vocabulary: every token at the place of its ID; words: the corpus after the last merge."""

    alphabet: tuple[str, ...]
    vocabulary: tuple[str, ...]
    rounds: tuple[MergeRound, ...]
    words: tuple[tuple[Pieces, int], ...]

    @property
    def merges(self) -> tuple[Merge, ...]:
        return tuple(round_.merge for round_ in self.rounds)

    @cached_property
    def ids(self) -> Mapping[str, int]:
        return {token: i for i, token in enumerate(self.vocabulary)}


@dataclass(frozen=True)
class Step:
    """One merge while a word is encoded: rule (counted from 1), pieces after it."""

    rule: int
    pieces: Pieces


@dataclass(frozen=True)
class Encoding:
    """A word cut into tokens; ids: None for a letter that the alphabet does not have."""

    start: Pieces
    steps: tuple[Step, ...]
    ids: tuple[int | None, ...]

    @property
    def pieces(self) -> Pieces:
        return self.steps[-1].pieces if self.steps else self.start


def letters(word: str) -> Pieces:
    """The visible characters of a word; a sign with its marks, joiners or skin tone is one, a flag too."""
    found: list[str] = []
    for sign in word:
        if found and _belongs_to(found[-1], sign):
            found[-1] += sign
        else:
            found.append(sign)
    return tuple(found)


def _belongs_to(before: str, sign: str) -> bool:
    if 0x1F1E6 <= ord(sign) <= 0x1F1FF:  # regional indicators: two make a flag
        return len(before) == 1 and 0x1F1E6 <= ord(before) <= 0x1F1FF
    return before.endswith(JOINER) or extends(sign)


@lru_cache(4096)
def pieces_of(word: str) -> Pieces:
    """The mark for the space, then the letters: where counting begins."""
    return (SPACE, *letters(word))


def train(corpus: Mapping[str, int], merges: int, least_count: int = 1) -> Training:
    """Learn up to `merges` rules from words with their counts (at least 1 each).

    Ends sooner when no pair is left or the best occurs fewer than least_count times. Windows that overlap
    count separately („aaa“ has the pair aa twice), and are merged from the left.
    """
    if any(count < 1 for count in corpus.values()):
        raise ValueError("a word of the corpus has a count below 1")
    rounds = tuple(merge_rounds(corpus, merges, least_count))
    words = _start(corpus)
    alphabet = _alphabet(words)
    vocabulary = dict.fromkeys([*alphabet, *(round_.merge.token for round_ in rounds)])
    return Training(alphabet, tuple(vocabulary), rounds, rounds[-1].merged if rounds else words)


def merge_rounds(corpus: Mapping[str, int], merges: int, least_count: int) -> Iterator[MergeRound]:
    """The rounds of `train`, one after the other."""
    words = _start(corpus)
    ids = {token: i for i, token in enumerate(_alphabet(words))}
    for number in range(1, merges + 1):
        counts = _count(words)
        most = max(counts.values(), default=0)
        if most < max(1, least_count):
            return
        tied = sorted(
            (pair for pair, count in counts.items() if count == most),
            key=lambda pair: (ids[pair[0]], ids[pair[1]]),
        )
        best = tied[0]
        same_left = sum(left == best[0] for left, _ in tied)
        decided_by: DecidedBy = "count" if len(tied) == 1 else "left" if same_left == 1 else "right"
        # Two ways can lead to one token (a + bc, ab + c): it keeps the ID that it has.
        merge = Merge(*best, token_id=ids.get(best[0] + best[1], len(ids)))
        yield (round_ := MergeRound(number, words, ids, most, merge, tuple(tied), decided_by))
        words, ids = round_.merged, {**ids, merge.token: merge.token_id}


def _start(corpus: Mapping[str, int]) -> tuple[tuple[Pieces, int], ...]:
    return tuple((pieces_of(word), count) for word, count in corpus.items())


def _alphabet(words: Iterable[tuple[Pieces, int]]) -> Pieces:
    return tuple(sorted({piece for pieces, _ in words for piece in pieces}))


def count_pairs(words: Iterable[tuple[Pieces, int]], ids: Mapping[str, int]) -> dict[Pair, int]:
    """Every pair of neighbours with its count, the next to merge first."""
    ranked = sorted(
        (-count, ids[left], ids[right], (left, right)) for (left, right), count in _count(words).items()
    )
    return {pair: -less for less, _, _, pair in ranked}


def _count(words: Iterable[tuple[Pieces, int]]) -> dict[Pair, int]:
    counts: dict[Pair, int] = {}
    for pieces, count in words:
        for pair in pairwise(pieces):
            counts[pair] = counts.get(pair, 0) + count
    return counts


def _merged(pieces: Pieces, pair: Pair) -> Pieces:
    if pair[0] not in pieces:
        return pieces
    out: list[str] = []
    i = 0
    while i < len(pieces):
        if pieces[i : i + 2] == pair:
            out.append(pair[0] + pair[1])
            i += 2
        else:
            out.append(pieces[i])
            i += 1
    return tuple(out)


def encode(word: str, training: Training) -> Encoding:
    """Cut a word: again and again the earliest rule that fits, at its first place, one place a step."""
    pieces = start = pieces_of(word)
    rule_of = {merge.pair: i for i, merge in reversed(list(enumerate(training.merges, 1)))}
    steps: list[Step] = []
    while fits := [(rule_of[pair], i) for i, pair in enumerate(pairwise(pieces)) if pair in rule_of]:
        rule, place = min(fits)
        pieces = (*pieces[:place], pieces[place] + pieces[place + 1], *pieces[place + 2 :])
        steps.append(Step(rule, pieces))
    return Encoding(start, tuple(steps), tuple(training.ids.get(piece) for piece in pieces))
