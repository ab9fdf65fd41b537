"""The tagged words of a sentence go in; verbs that may stand for one of its verbs come out.

They have its person, number and tense, and an object where it has one.
"""

from collections.abc import Sequence

from generator.words.noun_kinds import fold
from generator.words.noun_slots import (
    SUBJECTS,
    Case,
    belongs_to_noun,
    exchange_lists,
    governed,
    list_with,
    slot_at,
)
from generator.words.word_classes import NounKind, TaggedWord, WordClass

_HELPING = ("be_present", "be_plural", "modal_present", "modal_plural", "have_present", "have_plural")
_LOCAL = ("in", "an", "auf", "unter", "über", "neben", "hinter", "vor", "zwischen", "bei")
_OF_THINGS = ("thing", "shine")
_FORMS = {"en": "do_plural", "te": "do_past", "t": "do_present"}


def verbs_like(tagged: Sequence[TaggedWord], kinds: Sequence[NounKind | None], place: int) -> list[str]:
    """Empty where the verb may want other words around it than those which are listed."""
    word, verbs = fold(tagged[place].word), exchange_lists()["verbs"]
    at_end = place == len(tagged) - 1
    helping = list_with(word, [verbs[name] for name in _HELPING])
    if helping or not _is_simple(tagged, place):
        return [] if at_end else helping
    nouns = _subject_and_objects(tagged)
    objects = len(nouns) - 1
    if objects < 0 or objects > 1 or (objects == 1 and _has_dative(tagged, nouns)):
        return []
    if objects == 1:
        return list_with(word, exchange_lists()["transitive"].values()) or _transitive(word, at_end)
    if at_end and word.startswith("ge"):
        return list_with(word, verbs.values())
    if _goes_somewhere(tagged):
        return list_with(word, [words for name, words in verbs.items() if name.startswith("move")])
    if any(tagged[noun].word_class.has_kind and kinds[noun] is not NounKind.LIVING for noun in nouns):
        of_things = [words for name, words in verbs.items() if name.startswith(_OF_THINGS)]
        return list_with(word, [*of_things, *verbs.values()])
    likely = next((name for ending, name in _FORMS.items() if word.endswith(ending) and at_end), "")
    return list_with(word, verbs.values()) or verbs.get(likely, "").split()


def _is_simple(tagged: Sequence[TaggedWord], place: int) -> bool:
    """Neither in two parts nor with „sich“, not of ich and du, and the only verb but a helping one."""
    words = {fold(each.word) for each in tagged}
    last = tagged[-1].word_class
    in_two_parts = last in (WordClass.PARTICLE, WordClass.PREPOSITION)
    strange = words & {"sich", "mich", "dich", "uns", "euch", "zu", "ich", "du", ","}
    return not strange and not in_two_parts and (place == len(tagged) - 1 or last is not WordClass.VERB)


def _subject_and_objects(tagged: Sequence[TaggedWord]) -> list[int]:
    """What stands without preposition, and the pronouns."""
    return [
        place
        for place, each in enumerate(tagged)
        if (each.word_class is WordClass.PRONOUN and fold(each.word) in (*SUBJECTS, "sie"))
        or (each.word_class.has_kind and not governed(tagged, place) and not belongs_to_noun(tagged, place))
    ]


def _has_dative(tagged: Sequence[TaggedWord], nouns: Sequence[int]) -> bool:
    slots = [slot_at(tagged, place) for place in nouns if tagged[place].word_class is WordClass.NOUN]
    return any(slot is not None and slot.case is Case.DATIVE for slot in slots)


def _goes_somewhere(tagged: Sequence[TaggedWord]) -> bool:
    """Whether a preposition stands there that the verb may ask for: in die, gegen, aus, mit."""
    slots = [slot_at(tagged, i) for i, each in enumerate(tagged) if each.word_class is WordClass.NOUN]
    return any(
        slot.case is not Case.DATIVE or slot.preposition not in _LOCAL
        for slot in slots
        if slot is not None and slot.preposition
    )


def _transitive(word: str, at_end: bool) -> list[str]:
    lists = exchange_lists()["transitive"]
    if at_end and word.startswith(("ge", "ver", "be", "er")):
        return str(lists["participle"]).split()
    if word.endswith("n"):
        return str(lists["plural"]).split()
    return str(lists["past" if word.endswith("te") else "present"]).split()
