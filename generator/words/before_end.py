"""The tagged words of a sentence go in; what one may say before the last of them comes out.

„Der Schmied schmiedet das Schwert“, „… das neue Schwert“: whatever the last word means, and whatever is done
with it. An adjective has the ending that the words before ask for; where none fits, it is an adverb.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from generator.words.adverbs_before_end import ADDED, adverbs_before, said_before
from generator.words.fits import adjectives_of
from generator.words.fitting import is_of_somebody, last_clause, theme_of
from generator.words.genders import gender_of, has_no_plural, is_mass
from generator.words.noun_kinds import (
    NounKind,
    Origin,
    TaggedWord,
    WordClass,
    base_forms,
    exchange_lists,
    fold,
    is_listed_name,
    noun_kind,
    noun_lists,
)
from generator.words.noun_slots import (
    BE,
    Case,
    adjective_ending,
    directs,
    governed,
    holds_article,
    is_definite,
    is_determiner,
    slot_at,
    stem_and_ending,
)
from generator.words.other_adjectives import HOW_MUCH, next_of, opposites_of
from generator.words.word_vectors import WordVector

_STRONG: Final[Mapping[Case, Mapping[str, str]]] = {  # without an article
    Case.NOMINATIVE: {"masculine": "er", "feminine": "e", "neuter": "es"},
    Case.ACCUSATIVE: {"masculine": "en", "feminine": "e", "neuter": "es"},
    Case.DATIVE: {"masculine": "em", "feminine": "er", "neuter": "em"},
    Case.GENITIVE: {},
}
_AGES: Final = ("neu", "alt", "jung", "modern")
_MAKES: Final = """
entwick spinn web produzier entwerf entwirf bau mal zeichn schreib schrieb näh strick back bastel pflanz erf
koch bohr grab gräb grub"""
_COMPARED: Final = ("als", "wie")
_OWN: Final = ("mein", "dein", "sein", "ihr", "unser")
_ALONE: Final = (WordClass.PREPOSITION, WordClass.CONJUNCTION, WordClass.ARTICLE)
_NOMINAL: Final = (WordClass.NOUN, WordClass.NAME)
_BEFORE_SOME: Final = (WordClass.VERB, WordClass.ADVERB)
_MUCH: Final = ("viel", "wenig", "etwas")


def before_end(tagged: Sequence[TaggedWord], vectors: Sequence[WordVector]) -> list[tuple[str, ...]]:
    """Words that may stand before the last one, each choice of one or two."""
    last, before = tagged[-1], tagged[-2]
    verbless = not any(map(_may_be_verb, tagged))  # wie der Vater so der Sohn
    if (
        verbless or (last.word == "her" and governed(tagged, len(tagged) - 2)) or before.word == "voller"
    ):  # vom Kopf her
        return []
    if before.word_class is WordClass.CONJUNCTION and fold(before.word) not in _COMPARED:
        return adverbs_before(tagged)
    if fold(before.word) in ("ganz", "halb") and last.word_class is WordClass.NAME:
        return []
    if _is_year(last) and before.word != "Jahr":
        return [("des", "Jahres")] if before.word_class.has_kind else [("im", "Jahr")]
    if last.word in exchange_lists()["others"]["months"].split():
        return [("Monat",)] if fold(before.word) == "im" else []
    if fold(last.word) == "nicht":
        return [("gar",)]
    sides = exchange_lists()["adverbs"]
    if (
        before.word_class is WordClass.PREPOSITION
        and last.word in f"{sides['above']} {sides['side']}".split()
    ):
        return [("ganz",)]  # nach ganz oben
    if not last.word_class.has_kind:
        if before.word_class is WordClass.ADJECTIVE and last.word_class is not WordClass.ADJECTIVE:
            how_much = fold(tagged[-3].word) in HOW_MUCH  # sehr gut
            return [] if _has_clause(tagged) and not how_much else [_behind_how(before, how_much)]
        alone = (
            before.word_class in _ALONE
            or (before.word_class is WordClass.PRONOUN and governed(tagged, len(tagged) - 2))
            or fold(before.word) in HOW_MUCH
        )
        return (
            []
            if alone or last.word_class is WordClass.PRONOUN or _is_second(tagged)
            else adverbs_before(tagged)
        )
    if fold(before.word) in ("mehr", "weniger"):
        return _strong(tagged, vectors[-1])
    if fold(before.word) in _MUCH:
        exact = fold(before.word) != "wenig" and fold(tagged[-3].word) not in HOW_MUCH
        too = Case.ACCUSATIVE if fold(tagged[-3].word) == "zu" else None
        return adverbs_before(tagged) if exact else _strong(tagged, vectors[-1], too)
    if last.word_class is WordClass.NAME and not holds_article(fold(before.word)):
        whole = before.word_class is WordClass.NOUN and last.word.endswith("s")  # das höchste Gebirge Europas
        place = vectors[-1].kind is NounKind.PLACE
        part = before.word_class.has_kind or governed(tagged, len(tagged) - 1)  # Tante Erika
        if part or (is_listed_name(last.word) and not place):
            all_of_it = whole or fold(before.word) in said_before()["whole"].split()
            return [("ganz",)] if all_of_it and place else []
        return adverbs_before(tagged)
    counted = before.word_class is WordClass.NUMERAL and vectors[-1].kind is not NounKind.TIME
    counted = counted and last.word != "Uhr"
    if counted and fold(tagged[-3].word) == "jahr":
        return adverbs_before(tagged)
    ending = adjective_ending(tagged, len(tagged) - 1)
    unit = set(base_forms(fold(last.word))) & _units()
    if unit and fold(before.word) in [*exchange_lists()["others"]["some"].split(), "wenige"]:
        return [("lange",)] if vectors[-1].kind is NounKind.TIME else [("hundert",)]
    if counted and unit:
        return [("oder", "weniger" if before.word == "null" else "mehr")]
    if fold(before.word) == "zu":
        return []
    if counted and ending:
        return [(stem + ending,) for stem in _stems(tagged, vectors[-1])]
    next_number = next_of(before.word.lower(), exchange_lists()["small"]["next"].split())
    if before.word_class is WordClass.NUMERAL and next_number:
        return [("oder", next_number)]
    if before.word_class is WordClass.ADJECTIVE:
        return _second_adjective(tagged, vectors[-1], ending)
    genitive = before.word.endswith("s") and fold(tagged[-3].word).endswith("es")
    of_noun = genitive or fold(tagged[-3].word) == "aller" or tagged[-3].word_class is WordClass.NUMERAL
    if fold(before.word) in exchange_lists()["units"]["duration"].casefold().split():
        return [("lang",)]
    if before.word_class.has_kind and of_noun and last.word_class.has_kind:
        return []  # ist aller Laster Anfang, mit fünf Toren Vorsprung
    if before.word_class.has_kind and is_of_somebody(before):
        return _strong(tagged, vectors[-1])
    bare = before.word_class is WordClass.VERB and vectors[-1].origin is Origin.GUESSED
    plays = bare or any(fold(each.word).startswith("spiel") for each in tagged)
    plays = plays and not governed(tagged, len(tagged) - 1) and vectors[-1].kind is not NounKind.LIVING
    doing = plays or last.kind_hint is vectors[-1].kind is NounKind.ABSTRACT  # spielt gern Verstecken
    weather = "es" in {fold(each.word) for each in tagged} and fold(before.word) in ("in", "aus")
    if ending and not weather and not (doing and not holds_article(fold(before.word))):
        return [(stem + ending,) for stem in _stems(tagged, vectors[-1])]
    unknown = before.word_class is WordClass.PREPOSITION and not governed(tagged, len(tagged) - 1)
    if is_determiner(fold(before.word)) or unknown or weather:  # pro Woche, es regnet in Strömen
        return []
    mass = vectors[-1].kind is NounKind.THING and is_mass(fold(last.word))
    measured = said_before()["measured"].split()
    if before.word in (*measured, *exchange_lists()["bare"]["titles"].split()):
        return _strong(tagged, vectors[-1]) if mass else []
    behind = governed(tagged, len(tagged) - 1) or fold(before.word) in _COMPARED
    some = _strong(tagged, vectors[-1]) if mass and before.word_class in _BEFORE_SOME else []
    much: list[tuple[str, ...]] = []
    if {theme_of(last), last.word} & set(said_before()["counted_as_much"].split()):
        much = [("viel",)]
    return _before_much(tagged, vectors[-1]) if behind else some or much or adverbs_before(tagged)


def _behind_how(how: TaggedWord, how_much: bool) -> tuple[str, ...]:
    """Between an adjective that says how and the end: laut genug vor, länger als sonst aufbleiben."""
    word = fold(how.word)
    if word.endswith("er") and fold(how.lemma) != word:
        return ("als", "sonst")
    if how_much and word == "gut":
        return (ADDED, "schnell")
    if how_much or word in said_before()["again"].split():
        return ("wieder",)
    return ("genug",) if word in said_before()["gradable"].split() else ("wie", "immer")


def _may_be_verb(word: TaggedWord) -> bool:
    """A verb, or a small word that no list knows, whatever a rule takes it for: melkt."""
    unlisted = word.origin is not Origin.LISTED and word.word[:1].islower()
    return word.word_class is WordClass.VERB or unlisted


def _is_year(word: TaggedWord) -> bool:
    return word.word.isdecimal() and len(word.word) == len("1789")


def _is_second(tagged: Sequence[TaggedWord]) -> bool:
    """Whether the last word is the only verb of a main clause, right behind its subject: Das Baby lacht."""
    classes = [each.word_class for each in last_clause(tagged)]
    only = classes[-1] is WordClass.VERB and classes.count(WordClass.VERB) == 1
    return only and WordClass.CONJUNCTION not in classes


def _has_clause(tagged: Sequence[TaggedWord]) -> bool:
    subordinate = exchange_lists()["others"]["subordinate"].split()
    return any(fold(each.word) in subordinate for each in tagged)


def _units() -> set[str]:
    units: Mapping[str, str] = exchange_lists()["units"]
    return set(" ".join(units.values()).casefold().split())


def _stems(tagged: Sequence[TaggedWord], vector: WordVector) -> list[str]:
    """Of adjectives that fit the noun's kind and the determiner."""
    stem, _ = stem_and_ending(fold(tagged[-2].word))
    if special := _special(tagged, vector, stem):
        return said_before()[special].split()
    found = _by_kind(tagged, vector, stem)
    said = {fold(each.word) for each in tagged}
    stems = ((each, (each, each.replace("hoh", "hoch"))) for each in found)
    new = [each for each, forms in stems if not any(word.startswith(forms) for word in said)]
    return [
        each for each in new or found if not (each == "alt" and _makes(tagged))
    ]  # nobody builds an old house


def _makes(tagged: Sequence[TaggedWord]) -> bool:
    return any(fold(each.word).startswith(tuple(_MAKES.split())) for each in tagged)


def _by_kind(tagged: Sequence[TaggedWord], vector: WordVector, stem: str) -> list[str]:
    several = (slot := slot_at(tagged, len(tagged) - 1)) is not None and slot.forms == ("plural",)
    if stem in (*_OWN, "dies", "jed", "jen"):
        other = "own" if stem in ("sein", "ihr") else "ours" if stem in _OWN else "this"
        other = "abstract" if vector.kind is NounKind.ABSTRACT and stem in _OWN else other
    elif is_definite(fold(tagged[-2].word)):
        name = "definite_many" if several and stem == "d" else "definite"
        return _said_of(tagged[-1], vector, tagged[-2].word) or said_before()[name].split()
    elif tagged[-2].word_class is WordClass.NUMERAL:
        other = "numbered"
    else:
        other = "several" if several and not is_determiner(fold(tagged[-2].word)) else "some"
    return _anyones(_said_of(tagged[-1], vector)) or said_before()[other].split()


def _anyones(stems: Sequence[str]) -> list[str]:
    return [stem for stem in stems if stem not in said_before()["definite_only"].split()]


def _said_of(noun: TaggedWord, vector: WordVector, before: str = "") -> list[str]:
    """Stems by the noun, its theme or its kind; empty where none of them is known."""
    lists: Mapping[str, str] = exchange_lists()["said_of"]
    if fold(before) in ("zum", "zur") and vector.kind is NounKind.LIVING and theme_of(noun) == "roles":
        return said_before()["becoming"].split()
    if _is_doing(noun, before):
        return said_before()["doing_with" if fold(before) == "beim" else "doing"].split()
    by_kind = {NounKind.PLACE: "place", NounKind.ABSTRACT: "abstract"}  # not all that ends in „er“ is alive
    known = vector.kind is not None and vector.origin is not Origin.GUESSED
    kind = by_kind.get(vector.kind, "") if known and vector.kind else ""
    said = adjectives_of(noun.word) or (lists.get(theme_of(noun)) or lists.get(kind, "")).split()
    sizes = lists["sizes"].split() if has_no_plural(fold(noun.word)) else ()
    sizeless = [each for each in said if each not in sizes]
    return sizeless if len(sizeless) > 1 else said


def _is_doing(noun: TaggedWord, before: str) -> bool:
    doing = (
        fold(before) not in ("am", "im") and noun.kind_hint is NounKind.ABSTRACT and noun.word.endswith("n")
    )
    return doing and gender_of(noun) in ("", "neuter") and fold(noun.word) not in noun_lists().words


def _special(tagged: Sequence[TaggedWord], vector: WordVector, stem: str) -> str:
    """The list for what does not depend on the noun's theme; empty for all else."""
    noun, determiner, slot = tagged[-1], fold(tagged[-2].word), slot_at(tagged, len(tagged) - 1)
    definite = is_definite(determiner)
    body = theme_of(noun) == "body" and not adjectives_of(noun.word) and not _is_paired(fold(noun.word))
    if body and definite and stem not in _OWN:
        return _of_body(tagged)
    if stem == "ein" and set(base_forms(fold(noun.word))) & _units():
        return "of_unit"
    if stem == "ein" and vector.kind is NounKind.TIME and slot is not None and slot.preposition:
        return "of_time"
    if stem == "kein":
        return "none_felt" if theme_of(noun) == "feelings" else "none"
    since = slot is not None and slot.preposition == "seit"
    if since and not is_determiner(determiner) and slot is not None and slot.forms == ("plural",):
        return "since_many"
    own = adjectives_of(noun.word) and stem != "jed"
    if vector.kind is NounKind.TIME and noun.word_class is WordClass.NOUN and not own:
        if stem in ("jed", "jen", "dies"):
            return "each_time" if stem == "jed" else "some_time"
        unit = fold(noun.word) in exchange_lists()["others"]["every"].casefold().split()
        some = "some_unit" if unit else "some_time"
        many = slot is not None and slot.forms == ("plural",) and not definite
        some = "long" if many and is_determiner(determiner) else some
        return "own_time" if stem in _OWN else "since" if since else "time" if definite else some
    if definite and _is_paired(fold(noun.word)) and stem not in ("jed", "dies"):
        return _of_body(tagged) if slot is not None and slot.forms == ("plural",) else "side"
    if not definite and _is_paired(fold(noun.word)) and (slot is None or slot.forms != ("plural",)):
        return "body_of_two"
    if definite and noun.word_class is WordClass.NAME and not adjectives_of(noun.word):
        return "place_name" if vector.kind is NounKind.PLACE else "name"
    said_to_be = not (definite or _has_clause(tagged)) and any(fold(e.word) in BE for e in tagged[:-2])
    return "said_to_be" if said_to_be and slot is not None and slot.case is Case.NOMINATIVE else ""


def _of_body(tagged: Sequence[TaggedWord]) -> str:
    """Dough sticks to nobody's own fingers."""
    first = next((each for each in tagged if each.word_class.has_kind), tagged[0])
    thing = first.word_class is WordClass.NOUN and noun_kind(first.word, first.lemma).kind is NounKind.THING
    return "body_of_others" if thing else "own_body"


def _is_paired(noun: str) -> bool:
    return noun.endswith(tuple(said_before()["paired"].casefold().split()))


def _second_adjective(tagged: Sequence[TaggedWord], vector: WordVector, ending: str) -> list[tuple[str, ...]]:
    """„lange und schöne Lieder“: one choice only, since all begin alike."""
    lists, own = exchange_lists()["said_of"], tagged[-2].word.lower()
    left, right = said_before()["side"].split()
    if (side := own.removesuffix(ending)) in (left, right) and theme_of(tagged[-1]) != "shapes":
        return [(ADDED, (right if side == left else left) + ending)]
    slot = slot_at(tagged, len(tagged) - 1)
    plural = slot is not None and slot.forms == ("plural",)
    paired = _is_paired(fold(tagged[-1].word)) and not plural
    if tagged[-2].word.istitle() or tagged[-3].word_class is WordClass.ADJECTIVE:
        return []  # der Erste Weltkrieg, lange braune Haare
    single = has_no_plural(fold(tagged[-1].word))
    one = tagged[-1].word == tagged[-1].lemma and tagged[-1].word.endswith("e")  # schlechte Laune
    plural = plural and not single and not one
    if not single and (other := next_of(own.removesuffix(ending), lists["too_next"].split())):
        return [("und" if other.endswith("st") else "oder", other + ending)]
    if paired or own.startswith(tuple(exchange_lists()["others"]["only"].split())):
        name_of = "side" if paired else "long" if vector.kind is NounKind.TIME else ""
        name_of = name_of or ("whole_rest" if own.startswith("ganz") else "")
        fitting = [] if name_of else _anyones(_said_of(tagged[-1], vector))
        return [(stem + ending,) for stem in fitting or said_before()[name_of or "behind_only"].split()]
    stem = own.removesuffix(ending)
    pairs = dict(pair.split("-") for pair in exchange_lists()["adjectives"]["beside"].split())
    bright = exchange_lists()["adjectives"]["bright"].split()
    if (beside := pairs.get(stem)) and (plural or stem in bright):
        return [(ADDED if plural else "oder", beside + ending)]
    row = next((row for row in (_AGES, lists["sizes"].split()) if stem in row), ())
    grows = theme_of(tagged[-1]) in ("plants", "trees")
    opposites = opposites_of(own, ending, vector.kind is NounKind.LIVING and not grows)
    unlisted = not theme_of(tagged[-1]) and vector.kind is NounKind.ABSTRACT
    fitting = [] if unlisted else _anyones(_said_of(tagged[-1], vector))
    body = theme_of(tagged[-1]) == "body"
    if opposites and not body and plural and not (vector.kind is NounKind.LIVING and stem in _AGES):
        return [(ADDED if row else "oder", opposites[0])]
    if stem.endswith("er") and fold(tagged[-2].lemma) not in (stem, own):  # höhere Löhne
        return [(ADDED, "besser" + ending)]
    if stem.endswith(("st", "ßt")):
        best = "too_best_living" if vector.kind is NounKind.LIVING else "too_best"
        most = lists[best if stem == "best" else "too_most"].split()
        return [(ADDED, each + ending) for each in most if each != stem]
    kinds = {NounKind.ABSTRACT: "too_abstract", NounKind.LIVING: "too_living"}
    kind = NounKind.ABSTRACT if vector.kind is None or vector.origin is Origin.GUESSED else vector.kind
    too = lists[kinds.get(kind, "too")].split()
    others = [each for each in fitting if each not in (stem, *row) and each + ending not in opposites]
    alike = (
        () if stem.endswith(("end", *exchange_lists()["others"]["adjacent"].split())) else (ADDED,)
    )  # das brennende alte Haus
    others = [each for each in others if not (each == "alt" and _makes(tagged))]
    others = others or [each for each in too if each != stem][:1]
    return [(*alike, each + ending) for each in others if ending]


def _before_much(tagged: Sequence[TaggedWord], vector: WordVector) -> list[tuple[str, ...]]:
    """Behind a preposition, without an article: aus gutem Holz, mit viel Geduld."""
    slot, preposition = slot_at(tagged, len(tagged) - 1), fold(tagged[-2].word)
    towards = preposition == "nach" and vector.kind is NounKind.PLACE
    if vector.kind is NounKind.TIME:
        return _strong(tagged, vector)
    if slot is None or towards or preposition in ("zu", "um", "von", "unter", "über"):
        return []
    somebody = vector.kind is NounKind.LIVING and theme_of(tagged[-1]) != "plants"
    much: list[tuple[str, ...]] = [] if somebody else [(word,) for word in said_before()["much"].split()]
    if _is_doing(tagged[-1], tagged[-2].word):
        return []
    if preposition != "vor" and preposition in exchange_lists()["prepositions"]["two_way"].split():
        sure = vector.kind is NounKind.THING and vector.origin is not Origin.GUESSED
        there = [] if directs(tagged) else _strong(tagged, vector, Case.DATIVE)
        return (there or much) if sure else []  # geht in Rente
    return _strong(tagged, vector) or much


def _strong(
    tagged: Sequence[TaggedWord], vector: WordVector, case: Case | None = None
) -> list[tuple[str, ...]]:
    """Adjectives that tell case and gender: aus gutem Holz; empty where the gender is not known."""
    slot = slot_at(tagged, len(tagged) - 1)
    ending = _STRONG[case or slot.case].get(gender_of(tagged[-1]), "") if slot else ""
    without = slot is not None and slot.preposition == "ohne"
    time, abstract = vector.kind is NounKind.TIME, vector.kind is NounKind.ABSTRACT
    stems = said_before()[
        "without" if without else "own_time" if time else "abstract" if abstract else "known"
    ].split()
    if not without and not time:
        sizes = exchange_lists()["said_of"]["sizes"].split() if vector.kind is not NounKind.ABSTRACT else []
        said = adjectives_of(tagged[-1].word) if abstract else _said_of(tagged[-1], vector)
        stems = [each for each in _anyones(said) if each not in sizes] or stems
    return [(stem + ending,) for stem in stems] if ending else []
