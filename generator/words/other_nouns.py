"""A sentence and a place in it go in; nouns and names that may stand there whatever is said come out."""

from typing import Final

from generator.words.fitting import is_of_somebody, is_past, theme_of
from generator.words.noun_kinds import NounKind, WordClass, exchange_lists, fold, is_listed_name, list_with
from generator.words.noun_slots import (
    governed,
    holds_article,
    is_determiner,
    is_subject,
    slot_at,
    verb_is_plural,
)
from generator.words.spoken import Spoken

_BEFORE_NOUN: Final = (WordClass.ARTICLE, WordClass.ADJECTIVE)
_BECOMES: Final = ("wird", "werde", "wirst", "war", "ist", "bin", "werden", "wurde")
_ALONE_BEFORE: Final = (WordClass.VERB, WordClass.ADVERB, WordClass.PRONOUN, WordClass.CONJUNCTION)
_GOES: Final = ("komm", "kam", "geh", "ging", "fahr", "fähr", "fuhr", "lauf", "läuf", "lief")
_US: Final = "ich wir man er sie mein meine unser unsere du"
_TO_WHOM: Final = "uns ihr ihm"


def bare_nouns(sentence: Spoken, place: int) -> list[str]:
    """Without an article: Oma, Mathe, nach Hause; and what may stand for a bare subject."""
    bare, word = exchange_lists()["bare"], fold(sentence.words[place])
    before = sentence.tagged[place - 1] if place else None
    if before and (before.word_class in _BEFORE_NOUN or is_determiner(fold(before.word))):
        return []
    alone = exchange_lists()["nouns"]["person"]["alone"].split()
    titled = not sentence.is_last(place) and sentence.tagged[place + 1].word_class is WordClass.NAME
    if sentence.tagged[place].word_class is WordClass.NAME or titled:
        return []
    if sentence.words[place] in (every := alone + [noun + "s" for noun in alone]):
        return [noun for noun in every if noun.endswith("s") == sentence.words[place].endswith("s")]
    stays = before and fold(before.word) == "zu" and any(fold(e.lemma) == "sein" for e in sentence.tagged)
    own = str(exchange_lists()["behind"].get("sein" if stays else fold(before.word), "")) if before else ""
    tied = sentence.words.count(sentence.words[place]) > 1 or "werden" in {
        fold(e.lemma) for e in sentence.tagged
    }
    if before and fold(before.word) == "zu" and sentence.is_last(place) and not tied:
        goes = any(fold(each).startswith(_GOES) for each in sentence.words)
        about = next((sentence.vectors[i].kind for i in sentence.subjects()), NounKind.LIVING)
        home = word in own.casefold() and about is NounKind.LIVING
        return own.split() if home else _TO_WHOM.split() if goes else []
    if sentence.is_last(place) and sentence.vectors[place].kind is NounKind.LIVING and before:
        trades, female = exchange_lists()["nouns"]["trade"], word.endswith(("in", "frau", "schwester"))
        learns = fold(before.word) in ("zum", "zur") and "Ausbildung" in sentence.words
        works = fold(before.word) == "als" or any(fold(each) in _BECOMES for each in sentence.words)
        works, plain = works or learns, learns or before.word_class in _ALONE_BEFORE
        plain = plain and theme_of(sentence.tagged[place]) in ("roles", "")
        if works and plain and not verb_is_plural(sentence.tagged):
            return str(trades["feminine" if female else "masculine"]).split()
    facts = "" if sentence.is_last(place) or is_of_everyday(sentence) else bare["direction"]
    there = before is not None and fold(before.word) == "im" and not is_of_everyday(sentence)
    facts = bare["direction"] if there else facts
    if word not in facts.casefold().split() and (alike := list_with(word, [own, *bare.values()])):
        return alike if is_subject(sentence.tagged, place) else [other for other in alike if other != "Herr"]
    if place == 0 and sentence.tagged[1].word_class is WordClass.VERB:
        subjects = exchange_lists()["subjects"]
        if sentence.vectors[0].kind is NounKind.LIVING and not verb_is_plural(sentence.tagged):
            return [str(each) for each in alone if theme_of(sentence.tagged[0]) == "family"]
        if not verb_is_plural(sentence.tagged) and sentence.vectors[0].kind is NounKind.THING:
            return []
        return str(subjects["many" if verb_is_plural(sentence.tagged) else "mass"]).split()
    return []


def behind_preposition(sentence: Spoken, place: int) -> list[str]:
    """What lies on the mat lies on the table: nouns of a group that is for this preposition."""
    slot, nouns = slot_at(sentence.tagged, place), exchange_lists()["nouns"]
    if slot is None or not slot.preposition:
        return []
    group = nouns["on"] if slot.preposition == "auf" else {}
    own = [str(group.get(form, "")) for form in slot.forms]
    return list_with(fold(sentence.words[place]), own)


def other_animals(sentence: Spoken, place: int) -> list[str]:
    """Every animal sits and runs."""
    verbs = [fold(each.word) for each in sentence.tagged if each.word_class is WordClass.VERB]
    every = [exchange_lists()["verbs"]["every_animal"]]
    slot = slot_at(sentence.tagged, place) if is_subject(sentence.tagged, place) else None
    if slot is None or len(verbs) != 1 or not list_with(verbs[0], every):
        return []
    herds = exchange_lists()["animals"].values()
    alike = [str(herd.get(form, "")) for herd in herds for form in slot.forms]
    return list_with(fold(sentence.words[place]), alike)


def famous_names(sentence: Spoken, place: int) -> list[str]:
    """Instead of somebody whom everybody knows."""
    behind = place > 0 and fold(sentence.words[place - 1]) in ("von", "wie")
    return list_with(fold(sentence.words[place]), exchange_lists()["names"]["famous"]) if behind else []


def is_of_everyday(sentence: Spoken) -> bool:
    """Whether it tells of us, or of a child by name."""
    kinds = (each.kind for each in sentence.vectors)
    living = (word for word, kind in zip(sentence.words, kinds, strict=True) if kind is NounKind.LIVING)
    return any(map(is_listed_name, living)) or bool({*map(fold, sentence.words)} & set(_US.split()))


def other_names(sentence: Spoken, place: int) -> list[str]:
    """Of persons, places and rivers."""
    names, word = exchange_lists()["names"], sentence.words[place]
    famous = exchange_lists()["others"]["famous"].split()
    place_name = sentence.vectors[place].kind is NounKind.PLACE
    whole = place > 0 and fold(sentence.words[place - 1]) in exchange_lists()["said_before"]["whole"].split()
    fact = place_name and not is_of_everyday(sentence)  # stays true
    there = governed(sentence.tagged, place) or not is_past(sentence.tagged)
    there = there and sentence.is_last(place)
    called = any(fold(each).startswith("heiß") for each in map(str.lower, sentence.words))
    if (fact and (whole or called or not there)) or set(famous) & set(sentence.words):
        return []
    before = sentence.tagged[place - 1] if place else None
    if place == 0 and sentence.tagged[1].word_class is WordClass.ARTICLE:
        return []  # Karl der Große
    wife = place > 1 and is_determiner(fold(sentence.words[place - 2]))  # seiner Frau Blumen
    if before and before.word in ("Herr", "Herrn", "Frau") and not wife:
        return str(names["family"]).split()
    if before and (before.word_class in _BEFORE_NOUN or holds_article(fold(before.word))):
        return []
    if known := list_with(
        fold(sentence.words[place]), [each for each in names.values() if isinstance(each, str)]
    ):
        return known
    if before and before.word_class in (WordClass.NAME, WordClass.NOUN) and not sentence.is_last(place):
        return []
    at = fold(before.word) if before else ""
    if place_name or (at in ("bei", "in", "nach", "gegen") and not is_listed_name(word)):
        goes = at in ("nach", "in", "aus", "von", "bei", "ganz", "gegen", "über")
        return str(names["place"]).split() if goes else []
    calling = (*exchange_lists()["others"]["titles"].split(), "von")
    named = before is not None and (before.word in calling or fold(before.lemma) == fold("heißen"))
    if not is_listed_name(word) and not named:
        return []
    of = word.removesuffix("s") if is_of_somebody(sentence.tagged[place]) else word
    found = str(names["female" if of.endswith(("a", "e", "ie")) else "male"]).split()
    return found if of == word else [name + "s" for name in found if name[-1] not in "sx"]
