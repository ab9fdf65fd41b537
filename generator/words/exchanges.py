"""In: the words of a sentence. Out: texts like it, in which words are exchanged for others of the same kind.

Each text has another word early on and another one at its end. The word before the end is the same, so that
the end cannot be told from it: who wants to know it has to look further back.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from generator.words.fits import adjectives_of, kin, nouns_of_verb
from generator.words.fitting import group_at, theme_of, verbs_like
from generator.words.noun_kinds import (
    NounKind,
    TaggedWord,
    WordClass,
    closed_classes,
    exchange_lists,
    fold,
    list_with,
    noun_kind,
)
from generator.words.noun_slots import governed, is_determiner, is_subject, slot_at, verb_is_plural
from generator.words.tagger import tag
from generator.words.word_vectors import WordVector, word_vectors

_ENDINGS: Final = ("en", "em", "er", "es", "e", "")
_BE: Final = ("ist", "war", "sind", "waren", "bleibt", "bleiben", "wird", "werden")
# What is exchanged first: the words that carry the sentence.
_RANKS: Final = {
    WordClass.NOUN: 0,
    WordClass.NAME: 0,
    WordClass.ADJECTIVE: 1,
    WordClass.ADVERB: 1,
    WordClass.VERB: 2,
    WordClass.ARTICLE: 3,
    WordClass.NUMERAL: 3,
    WordClass.QUESTION: 3,
    WordClass.PRONOUN: 4,
    WordClass.CONJUNCTION: 4,
    WordClass.PREPOSITION: 5,
    WordClass.PARTICLE: 6,
}
_TOLD_BY_VERB: Final = 4  # löscht den …: sooner the verb is exchanged than what it asks for
_BEFORE_NOUN: Final = (WordClass.ARTICLE, WordClass.ADJECTIVE)
_EATEN: Final = ("food", "baked", "soup", "spices", "drinks")
_ROUNDS: Final = 2  # a place may have another word again where there are too few


def similar_texts(words: Sequence[str], most: int, articles: bool = True) -> list[tuple[str, ...]]:
    """Up to `most` further texts; fewer where the sentence has too few words that can be exchanged.

    words: the sentence without the mark at its end, three words at least. articles: may be exchanged, too.
    """
    sentence = _sentence(tuple(words))
    ends = sentence.others(len(words) - 1)
    used = {fold(word) for word in words}
    texts: list[tuple[str, ...]] = []
    for place in sentence.places_to_exchange() * _ROUNDS:
        if len(texts) == most:
            break
        if not articles and sentence.tagged[place].word_class is WordClass.ARTICLE:
            continue
        new = next((word for word in sentence.others(place) if fold(word) not in used), None)
        if new is None:
            continue
        taken = used | {fold(new)}
        end = next((word for word in ends if not any(each.startswith(fold(word)) for each in taken)), None)
        if end is None:
            continue
        used = taken | {fold(end)}
        texts.append((*words[:place], new, *words[place + 1 : -1], end))
    return texts


def exchanged_at(words: Sequence[str], place: int) -> list[str]:
    """Words that may stand at the place instead of the one that does, the nearest first."""
    return _sentence(tuple(words)).others(place)


def places_to_exchange(words: Sequence[str]) -> list[int]:
    """Places of words that can be exchanged, the best first, the end at last."""
    return [*_sentence(tuple(words)).places_to_exchange(), len(words) - 1]


@lru_cache(maxsize=8)
def _sentence(words: tuple[str, ...]) -> "_Sentence":
    return _Sentence(words, _mended(tag(words)), tuple(word_vectors(words, 4)))


def _mended(tagged: Sequence[TaggedWord]) -> tuple[TaggedWord, ...]:
    """„heißen“ in „Wir trinken heißen Tee“ is no second verb."""
    mended = list(tagged)
    for place in range(1, len(tagged) - 1):
        verbs = [each for each in tagged[: place + 1] if each.word_class is WordClass.VERB]
        ends = tagged[place].word.endswith(_ENDINGS[:-1]) and tagged[place].word.islower()
        if tagged[place] in verbs[1:] and ends and tagged[place + 1].word_class is WordClass.NOUN:
            mended[place] = replace(tagged[place], word_class=WordClass.ADJECTIVE)
    last, last_listed = tagged[-1], closed_classes().german.get(fold(tagged[-1].word))
    if last.word_class is WordClass.PARTICLE and last.word.startswith("ge"):  # gefangen
        mended[-1] = replace(last, word_class=WordClass.VERB)
    elif last.word_class is WordClass.PARTICLE and last_listed is WordClass.ADJECTIVE:  # kalt
        mended[-1] = replace(last, word_class=WordClass.ADJECTIVE)
    return tuple(mended)


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

        def order(place: int) -> tuple[bool, bool, int, int]:
            sure, rank = self._is_sure(place), _RANKS[self.tagged[place].word_class]
            told_by_verb = not sure and not rank and not governed(self.tagged, place)
            return place == before_end, not sure, _TOLD_BY_VERB if told_by_verb else rank, place

        return sorted(ranked, key=order)

    def _is_sure(self, place: int) -> bool:
        """Whether the word is in a list with the others, or somebody's: sense is kept, not only grammar."""
        match self.tagged[place].word_class:
            case WordClass.PREPOSITION:
                return False
            case WordClass.ARTICLE:
                return True
        living = self.vectors[place].kind is NounKind.LIVING
        return living or fold(self.words[place]) in map(fold, self._like(place))

    def others(self, place: int) -> list[str]:
        """Words that may stand at the place, the nearest first; empty where none is known."""
        word = self.words[place]
        never = [fold(word), *exchange_lists()["others"]["never"].casefold().split()]
        if {"gern", "gerne", "liebsten"} & set(map(fold, self.words)):  # nobody knows or needs gladly
            never += exchange_lists()["others"]["not_gladly"].split()
        found = [other for other in self._like(place) if fold(other) not in never]
        if place == 0:
            found = [other[:1].upper() + other[1:] for other in found]
        start = sum(map(ord, "".join(self.words))) % max(1, len(found))  # not always the same words
        return [*found[start:], *found[:start]]

    def _like(self, place: int) -> list[str]:
        word, word_class = fold(self.words[place]), self.tagged[place].word_class
        slot = slot_at(self.tagged, place) if word_class is WordClass.NOUN else None
        if slot and (fitting := self._fitting(place, nouns_of_verb(self.tagged, place, slot))):
            return fitting
        if alike := kin(self.words[place], slot, word_class is WordClass.NOUN):
            return alike
        match word_class:
            case WordClass.NOUN:
                return self._nouns(place)
            case WordClass.NAME:
                return self._names(place)
            case WordClass.VERB:
                return verbs_like(self.tagged, [vector.kind for vector in self.vectors], place)
            case WordClass.ADJECTIVE:
                return self._adjectives(place)
            case WordClass.ARTICLE:
                return self._articles(place)
            case WordClass.NUMERAL if word.isdecimal():
                return [str(int(word) + more) for more in (1, 2, 3, 5, 10)]
            case WordClass.PREPOSITION if not self._is_last(place):
                return self._prepositions(place)
            case WordClass.NUMERAL | WordClass.QUESTION | WordClass.CONJUNCTION:
                return list_with(word, exchange_lists()["small"].values())
            case WordClass.PRONOUN:
                return self._pronouns(place)
            case WordClass.PARTICLE | WordClass.PREPOSITION if self._is_last(place) and word != "nicht":
                return self._particles(word)
            case WordClass.ADVERB | WordClass.PARTICLE:
                adverbs = exchange_lists()["adverbs"]
                return list_with(word, adverbs.values()) or (
                    adverbs["anywhere"].split() if self._is_last(place) else []
                )
        return []

    def _is_last(self, place: int) -> bool:
        return place == len(self.words) - 1

    def _fitting(self, place: int, nouns: list[str]) -> list[str]:
        """Of nouns that the verb asks for those like the word; none if the verb is meant in another sense."""
        own, word = theme_of(self.tagged[place]), fold(self.words[place])
        nouns = [noun for noun in nouns if fold(noun) != word]
        theme = {noun: theme_of(replace(self.tagged[place], word=noun, lemma="")) for noun in nouns}
        living = [noun for noun in nouns if noun_kind(noun).kind is NounKind.LIVING]
        if self.vectors[place].kind is NounKind.LIVING:
            return [noun for noun in living if not own or (theme[noun] == "animal") == (own == "animal")]
        if 2 * len(living) > len(nouns) and own not in ("", *_EATEN):  # catches a mouse, or a ball
            return []
        near = [noun for noun in nouns if own and theme[noun] == own]
        if not near and own in _EATEN[1:]:
            return []
        return near if len(near) >= _ROUNDS else nouns

    def _articles(self, place: int) -> list[str]:
        """Of the subject, where no adjective takes its ending from them."""
        if not self.tagged[place + 1 :] or self.tagged[place + 1].word_class is not WordClass.NOUN:
            return []
        if not is_subject(self.tagged, place + 1) or self.vectors[place + 1].kind is NounKind.TIME:
            return []
        plural = fold(self.words[place]) == "die" and verb_is_plural(self.tagged)
        return str(
            exchange_lists()["articles"].get("plural" if plural else fold(self.words[place]), "")
        ).split()

    def _names(self, place: int) -> list[str]:
        names = exchange_lists()["names"]
        if known := list_with(fold(self.words[place]), names.values()):
            return known
        before = self.tagged[place - 1].word_class if place else None
        determined = before in _BEFORE_NOUN or is_determiner(fold(self.words[place - 1]))
        if place and determined and (self._is_last(place) or before not in _BEFORE_NOUN):
            return self._nouns(place)
        if before in (*_BEFORE_NOUN, WordClass.NAME, WordClass.NOUN) and not self._is_last(place):
            return []
        if self.vectors[place].kind is NounKind.PLACE:
            return str(names["place"]).split()
        return [*names["female"].split(), *names["male"].split()]

    def _prepositions(self, place: int) -> list[str]:
        """Of the same case, as the article tells it."""
        small, article = exchange_lists()["small"], fold(self.words[place + 1])
        if self.vectors[place + 1].kind is NounKind.TIME:  # zum Montag
            return []
        names = {"em": "with_dative", "er": "with_dative", "ie": "with_accusative", "as": "with_accusative"}
        two = small.get(names.get(article[-2:], ""), "")
        return list_with(fold(self.words[place]), [small["merged"], two])

    def _particles(self, word: str) -> list[str]:
        """Of a verb in two parts: räumt … auf."""
        verb = next((fold(each.word) for each in self.tagged if each.word_class is WordClass.VERB), "")
        small, stems = exchange_lists()["small"], exchange_lists()["particles"]
        lists = [small["direction"], *(words for stem, words in stems.items() if verb.startswith(fold(stem)))]
        return list_with(word, lists) or str(exchange_lists()["small"]["prefix"]).split()

    def _pronouns(self, place: int) -> list[str]:
        word = fold(self.words[place])
        after = self.tagged[place + 1].word_class if place + 1 < len(self.words) else None
        if place == 0 and word in ("er", "sie") and not verb_is_plural(self.tagged):
            return ["er", "sie"]
        if self._is_last(place) or word in ("mir", "dir", "ihm"):
            small = exchange_lists()["small"]
            return list_with(word, [small[name] for name in ("whom", "to_whom", "much")])
        stems = str(exchange_lists()["others"]["possessive"]).split()
        stem = next(
            (stem for stem in stems if word.removeprefix(stem) in _ENDINGS and word.startswith(stem)), ""
        )
        if not stem or after not in (WordClass.NOUN, WordClass.ADJECTIVE):
            return []
        return [other + word.removeprefix(stem) for other in stems]

    def _adjectives(self, place: int) -> list[str]:
        """With the same ending before a noun; else words that fit what is spoken of, or that say how."""
        word, lists = fold(self.words[place]), exchange_lists()["adjectives"]
        noun = next(
            (i for i in range(place + 1, len(self.words)) if self.tagged[i].word_class is WordClass.NOUN),
            None,
        )
        between = self.tagged[place + 1 : noun] if noun is not None else ()
        if (
            noun is not None
            and word.endswith(_ENDINGS[:-1])
            and all(e.word_class is WordClass.ADJECTIVE for e in between)
        ):
            ending = next(ending for ending in _ENDINGS if word.endswith(ending))
            stem = word.removesuffix(ending)
            stems = adjectives_of(self.words[noun]) or self._stems_for(stem, noun)
            return [stem.removesuffix("e") + ending for stem in stems]
        about = next((i for i, each in enumerate(self.tagged) if each.word_class.has_kind), None)
        living = self._kind(about) in (None, NounKind.LIVING)
        alike = ("colour", "heat", "compared", "compared_doing", "most")
        if known := list_with(word, [lists[name] for name in alike]):
            return known
        if not self._is_last(place) and (place == 0 or fold(self.words[place + 1]) in ("als", "wie")):
            return []
        if any(fold(each) in _BE for each in self.words[:place]):
            if about is not None and theme_of(self.tagged[about]) in _EATEN:
                return str(lists["taste"]).split()
            thing = (
                "abstract" if self._kind(about) in (NounKind.ABSTRACT, NounKind.TIME) else "predicate_thing"
            )
            return str(lists["living" if living else thing]).split()
        if any(fold(each) in ("tut", "tat", "tun") for each in self.words[:place]):
            return str(exchange_lists()["adverbs"]["does"]).split()
        if any(fold(each).startswith("schmeck") for each in self.words[:place]):
            return str(exchange_lists()["adverbs"]["taste"]).split()
        adverbs = exchange_lists()["adverbs"]
        manner = adverbs["manner" if living else "manner_thing"]
        own = [adverbs[name] for name in ("sound", "light", "speed")[: 3 - living]]
        return list_with(word, [*own, manner, adverbs["lateness"]]) or str(manner).split()

    def _kind(self, place: int | None) -> NounKind | None:
        return None if place is None else self.vectors[place].kind

    def _stems_for(self, stem: str, noun: int) -> list[str]:
        lists, theme = exchange_lists()["adjectives"], theme_of(self.tagged[noun])
        for name in ("colour", "clothes") if theme == "clothes" else ("colour", "heat", "taste"):
            if {stem, stem + "e"} & set(map(fold, lists[name].split())):
                return str(lists[name]).split()
        if self.vectors[noun].kind is NounKind.LIVING:
            return str(lists["living"]).split()
        return list_with(stem, [lists["thing"]])

    def _nouns(self, place: int) -> list[str]:
        """Of the word's theme; where that has none of the form, such as fit nearly anywhere."""
        nouns, bare, word = exchange_lists()["nouns"], exchange_lists()["bare"], fold(self.words[place])
        before = self.tagged[place - 1] if place else None
        determined = before and (before.word_class in _BEFORE_NOUN or is_determiner(fold(before.word)))
        if not determined and self.words[place] in (alone := nouns["person"]["alone"].split()):
            return list(alone)
        after = self.tagged[place + 1] if not self._is_last(place) else None
        if after and after.word_class is WordClass.NAME and self.vectors[place].kind is not NounKind.LIVING:
            return []
        if not determined:
            own = bare.get(fold(before.word), "") if before else ""
            if alike := list_with(word, [bare["direction"], own, *bare.values()]):
                if not is_subject(self.tagged, place):  # Herrn
                    alike = [other for other in alike if other != "Herr"]
                return alike if self._is_last(place) or word not in map(fold, bare["clock"].split()) else []
        slot = slot_at(self.tagged, place)
        if slot is None or word in exchange_lists()["others"]["fixed"].split():
            return []
        group = group_at(self.tagged, place, self.vectors[place].kind, slot.preposition)
        forms = slot.forms
        if not forms[0].startswith("mass"):
            group = "abstract" if group == "feelings" else group  # einen Schlaf
        elif self.words.count(self.words[place]) > 1:  # von Blume zu Blume
            forms = ("masculine", "feminine", "neuter")
        elif self.vectors[place].kind is NounKind.LIVING:  # Er ist Lehrer
            said_to_be = any(fold(each.lemma) in ("sein", "werden", "bleiben") for each in self.tagged)
            group = "trade" if said_to_be else group
            forms = ("feminine" if word.endswith("in") else "masculine",) if said_to_be else ("plural",)
        found: list[str] = []
        for lists in (nouns[group], nouns["any"]):
            found = found or [
                slot.declined(noun, form)
                for form in forms
                for noun in lists.get(form, lists.get(f"mass_{form}", "")).split()
            ]
        return found
