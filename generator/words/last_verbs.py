"""The tagged words of a sentence that ends with a verb go in; verbs that may end it instead come out.

What counts is the form that the words before ask for, and what stands around the verb: an object, „sich“, …
"""

from collections.abc import Sequence

from generator.words.noun_kinds import fold
from generator.words.noun_slots import exchange_lists, list_with
from generator.words.sentence_parts import goes_somewhere, has_dative, subject_and_objects
from generator.words.word_classes import NounKind, TaggedWord, WordClass

_FINITE = {"ten": "past_plural", "te": "past", "t": "present", "n": "plural", "e": ""}
_SELVES = ({"sich"}, {"ich", "mich"}, {"du", "dich"}, {"wir", "uns"}, {"ihr", "euch"})
_TO_WHOM = {"mir", "dir", "ihm", "ihnen"}


def last_verbs(tagged: Sequence[TaggedWord], kinds: Sequence[NounKind | None]) -> list[str]:
    """Empty where the form cannot be told."""
    own, lists = fold(tagged[-1].word), exchange_lists()["last"]
    helper = _helper(tagged)
    if not helper:  # only what belongs to the same verb
        joined = [i for i, each in enumerate(tagged) if each.word_class is WordClass.CONJUNCTION]
        start = joined[-1] + 1 if joined else 0
        tagged, kinds = tagged[start:], kinds[start:]
    weather = [words for name, words in exchange_lists()["verbs"].items() if name.startswith("weather")]
    if alike := list_with(own, [*lists["alike"].values(), *weather]):
        return alike
    form = _form(tagged[-1], helper, _is_living(tagged, kinds))
    frame = _frame(tagged, kinds, helper if form == "participle" else "")
    listed = {"transitive": exchange_lists()["transitive"], "do": exchange_lists()["verbs"]}.get(frame, {})
    known = list_with(own, [words for name, words in listed.items() if name.endswith(form)])
    return known or str(lists[frame].get(form, "")).split()


def _helper(tagged: Sequence[TaggedWord]) -> str:
    """The lemma of the verb that the last one goes with; empty where that is the verb of its clause."""
    for each in reversed(tagged[:-1]):
        if each.word_class is WordClass.CONJUNCTION:
            break
        if each.word_class is WordClass.VERB:
            return fold(each.lemma)
    return ""


def _form(verb: TaggedWord, helper: str, living: bool) -> str:
    """An infinitive has the form of the plural."""
    own = fold(verb.word)
    infinitive = own == fold(verb.lemma)
    if helper in ("haben", "sein") or (helper == "werden" and not (infinitive and living)):
        return "participle"
    if helper:
        return "plural"
    return next((form for ending, form in _FINITE.items() if own.endswith(ending)), "past")


def _is_living(tagged: Sequence[TaggedWord], kinds: Sequence[NounKind | None]) -> bool:
    """The subject, as far as one sees; pronouns are somebody."""
    nouns = subject_and_objects(tagged, kinds)
    return not nouns or kinds[nouns[0]] in (None, NounKind.LIVING)


def _frame(tagged: Sequence[TaggedWord], kinds: Sequence[NounKind | None], helper: str) -> str:
    words, nouns = {fold(each.word) for each in tagged}, subject_and_objects(tagged, kinds)
    living = _is_living(tagged, kinds)
    if helper == "werden":
        return "passive"
    if helper == "sein":
        return "motion" if living else "vanish"
    if any(pair <= words for pair in _SELVES):
        return "for_oneself" if len(nouns) > 1 else "oneself"
    if words & _TO_WHOM or has_dative(tagged, nouns):
        return "give" if len(nouns) > 1 + (not words & _TO_WHOM) else "help"
    if len(nouns) > 1:
        return "transitive" if living else "change"
    if living:
        return "motion" if goes_somewhere(tagged) else "do"
    return "work"
