"""Adverbs before a last word that an adjective would not fit: wieder auf, sehr gut und gern schwimmen."""

from collections.abc import Mapping, Sequence
from typing import Final

from generator.words.fits import kin
from generator.words.fitting import MODAL
from generator.words.noun_kinds import NounKind, TaggedWord, WordClass, exchange_lists, fold, noun_kind
from generator.words.noun_slots import BE, governed, holds_article, introduced

ADDED: Final = "und"
_BEHIND_WORDS: Final = tuple(
    "behind_" + name
    for name in ("not", "already", "still", "never", "hardly", "always", "seldom", "often", "much", "long")
)
_OF_VERBS: Final = (WordClass.PARTICLE, WordClass.PREPOSITION, WordClass.VERB)
_TIED: Final = (WordClass.ADJECTIVE, WordClass.NUMERAL, WordClass.PREPOSITION, WordClass.NAME, WordClass.NOUN)
_BEHIND: Final = {
    WordClass.ADVERB: "second_adverb",
    WordClass.ADJECTIVE: "second_adverb",
    WordClass.CONJUNCTION: "behind_and",
}


def said_before() -> Mapping[str, str]:
    """The lists of what may be put before a last word."""
    lists: Mapping[str, str] = exchange_lists()["said_before"]
    return lists


def adverbs_before(tagged: Sequence[TaggedWord]) -> list[tuple[str, ...]]:
    """Words that may stand right before the last one."""
    before, last = tagged[-2], tagged[-1]
    if last.word_class in _OF_VERBS and (partner := _partner(tagged)):
        return [(ADDED, partner)]
    name = _behind_word(tagged) or (_before_verb(tagged) if last.word_class in _OF_VERBS else "")
    if name == "behind_still" and fold(last.word) == "einmal":
        return [("schnell",)]
    how = last.word_class is WordClass.ADJECTIVE or (_is_said_to_be(tagged) and last.word_class.has_kind)
    if how and not name:
        more = last.word.endswith("er") and last.lemma != last.word
        name = "being" if last.word_class.has_kind else "how_more" if more else "how"
    if (
        before.word_class is WordClass.ADJECTIVE
        and not last.word_class.has_kind
        and not name.startswith("how")
    ):
        return [(ADDED, "oft")]
    return [(word,) for word in said_before()[name or _BEHIND.get(before.word_class, "adverb")].split()]


def _is_said_to_be(tagged: Sequence[TaggedWord]) -> bool:
    return any(fold(each.word) in BE for each in tagged)


def _behind_word(tagged: Sequence[TaggedWord]) -> str:
    """The list for what the word before asks for: noch, nicht, oft, …; empty where it asks for nothing."""
    word, last = fold(tagged[-2].word), tagged[-1]
    name = next((name for name in _BEHIND_WORDS if word in said_before()["of_" + name].split()), "")
    if name == "behind_still" and last.word_class is WordClass.ADJECTIVE and fold(last.word) != "einmal":
        return "behind_still_how"
    if name == "behind_still" and last.word_class is WordClass.VERB and not _has_modal(tagged):
        return "behind_still_done"
    if name == "behind_not" and _is_said_to_be(tagged) and not last.word_class.has_kind:
        return "behind_not_how"
    return name or ("most" if word.endswith("sten") else "")


def _before_verb(tagged: Sequence[TaggedWord]) -> str:
    """The list for an adverb between a noun and a verb or a part of one; empty where any will do."""
    noun, article, last = tagged[-2], fold(tagged[-3].word), tagged[-1]
    if governed(tagged, len(tagged) - 2):
        return "" if tagged[0].word_class is WordClass.QUESTION else "behind_place"  # schlug in den Turm ein
    if noun.word_class is not WordClass.NOUN:
        return ""
    verb, new = last.word_class is WordClass.VERB, introduced(tagged, len(tagged) - 2)
    kind = noun_kind(noun.word, noun.lemma).kind
    if verb and not holds_article(article) and tagged[-3].word_class not in _TIED[:3]:
        return "bare_done"  # hat Fangen oft gespielt
    if article in ("ein", "eine") and not new:
        return "adverb" if kind is NounKind.ABSTRACT else "appearing"  # zieht ein Gewitter auf
    if not new and not (verb and _has_modal(tagged)):
        return ""
    places = (i for i, each in enumerate(tagged[:-2]) if each.word_class.has_kind)
    nominal = [tagged[place] for place in places if not governed(tagged, place)]
    names = (each.word_class is WordClass.NAME for each in nominal)
    kinds = (noun_kind(each.word, each.lemma).kind is NounKind.LIVING for each in nominal)
    living = not nominal or any(names) or any(kinds)
    return "lasting" if kind is NounKind.TIME else "behind_some" if living else "of_things"


def _has_modal(tagged: Sequence[TaggedWord]) -> bool:
    return any(fold(each.lemma) in MODAL for each in tagged[:-1])


def _partner(tagged: Sequence[TaggedWord]) -> str:
    """What one may name with a bare noun: Schokolade und Äpfel; empty where none is known."""
    noun, before = tagged[-2], tagged[-3]
    alone = not holds_article(fold(before.word)) and before.word_class not in _TIED
    alone = alone or (before.word_class is WordClass.NOUN and governed(tagged, len(tagged) - 3))
    if noun.word_class is not WordClass.NOUN or not alone:
        return ""
    return next((other for other in kin(noun.word, None, False) if other != noun.word), "")
