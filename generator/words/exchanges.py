"""In: the words of a sentence. Out: texts like it, with another word early on, and another one where it ends.

The word before is the same, so that what comes cannot be told from it: who wants to know it has to look
further back. One says all of these texts, whatever the sentence speaks of: what is exchanged does not depend
on the verb, and where no list knows another last word, something is said before it („das neue Schwert“).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from generator.words.adverbs_before_end import is_denied
from generator.words.before_end import before_end
from generator.words.determiners import other_determiners
from generator.words.fits import kin, objects_of
from generator.words.fitting import another_day, group_at, theme_of, verbs_like
from generator.words.noun_kinds import (
    NounKind,
    WordClass,
    base_forms,
    exchange_lists,
    fold,
    list_with,
    noun_kind,
)
from generator.words.noun_slots import slot_at, verb_is_plural
from generator.words.other_adjectives import HOW_MUCH, how_it_is, other_adjectives
from generator.words.other_nouns import (
    bare_nouns,
    behind_preposition,
    famous_names,
    is_of_everyday,
    other_animals,
    other_names,
)
from generator.words.spoken import Spoken
from generator.words.tagger import mended, tag
from generator.words.word_vectors import word_vectors

_BE: Final = ("ist", "war", "sind", "waren", "bleibt", "bleiben", "wird", "werden")
# What is exchanged first: the words that carry the sentence.
_RANKS: Final = {
    WordClass.NOUN: 0,
    WordClass.NAME: 0,
    WordClass.PRONOUN: 0,
    WordClass.VERB: 1,
    WordClass.ADVERB: 2,
    WordClass.ARTICLE: 3,
    WordClass.ADJECTIVE: 4,
    WordClass.NUMERAL: 5,
    WordClass.CONJUNCTION: 5,
    WordClass.PARTICLE: 6,
}
_ROUNDS: Final = 2  # a place may have another word again where there are too few
_EATS: Final = ("friss", "fress", "fraß", "jag", "fäng", "fing")


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
        possible = [end for end in (*known, *ends) if end[0] != words[-2]]
        possible = [end for end in possible if end[0] != "nicht" or not is_denied((new, *words[:-1]))]
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
    others = [word for word in sentence.others(place) if " " not in word]
    return others or sentence.of_theme(place)


def places_to_exchange(words: Sequence[str]) -> list[int]:
    """Places of words that can be exchanged, the best first, the end at last."""
    return [*_sentence(tuple(words)).places_to_exchange(), len(words) - 1]


@lru_cache(maxsize=8)
def _sentence(words: tuple[str, ...]) -> "_Sentence":
    return _Sentence(words, mended(tag(words)), tuple(word_vectors(words, 4)))


@dataclass(frozen=True)
class _Sentence(Spoken):
    def places_to_exchange(self) -> list[int]:
        """Places before the end, the best first; without the one right before it, which would tell it."""
        ranked = [place for place in range(len(self.words) - 2) if self.tagged[place].word_class in _RANKS]

        def order(place: int) -> tuple[int, int]:
            word_class = WordClass.ARTICLE if self.is_determiner(place) else self.tagged[place].word_class
            return _RANKS[word_class], place

        return sorted(ranked, key=order)

    def is_determiner(self, place: int) -> bool:
        return self.noun_of(place) is not None

    def objects(self) -> list[tuple[str, ...]]:
        """What the verb may be done with, too, of the same kind as the last word."""
        last = len(self.words) - 1
        if self.others(last):  # these fit whatever is done
            return []
        slot = slot_at(self.tagged, last) if self.tagged[last].word_class is WordClass.NOUN else None
        nouns = objects_of(self.tagged, last, slot) if slot else []
        own_too = self.words[last] in nouns
        plays = any(fold(each.word).startswith("spiel") for each in self.tagged)
        if not own_too and (plays or any(theme_of(self.tagged[i]) == "animal" for i in self.subjects())):
            return []  # not everybody eats clover
        nouns = [noun for noun in nouns if fold(noun) != fold(self.words[last])]
        living = [noun for noun in nouns if noun_kind(noun).kind is NounKind.LIVING]
        if self.vectors[last].kind is NounKind.LIVING:
            nouns = living
        elif 2 * len(living) > len(nouns):  # catches a mouse, or a ball
            return []
        own, selves = theme_of(self.tagged[last]), {"sich", "mich", "mir", "dir", "uns"} & set(self.words)
        near = [n for n in nouns if own and theme_of(replace(self.tagged[last], word=n, lemma="")) == own]
        # Who has a trade, and an animal, does it with less; behind an adjective little else is said.
        doers = {theme_of(self.tagged[i]) for i in self.subjects()}
        eats = any(fold(each.word).startswith(_EATS) for each in self.tagged)
        groups = (exchange_lists()["nouns"][name] for name in ("family", "person"))
        relatives = " ".join(line for group in groups for line in group.values()).split()
        places = any(
            v.kind is NounKind.PLACE and t.word_class is WordClass.NAME
            for v, t in zip(self.vectors, self.tagged, strict=True)
        )
        free = not places and all(self.words[i] in relatives for i in self.subjects())
        free = free or (doers == {"animal"} and eats)
        described = self.tagged[last - 1].word_class is WordClass.ADJECTIVE
        if not free and not described:
            return []
        if described or (selves and own == "body") or len(near) >= _ROUNDS:
            nouns = near if own_too or not described else []
        elif own and not near and not own_too:
            return []
        return [(noun,) for noun in self._turned(nouns)]

    def ends(self) -> list[tuple[str, ...]]:
        """What may come where the last word does, itself included behind something that is said before it."""
        last = len(self.words) - 1
        added = before_end(self.tagged, self.vectors)
        found = [tuple(word.split()) for word in self.others(last)]
        tied = fold(self.words[last - 1]) in exchange_lists()["behind"]
        if not found or (self.tagged[last].word_class.has_kind and not tied):
            found += [(*words, self.words[last]) for words in added]
        measured = self.words[last - 1] in exchange_lists()["said_before"]["measured"].split()
        measured = measured and self.vectors[last].kind is NounKind.THING
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
            return how_it_is(self, place)
        return []

    def _like(self, place: int) -> list[str]:
        word, word_class = fold(self.words[place]), self.tagged[place].word_class
        if self.words[place] in exchange_lists()["others"]["famous"].split():
            return famous_names(self, place)
        before = self.tagged[place - 1] if place else None
        called = (
            before is not None and before.word_class is WordClass.VERB and fold(before.lemma) == "heissen"
        )
        if called and word_class.has_kind:
            return other_names(self, place)
        if (noun := self.noun_of(place)) is not None:
            return other_determiners(self.tagged, place, noun, self.vectors[noun].kind)
        slot = slot_at(self.tagged, place) if word_class is WordClass.NOUN else None
        if self.vectors[place].kind is NounKind.LIVING and (bare := bare_nouns(self, place)):
            return bare
        counted = word_class is WordClass.NUMERAL
        subject = fold(self.words[place - 1]) == "in" and place == 1  # In Musik lernen wir
        if (
            not counted
            and not subject
            and (word_class not in (WordClass.VERB, WordClass.NAME) or self.is_last(place))
            and (alike := kin(self.words[place], slot, word_class is WordClass.NOUN))
        ):
            small = place and self.words[place - 1].startswith(("klein", "groß", "jung"))
            animals = any(theme_of(each) == "animal" for each in self.tagged)
            of_animal = self.is_last(place) and animals  # The mother of ducks is no aunt.
            grown = str(exchange_lists()["others"]["grown"]).split() if small or of_animal else []
            if not self.is_last(place) and self.tagged[place + 1].word_class is WordClass.NAME:
                titles = str(exchange_lists()["others"]["titles"]).split()
                return [other for other in alike if other in titles] if self.words[place] in titles else []
            if of_animal and self.words[place] in grown:
                return []
            meals = ("Mittag", "Abend") if before is not None and fold(before.word) == "zu" else alike
            return [other for other in alike if other not in grown and other in meals]
        if self.is_last(place) and word == "mehr" and self.words[place - 2].startswith("kein"):
            return list_with(word, [exchange_lists()["behind"]["kein"]])
        never = self.is_last(place) and fold(self.words[place - 1]) in ("nicht", "nichts")
        if never and (alike := list_with(word, [exchange_lists()["behind"][fold(self.words[place - 1])]])):
            return alike
        match word_class:
            case WordClass.NOUN:
                return (
                    bare_nouns(self, place) or behind_preposition(self, place) or other_animals(self, place)
                )
            case WordClass.NAME:
                return other_names(self, place)
            case WordClass.VERB:
                return verbs_like(self.tagged, [vector.kind for vector in self.vectors], place)
            case WordClass.ADJECTIVE:
                return other_adjectives(self, place)
            case WordClass.NUMERAL if {"mal", "plus", "minus", *_BE} & set(self.words):
                return []  # sums stay right
            case WordClass.NUMERAL if not self.is_last(place) and not is_of_everyday(self):
                return []  # a spider's legs
            case WordClass.NUMERAL if word.isdecimal():
                year = len(word) == len("1789")
                of_it = self.is_last(place) and fold(self.words[place - 1]) == "jahr"
                return [] if year and not of_it else [str(int(word) + more) for more in (1, 2, 3, 5, 10)]
            case WordClass.ADVERB if word == "heute":
                return another_day(self.tagged)
            case WordClass.NUMERAL | WordClass.CONJUNCTION:
                return list_with(word, exchange_lists()["small"].values())
            case WordClass.PRONOUN:
                return self._pronouns(place)
            case WordClass.ADVERB | WordClass.PARTICLE if not self.is_before(place) and not (
                word == "nicht" and self.is_last(place)
            ):
                adverbs = exchange_lists()["adverbs"]
                behind = place and self.tagged[place - 1].word_class is WordClass.PREPOSITION
                return list_with(
                    word,
                    [adverbs["since"], adverbs["left"]]
                    if behind
                    else [words for name, words in adverbs.items() if name != "since"],
                )
        return []

    def _pronouns(self, place: int) -> list[str]:
        word, subjects = fold(self.words[place]), exchange_lists()["subjects"]
        others = set(map(fold, self.words[:place] + self.words[place + 1 :]))
        if self.is_last(place) or word in ("mir", "dir", "ihm"):
            small, before = exchange_lists()["small"], fold(self.words[place - 1])
            dative = before in exchange_lists()["prepositions"]["dative"].split()
            gives = tuple(exchange_lists()["others"]["to_somebody"].split())
            dative = dative or any(each.startswith(gives) for each in others)
            names = ("to_whom", "whom", "much", "all") if dative else ("whom", "to_whom", "much", "all")
            own = {
                "du": ("dir", "dich", "euch"),
                "ich": ("mir", "mich"),
                "wir": ("uns",),
                "ihr": ("dir", "euch"),
            }
            selves = [self_ for who in others for self_ in own.get(who, ())]
            found = list_with(word, [*(small[name] for name in names), subjects["plural"]])
            return [each for each in found if not {each, word} & {*selves}]
        if not others & set(subjects["tied"].split()) and (place == 0 or word in ("er", "wir", "man")):
            if place == 1 and self.tagged[0].word_class is WordClass.VERB:
                return []  # Wollen wir
            name = "plural" if verb_is_plural(self.tagged) else "singular"
            if place == 0 or word != "sie":
                found = list_with(word, [subjects[name], subjects["anybody"]])
                return [each for each in found if len(each) < 4 or not is_denied(self.words)]  # jeder nicht
        return []

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
