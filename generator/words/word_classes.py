"""Word classes, noun kinds and origins, and what the tagger says of a token."""

from dataclasses import dataclass
from enum import StrEnum


class WordClass(StrEnum):
    """Class of a word in its sentence; the first six are function words."""

    ARTICLE = "article"
    PRONOUN = "pronoun"
    QUESTION = "question"
    PREPOSITION = "preposition"
    CONJUNCTION = "conjunction"
    PARTICLE = "particle"
    NOUN = "noun"
    NAME = "name"
    VERB = "verb"
    ADJECTIVE = "adjective"
    ADVERB = "adverb"
    NUMERAL = "numeral"
    PUNCTUATION = "punctuation"
    SYMBOL = "symbol"

    @property
    def has_kind(self) -> bool:
        """Whether the word names something that can be a living being, a thing, a place …"""
        return self in (WordClass.NOUN, WordClass.NAME)


class NounKind(StrEnum):
    """What a noun or name stands for."""

    LIVING = "living"
    THING = "thing"
    PLACE = "place"
    TIME = "time"
    ABSTRACT = "abstract"


class Origin(StrEnum):
    """Where a classification comes from, so that a teacher sees what deserves a second look."""

    LISTED = "listed"
    RULE = "rule"
    GUESSED = "guessed"
    GIVEN = "given"


@dataclass(frozen=True)
class TaggedWord:
    """A token with its class, where that comes from, and what the tagger tells about a noun's kind."""

    token: str
    word: str  # the token without marks around it
    word_class: WordClass
    origin: Origin
    lemma: str = ""  # empty for signs, numbers, foreign words and without a tagger
    kind_hint: NounKind | None = None
