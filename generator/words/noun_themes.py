"""A noun goes in; what it is about comes out, and of which group of noun_exchanges.toml others are taken."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from generator.words.noun_kinds import base_forms, begins_compound, exchange_lists, fold, list_with, read_toml
from generator.words.word_classes import NounKind, TaggedWord

# Groups of exchanges.toml that are themes too; of a word in two of them the last one counts.
_THEMES: Final = (
    "animal rescue team fire plants trees ground leaves food baked soup spices drinks dishes art texts "
    "papers songs tasks speeches tests pens stones substances materials boats aircraft machines "
    "creatures place buildings water rivers direction night sky wind shapes planets"
)

_LIVING: Final = ("animal", "plants", "trees", "family", "creatures", "team", "rescue")
_BEHIND: Final = {"auf": "_on", "an": "_at", "zu": "_to", "in": "_inside", "aus": "_inside"}


def theme_of(noun: TaggedWord) -> str:
    """The group of nouns.toml that holds the word or the end of it."""
    words = [fold(word) for word in (noun.lemma, noun.word) if word]
    for form in (*words, *(form for word in words for form in base_forms(word))):
        for start in range(max(1, len(form) - 2)):
            if form[start:] in _themes() and (not start or begins_compound(form[:start])):
                return _themes()[form[start:]]
    return ""


def group_at(tagged: Sequence[TaggedWord], place: int, kind: NounKind | None, preposition: str) -> str:
    """Which nouns make sense there: by what the word stands for, and the preposition."""
    theme = theme_of(tagged[place])
    nouns: Mapping[str, Mapping[str, str]] = exchange_lists()["nouns"]
    behind = _BEHIND.get(preposition, "")
    if theme in ("team", "rescue") or (kind is NounKind.LIVING and theme != "ground"):
        return theme if theme in _LIVING else "person"
    for name in (name for name in nouns if behind and name.endswith(behind)):
        if list_with(fold(tagged[place].word), nouns[name].values()):
            return name
    if theme in ("buildings", "direction") and behind in ("", "_inside"):
        return {"nach": "time", "über": "place_on"}.get(preposition, theme) if theme == "buildings" else theme
    if theme in ("night", "ground") or (theme in ("water", "rivers") and behind != "_at"):
        return theme
    if theme == "sky":
        return "sky_at" if behind == "_at" else theme
    if kind is NounKind.TIME and fold(tagged[place - 1].word).startswith(("jede", "eines")):
        return "every"
    if kind in (NounKind.PLACE, NounKind.TIME):
        name = str(kind) + ("_at" if kind is NounKind.TIME and preposition == "von" else behind)
        return name if name in nouns else str(kind)
    if kind is NounKind.ABSTRACT:
        return theme if theme in nouns else "time" if behind == "_inside" else "abstract"
    named = theme if theme in nouns else "home" if theme else "thing"
    if named in ("home", "thing", "nature", "leisure", "school", "planets") and behind:
        return behind.removeprefix("_") if behind != "_to" else "place_to"
    return named


@cache
def _themes() -> Mapping[str, str]:
    """Words and their groups: our own ones first."""
    found = {}
    nouns = {name: lists for kind in NounKind for name, lists in read_toml("nouns.toml")[kind].items()}
    for name, words in nouns.items():
        for word in words.split():
            found[fold(word)] = "animal" if name == "animals" else name
    for name in _THEMES.split():
        for words in exchange_lists()["nouns"][name].values():
            found.update({fold(word): name for word in words.split()})
    return found
