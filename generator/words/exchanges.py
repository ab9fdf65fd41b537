"""In: the words of a sentence. Out: texts like it, in which words are exchanged for others of the same kind.

Each text has another word early on and another one at its end. The word before the end is the same, so that
the end cannot be told from it: who wants to know it has to look further back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from generator.words.noun_kinds import fold, read_toml
from generator.words.tagger import tag
from generator.words.word_classes import NounKind, TaggedWord, WordClass
from generator.words.word_vectors import WordVector, word_vectors

_BACK_TO_DETERMINER: Final = 3
_ENDINGS: Final = ("en", "em", "er", "es", "e", "")
_GENDERS: Final = ("feminine", "masculine", "neuter")
# What is exchanged first: the words that carry the sentence.
_RANKS: Final = {
    WordClass.NOUN: 0,
    WordClass.NAME: 0,
    WordClass.ADJECTIVE: 1,
    WordClass.ADVERB: 1,
    WordClass.VERB: 2,
    WordClass.NUMERAL: 3,
    WordClass.PRONOUN: 4,
    WordClass.PREPOSITION: 5,
    WordClass.PARTICLE: 6,
}
_STRANGE: Final = 7


def similar_texts(words: Sequence[str], most: int) -> list[tuple[str, ...]]:
    """Up to `most` further texts; fewer where the sentence has too few words that can be exchanged.

    words: the sentence without the mark at its end, three words at least.
    """
    sentence = _Sentence(tuple(words), tuple(tag(words)), tuple(word_vectors(words, 4)))
    last = len(words) - 1
    ends = sentence.others(last)
    used = {fold(word) for word in words}
    texts: list[tuple[str, ...]] = []
    for place in sentence.places_to_exchange():
        if len(texts) == most:
            break
        new = next((word for word in sentence.others(place) if fold(word) not in used), None)
        if new is None:
            continue
        used.add(fold(new))
        end = next((word for word in ends if fold(word) not in used), None)
        if end is None:
            break
        used.add(fold(end))
        text = [*words]
        text[place], text[last] = new, end
        texts.append(tuple(text))
    return texts


@dataclass(frozen=True)
class _Sentence:
    words: tuple[str, ...]
    tagged: tuple[TaggedWord, ...]
    vectors: tuple[WordVector, ...]

    def places_to_exchange(self) -> list[int]:
        """Places before the end, the best first; the one right before the end comes last."""
        inner = range(len(self.words) - 1)
        before_end = len(self.words) - 2
        ranked = [place for place in inner if self.tagged[place].word_class in _RANKS]
        return sorted(ranked, key=lambda place: (place == before_end, self._rank(place), place))

    def _rank(self, place: int) -> int:
        """A verb that no list holds may want other words around it than those it is exchanged for."""
        word_class = self.tagged[place].word_class
        strange = word_class is WordClass.VERB and not _listed(self.words[place])
        return _STRANGE if strange else _RANKS[word_class]

    def others(self, place: int) -> list[str]:
        """Words that may stand at the place, the nearest first; empty where none is known."""
        word = self.words[place]
        found = [_in_case_of(word, other) for other in self._like(place) if fold(other) != fold(word)]
        start = sum(map(ord, "".join(self.words))) % max(1, len(found))  # not always the same words
        return [*found[start:], *found[:start]]

    def _like(self, place: int) -> list[str]:
        word, word_class = self.words[place], self.tagged[place].word_class
        if word_class is WordClass.NOUN:
            return self._nouns(place)
        if word_class is WordClass.NAME:
            kind = "place" if self.vectors[place].kind is NounKind.PLACE else "living"
            return list(_data()["names"][kind].split())
        if word_class is WordClass.VERB:
            return _verbs(word)
        if word_class is WordClass.ADJECTIVE or fold(word) in _stems():
            return self._adjectives(place)
        return _listed(word) or _by_class(word_class)

    def _adjectives(self, place: int) -> list[str]:
        """With the same ending; without one after „ist“, else words that say how."""
        word, stems = fold(self.words[place]), _stems()
        ending = next(ending for ending in _ENDINGS if word.endswith(ending))
        after = self.tagged[place + 1].word_class if place + 1 < len(self.words) else None
        attributive = after is WordClass.NOUN and self.tagged[place].word_class is WordClass.ADJECTIVE
        if ending and (attributive or word not in stems):
            return [stem.removesuffix("e") + ending for stem in stems]
        is_said = any(fold(each) in _data()["verbs"]["be_present"].split() for each in self.words)
        return stems if is_said else list(_data()["adverbs"]["manner"].split())

    def _nouns(self, place: int) -> list[str]:
        data, theme = _data(), self._theme(place)
        if self._stands_alone(place):
            for words in (data["others"]["stuff"], data["nouns"]["person"]["alone"]):
                if self.words[place] in words.split():
                    return list(words.split())
        nouns = data["nouns"][theme]
        found = [noun for gender in self._form(place) for noun in nouns.get(gender, "").split()]
        if self._is_dative_plural(place):
            return [noun if noun[-1] in "ns" else noun + "n" for noun in nouns["plural"].split()]
        return found

    def _stands_alone(self, place: int) -> bool:
        before = self.tagged[max(0, place - 2) : place]
        return not any(each.word_class is WordClass.ARTICLE for each in before)

    def _is_plural(self, place: int) -> bool:
        lemma = self.tagged[place].lemma
        return bool(lemma) and fold(lemma) != fold(self.words[place])

    def _is_dative_plural(self, place: int) -> bool:
        return self._is_plural(place) and fold(self.words[place - 1]) in ("den", "vielen") if place else False

    def _theme(self, place: int) -> str:
        kind = self.vectors[place].kind
        if kind is not NounKind.LIVING:
            return str(kind or NounKind.THING)
        named = {fold(self.words[place]), fold(self.tagged[place].lemma)}
        for name, theme in (("plants", "thing"), ("animals", "animal")):
            if named & _living(name):
                return theme
        return "person"

    def _form(self, place: int) -> tuple[str, ...]:
        """The genders that the word before allows, or the plural."""
        word, plural = self.words[place], self._is_plural(place)
        listed = [
            gender
            for theme in _data()["nouns"].values()
            for gender, nouns in theme.items()
            if gender != "alone" and word in nouns.split()
        ]
        before = [fold(each) for each in self.words[max(0, place - _BACK_TO_DETERMINER) : place]]
        for position in range(len(before) - 1, -1, -1):
            genders = _gender_of(before[position], before[:position])
            if plural and "plural" in genders and "plural" in (listed or ["plural"]):
                return ("plural",)
            if genders:
                return tuple(each for each in genders if each in listed)[:1] or genders[:1]
        if plural:
            return ("plural",)
        return (listed[0],) if listed else _GENDERS


def _in_case_of(word: str, other: str) -> str:
    """With a capital where the word has one."""
    return other[:1].upper() + other[1:] if word[:1].isupper() else other


def _gender_of(word: str, before: Sequence[str]) -> tuple[str, ...]:
    if word == "der":  # of a preposition: feminine; else the subject
        return ("feminine",) if before else ("masculine",)
    if word == "die":
        return ("feminine", "plural")
    for genders, words in _data()["determiners"].items():
        if word in words.split():
            return tuple(genders.split("_or_"))
    return ()


def _verbs(word: str) -> list[str]:
    listed = _listed(word)
    if listed:
        return listed
    verbs = _data()["verbs"]
    if word.startswith("ge") and word.endswith(("t", "en")):
        return list(verbs["participle"].split())
    if word.endswith("te"):
        return list(verbs["take_past"].split())
    if word.endswith("e"):
        return [verb.removesuffix("n") for verb in verbs["take_plural"].split() if verb.endswith("en")]
    return list(verbs["take_plural" if word.endswith("n") else "take_present"].split())


def _stems() -> list[str]:
    return list(_data()["adjectives"]["stems"].split())


def _by_class(word_class: WordClass) -> list[str]:
    lists = {WordClass.ADVERB: ("adverbs", "time"), WordClass.NUMERAL: ("others", "numeral")}
    if word_class not in lists:
        return []
    table, name = lists[word_class]
    return list(_data()[table][name].split())


def _listed(word: str) -> list[str]:
    """The first list that holds the word."""
    for words in _lists():
        alike = words.split()
        if fold(word) in alike:
            return list(alike)
    return []


def _lists() -> Iterator[str]:
    for table in ("verbs", "adverbs", "others"):
        yield from _data()[table].values()


@cache
def _data() -> dict[str, Any]:
    return read_toml("exchanges.toml")


@cache
def _living(theme: str) -> frozenset[str]:
    """Living beings of a theme of nouns.toml, in every form that is listed here."""
    own = " ".join(_data()["nouns"]["animal"].values()) if theme == "animals" else ""
    return frozenset(map(fold, f"{read_toml('nouns.toml')['living'][theme]} {own}".split()))
