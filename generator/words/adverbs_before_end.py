"""Adverbs before a last word that an adjective would not fit: wieder auf, sehr gut und gern schwimmen."""

from collections.abc import Mapping, Sequence
from typing import Final

from generator.words.fits import kin
from generator.words.fitting import MODAL
from generator.words.noun_kinds import NounKind, TaggedWord, WordClass, exchange_lists, fold, noun_kind
from generator.words.noun_slots import BE, governed, holds_article, introduced, is_determiner, slot_at

ADDED: Final = "und"
_BEHIND_WORDS: Final = tuple(
    "behind_" + name
    for name in (
        "not",
        "already",
        "nearly",
        "still",
        "never",
        "hardly",
        "always",
        "seldom",
        "often",
        "much",
        "long",
    )
)
_OF_PAIRS: Final = (WordClass.PARTICLE, WordClass.ADVERB)
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
    if before.word_class is WordClass.CONJUNCTION and last.word_class in _OF_PAIRS:
        return []  # hin und her
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
    done = last.word.startswith("ge") or last.word.endswith("t")
    if not name and before.word_class is WordClass.ADVERB and last.word_class in _OF_VERBS and not done:
        name = "second_doing"
    name = name or _BEHIND.get(
        before.word_class,
        "of_noun" if last.word_class.has_kind or last.word_class is WordClass.ADVERB else "adverb",
    )
    denied = name + "_denied" if is_denied([each.word for each in tagged[:-2]]) else ""
    found = said_before().get(denied, said_before()[name])
    if last.word in exchange_lists()["others"]["once"].split():
        found = found.replace("wieder", "wirklich")
    return [tuple(each.split("-")) for each in found.split()]


def is_denied(words: Sequence[str]) -> bool:
    """Whether nicht, nie, kein, … is among the words."""
    return any(fold(word).startswith(("nicht", "nie", "kein")) for word in words)


def _is_said_to_be(tagged: Sequence[TaggedWord]) -> bool:
    return any(fold(each.word) in BE for each in tagged)


def _behind_word(tagged: Sequence[TaggedWord]) -> str:
    """The list for what the word before asks for: noch, nicht, oft, …; empty where it asks for nothing."""
    word, last = fold(tagged[-2].word), tagged[-1]
    name = next((name for name in _BEHIND_WORDS if word in said_before()["of_" + name].split()), "")
    if name in ("behind_still", "behind_always", "behind_often") and last.word_class is WordClass.ADJECTIVE:
        return name + "_how"
    if name == "behind_still" and last.word_class is WordClass.VERB and not _has_modal(tagged):
        return "behind_still_done"
    able = any(fold(each.lemma) in ("können", "lassen") for each in tagged[:-1])
    if name == "behind_not" and able and last.word_class is WordClass.VERB:
        return "behind_not_able"
    if name == "behind_often" and last.word_class in _OF_VERBS:
        return "behind_often_doing"
    how = last.word_class in (WordClass.ADVERB, WordClass.ADJECTIVE) or _is_said_to_be(tagged)
    if name == "behind_not" and how and not last.word_class.has_kind:
        return "behind_not_how"
    return name or ("most" if word.endswith("sten") and not tagged[-2].word_class.has_kind else "")


def _before_verb(tagged: Sequence[TaggedWord]) -> str:
    """The list for an adverb between a noun and a verb or a part of one; empty where any will do."""
    noun, article = tagged[-2], fold(tagged[-3].word)
    time = noun.word_class is WordClass.NOUN and noun_kind(noun.word, noun.lemma).kind is NounKind.TIME
    if governed(tagged, len(tagged) - 2):
        place = "behind_time" if time else "behind_place"  # schlug in den Turm wieder ein
        return "" if tagged[0].word_class is WordClass.QUESTION else place
    if article in ("eine", "einen") and noun.word_class is not WordClass.NOUN:
        return "behind_one"  # eine Zwei und mehr
    if noun.word_class is not WordClass.NOUN:
        return ""
    if time:
        counted = article.startswith("ein") or tagged[-3].word_class is WordClass.NUMERAL
        counted = counted and not any(fold(each.word).startswith(("alle", "jede")) for each in tagged[:-3])
        return "lasting_counted" if counted else "lasting"
    if not introduced(tagged, len(tagged) - 2):
        return ""
    if article.startswith("kein"):
        return "bare_none"
    slot = slot_at(tagged, len(tagged) - 2)
    if article in ("mehr", "weniger", "viel", "genug"):
        return "behind_many"
    if tagged[-3].word_class is WordClass.ADJECTIVE and not is_determiner(article):
        return "behind_one"
    if slot is None or not (is_determiner(article) or tagged[-3].word_class is WordClass.NUMERAL):
        return "bare_done"  # hat Fangen und mehr gespielt
    one = "somebody" if noun_kind(noun.word, noun.lemma).kind is NounKind.LIVING else "one"
    return "behind_" + ("many" if slot.forms == ("plural",) else one)


def _has_modal(tagged: Sequence[TaggedWord]) -> bool:
    return any(fold(each.lemma) in MODAL for each in tagged[:-1])


def _partner(tagged: Sequence[TaggedWord]) -> str:
    """What one may name with a bare noun: Schokolade und Äpfel; empty where none is known."""
    noun, before = tagged[-2], tagged[-3]
    alone = not holds_article(fold(before.word)) and before.word_class not in _TIED
    alone = alone or (before.word_class is WordClass.NOUN and governed(tagged, len(tagged) - 3))
    if noun.word_class is not WordClass.NOUN or not alone:
        return ""
    return next((o for o in kin(noun.word, slot_at(tagged, len(tagged) - 2), True) if o != noun.word), "")
