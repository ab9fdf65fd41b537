"""The tagged words of a sentence go in; what one may say before the last of them comes out.

„Der Schmied schmiedet das Schwert“, „… das neue Schwert“: whatever the last word means, and whatever is done
with it. An adjective has the ending that the words before ask for; where none fits, it is an adverb.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from generator.words.fits import adjectives_of
from generator.words.fitting import MODAL, last_clause, theme_of
from generator.words.noun_kinds import (
    NounKind,
    Origin,
    TaggedWord,
    WordClass,
    exchange_lists,
    fold,
    is_listed_name,
    list_with,
)
from generator.words.noun_slots import (
    BE,
    Case,
    adjective_ending,
    gender_of,
    governed,
    holds_article,
    introduced,
    is_definite,
    is_determiner,
    slot_at,
    stem_and_ending,
)
from generator.words.word_vectors import WordVector

_STRONG: Final[Mapping[Case, Mapping[str, str]]] = {  # without an article
    Case.NOMINATIVE: {"masculine": "er", "feminine": "e", "neuter": "es"},
    Case.ACCUSATIVE: {"masculine": "en", "feminine": "e", "neuter": "es"},
    Case.DATIVE: {"masculine": "em", "feminine": "er", "neuter": "em"},
    Case.GENITIVE: {},
}
_COMPARED: Final = ("als", "wie")
_ADDED: Final = "und"
_BEHIND_WORDS: Final = (
    "behind_not",
    "behind_still",
    "behind_hardly",
    "behind_always",
    "behind_often",
    "behind_much",
)
_EATEN: Final = ("food", "baked", "soup", "spices", "drinks")
_OWN: Final = ("mein", "dein", "sein", "ihr", "unser")
_ALONE: Final = (WordClass.PREPOSITION, WordClass.CONJUNCTION, WordClass.ARTICLE)
_OF_VERBS: Final = (WordClass.PARTICLE, WordClass.PREPOSITION, WordClass.VERB)
_MUCH: Final = ("viel", "wenig", "etwas")
HOW_MUCH: Final = ("sehr", "so", "zu", "ganz", "besonders", "ziemlich", "wie", "am", "etwas")
_BEHIND: Final = {
    WordClass.ADVERB: "second_adverb",
    WordClass.ADJECTIVE: "second_adverb",
    WordClass.CONJUNCTION: "behind_and",
}


def before_end(tagged: Sequence[TaggedWord], vectors: Sequence[WordVector]) -> list[tuple[str, ...]]:
    """Words that may stand before the last one, each choice of one or two."""
    last, before = tagged[-1], tagged[-2]
    if before.word_class is WordClass.CONJUNCTION and fold(before.word) not in _COMPARED:
        return _adverbs(tagged)
    if not last.word_class.has_kind:
        if before.word_class is WordClass.ADJECTIVE and last.word_class is not WordClass.ADJECTIVE:
            how_much = fold(tagged[-3].word) in HOW_MUCH  # sehr gut
            return [(_ADDED, "gern") if how_much else ("genug",)]
        alone = before.word_class in _ALONE or fold(before.word) in HOW_MUCH
        return [] if alone or last.word_class is WordClass.PRONOUN or _is_second(tagged) else _adverbs(tagged)
    if fold(before.word) in _MUCH:
        exact = fold(before.word) != "wenig" and fold(tagged[-3].word) not in HOW_MUCH
        return _adverbs(tagged) if exact else _strong(tagged)
    if last.word_class is WordClass.NAME and not holds_article(fold(before.word)):
        return [] if is_listed_name(last.word) or governed(tagged, len(tagged) - 1) else _adverbs(tagged)
    counted = before.word_class is WordClass.NUMERAL and vectors[-1].kind is not NounKind.TIME
    if counted and list_with(fold(last.word), exchange_lists()["units"].values()):
        return [] if fold(tagged[-3].word) in ("unter", "über") else [("oder", "mehr"), ("und", "mehr")]
    ending = adjective_ending(tagged, len(tagged) - 1)
    if before.word_class is WordClass.ADJECTIVE:
        return _second_adjective(tagged, vectors[-1], ending)
    doing = last.kind_hint is vectors[-1].kind is NounKind.ABSTRACT  # spielt gern Verstecken
    if ending and not (doing and not holds_article(fold(before.word))):
        return [(stem + ending,) for stem in _stems(tagged, vectors[-1])]
    if is_determiner(fold(before.word)):
        return [(word,) for word in _lists()["of_one_form"].split()]
    measured = _lists()["measured"].split()
    if before.word in (*measured, *exchange_lists()["bare"]["titles"].split()):
        return []
    behind = governed(tagged, len(tagged) - 1) or fold(before.word) in _COMPARED
    return _before_much(tagged, vectors[-1].kind) if behind else _adverbs(tagged)


def _is_second(tagged: Sequence[TaggedWord]) -> bool:
    """Whether the last word is the only verb of a main clause, right behind its subject: Das Baby lacht."""
    classes = [each.word_class for each in last_clause(tagged)]
    only = classes[-1] is WordClass.VERB and classes.count(WordClass.VERB) == 1
    return only and WordClass.CONJUNCTION not in classes


def _lists() -> Mapping[str, str]:
    lists: Mapping[str, str] = exchange_lists()["said_before"]
    return lists


def _stems(tagged: Sequence[TaggedWord], vector: WordVector) -> list[str]:
    """Of adjectives that fit nearly every noun of its kind."""
    return adjectives_of(tagged[-1].word) or _lists()[_name(tagged, vector)].split()


def _name(tagged: Sequence[TaggedWord], vector: WordVector) -> str:
    stem, _ = stem_and_ending(determiner := fold(tagged[-2].word))
    body = theme_of(tagged[-1]) == "body" and vector.origin is Origin.LISTED
    if stem in _OWN:
        if vector.kind is NounKind.LIVING:
            return "own_living"
        return "own_body" if body else "own" if stem in ("sein", "ihr") else "ours"
    if stem in ("dies", "jed", "jen"):
        return "this"
    noun = fold(tagged[-1].word)
    slot = slot_at(tagged, len(tagged) - 1)
    several = slot is not None and slot.forms == ("plural",)
    if not is_definite(determiner):
        if stem == "kein":
            return "none"
        if body:
            return "some_of_body"
        if vector.kind is NounKind.TIME:
            return "some_time" if is_determiner(determiner) else "numbered_time"
        said_to_be = any(fold(each.word) in BE for each in tagged[:-2])
        if said_to_be and slot is not None and slot.case is Case.NOMINATIVE:
            return "said_to_be"
        if tagged[-2].word_class is WordClass.NUMERAL and vector.kind is not NounKind.LIVING:
            return "numbered"
        return "several" if several and not is_determiner(determiner) else "some"
    if _is_paired(noun):
        return "both" if several else "side"
    if tagged[-1].word_class is WordClass.NAME:
        return "place_name" if vector.kind is NounKind.PLACE else "name"
    if tagged[-1].kind_hint is NounKind.ABSTRACT and noun.endswith("n") and not gender_of(tagged[-1]):
        return "doing"
    one = exchange_lists()["others"]["one"].casefold().split()
    if body or noun in one or (theme_of(tagged[-1]) == "feelings" and vector.origin is Origin.LISTED):
        return "definite" if several else "one"
    return {NounKind.TIME: "time", NounKind.ABSTRACT: "abstract"}.get(
        vector.kind or NounKind.THING, "definite"
    )


def _is_paired(noun: str) -> bool:
    return noun.endswith(tuple(_lists()["paired"].casefold().split()))


def _second_adjective(tagged: Sequence[TaggedWord], vector: WordVector, ending: str) -> list[tuple[str, ...]]:
    """„lange und schöne Lieder“: one choice only, since all begin alike."""
    stems, own, theme = exchange_lists()["said_too"], fold(tagged[-2].word), theme_of(tagged[-1])
    left, right = _lists()["side"].split()
    if own.startswith((left, right)):
        return [(_ADDED, (right if own.startswith(left) else left) + ending)]
    slot = slot_at(tagged, len(tagged) - 1)
    paired = _is_paired(fold(tagged[-1].word)) and slot is not None and slot.forms != ("plural",)
    if paired or own.startswith(tuple(exchange_lists()["others"]["only"].split())):
        name = "side" if paired else "long" if vector.kind is NounKind.TIME else "behind_only"
        return [(stem + ending,) for stem in _lists()[name].split()]
    kind = "guessed" if vector.origin is Origin.GUESSED else vector.kind or NounKind.THING
    name = "food" if theme in _EATEN else theme if theme in stems else kind
    if own.startswith(tuple(exchange_lists()["others"]["dark"].split())):
        name = "dark"
    coloured = own.removesuffix(ending) in exchange_lists()["adjectives"]["colour"].split()
    aged = own.startswith(("neu", "alt", "jung"))
    fitting = stems["colour"].split() if coloured else adjectives_of(tagged[-1].word) or stems[name].split()
    others = [stem for stem in fitting if not own.startswith(stem) and not (aged and stem == "alt")]
    if own.removesuffix(ending).endswith("st"):
        others = ["schönst"]
    return [(_ADDED, stem + ending) for stem in others[:1] if ending]


def _before_much(tagged: Sequence[TaggedWord], kind: NounKind | None) -> list[tuple[str, ...]]:
    """Behind a preposition, without an article: aus gutem Holz, mit viel Geduld."""
    slot, preposition = slot_at(tagged, len(tagged) - 1), fold(tagged[-2].word)
    there = preposition == "nach" and kind is NounKind.PLACE
    if slot is None or there or preposition in ("zu", "um", "von"):
        return []
    somebody = kind is NounKind.LIVING and theme_of(tagged[-1]) != "plants"
    much: list[tuple[str, ...]] = [] if somebody else [(word,) for word in _lists()["much"].split()]
    return _strong(tagged) or much


def _strong(tagged: Sequence[TaggedWord]) -> list[tuple[str, ...]]:
    """Adjectives that tell case and gender: aus gutem Holz; empty where the gender is not known."""
    slot = slot_at(tagged, len(tagged) - 1)
    ending = _STRONG[slot.case].get(gender_of(tagged[-1]), "") if slot else ""
    stems = _lists()["without" if slot and slot.preposition == "ohne" else "known"]
    return [(stem + ending,) for stem in stems.split()] if ending else []


def _adverbs(tagged: Sequence[TaggedWord]) -> list[tuple[str, ...]]:
    word = fold(tagged[-2].word)
    name = next((name for name in _BEHIND_WORDS if word in _lists()["of_" + name].split()), "")
    modal = any(fold(each.lemma) in MODAL for each in tagged[:-2]) and tagged[-2].word_class is WordClass.NOUN
    done = modal and tagged[-1].word_class is WordClass.VERB and not governed(tagged, len(tagged) - 2)
    if done or (tagged[-1].word_class in _OF_VERBS and introduced(tagged, len(tagged) - 2)):
        name = "behind_some"
    if name == "behind_still" and fold(tagged[-1].word) == "einmal":
        return [("genau",)]
    if name == "behind_still" and tagged[-1].word_class is WordClass.ADJECTIVE:
        name = "behind_still_how"
    if tagged[-2].word_class is WordClass.ADJECTIVE and not tagged[-1].word_class.has_kind:
        return [(_ADDED, "oft")]
    return [(word,) for word in _lists()[name or _BEHIND.get(tagged[-2].word_class, "adverb")].split()]
