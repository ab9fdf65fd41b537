"""A word goes in; what makes sense in its place, or before it, comes out, where fits.toml says so."""

from collections.abc import Mapping, Sequence
from functools import cache

from generator.words.noun_kinds import (
    NounKind,
    TaggedWord,
    WordClass,
    base_forms,
    begins_compound,
    fold,
    noun_kind,
    noun_lists,
    read_toml,
)
from generator.words.noun_slots import Case, Slot, governed, is_subject


def kin(word: str, slot: Slot | None, is_noun: bool) -> list[str]:
    """Words of the same form that may stand for it whatever is around; empty where none is known.

    slot: of a noun, None where too little is known of it.
    """
    lines: Mapping[str, list[str]] = read_toml("fits.toml")["kin"]
    names = ["others"]
    if is_noun and slot is None:
        names.append("feminine")  # has one form in its singular
    if is_noun and slot is not None and slot.case is not Case.GENITIVE:
        names += [form.removeprefix("mass_") for form in slot.forms]
    dative = slot is not None and slot.case is Case.DATIVE and "plural" in slot.forms
    every = (line.split() for name in names for line in lines[name])
    return next((line for line in every if word in line and not dative), [])


def objects_of(tagged: Sequence[TaggedWord], place: int, slot: Slot) -> list[str]:
    """What the verb may be done with instead of the noun here, declined; empty where that is not known."""
    clauses = any(each.word_class is WordClass.CONJUNCTION for each in tagged)
    if slot.case is not Case.ACCUSATIVE or governed(tagged, place) or is_subject(tagged, place) or clauses:
        return []
    verbs = [fold(each.word) for each in tagged if each.word.islower()]  # the tagger does not know them all
    for beginnings, forms in _objects().items():
        if any(verb.startswith(tuple(map(fold, beginnings.split()))) for verb in verbs):
            fitting = ((form, str(forms.get(form, "")).split()) for form in slot.forms)
            return [slot.declined(noun, form) for form, nouns in fitting for noun in nouns]
    return []


@cache
def _objects() -> Mapping[str, Mapping[str, str]]:
    found: Mapping[str, Mapping[str, str]] = read_toml("fits.toml")["objects"]
    return found


@cache
def adjectives_of(noun: str) -> list[str]:
    """Stems of adjectives that a noun or what it is the end of may have; empty where every one may do."""
    whole, lists = fold(noun), read_toml("fits.toml")["adjectives"]
    lines = {word: stems for nouns, stems in lists.items() for word in map(fold, nouns.split())}
    listed = whole in noun_lists().words
    plain = sorted(base_forms(whole), key=lambda form: not whole.startswith(form))  # Blüten not of Blut
    forms = (whole,) if listed else (whole, *plain)  # Drucker not of Druck
    heads = ((form, word) for form in forms for word in lines if len(word) > 2 and form.endswith(word))
    head = next((word for form, word in heads if begins_compound(form.removesuffix(word))), "")
    own = next((form for form in forms if form in lines), head)
    if own != whole and (noun_kind(noun).kind is NounKind.LIVING) != (noun_kind(own).kind is NounKind.LIVING):
        return []  # nor an actor of acts
    return str(lines.get(own, "")).split()
