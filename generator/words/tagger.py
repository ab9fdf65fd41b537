"""The word class of every token: by HanTa where it can be trusted, mended where it is weak, else by lists."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from generator.words import hanta
from generator.words.noun_kinds import (
    NounKind,
    Origin,
    TaggedWord,
    WordClass,
    closed_classes,
    exchange_lists,
    fold,
    is_listed_name,
    is_listed_noun,
)

_ENDINGS = ("en", "em", "er", "es", "e")  # of adjectives
_NUMBER = re.compile(r"[+\-−]?[\d½¼¾][\d.,:/%°⁄\u00a0\u202f-]*")
_SENTENCE_END = frozenset(".!?…")
_LONGEST_WORD = 40  # of longer ones the end is enough to tell the class
_CLASS_OF_TAG = {
    "ART": WordClass.ARTICLE,
    "CARD": WordClass.NUMERAL,
    "ADJ": WordClass.ADJECTIVE,
    "ADV": WordClass.ADVERB,
    "PROAV": WordClass.ADVERB,
    "ITJ": WordClass.PARTICLE,
    "NE": WordClass.NAME,
    "TRUNC": WordClass.NOUN,
}
_CLASS_OF_TAG_START = {
    "NN": WordClass.NOUN,
    "V": WordClass.VERB,
    "AP": WordClass.PREPOSITION,
    "KO": WordClass.CONJUNCTION,
    "PTK": WordClass.PARTICLE,
    "PW": WordClass.QUESTION,
    "P": WordClass.PRONOUN,
}
_KIND_OF_TAG = {"NNI": NounKind.ABSTRACT, "NNA": NounKind.LIVING}  # das Laufen, die Kranke


class _Place(NamedTuple):
    """A word with its neighbours: the word before as classified, the one after as tagged."""

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


def tag(tokens: Sequence[str]) -> list[TaggedWord]:
    """The class of every token, in order; never fails, whatever the tokens are."""
    words = [_bare(token) for token in tokens]
    tagged: list[TaggedWord] = []
    for start, end in _sentences(words):
        tagged.extend(_tag_sentence(tokens[start:end], words[start:end]))
    return tagged


def _bare(token: str) -> str:
    """The word without marks around it and accents written apart; a token of marks alone stays as it is."""
    text = unicodedata.normalize("NFC", token).strip()
    ends = [place for place, sign in enumerate(text) if not unicodedata.category(sign).startswith("P")]
    return text[ends[0] : ends[-1] + 1] if ends else text


def _sentences(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    start = 0
    for place, word in enumerate(words):
        if word and set(word) <= _SENTENCE_END:
            yield start, place + 1
            start = place + 1
    if start < len(words):
        yield start, len(words)


def _tag_sentence(tokens: Sequence[str], words: Sequence[str]) -> list[TaggedWord]:
    letters = "".join(words)  # capitals tell nothing where there are only capitals, or none
    case_matters = any(map(str.isupper, letters)) and any(map(str.islower, letters))
    shown = [_end_of(word if case_matters else word.lower()) or "," for word in words]
    try:
        tags = hanta.tag_sentence(shown, case_matters)
    except hanta.TaggerUnavailableError:
        unknown = (WordClass.NOUN, Origin.GUESSED)
        tagged = [TaggedWord(token, word, *unknown) for token, word in zip(tokens, words, strict=True)]
        decide = _by_lists
    else:
        tagged = [_from_tag(*found) for found in zip(tokens, words, tags, strict=True)]
        decide = _mended
    done: list[TaggedWord] = []
    for at, word in enumerate(tagged):
        after = at + 1 if at + 1 < len(words) else None
        place = _Place(
            text=shown[at],
            first=at == 0,
            text_before=fold(shown[at - 1]) if at else "",
            text_after="" if after is None else shown[after],
            class_before=done[-1].word_class if done else None,
            class_after=None if after is None else tagged[after].word_class,
            case_matters=case_matters,
        )
        done.append(decide(word, place))
    return [_sign_or_number(word) or word for word in done]


def _end_of(word: str) -> str:
    """The last letters of a very long word, which tell its class, with the capital that it begins with."""
    end = word[-_LONGEST_WORD:]
    return end[:1].upper() + end[1:] if word[:1].isupper() else end


def _sign_or_number(tagged: TaggedWord) -> TaggedWord | None:
    if tagged.word and (_NUMBER.fullmatch(tagged.word) or all(sign.isnumeric() for sign in tagged.word)):
        return replace(tagged, word_class=WordClass.NUMERAL, origin=Origin.RULE)
    if any(sign.isalnum() for sign in tagged.word):
        return None
    is_mark = any(unicodedata.category(sign).startswith("P") for sign in tagged.word)
    word_class = WordClass.PUNCTUATION if is_mark else WordClass.SYMBOL
    return replace(tagged, word_class=word_class, origin=Origin.RULE)


def _from_tag(token: str, word: str, found: hanta.HantaTag) -> TaggedWord:
    name = found.tag.partition("(")[0]
    if name in ("FM", "XY") or name.startswith("$"):
        return TaggedWord(token, word, *_foreign(fold(word)))
    starts = (of_start for start, of_start in _CLASS_OF_TAG_START.items() if name.startswith(start))
    word_class = _CLASS_OF_TAG.get(name) or next(starts, WordClass.NOUN)
    listed = closed_classes().german.get(fold(word)) is word_class
    origin = Origin.LISTED if listed else Origin.RULE
    return TaggedWord(token, word, word_class, origin, found.lemma, _KIND_OF_TAG.get(name))


def _foreign(key: str) -> tuple[WordClass, Origin]:
    if listed := closed_classes().english.get(key):
        return listed, Origin.LISTED
    if key.endswith("ly"):
        return WordClass.ADVERB, Origin.RULE
    if key.endswith(("ing", "ed")):
        return WordClass.VERB, Origin.RULE
    return WordClass.NOUN, Origin.GUESSED


# HanTa's weak spots.

_DETERMINERS = frozenset({WordClass.ARTICLE, WordClass.PRONOUN, WordClass.ADJECTIVE, WordClass.NUMERAL})
_NOMINAL = _DETERMINERS | {WordClass.NOUN, WordClass.NAME}
_BEFORE_NOUN = _DETERMINERS | {WordClass.PREPOSITION}
_OPEN_CLASSES = frozenset({WordClass.ADJECTIVE, WordClass.VERB, WordClass.ADVERB})
_TITLES = frozenset({"herr", "herrn", "frau", "familie", "doktor", "dr", "professor", "prof"})
_BEFORE_INFINITIVE = frozenset({"das", "beim", "zum", "vom", "im", "am"})


def _mended(word: TaggedWord, place: _Place) -> TaggedWord:
    if word.word_class.has_kind and word.lemma:
        return _mended_noun(word, place)
    if word.word_class is WordClass.VERB and place.capital and _is_nominalised(place):
        return replace(word, word_class=WordClass.NOUN, kind_hint=NounKind.ABSTRACT)
    if word.word_class in _OPEN_CLASSES and _is_hidden_noun(place):
        return replace(word, word_class=WordClass.NOUN, origin=Origin.LISTED)
    listed = closed_classes().german.get(fold(place.text))  # plötzlich, bitte, als; laut before no noun
    better = (listed, word.word_class) in (
        (WordClass.ADVERB, WordClass.ADJECTIVE),
        (WordClass.PARTICLE, WordClass.ADVERB),
        (WordClass.CONJUNCTION, WordClass.PREPOSITION),
    )
    if (listed, word.word_class) == (WordClass.ADJECTIVE, WordClass.PREPOSITION):
        better = place.class_after not in _NOMINAL
    return replace(word, word_class=listed, origin=Origin.LISTED) if listed and better else word


def _mended_noun(word: TaggedWord, place: _Place) -> TaggedWord:
    """„leckeren“ is no noun, Schneider after Herr is a name, das Schreiben is a nominalised verb."""
    if place.case_matters and not place.capital:
        return replace(_by_lists(word, place), kind_hint=None)
    noun, name = is_listed_noun(place.text), is_listed_name(place.text)
    if place.text_before in _TITLES or (name and not noun):
        return replace(word, word_class=WordClass.NAME)
    if noun and not name:
        return replace(word, word_class=WordClass.NOUN)
    return replace(word, kind_hint=NounKind.ABSTRACT) if _is_nominalised(place) else word


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


# Without HanTa: lists, capitals and endings.

_ADJECTIVE = re.compile(r"(ig|lich|isch|bar|sam|los|haft|voll)(e|en|er|es|em|ere|eren|ste|sten)?$")
_ADJECTIVE_ENDING = re.compile(r"\w\w(e|en|er|es|em)$")
_ADJECTIVE_ENDINGS = ("e", "en", "er", "es", "em", "ere", "eren", "ste", "sten")
_PARTICIPLE = re.compile(r"^(ge\w{2,}(t|en)|(be|ver|er|ent|zer)\w{2,}(t|en))$")
_VERB = re.compile(r"\w(t|st|te|ten|test|en|eln|ern|e)$")
_ADVERB = re.compile(r"(weise|wärts|mals|ens|ling)$")


def _by_lists(word: TaggedWord, place: _Place) -> TaggedWord:
    word_class, origin = _classified(place)
    return replace(word, word_class=word_class, origin=origin)


def _classified(place: _Place) -> tuple[WordClass, Origin]:
    """The class of a word from itself, the class before it and the word after it."""
    key, lists = fold(place.text), closed_classes()
    noun, name = is_listed_noun(place.text), is_listed_name(place.text)
    upper = place.case_matters and place.capital
    sure = upper and not place.first
    closed = lists.german.get(key) or lists.english.get(key)
    if closed and not (sure and noun):
        return closed, Origin.LISTED
    if sure or (upper and (noun or name)):
        return (WordClass.NAME, Origin.LISTED) if name and not noun else (WordClass.NOUN, Origin.RULE)
    if not place.case_matters and (name or noun):
        return (WordClass.NAME if name else WordClass.NOUN), Origin.LISTED
    if _ADVERB.search(key):
        return WordClass.ADVERB, Origin.RULE
    after_determiner = place.text_after[:1].isupper() and place.class_before in _BEFORE_NOUN
    if _ADJECTIVE.search(key) or (after_determiner and _ADJECTIVE_ENDING.search(key)):
        return WordClass.ADJECTIVE, Origin.RULE
    if any(lists.german.get(key.removesuffix(e)) is WordClass.ADJECTIVE for e in _ADJECTIVE_ENDINGS):
        return WordClass.ADJECTIVE, Origin.LISTED  # kleine, kleinen, kleinerer
    if _PARTICIPLE.search(key) or _VERB.search(key):
        return WordClass.VERB, Origin.RULE
    return WordClass.ADJECTIVE, Origin.GUESSED


_OF_LANDS = ("sche", "schen", "scher", "sches", "schem")


_OF_VERBS = ("et", "t", "ten", "te", "en")


def _with_verb(tagged: Sequence[TaggedWord]) -> Sequence[TaggedWord]:
    """Where no word is a verb, the first small one that no list knows and that may be one is: naschen."""
    unknown = (
        place
        for place, each in enumerate(tagged[1:4], 1)
        if each.word.islower() and each.word.endswith(_OF_VERBS) and each.origin is not Origin.LISTED
    )
    place = next(unknown, 0)
    if not place or len(tagged) < 4 or any(each.word_class is WordClass.VERB for each in tagged):
        return tagged
    word = tagged[place].word
    stem = next(word.removesuffix(end) for end in _OF_VERBS if word.endswith(end))
    verb = replace(tagged[place], word_class=WordClass.VERB, lemma=stem + "en")
    return [*tagged[:place], verb, *tagged[place + 1 :]]


def mended(tagged: Sequence[TaggedWord]) -> tuple[TaggedWord, ...]:
    """What the words around tell better: „heißen“ in „Wir trinken heißen Tee“ is no second verb."""
    tagged = _with_verb(tagged)
    noun_first = len(tagged) > 1 and tagged[0].word_class is tagged[1].word_class is WordClass.VERB
    if noun_first and is_listed_noun(tagged[0].word):  # Spinnen haben acht Beine
        tagged = [replace(tagged[0], word_class=WordClass.NOUN), *tagged[1:]]
    found, unbent = list(tagged), exchange_lists()["others"]["unbent"].split()
    for place in range(1, len(tagged) - 1):
        after = tagged[place + 1]
        long = fold(tagged[place].word) == "lange"
        if long and (
            after.word_class is WordClass.NOUN
            or (after.word_class is WordClass.ADJECTIVE and after.word.endswith("e"))
        ):
            found[place] = replace(tagged[place], word_class=WordClass.ADJECTIVE)
        word, town = tagged[place].word, tagged[place].word.removesuffix("er")
        if (word.endswith(_OF_LANDS) or (town != word and is_listed_name(town))) and tagged[
            place + 1
        ].word_class is WordClass.NOUN:
            found[place] = replace(tagged[place], word_class=WordClass.ADJECTIVE)  # das Deutsche Reich
        verbs = [each for each in tagged[: place + 1] if each.word_class is WordClass.VERB]
        ends = tagged[place].word.endswith(_ENDINGS) and tagged[place].word.islower()
        if tagged[place] in verbs[1:] and ends and tagged[place + 1].word_class is WordClass.NOUN:
            found[place] = replace(tagged[place], word_class=WordClass.ADJECTIVE)
        unknown = tagged[place].word.islower() and fold(tagged[place].word) not in closed_classes().german
        if tagged[place].word_class is WordClass.PRONOUN and unknown and after.word_class is WordClass.NOUN:
            found[place] = replace(tagged[place], word_class=WordClass.ADJECTIVE)  # laute Lieder
        bent = fold(tagged[place].word).endswith((*_ENDINGS, *unbent))
        adjective = tagged[place].word_class is WordClass.ADJECTIVE
        if adjective and not bent and tagged[place + 1].word_class is WordClass.NOUN:  # täglich Brot
            found[place] = replace(tagged[place], word_class=WordClass.ADVERB)
        if fold(tagged[place - 1].word) == "am" and tagged[place].word.endswith("sten"):  # am liebsten
            found[place] = replace(tagged[place], word_class=WordClass.ADVERB)
    if tagged[-1].word[:1].isupper() and tagged[-1].word_class is WordClass.VERB:  # am Reck
        found[-1] = replace(tagged[-1], word_class=WordClass.NOUN)
    last, last_listed = tagged[-1], closed_classes().german.get(fold(tagged[-1].word))
    if last.word_class is WordClass.PARTICLE and last.word.startswith("ge"):  # gefangen
        found[-1] = replace(last, word_class=WordClass.VERB)
    elif last.word_class is WordClass.PARTICLE and last_listed is WordClass.ADJECTIVE:  # kalt
        found[-1] = replace(last, word_class=WordClass.ADJECTIVE)
    return tuple(found)
