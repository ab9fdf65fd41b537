"""In: the tokens of a text. Out: the word class of each, by HanTa where it can be trusted, else by lists."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace

from generator.words import hanta
from generator.words.fallback import classify_sentence, mend
from generator.words.noun_kinds import closed_classes, fold
from generator.words.word_classes import NounKind, Origin, TaggedWord, WordClass

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
    "PWAV": WordClass.QUESTION,
    "PWS": WordClass.QUESTION,
    "PWAT": WordClass.QUESTION,
}
_CLASS_OF_TAG_START = {
    "NN": WordClass.NOUN,
    "V": WordClass.VERB,
    "AP": WordClass.PREPOSITION,
    "KO": WordClass.CONJUNCTION,
    "PTK": WordClass.PARTICLE,
    "P": WordClass.PRONOUN,
}
_KIND_OF_TAG = {"NNI": NounKind.ABSTRACT, "NNA": NounKind.LIVING}  # das Laufen, die Kranke


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
    case_matters = _has_both_cases(words)
    shown = [_end_of(word if case_matters else word.lower()) or "," for word in words]
    try:
        tags = hanta.tag_sentence(shown, case_matters)
    except hanta.TaggerUnavailableError:
        found = classify_sentence(shown, case_matters)
        tagged = [
            TaggedWord(token, word, *finding)
            for token, word, finding in zip(tokens, words, found, strict=True)
        ]
    else:
        tagged = [
            _from_tag(token, word, hanta_tag)
            for token, word, hanta_tag in zip(tokens, words, tags, strict=True)
        ]
        tagged = mend(tagged, shown, case_matters)
    return [_sign_or_number(word) or word for word in tagged]


def _end_of(word: str) -> str:
    """The last letters of a very long word, which tell its class, with the capital that it begins with."""
    end = word[-_LONGEST_WORD:]
    return end[:1].upper() + end[1:] if word[:1].isupper() else end


def _has_both_cases(words: Sequence[str]) -> bool:
    """Whether capitals tell anything: not in lines of capitals, nor where even the first letter is small."""
    letters = "".join(words)
    return any(letter.isupper() for letter in letters) and any(letter.islower() for letter in letters)


def _sign_or_number(tagged: TaggedWord) -> TaggedWord | None:
    if tagged.word and (_NUMBER.fullmatch(tagged.word) or all(sign.isnumeric() for sign in tagged.word)):
        return replace(tagged, word_class=WordClass.NUMERAL, origin=Origin.RULE)
    if any(sign.isalnum() for sign in tagged.word):
        return None
    is_mark = any(unicodedata.category(sign).startswith("P") for sign in tagged.word)
    word_class = WordClass.PUNCTUATION if is_mark else WordClass.SYMBOL
    return replace(tagged, word_class=word_class, origin=Origin.RULE)


def _from_tag(token: str, word: str, found: hanta.HantaTag) -> TaggedWord:
    tag_name = found.tag.partition("(")[0]
    if tag_name in ("FM", "XY") or tag_name.startswith("$"):
        return _foreign(token, word)
    word_class = _CLASS_OF_TAG.get(tag_name) or next(
        (of_start for start, of_start in _CLASS_OF_TAG_START.items() if tag_name.startswith(start)),
        WordClass.NOUN,
    )
    listed = closed_classes().german.get(fold(word)) is word_class
    origin = Origin.LISTED if listed else Origin.RULE
    return TaggedWord(token, word, word_class, origin, found.lemma, _KIND_OF_TAG.get(tag_name))


def _foreign(token: str, word: str) -> TaggedWord:
    listed = closed_classes().english.get(fold(word))
    if listed:
        return TaggedWord(token, word, listed, Origin.LISTED)
    key = fold(word)
    if key.endswith("ly"):
        return TaggedWord(token, word, WordClass.ADVERB, Origin.RULE)
    if key.endswith(("ing", "ed")):
        return TaggedWord(token, word, WordClass.VERB, Origin.RULE)
    return TaggedWord(token, word, WordClass.NOUN, Origin.GUESSED)
