"""In: the words of a sentence. Out: texts like it, with another word early on, and another one where it ends.

The word before is the same, so that what comes cannot be told from it: who wants to know it has to look
further back. One says all of these texts, whatever the sentence speaks of: what is exchanged does not depend
on the verb, and where no list knows another last word, something is said before it („das neue Schwert“).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from generator.words.before_end import HOW_MUCH, before_end
from generator.words.determiners import other_determiners
from generator.words.fits import adjectives_of, kin, objects_of
from generator.words.fitting import group_at, theme_of, verbs_like
from generator.words.noun_kinds import (
    NounKind,
    TaggedWord,
    WordClass,
    base_forms,
    exchange_lists,
    fold,
    is_listed_name,
    list_with,
    noun_kind,
)
from generator.words.noun_slots import holds_article, is_determiner, is_subject, slot_at, verb_is_plural
from generator.words.tagger import mended, tag
from generator.words.word_vectors import WordVector, word_vectors

_ENDINGS: Final = ("en", "em", "er", "es", "e", "")
_BE: Final = ("ist", "war", "sind", "waren", "bleibt", "bleiben", "wird", "werden")
# What is exchanged first: the words that carry the sentence.
_RANKS: Final = {
    WordClass.NOUN: 0,
    WordClass.NAME: 0,
    WordClass.PRONOUN: 0,
    WordClass.ADJECTIVE: 1,
    WordClass.ADVERB: 1,
    WordClass.VERB: 2,
    WordClass.ARTICLE: 3,
    WordClass.NUMERAL: 4,
    WordClass.CONJUNCTION: 4,
    WordClass.PARTICLE: 5,
}
_BEFORE_NOUN: Final = (WordClass.ARTICLE, WordClass.ADJECTIVE)
_PLANTS: Final = ("plants", "trees", "leaves")
_ROUNDS: Final = 2  # a place may have another word again where there are too few
_EATS: Final = ("friss", "fress", "fraß", "jag", "fäng", "fing")
_POSTURES: Final = ("rest", "move", "live")  # what every animal does


def similar_texts(words: Sequence[str], most: int, articles: bool = True) -> list[tuple[str, ...]]:
    """Up to `most` further texts; fewer where the sentence has too few words that can be exchanged.

    words: the sentence without the mark at its end, three words at least. articles: may be exchanged, too.
    A text may be longer than the sentence by one word or two; several may go on alike.
    """
    sentence = _sentence(tuple(words))
    ends, done = sentence.ends(), sentence.objects()
    used = {fold(word) for word in words}
    texts: list[tuple[str, ...]] = []
    for place in sentence.places_to_exchange() * _ROUNDS:
        if len(texts) == most:
            break
        if not articles and sentence.is_determiner(place):
            continue
        if (new := next((word for word in sentence.others(place) if fold(word) not in used), None)) is None:
            continue
        used.add(fold(new))
        known = [] if sentence.tagged[place].word_class is WordClass.VERB else done  # of this verb alone
        possible = [*known, *ends]
        fresh = (end for end in possible if not any(each.startswith(fold(end[0])) for each in used))
        end = next(fresh, possible[-1] if possible else None)
        if end is None:
            break
        used.add(fold(end[0]))
        texts.append((*words[:place], new, *words[place + 1 : -1], *end))
    return texts


def exchanged_at(words: Sequence[str], place: int) -> list[str]:
    """Words that may stand at the place instead of the one that does, the nearest first."""
    sentence = _sentence(tuple(words))
    return sentence.others(place) or sentence.of_theme(place)


def places_to_exchange(words: Sequence[str]) -> list[int]:
    """Places of words that can be exchanged, the best first, the end at last."""
    return [*_sentence(tuple(words)).places_to_exchange(), len(words) - 1]


@lru_cache(maxsize=8)
def _sentence(words: tuple[str, ...]) -> "_Sentence":
    return _Sentence(words, mended(tag(words)), tuple(word_vectors(words, 4)))


@dataclass(frozen=True)
class _Sentence:
    words: tuple[str, ...]
    tagged: tuple[TaggedWord, ...]
    vectors: tuple[WordVector, ...]

    def places_to_exchange(self) -> list[int]:
        """Places before the end, the best first; without the one right before it, which would tell it."""
        ranked = [place for place in range(len(self.words) - 2) if self.tagged[place].word_class in _RANKS]

        def order(place: int) -> tuple[int, int]:
            word_class = WordClass.ARTICLE if self.is_determiner(place) else self.tagged[place].word_class
            return _RANKS[word_class], place

        return sorted(ranked, key=order)

    def is_determiner(self, place: int) -> bool:
        return self._noun_of(place) is not None

    def objects(self) -> list[tuple[str, ...]]:
        """What the verb may be done with, too, of the same kind as the last word."""
        last = len(self.words) - 1
        if self.others(last):  # these fit whatever is done
            return []
        slot = slot_at(self.tagged, last) if self.tagged[last].word_class is WordClass.NOUN else None
        nouns = objects_of(self.tagged, last, slot) if slot else []
        own_too = self.words[last] in nouns
        nouns = [noun for noun in nouns if fold(noun) != fold(self.words[last])]
        living = [noun for noun in nouns if noun_kind(noun).kind is NounKind.LIVING]
        if self.vectors[last].kind is NounKind.LIVING:
            nouns = living
        elif 2 * len(living) > len(nouns):  # catches a mouse, or a ball
            return []
        own, selves = theme_of(self.tagged[last]), {"sich", "mich", "mir", "dir", "uns"} & set(self.words)
        near = [n for n in nouns if own and theme_of(replace(self.tagged[last], word=n, lemma="")) == own]
        # Who has a trade, and an animal, does it with less; behind an adjective little else is said.
        doers = {theme_of(self.tagged[i]) for i in self._subjects()}
        eats = any(fold(each.word).startswith(_EATS) for each in self.tagged)
        free = doers <= {"family"} or (doers == {"animal"} and eats)
        described = self.tagged[last - 1].word_class is WordClass.ADJECTIVE
        if not free and not described:
            return []
        if described or (selves and own == "body") or len(near) >= _ROUNDS:
            nouns = near if own_too or not described else []
        elif own and not near and not own_too:
            return []
        return [(noun,) for noun in self._turned(nouns)]

    def _subjects(self) -> list[int]:
        nouns = (i for i, each in enumerate(self.tagged[:-1]) if each.word_class is WordClass.NOUN)
        return [place for place in nouns if is_subject(self.tagged, place)]

    def ends(self) -> list[tuple[str, ...]]:
        """What may come where the last word does, itself included behind something that is said before it."""
        last = len(self.words) - 1
        added = before_end(self.tagged, self.vectors)
        found: list[tuple[str, ...]] = [(word,) for word in self.others(last)]
        tied = fold(self.words[last - 1]) in exchange_lists()["behind"]
        if not found or (self.tagged[last].word_class.has_kind and not tied):
            found += [(*words, self.words[last]) for words in added]
        measured = self.words[last - 1] in exchange_lists()["said_before"]["measured"].split()
        be = fold(self.words[last - 1]) != "zu" or any(fold(each) in _BE for each in self.words)  # zu gern
        how = be and not self.tagged[last].word_class.has_kind and fold(self.words[last - 1]) in HOW_MUCH
        if not found and self.words.count(self.words[last]) > 1:  # von Blume zu Blume
            every = str(exchange_lists()["others"]["many"]).split()
            many = [noun for noun in every if fold(self.words[last]) in base_forms(fold(noun))]
            return [(other, noun) for noun in many for other in ("anderen", "weiteren")]
        return found or [(word,) for word in self.of_theme(last) if measured or how]

    def others(self, place: int) -> list[str]:
        """Words that may stand at the place whatever is around; empty where none is known."""
        word = self.words[place]
        never = [fold(word), *exchange_lists()["others"]["never"].casefold().split()]
        found = [other for other in self._like(place) if fold(other) not in never]
        if place == 0 or (self.tagged[place].word_class is WordClass.NUMERAL and self.words[place].istitle()):
            found = [other[:1].upper() + other[1:] for other in found]
        return self._turned(found)

    def _turned(self, words: Sequence[str]) -> list[str]:
        """The same, beginning elsewhere for each sentence: not always the same words."""
        start = sum(map(ord, "".join(self.words))) % max(1, len(words))
        return [*words[start:], *words[:start]]

    def of_theme(self, place: int) -> list[str]:
        """Nouns that agree and are of the same theme, adjectives that say how: they may not fit the verb."""
        if self.tagged[place].word_class is WordClass.NOUN:
            return self._nouns(place)
        if self.tagged[place].word_class in (WordClass.ADJECTIVE, WordClass.ADVERB):
            return self._how(place)
        return []

    def _like(self, place: int) -> list[str]:
        word, word_class = fold(self.words[place]), self.tagged[place].word_class
        if place and fold(self.tagged[place - 1].lemma) == "heißen" and word_class.has_kind:
            return self._names(place)
        if (noun := self._noun_of(place)) is not None:
            return other_determiners(self.tagged, place, noun, self.vectors[noun].kind)
        slot = slot_at(self.tagged, place) if word_class is WordClass.NOUN else None
        if self.vectors[place].kind is NounKind.LIVING and (bare := self._bare_nouns(place)):
            return bare
        if alike := kin(self.words[place], slot, word_class is WordClass.NOUN):
            small = place and self.words[place - 1].startswith(("klein", "groß", "jung"))
            animals = any(theme_of(each) == "animal" for each in self.tagged)
            of_animal = self._is_last(place) and animals  # The mother of ducks is no aunt.
            grown = str(exchange_lists()["others"]["grown"]).split() if small or of_animal else []
            if of_animal and self.words[place] in grown:
                return []
            return [other for other in alike if other not in grown]
        match word_class:
            case WordClass.NOUN:
                return self._bare_nouns(place) or self._behind(place) or self._animals(place)
            case WordClass.NAME:
                return self._names(place)
            case WordClass.VERB:
                return verbs_like(self.tagged, [vector.kind for vector in self.vectors], place)
            case WordClass.ADJECTIVE:
                return self._adjectives(place)
            case WordClass.NUMERAL if word.isdecimal():
                return [str(int(word) + more) for more in (1, 2, 3, 5, 10)]
            case WordClass.NUMERAL | WordClass.CONJUNCTION:
                return list_with(word, exchange_lists()["small"].values())
            case WordClass.PRONOUN:
                return self._pronouns(place)
            case WordClass.ADVERB | WordClass.PARTICLE if not self._is_before(place):
                adverbs = exchange_lists()["adverbs"]
                behind = place and self.tagged[place - 1].word_class is WordClass.PREPOSITION
                return list_with(word, [adverbs["since"], adverbs["side"]] if behind else adverbs.values())
        return []

    def _is_last(self, place: int) -> bool:
        return place == len(self.words) - 1

    def _is_before(self, place: int) -> bool:
        """Whether an adverb belongs to the next word: gleich lang, heute Abend."""
        if self._is_last(place):
            return False
        alone = place > 0 and self.tagged[place - 1].word_class is WordClass.VERB  # esse gern frisches Brot
        adjective = self.tagged[place + 1].word_class is WordClass.ADJECTIVE and not alone
        return adjective or self.vectors[place + 1].kind is NounKind.TIME

    def _noun_of(self, place: int) -> int | None:
        """The noun that a determiner belongs to; None where there is none."""
        if not is_determiner(fold(self.words[place])):
            return None
        noun = place + 1
        while noun < len(self.words) and self.tagged[noun].word_class is WordClass.ADJECTIVE:
            noun += 1
        if noun == len(self.words) or not self.tagged[noun].word_class.has_kind:
            return None
        kind, name = self.vectors[noun].kind, self.tagged[noun].word_class is WordClass.NAME
        return None if name and kind is NounKind.PLACE else noun

    def _bare_nouns(self, place: int) -> list[str]:
        """Without an article: Oma, Mathe, nach Hause; and what may stand for a bare subject."""
        bare, word = exchange_lists()["bare"], fold(self.words[place])
        before = self.tagged[place - 1] if place else None
        if before and (before.word_class in _BEFORE_NOUN or is_determiner(fold(before.word))):
            return []
        alone = exchange_lists()["nouns"]["person"]["alone"].split()
        if self.tagged[place].word_class is WordClass.NAME:
            return []
        if self.words[place] in (every := alone + [noun + "s" for noun in alone]):
            return [noun for noun in every if noun.endswith("s") == self.words[place].endswith("s")]
        own = exchange_lists()["behind"].get(fold(before.word), "") if before else ""
        tied = self.words.count(self.words[place]) > 1 or "werden" in {fold(e.lemma) for e in self.tagged}
        if before and fold(before.word) == "zu" and self._is_last(place) and not tied:
            return str(own).split()
        if before and before.word_class is WordClass.NUMERAL and self._is_last(place):
            return list_with(word, [exchange_lists()["units"]["clock"]])
        if alike := list_with(word, [bare["direction"], own, *bare.values()]):
            return alike if is_subject(self.tagged, place) else [other for other in alike if other != "Herr"]
        if place == 0 and self.tagged[1].word_class is WordClass.VERB:
            subjects = exchange_lists()["subjects"]
            return str(subjects["many" if verb_is_plural(self.tagged) else "mass"]).split()
        return []

    def _behind(self, place: int) -> list[str]:
        """What lies on the mat lies on the table: nouns of a group that is for this preposition."""
        slot, nouns = slot_at(self.tagged, place), exchange_lists()["nouns"]
        if slot is None or not slot.preposition:
            return []
        lists, rests = exchange_lists()["before_contracted"], {"lebt", "leben", "wohnt", "wohnen"}
        group = nouns["on"] if slot.preposition == "auf" else {}
        own = [str(group.get(form, "")) for form in slot.forms]
        if known := list_with(fold(self.words[place]), own):
            return known
        if place != 1 or {*rests, "hier", "dort", "da"} & set(self.words):
            return []
        return str(lists.get(fold(self.words[0]), "")).split()

    def _animals(self, place: int) -> list[str]:
        """Every animal sits and runs."""
        verbs = [fold(each.word) for each in self.tagged if each.word_class is WordClass.VERB]
        postures = [words for name, words in exchange_lists()["verbs"].items() if name.startswith(_POSTURES)]
        slot = slot_at(self.tagged, place) if is_subject(self.tagged, place) else None
        if slot is None or len(verbs) != 1 or not list_with(verbs[0], postures):
            return []
        animals = exchange_lists()["nouns"]["animal"]
        return list_with(fold(self.words[place]), [str(animals.get(form, "")) for form in slot.forms])

    def _names(self, place: int) -> list[str]:
        names = exchange_lists()["names"]
        before = self.tagged[place - 1] if place else None
        wife = place > 1 and is_determiner(fold(self.words[place - 2]))  # seiner Frau Blumen
        if before and before.word in ("Herr", "Herrn", "Frau") and not wife:
            return str(names["family"]).split()
        if before and (before.word_class in _BEFORE_NOUN or holds_article(fold(before.word))):
            return []
        if self.words[place] in exchange_lists()["others"]["famous"].split():
            return ["jemand", "niemand"] if place == 0 and self.tagged[1].word_class is WordClass.VERB else []
        if known := list_with(fold(self.words[place]), names.values()):
            return known
        if before and before.word_class in (WordClass.NAME, WordClass.NOUN) and not self._is_last(place):
            return []
        if self.vectors[place].kind is NounKind.PLACE:
            there = before is not None and fold(before.word) in ("nach", "in", "aus", "von")
            return str(names["place"]).split() if there else []
        word = self.words[place]
        named = before is None or fold(before.lemma) == "heißen" or fold(before.word) == "von"
        if not is_listed_name(word) and not named:
            return []
        female = word.endswith(("a", "e", "ie"))
        return str(names["female" if female else "male"]).split()

    def _pronouns(self, place: int) -> list[str]:
        word, subjects = fold(self.words[place]), exchange_lists()["subjects"]
        others = set(map(fold, self.words[:place] + self.words[place + 1 :]))
        if self._is_last(place) or word in ("mir", "dir", "ihm"):
            small = exchange_lists()["small"]
            return list_with(
                word, [small[name] for name in ("whom", "to_whom", "much")] + [subjects["plural"]]
            )
        if not others & set(subjects["tied"].split()) and (place == 0 or word in ("er", "wir", "man")):
            name = "plural" if verb_is_plural(self.tagged) else "singular"
            if place == 0 or word != "sie":
                return list_with(word, [subjects[name], subjects["anybody"]])
        return []

    def _adjectives(self, place: int) -> list[str]:
        """With the same ending before a noun; else of those that are compared."""
        word, lists = fold(self.words[place]), exchange_lists()["adjectives"]
        behind = enumerate(self.tagged[place + 1 :], place + 1)
        noun = next((i for i, each in behind if each.word_class is not WordClass.ADJECTIVE), place)
        alone = noun == place and is_determiner(fold(self.words[place - 1]))  # „Die alte“
        if self.tagged[noun].word_class is WordClass.NOUN or alone:
            ending = next(ending for ending in _ENDINGS if word.endswith(ending))
            if not ending:
                return []
            stem = word.removesuffix(ending)
            stems = adjectives_of(self.words[noun]) or self._stems_for(stem, noun)
            return [stem.removesuffix("e") + ending for stem in stems or lists["thing"].split() * alone]
        names = ("compared", "compared_speed", "compared_sound", "most")
        adverbs = exchange_lists()["adverbs"]
        if self._is_last(place):
            how = [adverbs[name] for name in ("lateness", "sound", "speed")]
            return list_with(word, [*(lists[name] for name in names), *how])
        return list_with(word, [lists["colour"], *(lists[name] for name in names), *adverbs.values()])

    def _stems_for(self, stem: str, noun: int) -> list[str]:
        lists, theme = exchange_lists()["adjectives"], theme_of(self.tagged[noun])
        if {stem, stem + "e"} & set(map(fold, lists["colour"].split())):
            return str(lists["colour"]).split()
        if self.vectors[noun].kind is NounKind.LIVING and theme not in _PLANTS:
            return str(lists["living"]).split()
        return [] if self.vectors[noun].kind is NounKind.ABSTRACT else list_with(stem, [lists["thing"]])

    def _how(self, place: int) -> list[str]:
        """What somebody or something may be, or how it is done, behind „sehr“."""
        lists = exchange_lists()["adjectives"]
        about = next((i for i, each in enumerate(self.tagged) if each.word_class.has_kind), None)
        living = about is None or self.vectors[about].kind is NounKind.LIVING
        if any(fold(each) in _BE for each in self.words[:place]):
            abstract = about is not None and self.vectors[about].kind is NounKind.ABSTRACT
            return str(lists["living" if living else "how_abstract" if abstract else "how_thing"]).split()
        return str(lists["done" if living else "happening"]).split()

    def _nouns(self, place: int) -> list[str]:
        """Of the word's theme; where that has none of the form, such as fit nearly anywhere."""
        slot, nouns = slot_at(self.tagged, place), exchange_lists()["nouns"]
        if slot is None or fold(self.words[place]) in exchange_lists()["others"]["fixed"].split():
            return []
        kind = self.vectors[place].kind
        group = group_at(self.tagged, place, kind, slot.preposition)
        forms = slot.forms
        if not forms[0].startswith("mass"):
            group = "abstract" if group == "feelings" else group  # einen Schlaf
        elif kind is NounKind.LIVING:
            forms = ("plural",)
        found: list[str] = []
        for lists in (nouns[group], nouns["any"]):
            found = found or [
                slot.declined(noun, form)
                for form in forms
                for noun in lists.get(form, lists.get(f"mass_{form}", "")).split()
            ]
        return found
