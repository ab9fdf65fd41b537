"""In: the data files beside this module. Out: the noun lists and closed classes, read once."""

import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from generator.words.word_classes import NounKind, WordClass


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


def read_toml(name: str) -> dict[str, Any]:
    """The data file of this name beside this module."""
    return tomllib.loads(files("generator.words").joinpath(name).read_text(encoding="utf-8"))


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
