"""The tagged words of a sentence go in; verbs that may stand for one of its verbs come out.

They have its person, number and tense, and an object where it has one.
"""

from collections.abc import Sequence

from generator.words.last_verbs import last_verbs
from generator.words.noun_kinds import fold
from generator.words.noun_slots import exchange_lists, list_with
from generator.words.sentence_parts import goes_somewhere, has_dative, subject_and_objects
from generator.words.word_classes import NounKind, TaggedWord, WordClass

_HELPING = ("modal", "weather", "be", "have")  # the last two change the tense
_OF_THINGS = ("thing", "shine")


def verbs_like(tagged: Sequence[TaggedWord], kinds: Sequence[NounKind | None], place: int) -> list[str]:
    """Empty where the verb may want other words around it than those which are listed."""
    word, verbs = fold(tagged[place].word), exchange_lists()["verbs"]
    if place == len(tagged) - 1:
        return last_verbs(tagged, kinds)
    classes = [each.word_class for each in tagged]
    two_clauses = WordClass.CONJUNCTION in classes and classes.count(WordClass.VERB) > 1
    helpers = _HELPING[:2] if two_clauses else _HELPING
    helping = list_with(word, [words for name, words in verbs.items() if name.startswith(helpers)])
    transitive = exchange_lists()["transitive"]
    if of_us := list_with(word, [transitive["of_i"], transitive["of_you"]]):
        return of_us
    if helping or not _is_simple(tagged):
        return helping
    nouns = subject_and_objects(tagged, kinds)
    objects = len(nouns) - 1
    if objects < 0 or objects > 1 or (objects == 1 and has_dative(tagged, nouns)):
        return []
    living = all(kinds[noun] in (None, NounKind.LIVING) for noun in nouns[: 1 if objects else None])
    if objects == 1 and goes_somewhere(tagged):
        return []
    if objects == 1:
        return list_with(word, transitive.values()) or _transitive(tagged[place], living)
    if goes_somewhere(tagged):
        return list_with(word, [words for name, words in verbs.items() if name.startswith("move")])
    of_things = [] if living else [words for name, words in verbs.items() if name.startswith(_OF_THINGS)]
    return list_with(word, [*of_things, *verbs.values()])


def _is_simple(tagged: Sequence[TaggedWord]) -> bool:
    """Neither in two parts nor with „sich“ or „es“, not of ich and du, the only verb but a helping one."""
    words = {fold(each.word) for each in tagged}
    in_parts = tagged[-1].word_class in (WordClass.PARTICLE, WordClass.PREPOSITION, WordClass.VERB)
    return not in_parts and not words & {"sich", "mich", "dich", "uns", "euch", "zu", "ich", "du", "es", ","}


def _transitive(verb: TaggedWord, living: bool) -> list[str]:
    """What goes with nearly every object."""
    word, lists = fold(verb.word), exchange_lists()["any"]["living" if living else "things"]
    if word.endswith("n"):
        return str(lists["past_plural" if word != fold(verb.lemma) else "plural"]).split()
    return str(lists["past" if word.endswith("te") else "present"]).split()
