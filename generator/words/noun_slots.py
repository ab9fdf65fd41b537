"""The tagged words of a sentence go in; what a noun at a place must be to fit there comes out.

The words before it tell its case, gender and number as far as they matter: whatever an article and an
adjective leave open, every noun that agrees with them is right.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from generator.words.genders import (
    FEMININE,
    SINGULAR,
    gender_behind_ein,
    is_mass,
    listed_forms,
    weak_nouns,
)
from generator.words.noun_kinds import (
    Origin,
    TaggedWord,
    WordClass,
    begins_compound,
    exchange_lists,
    fold,
    noun_kind,
    noun_lists,
)


class Case(StrEnum):
    NOMINATIVE = "nominative"
    ACCUSATIVE = "accusative"
    DATIVE = "dative"
    GENITIVE = "genitive"


# Preposition and article in one word: the preposition, and the ending that the article has.
_MERGED: Final = (
    "am an em, im in em, zum zu em, zur zu er, vom vom em, beim beim em, ans an es, ins in es, aufs auf es, "
    "übers über es, unters unter es, ums um es, fürs für es, durchs durch es, vors vor es, hinters hinter es"
)
_ONE_WORD: Final = {word: (of, ending) for word, of, ending in map(str.split, _MERGED.split(", "))}
_ARTICLES: Final = {"der": "er", "die": "e", "das": "es", "den": "en", "dem": "em", "des": "gen"}
_POSSESSIVES: Final = ("mein", "dein", "sein", "ihr", "unser", "kein", "ein")
_DEMONSTRATIVES: Final = ("dies", "jed", "jen", "welch", "manch", "solch", "all")
_FORMS_OF_MANY: Final = "viele einige mehrere wenige vielen einigen wenigen mehreren beide beiden"
_MANY: Final = _FORMS_OF_MANY.split()
_MUCH: Final = ("viel", "wenig", "mehr", "etwas")
_PLURALS: Final = ("e", "en", "n", "er", "ern", "s", "se", "sen", "nen")
_ENDINGS: Final = ("en", "em", "er", "es", "e")
_DIRECTS: Final = """
teil schneid schnitt leg pack wickel wand verwandel zerleg steck zerf glaub
reagier wart acht verzicht antwort denk dacht erinner freu hoff"""
_LONG_GENITIVE: Final = ("as", "is", "ss", "ß", "x", "z", "zt", "sch", "nd", "ld", "nn")
BE: Final = ("ist", "war", "sind", "waren", "bleibt", "bleiben", "wird", "werden", "wurde", "wurden", "heißt")
SUBJECTS: Final = ("er", "es", "wir", "man", "niemand", "jemand")
_AFTER_HER: Final = (WordClass.NOUN, WordClass.ADJECTIVE)


@dataclass(frozen=True)
class Slot:
    """forms: lists that agree with what stands before. preposition: without its article, or empty."""

    forms: tuple[str, ...]
    case: Case
    preposition: str

    def declined(self, noun: str, form: str) -> str:
        if form == "plural" and self.case is Case.DATIVE:
            return noun if noun[-1] in "ns" else noun + "n"
        if self.case is Case.GENITIVE and form in ("masculine", "neuter"):
            return noun + ("es" if noun.endswith(_LONG_GENITIVE) else "" if noun.endswith("us") else "s")
        return noun


def slot_at(tagged: Sequence[TaggedWord], place: int) -> Slot | None:
    """None where too little is known to exchange the noun."""
    start = _start(tagged, place)
    before = tagged[start:place]
    words = [fold(each.word) for each in before]
    outer = fold(tagged[start - 1].word) if start else ""
    own_preposition = words[0] if words and _case_kind(words[0]) else ""
    preposition = own_preposition or (outer if _case_kind(outer) else "")
    determiner = own_preposition if own_preposition in _ONE_WORD else ""
    adjective = ""
    for each, word in zip(before, words, strict=True):
        if word == own_preposition or word in _MUCH:
            continue
        if each.word_class is WordClass.ADJECTIVE:
            adjective = word
        elif each.word_class is not WordClass.ADVERB:
            determiner = word
    case = _case(tagged, start, preposition, determiner, adjective)
    number = _is_plural(tagged, place, determiner, adjective, case)
    forms = _forms(determiner, adjective, case, number, bool(preposition), gender_behind_ein(tagged[place]))
    if not forms:
        return None
    in_dative = (
        (determiner or adjective).endswith("en") and forms == ("plural",) and (determiner or case is None)
    )
    if in_dative and not (adjective and _ending(determiner) == "e"):
        case = Case.DATIVE
    return Slot(forms, case or Case.ACCUSATIVE, _ONE_WORD.get(preposition, (preposition,))[0])


def adjective_ending(tagged: Sequence[TaggedWord], place: int) -> str:
    """Of an adjective right before the noun; empty where it cannot be told."""
    slot, before = slot_at(tagged, place), tagged[place - 1] if place else None
    if slot is None or before is None:
        return ""
    word, plural = fold(before.word), slot.forms == ("plural",)
    if before.word_class is WordClass.ADJECTIVE:
        return next((ending for ending in _ENDINGS if word.endswith(ending)), "")
    if word == "beiden":
        return "en"
    if word in _MANY or not (is_determiner(word) or word in _ONE_WORD):  # viele, drei, or nothing
        told = fold(tagged[place].word).endswith(("n", "s")) or _case_kind(slot.preposition) != "two_way"
        dative = (
            told
            and not directs(tagged)
            and (slot.preposition != "über" or slot.case is Case.DATIVE)
            and (slot.case is Case.DATIVE or _case_kind(slot.preposition) == "two_way")
        )
        return ("en" if dative else "e") if plural else ""
    ending = _ending(word)
    if ending == "":  # ein, mein
        if slot.case is Case.NOMINATIVE:
            return {"masculine": "er", "neuter": "es"}.get(slot.forms[0], "") if len(slot.forms) == 1 else ""
        return "es"
    nominative = ending == "er" and slot.case is Case.NOMINATIVE
    unchanged = (ending == "es" and slot.case is not Case.GENITIVE) or ending == "e" or nominative
    return "e" if unchanged and not plural else "en"


def is_subject(tagged: Sequence[TaggedWord], place: int) -> bool:
    """Whether a noun is the first without preposition, with an article that a subject may have."""
    start = _start(tagged, place)
    if governed(tagged, place) or fold(tagged[start].word) in ("den", "dem", "einen", "einem", "des"):
        return False
    return not _nominals_before(tagged, start)


def governed(tagged: Sequence[TaggedWord], place: int) -> bool:
    """Whether a noun belongs to a preposition."""
    start = _start(tagged, place)
    return any(_case_kind(fold(each.word)) for each in tagged[max(0, start - 1) : place])


def belongs_to_noun(tagged: Sequence[TaggedWord], place: int) -> bool:
    """Whether a noun is a genitive behind another one: die Lehrerin der Klasse."""
    start = _start(tagged, place)
    first = fold(tagged[start].word)
    return start > 0 and tagged[start - 1].word_class is WordClass.NOUN and _ending(first) in ("er", "gen")


def _start(tagged: Sequence[TaggedWord], place: int) -> int:
    """Where the words begin that belong to the noun, a contracted preposition included."""
    start = place
    allowed = (WordClass.ADJECTIVE, WordClass.NUMERAL)
    while start and (tagged[start - 1].word_class in allowed or fold(tagged[start - 1].word) in _MUCH):
        start -= 1
    if start and (is_determiner(fold(tagged[start - 1].word)) or fold(tagged[start - 1].word) in _ONE_WORD):
        start -= 1
    return start


def is_determiner(word: str) -> bool:
    return word in (*_ARTICLES, *_MANY) or bool(_stem(word))


def holds_article(word: str) -> bool:
    """Of determiners, and of am, im, zum, …"""
    return is_determiner(word) or word in _ONE_WORD


def introduced(tagged: Sequence[TaggedWord], place: int) -> bool:
    """Whether a noun without preposition is not known yet: eine Karte, Briefe."""
    classes = [each.word_class for each in tagged[max(0, place - 2) : place]]
    behind_noun = classes == [WordClass.NUMERAL, WordClass.NOUN]  # zehn Minuten Verspätung
    if not tagged[place].word_class.has_kind or governed(tagged, place) or behind_noun:
        return False
    slot, start = slot_at(tagged, place), place
    if slot is None or slot.case is Case.NOMINATIVE:
        return False
    while start and tagged[start - 1].word_class is WordClass.ADJECTIVE:
        start -= 1
    return not start or not is_definite(fold(tagged[start - 1].word))


def is_definite(word: str) -> bool:
    """Whether it tells which one is meant: der, dieser, mein, am."""
    return word in _ONE_WORD or stem_and_ending(word)[0] not in ("", "ein", "kein", "all", "welch")


def _stem(word: str) -> str:
    """The ending is cut off: of „meinen“ mein is left; empty for what is no such word."""
    for stem in (*_POSSESSIVES, *_DEMONSTRATIVES):
        if word.removeprefix(stem) in ("", *_ENDINGS) and word.startswith(stem):
            return stem
    return ""


def stem_and_ending(determiner: str) -> tuple[str, str]:
    """„d“ and an ending as of „dieser“ for der, die, das; both empty for what is no such word."""
    stem = "d" if determiner in _ARTICLES else _stem(determiner)
    return stem, _ending(determiner) if stem else ""


def _case_kind(word: str) -> str:
    kinds: dict[str, str] = exchange_lists()["prepositions"]
    return next((kind for kind, listed in kinds.items() if word in listed.split()), "")


def _case(
    tagged: Sequence[TaggedWord], start: int, preposition: str, determiner: str, adjective: str
) -> Case | None:
    """None: accusative or dative, which the article has to tell."""
    kind = _case_kind(preposition)
    ending = _ending(determiner)
    if kind == "two_way":
        bare = not determiner and preposition not in ("auf", "über")  # Angst vor Spinnen
        if bare and (adjective.endswith("e") or directs(tagged)):  # in fremde Nester
            return Case.ACCUSATIVE
        if bare or ending in ("em", "er"):
            return Case.DATIVE
        return Case.ACCUSATIVE if ending in ("es", "e") or determiner == "ein" else None
    if kind:
        return Case(kind)
    if ending == "em":
        return Case.DATIVE
    if determiner in ("des", "eines") or (ending == "es" and _stem(determiner) in _POSSESSIVES):
        return Case.GENITIVE
    others = _nominals_before(tagged, start)
    compared = start and fold(tagged[start - 1].word) in ("als", "wie")
    said_to_be = compared or any(fold(each.word) in BE for each in tagged[:start])
    of_noun = said_to_be and start and tagged[start - 1].word_class is WordClass.NOUN  # der König der Tiere
    if ending == "er" and others and (of_noun or not said_to_be):
        return Case.DATIVE
    return Case.NOMINATIVE if (not others or said_to_be) and ending != "en" else Case.ACCUSATIVE


def directs(tagged: Sequence[TaggedWord]) -> bool:
    """Whether something is done into something: schneidet in Scheiben."""
    return any(each.word.startswith(tuple(_DIRECTS.split())) for each in tagged)


def _ending(determiner: str) -> str:
    """As of „dieser“: der, die, das, den, dem, des have the same ones."""
    if determiner in _ARTICLES:
        return _ARTICLES[determiner]
    if determiner in _ONE_WORD:
        return _ONE_WORD[determiner][1]
    return determiner.removeprefix(_stem(determiner)) if _stem(determiner) else ""


def _nominals_before(tagged: Sequence[TaggedWord], start: int) -> int:
    """How many nouns, names and pronouns without preposition stand before."""
    found = 0
    for place in range(_clause(tagged, start), start):
        each = tagged[place]
        if each.word_class.has_kind:
            found += not governed(tagged, place) and not belongs_to_noun(tagged, place)
        elif each.word_class is WordClass.PRONOUN:
            word = fold(each.word)
            of_noun = word == "ihr" and tagged[place + 1 :] and tagged[place + 1].word_class in _AFTER_HER
            found += word in (*SUBJECTS, "ich", "du") or (word in ("sie", "ihr") and not of_noun)
    return found


def _clause(tagged: Sequence[TaggedWord], place: int) -> int:
    """Where the clause begins: behind a conjunction that has a verb before it and one behind the place."""
    verbs = [i for i, each in enumerate(tagged) if each.word_class is WordClass.VERB]
    joined = [i for i in range(place) if tagged[i].word_class is WordClass.CONJUNCTION]
    return joined[-1] + 1 if joined and verbs and verbs[0] < joined[-1] and verbs[-1] > place else 0


def _is_plural(
    tagged: Sequence[TaggedWord], place: int, determiner: str, adjective: str, case: Case | None
) -> bool:
    word, lemma = fold(tagged[place].word), fold(tagged[place].lemma)
    pieces = not determiner and directs(tagged) and _has_one_form(word) and not is_mass(word)
    if determiner in _MANY or pieces:  # in Streifen
        return True
    if word in weak_nouns() and _ending(determiner) != "e":
        return False
    if tagged[place].word_class is WordClass.NAME and _ending(determiner) == "e":  # die Alpen
        return word.endswith("en") or (is_subject(tagged, place) and verb_is_plural(tagged))
    if determiner and _ending(determiner) == "e" and word == lemma and _has_one_form(word):
        return True
    if word in listed_forms() and listed_forms()[word] != {"plural"}:
        if case is not Case.NOMINATIVE or "plural" not in listed_forms()[word]:
            return False
    elif _differs(word, lemma) and case is not Case.GENITIVE and not word.endswith(FEMININE):
        return True
    if adjective.endswith("en") and _ending(determiner) == "e":
        return True
    if word in listed_forms() and listed_forms()[word] == {"plural"}:
        return True
    return is_subject(tagged, place) and verb_is_plural(tagged) and not _joined(tagged)


def _differs(word: str, lemma: str) -> bool:
    """Whether an ending or an umlaut makes a plural of the lemma: no „App“ of „Ap“."""
    nouns = noun_lists().nouns
    if word not in nouns and any(
        word.removesuffix(end) in nouns for end in ("n", "en") if word.endswith(end)
    ):
        return True
    ending = word.removeprefix(lemma) if lemma else ""
    if ending == "e" and noun_kind(lemma).origin is Origin.GUESSED:  # Bastille is not of Bastill
        return False
    heads = (word[cut:] for cut in range(3, len(word) - 2) if begins_compound(word[:cut]))
    if ending == "e" and (word in nouns or any(head in nouns for head in heads)):  # Rinde is not of Rind
        return False
    if lemma == word + "n" and word in nouns:  # Säge is not of sägen
        return False
    return bool(lemma) and word != lemma and (ending == word or ending in _PLURALS)


def _has_one_form(noun: str) -> bool:
    """Whether it is the same in singular and plural, and not feminine: das Fenster, die Fenster."""
    feminine = exchange_lists()["others"]["feminine"].casefold().split()
    return noun.endswith(("er", "el", "en", "lein")) and not noun.endswith(tuple(feminine))


def verb_is_plural(tagged: Sequence[TaggedWord]) -> bool:
    verb = next((fold(each.word) for each in tagged if each.word_class is WordClass.VERB), "")
    return verb == "sind" or verb.endswith("n")


def _joined(tagged: Sequence[TaggedWord]) -> bool:
    return any(fold(each.word) in ("und", "wir", "sie") for each in tagged)


def _forms(
    determiner: str, adjective: str, case: Case | None, plural: bool, governed: bool, gender: str
) -> tuple[str, ...]:
    """The lists of nouns that fit, the likeliest first."""
    if not determiner:
        return _without_article(adjective, case, plural)
    if determiner in _MANY:
        return ("plural",)
    ending = _ending(determiner)
    if ending in ("em", "gen"):
        return _known(gender) if ending == "gen" else ("masculine", "neuter")
    if ending == "es":
        genitive = case is Case.GENITIVE and determiner != "das"
        return ("masculine", "neuter") if genitive else ("neuter",)
    if ending == "er":
        if case is Case.NOMINATIVE:
            return ("masculine",)
        return ("plural",) if plural and case is not Case.DATIVE else ("feminine",)
    if ending == "e":
        return ("plural",) if plural and _stem(determiner) not in ("ein", "jed") else ("feminine",)
    if ending == "en":
        plural = plural or case is Case.DATIVE
        return ("plural",) if plural and _stem(determiner) not in ("ein", "jed") else ("masculine",)
    if not _stem(determiner):  # a numeral
        return ("plural",)
    if adjective:
        return ("masculine",) if adjective.endswith("er") else ("neuter",)
    return _known(gender) if case is Case.NOMINATIVE else ("neuter",)


def _known(gender: str) -> tuple[str, ...]:
    return (gender,) if gender in ("masculine", "neuter") else ("masculine", "neuter")


def _without_article(adjective: str, case: Case | None, plural: bool) -> tuple[str, ...]:
    mass = tuple(f"mass_{gender}" for gender in SINGULAR)
    if not adjective:
        return ("plural",) if plural else mass
    if case is Case.DATIVE and adjective.endswith("er"):
        return ("mass_feminine",)
    endings: Mapping[str, tuple[str, ...]] = {
        "en": ("plural",) if plural or case is Case.DATIVE else ("mass_masculine",),
        "em": ("mass_masculine", "mass_neuter"),
        "er": ("mass_masculine",),
        "es": ("mass_neuter",),
        "e": ("plural",) if plural or case is not Case.NOMINATIVE else ("mass_feminine",),
    }
    return next((forms for ending, forms in endings.items() if adjective.endswith(ending)), ())
