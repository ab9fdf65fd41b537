"""A word and its verb go in; what makes sense in its place comes out, where fits.toml says so."""

from collections.abc import Mapping, Sequence
from functools import cache

from generator.words.noun_kinds import TaggedWord, WordClass, fold, read_toml
from generator.words.noun_slots import Case, Slot, governed, is_subject

Forms = Mapping[str, str]


def kin(word: str, slot: Slot | None, is_noun: bool) -> list[str]:
    """Words of the same form that may stand for it whatever is around; empty where none is known.

    slot: of a noun, None where too little is known of it.
    """
    lines: Mapping[str, list[str]] = read_toml("fits.toml")["kin"]
    names = ["others"]
    if is_noun and slot is None:
        names.append("feminine")  # has one form in its singular
    if is_noun and slot is not None and slot.case is not Case.GENITIVE:
        dative = ["dative"] * (slot.case is Case.DATIVE and "plural" in slot.forms)
        names += dative or [form.removeprefix("mass_") for form in slot.forms]
    every = (line.split() for name in names for line in lines[name])
    return next((line for line in every if word in line), [])


def adjectives_of(noun: str) -> list[str]:
    """Stems of adjectives that a noun may have; empty where every one may do."""
    found = (stems for nouns, stems in read_toml("fits.toml")["adjectives"].items() if _names(nouns, noun))
    return str(next(found, "")).split()


def nouns_of_verb(tagged: Sequence[TaggedWord], place: int, slot: Slot) -> list[str]:
    """What may be its subject or its object, declined; empty where the verb leaves it open."""
    measure = any(each.word_class.has_kind for each in tagged[place + 1 : place + 2])  # a cup of tea
    clauses = any(each.word_class is WordClass.CONJUNCTION for each in tagged)
    if governed(tagged, place) or slot.case is Case.DATIVE or measure or clauses:
        return []
    role = "subjects" if is_subject(tagged, place) else "objects"
    verbs = [fold(each.word) for each in tagged if each.word.islower()]  # the tagger does not know them all
    for beginnings, forms in _of_verbs(role).items():
        if any(verb.startswith(tuple(map(fold, beginnings.split()))) for verb in verbs):
            fitting = ((form, str(forms.get(form, "")).split()) for form in slot.forms)
            return [slot.declined(noun, form) for form, nouns in fitting for noun in nouns]
    return []


@cache
def _of_verbs(role: str) -> Mapping[str, Forms]:
    found: Mapping[str, Forms] = read_toml("fits.toml")[role]
    return found


def _names(nouns: str, noun: str) -> bool:
    return fold(noun) in map(fold, nouns.split())
