"""The tagged words of a sentence go in; what may stand for one of them comes out: nouns by theme, and verbs.

Verbs have the person, number and tense of the sentence's, and an object where it has one. Where the sentence
ends with the verb, what counts is the form that the words before ask for, and what stands around it: an
object, „sich“, …
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from generator.words.noun_kinds import (
    NounKind,
    TaggedWord,
    WordClass,
    base_forms,
    begins_compound,
    exchange_lists,
    fold,
    is_listed_name,
    list_with,
    read_toml,
)
from generator.words.noun_slots import SUBJECTS, belongs_to_noun, governed

_WEAK = re.compile(r"(?<!verl)(?<!fr)(ier|[^ae]ig|[^aeiouhl]el|[^aeiouhr]er|be?reit)$")
_NEEDS_E = re.compile(r"([td]|[^lrmnaeiouäöüh][mn])$")  # arbeitete, öffnete
_PREFIXES: Final = ("be", "ent", "er", "ge", "ver", "zer", "über", "unter", "um", "miss")
MODAL: Final = ("wollen", "können", "sollen", "dürfen", "müssen", "mögen", "werden")
_OBJECTS = ("wen", "ihn", "mich", "dich", "euch", "das", "was", "nichts", "etwas", "alles")
_ALONE = (*SUBJECTS, "sie", "ich", "du", "wer", *_OBJECTS)


def verbs_like(tagged: Sequence[TaggedWord], kinds: Sequence[NounKind | None], place: int) -> list[str]:
    """Empty where the verb may want other words around it than those which are listed."""
    word, verbs = fold(tagged[place].word), exchange_lists()["verbs"]
    helps = list_with(word, [words for name, words in verbs.items() if name.startswith(("be_", "have"))])
    if place == len(tagged) - 1:
        weather = [words for name, words in verbs.items() if name.startswith("weather")]
        clause, nouns = last_clause(tagged), _subject_and_objects(tagged, kinds)
        animal = bool(nouns) and theme_of(tagged[nouns[0]]) == "animal"
        tied = tagged[-2].word_class is WordClass.NOUN and not governed(tagged, len(tagged) - 2)
        skip: tuple[str, ...] = ("travel", "travelled")
        if tied and list_with(word, [exchange_lists()["alike"][name] for name in skip]):
            return []  # Fahrrad fahren
        skip = skip if animal else ()
        if tagged[-2].word_class is WordClass.VERB and word == "werden":
            return ["worden sein"] if any(fold(each.lemma) in MODAL for each in tagged[:-1]) else []
        if tagged[-2].word_class is WordClass.VERB and helps:
            return helps
        if any(fold(each.lemma) in MODAL for each in tagged[:-1]):
            skip = (*skip, "have_plural", "be_plural")
        alike = [*(words for name, words in exchange_lists()["alike"].items() if name not in skip), *weather]
        return list_with(word, alike) or _last_verbs(clause, kinds[-len(clause) :])
    classes = [each.word_class for each in tagged]
    joined = {WordClass.CONJUNCTION, WordClass.QUESTION} & set(classes[1 if helps else 0 :])
    clauses = ("bis", *exchange_lists()["others"]["subordinate"].split())
    verbs_before = classes[:-1].count(WordClass.VERB)  # Kommt Zeit kommt Rat
    two_clauses = verbs_before > 1 or (bool(joined) and classes.count(WordClass.VERB) > 1)
    two_clauses = two_clauses or any(fold(each.word) in clauses for each in tagged[1:])
    tenses, others = exchange_lists()["tenses"], {fold(tagged[0].word), *(each.word for each in tagged)}
    dated = two_clauses or others & {*tenses["then"].split(), *tenses["now"].split()}
    helpers = (*(("weather",) if "es" in map(fold, others) else ()), *(() if dated else ("be", "have")))
    helping = list_with(word, [words for name, words in verbs.items() if name.startswith(helpers)])
    hangs = word.startswith(("häng", "fällt")) and len(_subject_and_objects(tagged, kinds)) > 1
    fixed = others & {"bitte", *tenses["now"].split(), *tenses["then"].split()}
    if helping:
        return helping
    you = "ihr" in {fold(each.word) for each in tagged[max(0, place - 1) : place + 2]}  # macht ihr
    if you:
        return [past for now, past in map(str.split, tenses["you"]) if now == word and not fixed]
    once = not (two_clauses or hangs or fixed)
    found = _other_tense(tagged[place], tagged[-1].word, "ich" in others) if once else []
    return [each for each in found if each.endswith("st") or "du" not in map(fold, others)]


def _other_tense(verb: TaggedWord, part: str, of_i: bool) -> list[str]:
    """Past and present: of a listed verb, with a prefix too, or one that only takes a „te“.

    part: what stands at the end of the sentence, and may belong to the verb.
    """
    word, tenses = fold(verb.word), exchange_lists()["tenses"]
    weak = _WEAK.search(verb.lemma.removesuffix("en"))
    for prefix in ("", *(each for each in _PREFIXES if word.startswith(each))):
        bare = word.removeprefix(prefix)
        for present, past in map(str.split, tenses["verbs"]):
            if bare in (fold(present), *([] if of_i else [fold(past)])) and not (prefix and weak):
                return [prefix + (past if bare == fold(present) else present)]
    infinitive = verb.lemma.removeprefix(part)
    dropped = "n" if infinitive.endswith(("eln", "ern")) else "en"
    stem = infinitive.removesuffix(dropped)
    strong = stem.endswith(tuple(tenses["strong"].split())) and not _WEAK.search(stem)
    if not infinitive.endswith("n") or strong:
        return []
    link = "e" if _NEEDS_E.search(stem) else ""
    past = stem + link + "te"
    forms = {stem + link + "t": past, stem + "e": past, infinitive: past + "n", past + "n": infinitive}
    forms |= {} if of_i else {past: stem + link + "t"}
    return [forms[word]] if word in forms else []


def is_past(tagged: Sequence[TaggedWord]) -> bool:
    """Whether the first verb tells of what was."""
    verb = next((fold(each.word) for each in tagged if each.word_class is WordClass.VERB), "")
    past = {fold(pair.split()[1]) for pair in exchange_lists()["tenses"]["verbs"]}
    return verb in past or verb.endswith(("te", "ten"))


def another_day(tagged: Sequence[TaggedWord]) -> list[str]:
    """Instead of today: tomorrow, or yesterday of what was; empty where neither is sure."""
    verb = next((fold(each.word) for each in tagged if each.word_class is WordClass.VERB), "")
    verbs = exchange_lists()["verbs"].items()
    helps = any(verb in words.split() for name, words in verbs if name.startswith(("be_", "have")))
    if helps or not verb:
        return ["gestern"] if tagged[-1].word_class is WordClass.VERB and verb.startswith("ha") else []
    return ["gestern"] if is_past(tagged) else ["morgen"]


def last_clause(tagged: Sequence[TaggedWord]) -> Sequence[TaggedWord]:
    """What stands behind „und“ where a verb stands before it, else all."""
    joined = [i for i, each in enumerate(tagged) if fold(each.word) in ("und", "oder", "aber", "denn")]
    start = joined[-1] + 1 if joined else 0
    before = any(each.word_class is WordClass.VERB for each in tagged[:start])
    return tagged[start:] if before and start + 1 < len(tagged) else tagged


def _last_verbs(tagged: Sequence[TaggedWord], kinds: Sequence[NounKind | None]) -> list[str]:
    """Of somebody who does something alone, or with what is spoken of for the first time; else empty."""
    nouns, verbs = _subject_and_objects(tagged, kinds), exchange_lists()["verbs"]
    helper = next((fold(each.lemma) for each in tagged[:-1] if each.word_class is WordClass.VERB), "")
    classes = [each.word_class for each in tagged]
    living = bool(nouns) and kinds[nouns[0]] in (None, NounKind.LIVING)
    own, form = (
        fold(tagged[-1].word),
        {"haben": "participle"}.get(helper, "plural" if helper in MODAL else ""),
    )
    if not helper and WordClass.CONJUNCTION not in classes:  # Das Baby lacht
        form = "plural" if own.endswith("n") else "past" if own.endswith("te") else "present"
    if {fold(each.word) for each in tagged} & {"sich", "mich", "dich", "uns", "euch"} and len(nouns) < 2:
        return []
    if not form or len(nouns) == 1:
        who = "animal_do_" if nouns and theme_of(tagged[nouns[0]]) == "animal" else "do_"
        found = str(verbs.get(who + form, "")).split() if living else exchange_lists()["there"].get(form, [])
        return list(found) if nouns and not helper and classes[-2] is not WordClass.ADJECTIVE else []
    return []


def is_of_somebody(word: TaggedWord) -> bool:
    """Whether it is a name in the genitive: Omas Geburtstag."""
    of, alone = word.word.removesuffix("s"), exchange_lists()["nouns"]["person"]["alone"].split()
    return of != word.word and (of in alone or (is_listed_name(of) and not word.word.endswith("ss")))


def _subject_and_objects(tagged: Sequence[TaggedWord], kinds: Sequence[NounKind | None]) -> list[int]:
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
    part = part and not governed(tagged, place - 1)
    return own.has_kind and not part and not governed(tagged, place) and not belongs_to_noun(tagged, place)


# Groups of exchanges.toml that are themes too; of a word in two of them the last one counts.
_THEMES: Final = (
    "gold animal rescue team fire plants trees ground leaves food baked soup spices drinks dishes art texts "
    "papers songs tasks speeches tests pens stones substances materials boats aircraft software machines "
    "creatures place buildings water rivers direction night sky wind shapes planets"
)
_LIVING: Final = ("animal", "plants", "trees", "family", "creatures", "team", "rescue")
_SHORT_START: Final = 3
_LONG_HEAD: Final = 5  # no other noun ends so by chance
_BEHIND: Final = {
    "auf": "_on",
    "an": "_at",
    "zu": "_to",
    "in": "_inside",
    "aus": "_inside",
    "über": "_over",
    "um": "_around",
    "durch": "_through",
}


def theme_of(noun: TaggedWord) -> str:
    """The group of nouns.toml that holds the word or the end of it."""
    words = [fold(word) for word in (noun.lemma, noun.word) if word]
    words += [word.removesuffix(end) for word in words for end in ("in", "innen") if word.endswith(end)]
    forms = [*words, *(form for word in words for form in base_forms(word))]
    ends = [(form[start:], form[:start]) for form in forms for start in range(max(1, len(form) - 2))]
    known = [(end, before) for end, before in ends if end in _themes()]
    sure = (end for end, before in known if not before or begins_compound(before))
    likely = (end for end, before in known if len(before) >= _SHORT_START and len(end) >= _LONG_HEAD)
    found = next(sure, None) or next(likely, None)
    return _themes()[found] if found else ""


def group_at(tagged: Sequence[TaggedWord], place: int, kind: NounKind | None, preposition: str) -> str:
    """Which nouns make sense there: by what the word stands for, and the preposition."""
    theme = theme_of(tagged[place])
    nouns: Mapping[str, Mapping[str, str]] = exchange_lists()["nouns"]
    behind = _BEHIND.get(preposition, "")
    if theme in ("team", "rescue") or (kind is NounKind.LIVING and theme != "ground"):
        return theme if theme in _LIVING else "person"
    for name in (name for name in nouns if behind and name.endswith(behind)):
        if list_with(fold(tagged[place].word), nouns[name].values()):
            return name
    if theme in ("buildings", "direction") and behind in ("", "_inside"):
        return {"nach": "time", "über": "place_on"}.get(preposition, theme) if theme == "buildings" else theme
    if theme in ("night", "ground") or (theme in ("water", "rivers") and behind != "_at"):
        return theme
    if theme == "sky":
        return "sky_at" if behind == "_at" else theme
    if kind is NounKind.TIME and fold(tagged[place - 1].word).startswith(("jede", "eines")):
        return "every"
    if kind in (NounKind.PLACE, NounKind.TIME):
        name = str(kind) + ("_at" if kind is NounKind.TIME and preposition == "von" else behind)
        return name if name in nouns else str(kind)
    if kind is NounKind.ABSTRACT:
        return theme if theme in nouns else "time" if behind == "_inside" else "abstract"
    named = theme if theme in nouns else "home" if theme else "thing"
    beside = "place_to" if behind == "_to" else behind.removeprefix("_")
    if named in ("home", "thing", "nature", "leisure", "school", "planets") and beside in nouns:
        return beside
    return named


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
