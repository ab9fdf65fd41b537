"""The tagged words of a sentence go in; what stands around its verb comes out."""

from collections.abc import Sequence

from generator.words.noun_kinds import fold
from generator.words.noun_slots import SUBJECTS, Case, belongs_to_noun, governed, slot_at
from generator.words.word_classes import NounKind, TaggedWord, WordClass

_LOCAL = ("in", "an", "auf", "unter", "über", "neben", "hinter", "vor", "zwischen", "bei")
_OBJECTS = ("wen", "ihn", "mich", "dich", "euch", "das", "was", "nichts", "etwas", "alles")
_ALONE = (*SUBJECTS, "sie", "ich", "du", "wer", *_OBJECTS)


def subject_and_objects(tagged: Sequence[TaggedWord], kinds: Sequence[NounKind | None]) -> list[int]:
    """What stands without preposition, and the pronouns; no time („jeden Morgen“) beside others."""
    found = [
        place
        for place, each in enumerate(tagged)
        if _stands_alone(tagged, place)
        or (each.word_class in (WordClass.PRONOUN, WordClass.QUESTION) and fold(each.word) in _ALONE)
    ]
    return [place for place in found if kinds[place] is not NounKind.TIME] or found


def _stands_alone(tagged: Sequence[TaggedWord], place: int) -> bool:
    """Whether it is a noun without preposition, and no part of the one before: Gregor Samsa."""
    own = tagged[place].word_class
    part = own is WordClass.NAME and place > 0 and tagged[place - 1].word_class.has_kind
    return own.has_kind and not part and not governed(tagged, place) and not belongs_to_noun(tagged, place)


def has_dative(tagged: Sequence[TaggedWord], nouns: Sequence[int]) -> bool:
    slots = [slot_at(tagged, place) for place in nouns if tagged[place].word_class is WordClass.NOUN]
    return any(slot is not None and slot.case is Case.DATIVE for slot in slots)


def goes_somewhere(tagged: Sequence[TaggedWord]) -> bool:
    """Whether a preposition stands there that the verb may ask for: in die, gegen, aus, mit."""
    slots = [(slot_at(tagged, i), each) for i, each in enumerate(tagged) if each.word_class.has_kind]
    return any(
        slot.preposition not in _LOCAL or (slot.case is not Case.DATIVE and each.word_class is WordClass.NOUN)
        for slot, each in slots
        if slot is not None and slot.preposition
    )
