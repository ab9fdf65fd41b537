"""A sentence and a place in it go in; nouns and names that may stand there whatever is said come out."""

from typing import Final

from generator.words.fitting import theme_of
from generator.words.noun_kinds import NounKind, WordClass, exchange_lists, fold, is_listed_name, list_with
from generator.words.noun_slots import holds_article, is_determiner, is_subject, slot_at, verb_is_plural
from generator.words.spoken import Spoken

_BEFORE_NOUN: Final = (WordClass.ARTICLE, WordClass.ADJECTIVE)
_AREAS: Final = ("place", "water", "rivers")
_BECOMES: Final = ("wird", "werde", "wirst", "war", "ist", "bin", "werden", "wurde")
_ALONE_BEFORE: Final = (WordClass.VERB, WordClass.ADVERB, WordClass.PRONOUN, WordClass.CONJUNCTION)
_GOES: Final = ("komm", "kam", "geh", "ging", "fahr", "fähr", "fuhr", "lauf", "läuf", "lief")
_TO_WHOM: Final = "uns ihr ihm"
_POSTURES: Final = ("rest", "move", "live")  # what every animal does


def bare_nouns(sentence: Spoken, place: int) -> list[str]:
    """Without an article: Oma, Mathe, nach Hause; and what may stand for a bare subject."""
    bare, word = exchange_lists()["bare"], fold(sentence.words[place])
    before = sentence.tagged[place - 1] if place else None
    if before and (before.word_class in _BEFORE_NOUN or is_determiner(fold(before.word))):
        return []
    alone = exchange_lists()["nouns"]["person"]["alone"].split()
    if sentence.tagged[place].word_class is WordClass.NAME:
        return []
    if sentence.words[place] in (every := alone + [noun + "s" for noun in alone]):
        return [noun for noun in every if noun.endswith("s") == sentence.words[place].endswith("s")]
    own = str(exchange_lists()["behind"].get(fold(before.word), "")) if before else ""
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
        works = fold(before.word) == "als" or any(fold(each) in _BECOMES for each in sentence.words)
        plain = before.word_class in _ALONE_BEFORE and theme_of(sentence.tagged[place]) in ("roles", "")
        if works and plain and not verb_is_plural(sentence.tagged):
            return str(trades["feminine" if female else "masculine"]).split()
    if alike := list_with(word, [bare["direction"], own, *bare.values()]):
        return alike if is_subject(sentence.tagged, place) else [other for other in alike if other != "Herr"]
    if place == 0 and sentence.tagged[1].word_class is WordClass.VERB:
        subjects = exchange_lists()["subjects"]
        if sentence.vectors[0].kind is NounKind.LIVING and not verb_is_plural(sentence.tagged):
            return [str(each) for each in alone]
        if not verb_is_plural(sentence.tagged) and sentence.vectors[0].kind is NounKind.THING:
            return []
        return str(subjects["many" if verb_is_plural(sentence.tagged) else "mass"]).split()
    return []


def behind_preposition(sentence: Spoken, place: int) -> list[str]:
    """What lies on the mat lies on the table: nouns of a group that is for this preposition."""
    slot, nouns = slot_at(sentence.tagged, place), exchange_lists()["nouns"]
    if slot is None or not slot.preposition:
        return []
    lists, rests = exchange_lists()["before_contracted"], {"lebt", "leben", "wohnt", "wohnen"}
    group = nouns["on"] if slot.preposition == "auf" else {}
    own = [str(group.get(form, "")) for form in slot.forms]
    theme = theme_of(sentence.tagged[place])
    if place == 1 and theme in _AREAS:
        own += [str(nouns[theme].get(form, "")) for form in slot.forms]
    if known := list_with(fold(sentence.words[place]), own):
        return known
    after = sentence.tagged[place + 1].word_class if not sentence.is_last(place) else WordClass.NUMERAL
    elsewhere = sentence.vectors[place].kind is not NounKind.PLACE or after is WordClass.NUMERAL
    elsewhere = elsewhere or theme == "buildings"
    if place != 1 or elsewhere or {*rests, "hier", "dort", "da"} & set(sentence.words):
        return []
    return str(lists.get(fold(sentence.words[0]), "")).split()


def other_animals(sentence: Spoken, place: int) -> list[str]:
    """Every animal sits and runs."""
    verbs = [fold(each.word) for each in sentence.tagged if each.word_class is WordClass.VERB]
    postures = [words for name, words in exchange_lists()["verbs"].items() if name.startswith(_POSTURES)]
    slot = slot_at(sentence.tagged, place) if is_subject(sentence.tagged, place) else None
    if slot is None or len(verbs) != 1 or not list_with(verbs[0], postures):
        return []
    herds = exchange_lists()["animals"].values()
    alike = [str(herd.get(form, "")) for herd in herds for form in slot.forms]
    return list_with(fold(sentence.words[place]), alike)


def famous_names(sentence: Spoken, place: int) -> list[str]:
    """Instead of somebody whom everybody knows."""
    if place == 0 and sentence.tagged[1].word_class is WordClass.VERB:
        return ["jemand", "niemand"]
    behind = place > 0 and fold(sentence.words[place - 1]) in ("von", "wie")
    return list_with(fold(sentence.words[place]), exchange_lists()["names"]["famous"]) if behind else []


def other_names(sentence: Spoken, place: int) -> list[str]:
    """Of persons, places and rivers."""
    names, word = exchange_lists()["names"], sentence.words[place]
    famous = exchange_lists()["others"]["famous"].split()
    if set(famous) & set(sentence.words):
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
    if sentence.vectors[place].kind is NounKind.PLACE or (
        at in ("bei", "in", "nach", "gegen") and not is_listed_name(word)
    ):
        there = at in ("nach", "in", "aus", "von", "bei", "ganz", "gegen", "über")
        return str(names["place"]).split() if there else []
    named = before is None or fold(before.lemma) == fold("heißen") or fold(before.word) == "von"
    if not is_listed_name(word) and not named:
        return []
    female = word.endswith(("a", "e", "ie"))
    return str(names["female" if female else "male"]).split()
