"""In: the words of one sentence. Out: their word classes by lists, capitals and endings, without a tagger."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from generator.words.noun_kinds import closed_classes, fold, is_listed_name, is_listed_noun
from generator.words.word_classes import NounKind, Origin, TaggedWord, WordClass

# --- In: a sentence as HanTa tagged it. Out: the same with its known weak spots mended.

_NOMINAL = frozenset(
    {
        WordClass.ARTICLE,
        WordClass.PRONOUN,
        WordClass.ADJECTIVE,
        WordClass.NUMERAL,
        WordClass.NOUN,
        WordClass.NAME,
    }
)
_BEFORE_NOUN = frozenset(
    {WordClass.ARTICLE, WordClass.PRONOUN, WordClass.ADJECTIVE, WordClass.PREPOSITION, WordClass.NUMERAL}
)
_OPEN_CLASSES = frozenset({WordClass.ADJECTIVE, WordClass.VERB, WordClass.ADVERB})
_TITLES = frozenset({"herr", "herrn", "frau", "familie", "doktor", "dr", "professor", "prof"})
_BEFORE_INFINITIVE = frozenset({"das", "beim", "zum", "vom", "im", "am"})


@dataclass(frozen=True)
class _Place:
    """A word with its neighbours: the word before as mended, the one after as tagged."""

    text: str
    first: bool
    text_before: str
    text_after: str
    class_before: WordClass | None
    class_after: WordClass | None
    case_matters: bool

    @property
    def capital(self) -> bool:
        return self.text[:1].isupper()


def mend(tagged: Sequence[TaggedWord], words: Sequence[str], case_matters: bool) -> list[TaggedWord]:
    """The tagged words of one sentence, mended in order; `words` are the texts that the tagger saw."""
    mended: list[TaggedWord] = []
    for at, (word, text) in enumerate(zip(tagged, words, strict=True)):
        last = at + 1 == len(words)
        place = _Place(
            text=text,
            first=at == 0,
            text_before=fold(words[at - 1]) if at else "",
            text_after="" if last else words[at + 1],
            class_before=mended[-1].word_class if mended else None,
            class_after=None if last else tagged[at + 1].word_class,
            case_matters=case_matters,
        )
        mended.append(_mend_word(word, place))
    return mended


def _mend_word(word: TaggedWord, place: _Place) -> TaggedWord:
    if word.word_class.has_kind and word.lemma:
        return _mend_noun(word, place)
    if word.word_class is WordClass.VERB and place.capital and _is_nominalised(place):
        return replace(word, word_class=WordClass.NOUN, kind_hint=NounKind.ABSTRACT)
    if word.word_class in _OPEN_CLASSES and _is_hidden_noun(place):
        return replace(word, word_class=WordClass.NOUN, origin=Origin.LISTED)
    return _mend_small_word(word, place)


def _mend_noun(word: TaggedWord, place: _Place) -> TaggedWord:
    """„leckeren“ is no noun, Schneider after Herr is a name, das Schreiben is a nominalised verb."""
    if place.case_matters and not place.capital:
        found = classify(place.text, place.class_before, place.text_after)
        return replace(word, word_class=found.word_class, origin=found.origin, kind_hint=None)
    if place.text_before in _TITLES:
        return replace(word, word_class=WordClass.NAME)
    noun, name = is_listed_noun(place.text), is_listed_name(place.text)
    if noun and not name:
        return replace(word, word_class=WordClass.NOUN)
    if name and not noun:
        return replace(word, word_class=WordClass.NAME)
    if _is_nominalised(place):
        return replace(word, kind_hint=NounKind.ABSTRACT)
    return word


def _is_nominalised(place: _Place) -> bool:
    """Whether it is an infinitive after an article: das Schreiben, beim Klettern."""
    return fold(place.text).endswith(("en", "eln", "ern")) and place.text_before in _BEFORE_INFINITIVE


def _is_hidden_noun(place: _Place) -> bool:
    """Whether a listed noun was taken for something else: in a sentence, or without capitals."""
    if fold(place.text) in closed_classes().german or not is_listed_noun(place.text):
        return False
    if place.case_matters:
        return place.capital and not place.first
    return place.class_before in _BEFORE_NOUN and place.class_after is not WordClass.NOUN


def _mend_small_word(word: TaggedWord, place: _Place) -> TaggedWord:
    """Small words that the lists know better: plötzlich, bitte, als, and laut where nothing follows it."""
    listed = closed_classes().german.get(fold(place.text))
    tagged = word.word_class
    better = (
        (listed is WordClass.ADVERB and tagged is WordClass.ADJECTIVE)
        or (listed is WordClass.PARTICLE and tagged is WordClass.ADVERB)
        or (listed is WordClass.CONJUNCTION and tagged is WordClass.PREPOSITION)
        or (
            listed is WordClass.ADJECTIVE
            and tagged is WordClass.PREPOSITION
            and place.class_after not in _NOMINAL
        )
    )
    return replace(word, word_class=listed, origin=Origin.LISTED) if listed and better else word


_ADJECTIVE = re.compile(r"(ig|lich|isch|bar|sam|los|haft|voll)(e|en|er|es|em|ere|eren|ste|sten)?$")
_ADJECTIVE_ENDING = re.compile(r"\w\w(e|en|er|es|em)$")
_ADJECTIVE_ENDINGS = ("e", "en", "er", "es", "em", "ere", "eren", "ste", "sten")
_PARTICIPLE = re.compile(r"^(ge\w{2,}(t|en)|(be|ver|er|ent|zer)\w{2,}(t|en))$")
_VERB = re.compile(r"\w(t|st|te|ten|test|en|eln|ern|e)$")
_ADVERB = re.compile(r"(weise|wärts|mals|ens|ling)$")
_BEFORE_ADJECTIVE = frozenset(
    {WordClass.ARTICLE, WordClass.PRONOUN, WordClass.NUMERAL, WordClass.PREPOSITION, WordClass.ADJECTIVE}
)


class ClassFinding(NamedTuple):
    """The class of a word and where it comes from."""

    word_class: WordClass
    origin: Origin


def classify_sentence(words: Sequence[str], case_matters: bool = True) -> list[ClassFinding]:
    """Classes of the words of one sentence, in order."""
    found: list[ClassFinding] = []
    for place, word in enumerate(words):
        before = found[-1].word_class if found else None
        after = words[place + 1] if place + 1 < len(words) else ""
        found.append(classify(word, before, after, first=place == 0, case_matters=case_matters))
    return found


def classify(
    word: str, before: WordClass | None, after: str, first: bool = False, case_matters: bool = True
) -> ClassFinding:
    """The class of one word from itself, the class before it and the word after it."""
    capital = word[:1].isupper() and case_matters and not first
    closed = _closed_class(word)
    if closed and not (capital and is_listed_noun(word)):
        return ClassFinding(closed, Origin.LISTED)
    if capital or (word[:1].isupper() and case_matters and (is_listed_noun(word) or is_listed_name(word))):
        return _capitalised(word)
    if not case_matters and is_listed_name(word):
        return ClassFinding(WordClass.NAME, Origin.LISTED)
    if not case_matters and is_listed_noun(word):
        return ClassFinding(WordClass.NOUN, Origin.LISTED)
    return _by_ending(fold(word), before, after)


def _closed_class(word: str) -> WordClass | None:
    lists = closed_classes()
    return lists.german.get(fold(word)) or lists.english.get(fold(word))


def _capitalised(word: str) -> ClassFinding:
    if is_listed_name(word) and not is_listed_noun(word):
        return ClassFinding(WordClass.NAME, Origin.LISTED)
    return ClassFinding(WordClass.NOUN, Origin.RULE)


def _by_ending(key: str, before: WordClass | None, after: str) -> ClassFinding:
    noun_follows = after[:1].isupper()
    if _ADVERB.search(key):
        return ClassFinding(WordClass.ADVERB, Origin.RULE)
    if _ADJECTIVE.search(key):
        return ClassFinding(WordClass.ADJECTIVE, Origin.RULE)
    if noun_follows and before in _BEFORE_ADJECTIVE and _ADJECTIVE_ENDING.search(key):
        return ClassFinding(WordClass.ADJECTIVE, Origin.RULE)
    if _base_adjective(key):
        return ClassFinding(WordClass.ADJECTIVE, Origin.LISTED)
    if _PARTICIPLE.search(key) or _VERB.search(key):
        return ClassFinding(WordClass.VERB, Origin.RULE)
    return ClassFinding(WordClass.ADJECTIVE, Origin.GUESSED)


def _base_adjective(key: str) -> bool:
    """Whether the word is a form of a listed adjective: kleine, kleinen, kleinerer."""
    listed = closed_classes().german
    stems = (key.removesuffix(ending) for ending in _ADJECTIVE_ENDINGS)
    return any(listed.get(stem) is WordClass.ADJECTIVE for stem in stems)
