"""In: the words of one sentence. Out: their word classes by lists, capitals and endings, without a tagger."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from generator.words.noun_kinds import is_listed_name, is_listed_noun
from generator.words.word_classes import Origin, WordClass
from generator.words.word_lists import closed_classes, fold

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
