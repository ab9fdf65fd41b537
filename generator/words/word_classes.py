"""In: nothing. Out: the names of word classes, noun kinds and origins that the lexicon speaks of."""

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
