"""The vectors of a target sentence and of its start and end, and pairs of sentences like it and its source.

The target sentence may be of any language. Frequent English words and the small words of a few languages are
listed; endings and the word before decide on the others, and those are marked as guessed.
"""

import hashlib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Final

from generator.words.exchanges import exchanged_at, places_to_exchange
from generator.words.noun_kinds import (
    NounKind,
    Origin,
    TaggedWord,
    WordClass,
    closed_classes,
    fold,
    is_listed_noun,
    read_toml,
)
from generator.words.tagger import tag
from generator.words.word_vectors import ClassifiedWord, WordVector, classified, vectors_of

START: Final = "⟨Start⟩"
END: Final = "⟨Ende⟩"
BOUNDARIES: Final = (START, END)
_BEFORE_A_VERB: Final = (WordClass.NOUN, WordClass.NAME, WordClass.PRONOUN)
_PLURALS: Final = (("ies", "y"), ("es", ""), ("s", ""))
_CARRYING: Final = (WordClass.NOUN, WordClass.NAME, WordClass.VERB, WordClass.ADJECTIVE, WordClass.ADVERB)
_Found = tuple[WordClass, NounKind | None, Origin]
_Line = list[tuple[str, str]]  # German words with their translations, which may stand for one another


@dataclass(frozen=True)
class TranslatedPair:
    """translates: target place to the source place that it translates, where that is known."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    translates: dict[int, int]


def pairs_like(source: Sequence[str], target: Sequence[str], most: int) -> list[TranslatedPair]:
    """The pair itself, then up to `most` others: a word of the source is exchanged, and its translation.

    Of a target language that no list holds the pair alone; words that are the same in both are known too.
    Where no translation is listed, words of one class are exchanged together, as if it were one; in two
    German sentences without a class in common, words of two.
    """
    found = _translations(source, target)
    own = {j: i for i, j, _ in found}
    pairs = [TranslatedPair(tuple(source), tuple(target), own)]
    if not most:
        return pairs
    known = [(i, j, line or _same(source, i)) for i, j, line in found]
    choices = [each for each in known if each[2]] or _instead(source, target, True)
    choices = choices or (_instead(source, target, False) if _is_german(target) else [])
    used = {fold(word) for word in (*source, *target)}
    for i, j, line in choices * most:  # a place may have another word again where there are too few
        for german, other in line:
            if fold(german) not in used and fold(other) not in used and len(pairs) <= most:
                pairs.append(TranslatedPair(_with(source, i, german), _with(target, j, other), own))
                used |= {fold(german), fold(other)}
                break
    return pairs


def _same(source: Sequence[str], place: int) -> _Line:
    """Words instead of one that is the same in both sentences."""
    return [(word, word) for word in exchanged_at(source, place)]


def _instead(
    source: Sequence[str], target: Sequence[str], of_one_class: bool
) -> list[tuple[int, int, _Line]]:
    """A source word with a target word, if wanted of its class, and pairs of words to stand there instead."""
    classes = [each.word_class for each in tag(source)]
    german = _is_german(target)
    found: list[tuple[int, int, _Line]] = []
    for i in sorted(places_to_exchange(source)):
        taken = {place for _, place, _ in found}
        for j, word_class in enumerate(_target_classes(target, german)):
            if word_class not in _CARRYING or j in taken or (of_one_class and word_class is not classes[i]):
                continue
            words = exchanged_at(source, i)
            if german:
                line = list(zip(words, exchanged_at(target, j), strict=False))
            else:
                line = [(word, _dictionary()[word]) for word in words if word in _dictionary()]
            if line:
                found.append((i, j, line))
                break
    return found


def _is_german(words: Sequence[str]) -> bool:
    """Whether more of its words are listed as German than as English."""
    classes = closed_classes()
    german = sum(fold(word) in classes.german or is_listed_noun(word) for word in words)
    listed = {*classes.english, *_listed("english", Origin.LISTED)}
    return german > sum(fold(word) in listed for word in words)


def _target_classes(target: Sequence[str], german: bool) -> list[WordClass | None]:
    """None: unknown, because no list has a word of its language."""
    if german:
        return [each.word_class for each in tag(target)]
    listed = {*closed_classes().english, *_listed("english", Origin.LISTED)}
    if not any(fold(word) in listed for word in target):
        return [None] * len(target)
    found: list[WordClass | None] = []
    for word in target:
        found.append(_classified(fold(word), found[-1] if found else None)[0])
    return found


@cache
def _dictionary() -> Mapping[str, str]:
    return {german: english for line in _lines() for german, english in line}


def _translations(source: Sequence[str], target: Sequence[str]) -> list[tuple[int, int, _Line]]:
    """Source place, target place, and the line that tells of both; each place once."""
    found: list[tuple[int, int, _Line]] = []
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
    if place == 0 and words[0][:1].isupper():
        word = word[:1].upper() + word[1:]
    return (*words[:place], word, *words[place + 1 :])


@cache
def _lines() -> list[_Line]:
    lines: list[str] = read_toml("translations.toml")["lines"]
    pairs = ([pair.partition("=") for pair in line.split()] for line in lines)
    return [[(german, english) for german, _, english in line] for line in pairs]


def target_vectors(
    tokens: Sequence[str], d_model: int, seed: int, given: Mapping[str, tuple[float, ...]], attempt: int = 0
) -> list[WordVector]:
    """The vectors of the target tokens, in order, as `word_vectors` gives them for the source.

    German ones are classed like those of the source.
    """
    if _is_german(tokens):
        return vectors_of(classified(tuple(tokens)), d_model, f"{seed}/target", given, attempt)
    first: dict[str, ClassifiedWord] = {}
    before: WordClass | None = None
    for token in tokens:
        if token not in first:
            word_class, kind, origin = _classified(fold(token), before)
            first[token] = ClassifiedWord(TaggedWord(token, token, word_class, origin), kind, origin)
        before = first[token].tagged.word_class
    return vectors_of([first[token] for token in tokens], d_model, f"{seed}/target", given, attempt)


def boundary_vector(
    token: str, d_model: int, seed: int, given: Mapping[str, tuple[float, ...]]
) -> WordVector:
    """The vector of the start or the end token: drawn by the seed, 0.0 to 0.9, not all the same."""
    if token in given:
        return WordVector(token, WordClass.SYMBOL, None, Origin.GIVEN, given[token])
    streams = (hashlib.shake_256(f"{seed}/{token}/{draw}".encode()).digest(d_model) for draw in count())
    drawn = ([byte % 10 for byte in stream] for stream in streams)
    tenths = next(each for each in drawn if d_model < 3 or max(each) - min(each) > 3)
    return WordVector(token, WordClass.SYMBOL, None, Origin.RULE, tuple(t / 10 for t in tenths))


def _classified(word: str, before: WordClass | None) -> _Found:
    listed = _listed("english", Origin.LISTED)
    if word in listed:
        return listed[word]
    if word in closed_classes().english:
        return closed_classes().english[word], None, Origin.LISTED
    if found := _listed("others", Origin.RULE).get(word) or _by_shape(word) or _by_form(word, listed):
        return found
    if before in _BEFORE_A_VERB:
        return WordClass.VERB, None, Origin.GUESSED
    return WordClass.NOUN, NounKind.THING, Origin.GUESSED


def _by_shape(word: str) -> _Found | None:
    if word[:1].isdigit():
        return WordClass.NUMERAL, None, Origin.RULE
    if any(sign.isalpha() for sign in word):
        return None
    sentence_marks = all(unicodedata.category(sign).startswith("P") for sign in word)
    return WordClass.PUNCTUATION if sentence_marks else WordClass.SYMBOL, None, Origin.RULE


def _by_form(word: str, listed: Mapping[str, _Found]) -> _Found | None:
    """An English plural or third person of a listed word, or an ending that tells the class."""
    for ending, instead in _PLURALS:
        stem = listed.get(word.removesuffix(ending) + instead)
        if word.endswith(ending) and stem and stem[0] in (WordClass.NOUN, WordClass.VERB):
            return stem[0], stem[1], Origin.RULE
    for name, endings in read_toml("target_words.toml")["endings"].items():
        if len(word) > 4 and word.endswith(tuple(endings.split())):
            return _named(name, Origin.RULE)
    return None


@cache
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
        return WordClass.NOUN, NounKind(name), origin
    return WordClass(name), None, origin
