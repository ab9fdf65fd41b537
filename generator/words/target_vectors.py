"""In: the words of a target sentence, d_model, a seed, given vectors. Out: their vectors, and start and end.

The target sentence may be of any language. Frequent English words and the small words of a few languages are
listed; endings and the word before decide on the others, and those are marked as guessed.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from generator.words.noun_kinds import closed_classes, fold, read_toml
from generator.words.word_classes import NounKind, Origin, TaggedWord, WordClass
from generator.words.word_vectors import ClassifiedWord, WordVector, identity_of, vectors_of

# --- In: a sentence and its translation. Out: pairs like it, with a word and its translation exchanged.


@dataclass(frozen=True)
class TranslatedPair:
    """translates: target place to the source place that it translates, where that is known."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    translates: dict[int, int]


def pairs_like(source: Sequence[str], target: Sequence[str], most: int) -> list[TranslatedPair]:
    """The pair itself, then up to `most` others, one for each word whose listed translation stands there.

    Of a target language that no list holds the pair alone; words that are the same in both are known too.
    """
    found = _translations(source, target)
    own = {j: i for i, j, _ in found}
    pairs = [TranslatedPair(tuple(source), tuple(target), own)]
    for i, j, line in found:
        used = {fold(word) for word in (*source, *target)}
        for german, english in line:
            if fold(german) not in used and fold(english) not in used and len(pairs) <= most:
                pairs.append(TranslatedPair(_with(source, i, german), _with(target, j, english), own))
                break
    return pairs


def _translations(
    source: Sequence[str], target: Sequence[str]
) -> list[tuple[int, int, list[tuple[str, str]]]]:
    """Source place, target place, and the line that tells of both; each place once."""
    found: list[tuple[int, int, list[tuple[str, str]]]] = []
    for i, word in enumerate(source):
        for j, other in enumerate(target):
            if any(j == place for _, place, _ in found):
                continue
            line = next((line for line in _lines() if (word, fold(other)) in line), None)
            same = word == other and any(map(str.isalnum, word))
            if line is not None or same:
                found.append((i, j, line or []))
                break
    return found


def _with(words: Sequence[str], place: int, word: str) -> tuple[str, ...]:
    return (*words[:place], word, *words[place + 1 :])


@cache
def _lines() -> list[list[tuple[str, str]]]:
    lines: list[str] = read_toml("translations.toml")["lines"]
    return [[(pair.partition("=")[0], pair.partition("=")[2]) for pair in line.split()] for line in lines]


START: Final = "⟨Start⟩"
END: Final = "⟨Ende⟩"
BOUNDARIES: Final = (START, END)
_BEFORE_A_VERB: Final = (WordClass.NOUN, WordClass.NAME, WordClass.PRONOUN)
_PLURALS: Final = (("ies", "y"), ("es", ""), ("s", ""))


@dataclass(frozen=True)
class _Found:
    word_class: WordClass
    kind: NounKind | None
    origin: Origin


def target_vectors(
    tokens: Sequence[str],
    d_model: int,
    seed: int = 0,
    given: Mapping[str, tuple[float, ...]] | None = None,
    attempt: int = 0,
) -> list[WordVector]:
    """The vectors of the target tokens, in order, as `word_vectors` gives them for the source."""
    first: dict[str, ClassifiedWord] = {}
    before: WordClass | None = None
    for token in tokens:
        if token not in first:
            found = _classified(fold(token), before)
            tagged = TaggedWord(token, token, found.word_class, found.origin)
            first[token] = ClassifiedWord(tagged, found.kind, found.origin, identity_of(tagged))
        before = first[token].tagged.word_class
    return vectors_of([first[token] for token in tokens], d_model, f"{seed}/target", given or {}, attempt)


def boundary_vector(
    token: str, d_model: int, seed: int = 0, given: Mapping[str, tuple[float, ...]] | None = None
) -> WordVector:
    """The vector of the start or the end token: drawn by the seed, 0.0 to 0.9, not all the same."""
    if given and token in given:
        return WordVector(token, WordClass.SYMBOL, None, Origin.GIVEN, tuple(given[token]))
    draw = 0
    while True:
        stream = hashlib.shake_256(f"{seed}/{token}/{draw}".encode()).digest(d_model)
        tenths = tuple(byte % 10 for byte in stream)
        if d_model < 3 or max(tenths) - min(tenths) > 3:
            return WordVector(token, WordClass.SYMBOL, None, Origin.RULE, tuple(t / 10 for t in tenths))
        draw += 1


def _classified(word: str, before: WordClass | None) -> _Found:
    if word in _english():
        return _english()[word]
    if word in closed_classes().english:
        return _Found(closed_classes().english[word], None, Origin.LISTED)
    if word in _others():
        return _others()[word]
    return _by_shape(word) or _by_form(word) or _guessed(before)


def _by_shape(word: str) -> _Found | None:
    if word[:1].isdigit():
        return _Found(WordClass.NUMERAL, None, Origin.RULE)
    if any(sign.isalpha() for sign in word):
        return None
    sentence_marks = all(unicodedata.category(sign).startswith("P") for sign in word)
    return _Found(WordClass.PUNCTUATION if sentence_marks else WordClass.SYMBOL, None, Origin.RULE)


def _by_form(word: str) -> _Found | None:
    """An English plural or third person of a listed word, or an ending that tells the class."""
    for ending, instead in _PLURALS:
        stem = _english().get(word.removesuffix(ending) + instead)
        if word.endswith(ending) and stem and stem.word_class in (WordClass.NOUN, WordClass.VERB):
            return _Found(stem.word_class, stem.kind, Origin.RULE)
    for name, endings in read_toml("target_words.toml")["endings"].items():
        if len(word) > 4 and word.endswith(tuple(endings.split())):
            return _named(name, Origin.RULE)
    return None


def _guessed(before: WordClass | None) -> _Found:
    """After a noun or pronoun a verb, else a thing."""
    if before in _BEFORE_A_VERB:
        return _Found(WordClass.VERB, None, Origin.GUESSED)
    return _Found(WordClass.NOUN, NounKind.THING, Origin.GUESSED)


@cache
def _english() -> dict[str, _Found]:
    return _listed("english", Origin.LISTED)


@cache
def _others() -> dict[str, _Found]:
    return _listed("others", Origin.RULE)


def _listed(language: str, origin: Origin) -> dict[str, _Found]:
    """The words of target_words.toml; a word listed twice keeps its first class."""
    found: dict[str, _Found] = {}
    for name, listed in read_toml("target_words.toml")[language].items():
        for word in listed["words"].split():
            found.setdefault(word, _named(name, origin))
    return found


def _named(name: str, origin: Origin) -> _Found:
    """A class by its name in the list; a kind's name stands for the nouns of this kind."""
    if name in set(NounKind):
        return _Found(WordClass.NOUN, NounKind(name), origin)
    return _Found(WordClass(name), None, origin)
