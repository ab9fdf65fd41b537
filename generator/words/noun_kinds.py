"""Word classes, and by the lists of German words the kind of a noun or name (living being, thing …)."""

import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, NamedTuple


class WordClass(StrEnum):
    """Class of a word in its sentence; the first six are function words."""

    ARTICLE = "article"
    PRONOUN = "pronoun"
    QUESTION = "question"
    PREPOSITION = "preposition"
    CONJUNCTION = "conjunction"
    PARTICLE = "particle"
    NOUN = "noun"
    NAME = "name"
    VERB = "verb"
    ADJECTIVE = "adjective"
    ADVERB = "adverb"
    NUMERAL = "numeral"
    PUNCTUATION = "punctuation"
    SYMBOL = "symbol"

    @property
    def has_kind(self) -> bool:
        """Whether the word names something that can be a living being, a thing, a place …"""
        return self in (WordClass.NOUN, WordClass.NAME)


class NounKind(StrEnum):
    """What a noun or name stands for."""

    LIVING = "living"
    THING = "thing"
    PLACE = "place"
    TIME = "time"
    ABSTRACT = "abstract"


class Origin(StrEnum):
    """Where a classification comes from, so that a teacher sees what deserves a second look."""

    LISTED = "listed"
    RULE = "rule"
    GUESSED = "guessed"
    GIVEN = "given"


@dataclass(frozen=True)
class TaggedWord:
    """A token with its class, where that comes from, and what the tagger tells about a noun's kind."""

    token: str
    word: str  # the token without marks around it
    word_class: WordClass
    origin: Origin
    lemma: str = ""  # empty for signs, numbers, foreign words and without a tagger
    kind_hint: NounKind | None = None


@dataclass(frozen=True)
class NounLists:
    """What nouns.toml holds; keys are folded words (see `fold`)."""

    nouns: Mapping[str, NounKind]
    homonyms: Mapping[str, NounKind]
    names: Mapping[str, NounKind]
    suffixes: Mapping[str, NounKind]
    name_suffixes: Mapping[str, NounKind]
    first_parts: frozenset[str]
    words: frozenset[str]  # nouns, homonyms and names together


@dataclass(frozen=True)
class ClosedClasses:
    """What closed_classes.toml holds; keys are folded words."""

    german: Mapping[str, WordClass]
    english: Mapping[str, WordClass]
    definite_articles: frozenset[str]
    indefinite_articles: frozenset[str]


def fold(word: str) -> str:
    """The word without regard to capitals, and with ss for ß, as in a line of capitals."""
    return unicodedata.normalize("NFC", word).casefold()


@cache
def read_toml(name: str) -> dict[str, Any]:
    """The data file of this name beside this module."""
    return tomllib.loads(files("generator.words").joinpath(name).read_text(encoding="utf-8"))


@cache
def exchange_lists() -> dict[str, Any]:
    """The words that may stand for one another, of exchanges.toml and noun_exchanges.toml."""
    return {**read_toml("exchanges.toml"), **read_toml("noun_exchanges.toml")}


def list_with(word: str, lists: Iterable[str]) -> list[str]:
    """The first list that holds the word; empty where none does."""
    return next((words.split() for words in lists if word in map(fold, words.split())), [])


@cache
def noun_lists() -> NounLists:
    """The nouns, names, endings and first parts of compounds of nouns.toml."""
    data = read_toml("nouns.toml")
    nouns = {fold(word): kind for kind in NounKind for theme in data[kind].values() for word in theme.split()}
    homonyms, names = _by_kind(data["homonyms"]), _by_kind(data["names"])
    return NounLists(
        nouns=nouns,
        homonyms=homonyms,
        names=names,
        suffixes=_by_kind(data["suffixes"]),
        name_suffixes=_by_kind(data["name_suffixes"]),
        first_parts=frozenset(fold(part) for part in data["compounds"]["first_parts"].split()),
        words=frozenset({**nouns, **homonyms, **names}),
    )


@cache
def closed_classes() -> ClosedClasses:
    """The words of closed_classes.toml; a word listed twice keeps its first class."""
    data = read_toml("closed_classes.toml")
    german: dict[str, WordClass] = {}
    english: dict[str, WordClass] = {}
    for word_class, themes in data.items():
        for theme, words in themes.items():
            target = english if theme == "english" else german
            for word in words.split():
                target.setdefault(fold(word), WordClass(word_class))
    return ClosedClasses(
        german=german,
        english=english,
        definite_articles=frozenset([*data["article"]["definite"].split(), "the"]),
        indefinite_articles=frozenset([*data["article"]["indefinite"].split(), "a", "an"]),
    )


def _by_kind(words: Mapping[str, str]) -> dict[str, NounKind]:
    return {fold(word): NounKind(kind) for kind, listed in words.items() for word in listed.split()}


# Plural and case endings, in the order in which they are taken off.
_INFLECTIONS = ("", "s", "es", "e", "en", "n", "er", "ern", "se", "ses", "sen", "r")
_FOREIGN_PLURAL = ("um", "us", "a")  # Museen, Viren, Themen
_UMLAUTS = {"ä": "a", "ö": "o", "ü": "u"}
_LINKS = ("", "s", "es", "n", "en", "ens", "er", "e", "-")
_LINKING_SUFFIXES = ("ungs", "heits", "keits", "schafts", "ions", "täts")
_SHORTEST_PART = 3  # Phase is no P-Hase
_LONGEST_WORD = 60


class KindFinding(NamedTuple):
    """The kind of a noun and where it comes from."""

    kind: NounKind
    origin: Origin


def noun_kind(word: str, lemma: str = "") -> KindFinding:
    """The kind of a noun: listed, else by the head of the compound, else by its ending, else a guess.

    A homonym of two kinds (Bank, Leiter) comes back as guessed: only the sentence tells.
    """
    forms = [fold(form)[-_LONGEST_WORD:] for form in (word, lemma) if form]
    nouns = noun_lists().nouns
    exact = next((KindFinding(nouns[form], Origin.LISTED) for form in forms if form in nouns), None)
    does = (
        bool(lemma) and forms[0] == forms[-1] and forms[0].endswith("er")
    )  # Schlagzeuger: not of Schlagzeug
    known = exact or (None if does else next(filter(None, map(_lookup, forms)), None)) or _derived(forms)
    if known:
        return known
    head = next(filter(None, map(compound_head, forms)), None)
    kind = head.kind if head else _by_suffix(forms)
    return KindFinding(kind, Origin.RULE) if kind else KindFinding(NounKind.THING, Origin.GUESSED)


def name_kind(word: str, lemma: str = "") -> KindFinding:
    """The kind of a proper name: listed, else a place by its ending, else guessed to be somebody's name."""
    lists = noun_lists()
    key = fold(word)
    for form in (key, fold(lemma), key.removesuffix("s")):
        if form in lists.names:
            return KindFinding(lists.names[form], Origin.LISTED)
    kind = _longest_suffix(key, lists.name_suffixes)
    return KindFinding(kind, Origin.RULE) if kind else KindFinding(NounKind.LIVING, Origin.GUESSED)


def is_listed_noun(word: str) -> bool:
    """Whether the word or a form it may be inflected from stands in the noun list."""
    return _lookup(fold(word)) is not None


def is_listed_name(word: str) -> bool:
    """Whether the word, or the word without a genitive s, stands in the list of names."""
    names = noun_lists().names
    return fold(word) in names or fold(word).removesuffix("s") in names


@lru_cache(maxsize=4096)
def _lookup(key: str) -> KindFinding | None:
    lists = noun_lists()
    for form in base_forms(key):
        if form in lists.nouns:
            return KindFinding(lists.nouns[form], Origin.LISTED)
        if form in lists.homonyms:
            return KindFinding(lists.homonyms[form], Origin.GUESSED)
    return None


def base_forms(key: str) -> Iterator[str]:
    for ending in _INFLECTIONS:
        if not key.endswith(ending) or len(key) - len(ending) < 2:
            continue
        stem = key.removesuffix(ending)
        yield stem
        yield _without_umlaut(stem)
        if ending == "en":
            for foreign in _FOREIGN_PLURAL:
                yield stem + foreign


def _without_umlaut(stem: str) -> str:
    last = max(stem.rfind(umlaut) for umlaut in _UMLAUTS)
    return stem if last < 0 else stem[:last] + _UMLAUTS[stem[last]] + stem[last + 1 :]


def _derived(forms: list[str]) -> KindFinding | None:
    """Kätzchen is what Katze is; Köchin is what Koch is."""
    for form in forms:
        for ending, only_living in (("chen", False), ("lein", False), ("in", True), ("innen", True)):
            stem = form.removesuffix(ending)
            if stem == form or len(stem) < 2:
                continue
            for base in (stem, stem + "e", stem + "en", _without_umlaut(stem) + "e"):
                found = _lookup(base) or compound_head(base)
                if found and (found.kind is NounKind.LIVING or not only_living):
                    return KindFinding(found.kind, Origin.RULE)
            if only_living and stem.endswith(("er", "ist", "or", "ent", "ant", "eur")):
                return KindFinding(NounKind.LIVING, Origin.RULE)
    return None


@lru_cache(maxsize=4096)
def compound_head(key: str) -> KindFinding | None:
    """What the last part of a compound is; None for what is none. key: folded."""
    if "-" in key[1:-1]:
        return _lookup(key.rpartition("-")[2])
    for cut in range(_SHORTEST_PART, len(key) - _SHORTEST_PART + 1):
        found = _lookup(key[cut:])
        if found and begins_compound(key[:cut]):
            return found
    return None


def begins_compound(part: str) -> bool:
    """Whether a compound can begin so: with a known noun, verb stem or adjective, or another compound."""
    lists = noun_lists()
    if part.endswith(_LINKING_SUFFIXES):
        return True
    for link in _LINKS:
        stem = part.removesuffix(link)
        if len(stem) < _SHORTEST_PART or (link and stem == part):
            continue
        if {stem, stem + "e"} & lists.words or stem in lists.first_parts:
            return True
        if _lookup(stem) or compound_head(stem):
            return True
    return False


def _by_suffix(forms: list[str]) -> NounKind | None:
    suffixes = noun_lists().suffixes
    bases = (base for form in reversed(forms) for base in base_forms(form))  # the lemma first
    return next(filter(None, (_longest_suffix(base, suffixes) for base in bases)), None)


def _longest_suffix(key: str, suffixes: Mapping[str, NounKind]) -> NounKind | None:
    endings = (key[start:] for start in range(2, len(key)))  # at least two letters stand before an ending
    return next((suffixes[ending] for ending in endings if ending in suffixes), None)
