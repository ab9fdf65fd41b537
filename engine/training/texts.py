"""Texts go in; what follows each of their beginnings comes out, as arrays to train on."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.model.rules import token_ids
from engine.numbers.arrays import Floats

Ids = tuple[int, ...]


@dataclass(frozen=True)
class Exchange:
    """A beginning with another word at one place; it goes on otherwise."""

    place: int
    beginning: Ids


@dataclass(frozen=True)
class Corpus:
    """texts: each a list of tokens, two at least. vocabulary: all words that occur."""

    texts: tuple[tuple[str, ...], ...]
    vocabulary: tuple[str, ...]

    @cached_property
    def ids(self) -> tuple[Ids, ...]:
        return tuple(tuple(token_ids(text, self.vocabulary)) for text in self.texts)

    @cached_property
    def followers(self) -> dict[Ids, Counter[int]]:
        """What follows a beginning, and how often."""
        found: dict[Ids, Counter[int]] = defaultdict(Counter)
        for text in self.ids:
            for end in range(1, len(text)):
                found[text[:end]][text[end]] += 1
        return dict(found)

    @cached_property
    def needs_context(self) -> bool:
        """Whether somewhere the last word and its place alone do not tell what the texts say comes next."""
        found: dict[tuple[int, int], set[int]] = defaultdict(set)
        for beginning, after in self.followers.items():
            if len(after) == 1:
                found[len(beginning), beginning[-1]].update(after)
        return any(len(words) > 1 for words in found.values())

    def following(self, beginning: Sequence[str]) -> dict[str, float]:
        """The words that follow a beginning with their shares, the most frequent first."""
        if not set(beginning) <= set(self.vocabulary):
            return {}
        after = self.followers.get(tuple(token_ids(beginning, self.vocabulary)), Counter())
        return {self.vocabulary[word]: count / after.total() for word, count in after.most_common()}

    def exchanges(self, beginning: Ids) -> tuple[Exchange, ...]:
        """Every text that differs from the beginning in one word and goes on otherwise, by its place."""
        found, own = [], self.followers.get(beginning, Counter())
        for other, after in self.followers.items():
            if len(other) == len(beginning) and len(after) == 1 and not after.keys() & own.keys():
                differing = [place for place in range(len(other)) if other[place] != beginning[place]]
                if len(differing) == 1:
                    found.append(Exchange(differing[0], other))
        return tuple(sorted(found, key=lambda each: each.place))

    def asked_of(self, text: Ids, own: Ids) -> Ids:
        """The beginning that is the sheet's own or has one word exchanged, else all before its last word."""
        alike = (own, *(each.beginning for each in self.exchanges(own)))
        return text[: len(own)] if text[: len(own)] in alike else text[:-2]

    def first_exchanges(self, beginning: Ids) -> tuple[Exchange, ...]:
        """The first exchanged word at each place."""
        return tuple({each.place: each for each in reversed(self.exchanges(beginning))}.values())[::-1]

    def places(self, beginning: Ids) -> tuple[int, ...]:
        """The places of words that decide how the beginning goes on."""
        return tuple(each.place for each in self.first_exchanges(beginning))

    def mix(self, beginning: Ids) -> Ids | None:
        """Two words exchanged at once; None where that was read, or where fewer than two places decide."""
        two = {each.place: each.beginning[each.place] for each in self.first_exchanges(beginning)[:2]}
        mixed = tuple(two.get(place, word) for place, word in enumerate(beginning))
        return None if len(two) < 2 or mixed in self.followers else mixed

    def fitting(self, beginning: Ids) -> frozenset[int]:
        """What the texts say after it, or after one with a single word exchanged."""
        alike = (beginning, *(each.beginning for each in self.exchanges(beginning)))
        return frozenset().union(*(self.followers.get(each, ()) for each in alike))

    def sounds_read(self, text: Sequence[str]) -> bool:
        """Whether a text was read, or is a mix of those: each word stands where one of its length has it, or,
        before the end, one of another length.
        """
        alike = [each for each in self.texts if len(each) == len(text)]

        def read_at(place: int, word: str) -> bool:
            early = (each for each in self.texts if place < min(len(each), len(text)) - 2)
            return any(each[place] == word for each in (*alike, *early))

        return bool(alike) and all(read_at(place, word) for place, word in enumerate(text))


@dataclass(frozen=True)
class Reading:
    """The texts as a batch; shorter ones are filled up with their last word, which nothing looks at.

    ids: (B, n). right: how probably a word follows, 0 where nothing is asked, (B, n, V); a beginning that
    several texts share is asked for once. visible: (B, n, n).
    """

    ids: NDArray[np.int64]
    right: Floats
    visible: NDArray[np.bool_]

    @cached_property
    def asked(self) -> NDArray[np.bool_]:
        return np.asarray(self.right.any(-1))  # (B, n)

    @cached_property
    def decided(self) -> NDArray[np.bool_]:
        """True where all texts with this beginning go on with the same word."""
        return np.asarray((self.right > 0).sum(-1) == 1)  # (B, n)


def reading(corpus: Corpus, causal: bool) -> Reading:
    """One row for each text; without mask one for each beginning, since its tokens see what comes later."""
    rows = list(dict.fromkeys(text[:-1] for text in corpus.ids)) if causal else list(corpus.followers)
    right = np.zeros((len(rows), max(map(len, rows)), len(corpus.vocabulary)))
    seen: set[Ids] = set()
    for b, row in enumerate(rows):
        for end in range(1 if causal else len(row), len(row) + 1):
            if row[:end] not in seen:
                seen.add(row[:end])
                after = corpus.followers[row[:end]]
                right[b, end - 1, list(after)] = [count / after.total() for count in after.values()]
    ids, there = filled_up(rows)
    tokens = ids.shape[1]
    visible = np.tri(tokens, dtype=np.bool_)[None] if causal else there[:, None, :]
    return Reading(ids, right, np.broadcast_to(visible, (len(rows), tokens, tokens)))


def filled_up(rows: Sequence[Ids]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Rows of one length, (B, n), and where their own tokens are, (B, n)."""
    longest = max(map(len, rows))
    ids = np.array([[*row, *row[-1:] * (longest - len(row))] for row in rows])
    there = np.arange(longest) < np.array([len(row) for row in rows])[:, None]
    return ids, there
