"""A tagged noun goes in; its gender comes out, by lists and endings, and whether one has some of it."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from generator.words.noun_kinds import (
    NounKind,
    Origin,
    TaggedWord,
    begins_compound,
    exchange_lists,
    fold,
    noun_kind,
)

FEMININE: Final = ("in", "ung", "heit", "keit", "schaft", "ei", "ion", "tät", "ie", "ik", "ee")
SINGULAR: Final = ("masculine", "feminine", "neuter")


def gender_of(noun: TaggedWord) -> str:
    """The noun's gender; empty where it is not known."""
    word = fold(noun.word)
    known = listed_forms()
    head = next((form for form in known if len(form) > 3 and is_head(form, word)), "")
    own = known.get(word) or known.get(fold(noun.lemma)) or known.get(head, set())
    listed = [form for form in own if form in SINGULAR]
    if len(listed) == 1:
        return listed[0]
    if word.endswith(("chen", "lein", *exchange_lists()["others"]["neuter"].split())):
        return "neuter"
    if word.endswith(tuple(exchange_lists()["others"]["masculine"].split())):
        return "masculine"
    if word + "en" in weak_nouns() or word + "n" in weak_nouns():
        return "masculine"
    rosemary = word.endswith("in") and noun_kind(word.removesuffix("in")).kind is not NounKind.LIVING
    other = rosemary or word.endswith(tuple(exchange_lists()["others"]["not_feminine"].split()))
    return "feminine" if word.endswith(FEMININE) and not other else ""


def is_head(noun: str, compound: str) -> bool:
    """Whether the noun is what a compound ends with. Both folded."""
    return compound.endswith(noun) and compound != noun and begins_compound(compound.removesuffix(noun))


@cache
def weak_nouns() -> frozenset[str]:
    """What ends so in every case of the singular but the nominative, and is masculine."""
    return frozenset(exchange_lists()["others"]["weak"].casefold().split())


@cache
def is_mass(noun: str) -> bool:
    """Whether it is listed as what one has some of. noun: folded."""
    lists = (
        words
        for group in exchange_lists()["nouns"].values()
        for name, words in group.items()
        if "mass" in name
    )
    return any(noun in map(fold, words.split()) for words in lists)


def has_no_plural(noun: str) -> bool:
    """Whether there is one or one has some of it: Sonne, Mehl. noun: folded."""
    return noun in exchange_lists()["others"]["one"].casefold().split() or is_mass(noun)


@cache
def listed_forms() -> Mapping[str, set[str]]:
    """The genders of the listed nouns, and plural."""
    found: dict[str, set[str]] = {}
    for lists in exchange_lists()["nouns"].values():
        for form, words in lists.items():
            for word in words.split():
                if form not in ("alone", "also"):
                    found.setdefault(fold(word), set()).add(form.removeprefix("mass_"))
    return found


def gender_behind_ein(noun: TaggedWord) -> str:
    """Who lives is masculine there, but for a few."""
    gender, found = gender_of(noun), noun_kind(noun.word, noun.lemma)
    if gender or found.kind is not NounKind.LIVING or found.origin is not Origin.LISTED:
        return gender
    neuter = exchange_lists()["others"]["living_neuter"].casefold().split()
    return "neuter" if fold(noun.word).endswith((*neuter, "tier")) else "masculine"
