"""A noun goes in; what it is about comes out: the name of a group of noun_exchanges.toml or nouns.toml."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from generator.words.noun_kinds import base_forms, begins_compound, fold, read_toml
from generator.words.noun_slots import exchange_lists
from generator.words.word_classes import NounKind, TaggedWord

# Groups of exchanges.toml that are themes too; of a word in two of them the last one counts.
_THEMES: Final = (
    "animal plants trees ground leaves food baked soup spices drinks dishes art texts papers songs tasks "
    "tests pens stones materials boats aircraft machines creatures place buildings water rivers direction "
    "night sky wind shapes planets"
)


def theme_of(noun: TaggedWord) -> str:
    """The group of nouns.toml that holds the word or the end of it."""
    words = [fold(word) for word in (noun.lemma, noun.word) if word]
    for form in (*words, *(form for word in words for form in base_forms(word))):
        for start in range(max(1, len(form) - 2)):
            if form[start:] in _themes() and (not start or begins_compound(form[:start])):
                return _themes()[form[start:]]
    return ""


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
