"""One small vector for each token of a sentence, whose dimensions have a meaning.

The class of a word decides its vector. The first word of a class has the vector of the class itself, further
words differ from it by a tenth in one or two components, so that different words stay different.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from generator.words.noun_kinds import (
    KindFinding,
    NounKind,
    Origin,
    TaggedWord,
    WordClass,
    closed_classes,
    fold,
    name_kind,
    noun_kind,
    read_toml,
)
from generator.words.tagger import tag

_LARGEST = 9  # tenths
_LOOSE_FROM = 20  # attempts that keep the bare class vectors; after them every word may differ a little
_SMALL_SIZES = (1, 2, 3)


@dataclass(frozen=True)
class WordVector:
    """A token with its class, the kind of a noun or name, where both come from, and its vector."""

    token: str
    word_class: WordClass
    kind: NounKind | None
    origin: Origin
    values: tuple[float, ...]  # (d_model,)

    @property
    def group(self) -> NounKind | WordClass:
        """What it shares with words like it: a noun its kind, others their class."""
        return self.kind or self.word_class


@dataclass(frozen=True)
class DimensionMeaning:
    """What one dimension stands for: a short German name and one sentence."""

    name: str
    text: str


@dataclass(frozen=True)
class ClassifiedWord:
    """A token with its classification."""

    tagged: TaggedWord
    kind: NounKind | None
    origin: Origin

    @property
    def identity(self) -> str:
        """What words with one vector have in common: an article, else the word itself."""
        if self.tagged.word_class is WordClass.ARTICLE:
            key = fold(self.tagged.word)
            if key in closed_classes().definite_articles:
                return "definite article"
            if key in closed_classes().indefinite_articles:
                return "indefinite article"
        return f"word {self.tagged.token}"


def word_vectors(
    tokens: Sequence[str],
    d_model: int,
    seed: int = 0,
    given: Mapping[str, tuple[float, ...]] | None = None,
    attempt: int = 0,
) -> list[WordVector]:
    """The vectors of the tokens, in order, each of d_model values with one decimal place in −0.9 … 0.9.

    The same token always has the same vector, and so have the forms of one article. `given`: vectors by
    token, taken as they are. Another `attempt` draws other small differences, a late one for every word.
    """
    return vectors_of(classified(tuple(tokens)), d_model, str(seed), given or {}, attempt)


def vectors_of(
    words: Sequence[ClassifiedWord],
    d_model: int,
    seed: str,
    given: Mapping[str, tuple[float, ...]],
    attempt: int,
) -> list[WordVector]:
    """The vectors of words whose classes are known; see `word_vectors`."""
    drawn = _drawn(words, d_model, f"{seed}/{attempt}", given, loose=attempt >= _LOOSE_FROM)
    return [
        WordVector(
            token=word.tagged.token,
            word_class=word.tagged.word_class,
            kind=word.kind,
            origin=Origin.GIVEN if word.tagged.token in given else word.origin,
            values=given.get(word.tagged.token) or tuple(tenths / 10 for tenths in drawn[word.identity]),
        )
        for word in words
    ]


def _named(d_model: int) -> Sequence[str]:
    data = read_toml("dimensions.toml")
    names: Sequence[str] = data["small"][str(d_model)] if d_model in _SMALL_SIZES else data["order"][:d_model]
    return names


def dimension_meanings(d_model: int) -> tuple[DimensionMeaning, ...]:
    """The German name and explanation of each of the d_model dimensions."""
    data, named = read_toml("dimensions.toml"), _named(d_model)
    name, text = data["unnamed"]["name"], data["unnamed"]["text"]
    further = range(len(named) + 1, d_model + 1)
    return (
        *(DimensionMeaning(**data["meanings"][meaning]) for meaning in named),
        *(DimensionMeaning(name.format(number=number), text) for number in further),
    )


def own_dimension(vector: WordVector) -> int | None:
    """The dimension that stands for the word's own group; None where this size of a vector has none for it.

    Pronouns, adjectives, nouns of time and others have one only in longer vectors.
    """
    d_model, word_class = len(vector.values), vector.word_class
    own = read_toml("dimensions.toml")["own"]
    meanings = str(own.get(vector.kind or word_class, "")).split()
    return next((i for i, key in enumerate(_named(d_model)) if key in meanings), None)


@lru_cache(maxsize=8)  # a sentence's vectors are drawn many times
def classified(tokens: tuple[str, ...]) -> tuple[ClassifiedWord, ...]:
    """Classify every token; one that occurs again keeps the class of its first occurrence."""
    first: dict[str, ClassifiedWord] = {}
    for tagged in tag(tokens):
        if tagged.token not in first:
            kind, origin = _kind(tagged) or (None, tagged.origin)
            first[tagged.token] = ClassifiedWord(tagged, kind, origin)
    return tuple(first[token] for token in tokens)


def _kind(tagged: TaggedWord) -> KindFinding | None:
    if tagged.word_class is WordClass.NAME:
        return name_kind(tagged.word, tagged.lemma)
    if tagged.word_class is not WordClass.NOUN:
        return None
    found = noun_kind(tagged.word, tagged.lemma)
    if found.origin is not Origin.LISTED and tagged.kind_hint:
        return KindFinding(tagged.kind_hint, Origin.RULE)
    if found.origin is Origin.RULE and tagged.origin is Origin.GUESSED:
        return KindFinding(found.kind, Origin.GUESSED)
    return found


def _drawn(
    words: Sequence[ClassifiedWord],
    d_model: int,
    seed: str,
    given: Mapping[str, tuple[float, ...]],
    loose: bool,
) -> dict[str, tuple[int, ...]]:
    """The vector of each identity in tenths, all different as long as there is room.

    loose: the first word of a class, too, leaves the bare vector of its class a little.
    """
    free = [word for word in words if word.tagged.token not in given]
    base = {  # the first token counts
        word.identity: class_tenths(word.tagged.word_class, word.kind, d_model) for word in reversed(free)
    }
    owner: dict[tuple[int, ...], str] = {}
    for word in free:
        owner.setdefault(base[word.identity], word.identity)
    fixed = {tuple(round(value * 10) for value in values) for values in given.values()}
    taken = fixed | set(owner)
    drawn: dict[str, tuple[int, ...]] = {}
    for word in free:
        if word.identity in drawn:
            continue
        vector = base[word.identity]
        may_share = word.tagged.word_class is WordClass.ARTICLE
        if loose or owner[vector] != word.identity or (vector in fixed and not may_share):
            near = _neighbours(vector, f"{seed}/{word.identity}")
            vector = next((other for other in near if other not in taken), vector)
            taken.add(vector)
        drawn[word.identity] = vector
    return {
        identity: vector + _unnamed_tail(f"{seed}/{identity}", d_model - len(vector))
        for identity, vector in drawn.items()
    }


def _neighbours(vector: tuple[int, ...], seed: str) -> Iterator[tuple[int, ...]]:
    """Vectors that differ in one or two components, by one tenth first, in an order drawn by the seed."""
    places = range(len(vector))
    for step in range(1, 2 * _LARGEST + 1):
        signed = [(place, sign * step) for place in places for sign in (1, -1)]
        both = (pair for pair in combinations(signed, 2) if pair[0][0] != pair[1][0])
        changes = [*((one,) for one in signed), *both]
        changes.sort(key=lambda change: hashlib.sha256(f"{seed}/{change}".encode()).digest())
        for change in changes:
            near = list(vector)
            for place, difference in change:
                near[place] += difference
            if all(abs(tenths) <= _LARGEST for tenths in near):
                yield tuple(near)


def _unnamed_tail(seed: str, length: int) -> tuple[int, ...]:
    """−1, 0 or 1 tenth for each dimension beyond those with a meaning, drawn by the seed."""
    stream = hashlib.shake_256(f"{seed}/tail".encode()).digest(max(length, 0))
    return tuple(byte % 3 - 1 for byte in stream)


def class_tenths(word_class: WordClass, kind: NounKind | None, d_model: int) -> tuple[int, ...]:
    """The bare vector of a class (of a kind, for nouns and names) over the dimensions that have a meaning."""
    rows = read_toml("class_vectors.toml")[word_class]
    rows = rows if kind is None else rows[kind]
    return tuple(rows[str(d_model)] if d_model in _SMALL_SIZES else rows["row"][:d_model])
