"""Adjectives that may stand for one another: before a noun, at the end, by what they measure."""

from collections.abc import Sequence
from typing import Final

from generator.words.fits import adjectives_of
from generator.words.fitting import theme_of
from generator.words.noun_kinds import NounKind, WordClass, exchange_lists, fold, list_with
from generator.words.noun_slots import is_definite, is_determiner
from generator.words.spoken import Spoken

_ENDINGS: Final = ("en", "em", "er", "es", "e", "")
_BE: Final = ("ist", "war", "sind", "waren", "bleibt", "bleiben", "wird", "werden")
_DIRECTIONS: Final = ("hoch", "tief", "flach", "weit", "nah", "lang", "kurz", "breit")
HOW_MUCH: Final = ("sehr", "so", "zu", "ganz", "besonders", "ziemlich", "wie", "am", "etwas")
_PLANTS: Final = ("plants", "trees", "leaves")


def other_adjectives(sentence: Spoken, place: int) -> list[str]:
    """With the same ending before a noun; else of those that are compared."""
    word, lists = fold(sentence.words[place]), exchange_lists()["adjectives"]
    if place and sentence.words[place].istitle():
        return []  # der Zweite Weltkrieg
    behind = enumerate(sentence.tagged[place + 1 :], place + 1)
    noun = next((i for i, each in behind if each.word_class is not WordClass.ADJECTIVE), place)
    before = fold(sentence.words[place - 1])
    alone = noun == place and is_determiner(before) and is_definite(before)  # „Die alte“
    if sentence.tagged[noun].word_class is WordClass.NOUN or alone:
        ending = next(ending for ending in _ENDINGS if word.endswith(ending))
        if not ending:
            return []
        stem = word.removesuffix(ending)
        if theme_of(sentence.tagged[noun]) == "wind" and (kinds := adjectives_of(sentence.words[noun])):
            return [each + ending for each in kinds]
        plain = sentence.is_last(place) or stem in lists["plain"].split()
        living = sentence.vectors[noun].kind is NounKind.LIVING
        plain = plain and sentence.vectors[noun].kind is not NounKind.TIME
        if plain and (opposites := opposites_of(word, ending, living)):
            return opposites
        stems = _stems_for(sentence, stem, noun)
        return [stem.removesuffix("e") + ending for stem in stems or lists["thing"].split() * alone]
    names, adverbs = (
        ("compared", "compared_speed", "compared_time", "compared_sound", "most"),
        exchange_lists()["adverbs"],
    )
    if sentence.is_last(place):
        if theme_of(sentence.tagged[place - 1]) in ("measures", "units"):
            return list_with(word, exchange_lists()["measured"].values())
        still = fold(sentence.words[place - 1]) in ("noch", "schon")  # noch klein
        makes = any(fold(each).startswith("mach") for each in sentence.words)
        moves = word in _DIRECTIONS and not any(fold(each) in _BE for each in sentence.words)
        if still or makes or moves:
            return []  # hebt hoch, fliegt tief
        is_so = any(fold(each) in _BE for each in sentence.words)
        how = lists["opposites"] if fold(sentence.words[place - 1]) in HOW_MUCH else []
        how = how if is_so or word in lists["manner"].split() else []  # leuchtet sehr hell
        shades = lists["shades"] if any(fold(each).startswith("blüh") for each in sentence.words) else []
        return list_with(word, [*(lists[name] for name in names), *how, *shades])
    return list_with(word, adverbs.values())


def _stems_for(sentence: Spoken, stem: str, noun: int) -> list[str]:
    lists, theme = exchange_lists()["adjectives"], theme_of(sentence.tagged[noun])
    before = fold(sentence.words[noun - 2]) if noun > 1 else ""
    if colours := list_with(stem, lists["shades"]):
        return colours
    if sentence.vectors[noun].kind is NounKind.LIVING and theme not in _PLANTS and is_determiner(before):
        return list_with(stem, [lists["living"]])
    return (
        []
        if sentence.vectors[noun].kind in (NounKind.ABSTRACT, NounKind.TIME)
        else list_with(stem, [lists["thing"]])
    )


def how_it_is(sentence: Spoken, place: int) -> list[str]:
    """What somebody or something may be, or how it is done, behind „sehr“."""
    lists = exchange_lists()["adjectives"]
    about = next((i for i, each in enumerate(sentence.tagged) if each.word_class.has_kind), None)
    living = about is None or sentence.vectors[about].kind is NounKind.LIVING
    if any(fold(each) in _BE for each in sentence.words[:place]):
        abstract = about is not None and sentence.vectors[about].kind is NounKind.ABSTRACT
        if about is None and "es" in map(fold, sentence.words):
            return str(lists["how_weather"]).split()
        return str(lists["how_living" if living else "how_abstract" if abstract else "how_thing"]).split()
    senses = tuple(lists["senses"].split())
    if any(fold(each).startswith(senses) for each in sentence.words):
        return str(lists["sensed"]).split()
    return str(lists["done" if living else "happening"]).split()


def opposites_of(word: str, ending: str, living: bool) -> list[str]:
    """Adjectives of what is measured by the word, with its ending; empty where none is known."""
    lists = exchange_lists()["adjectives"]
    for line in [lists["ages"]] * living + lists["opposites"]:
        others = [_bent(other, ending) for other in line.split()]
        if fold(word) in map(fold, others):
            return [other for other in others if fold(other) != fold(word)]
    return []


def _bent(adjective: str, ending: str) -> str:
    if not ending:
        return adjective
    stem = {"hoch": "hoh", "dunkel": "dunkl", "teuer": "teur", "sauer": "saur"}.get(adjective, adjective)
    return stem.removesuffix("e") + ending


def next_of(word: str, row: Sequence[str]) -> str:
    """What stands behind the word in the row; empty where it is the last or not there."""
    return row[row.index(word) + 1] if word in row[:-1] else ""
