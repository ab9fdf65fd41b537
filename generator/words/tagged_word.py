"""In: nothing. Out: the record that the tagger hands on."""

from dataclasses import dataclass

from generator.words.word_classes import NounKind, Origin, WordClass


@dataclass(frozen=True)
class TaggedWord:
    """A token with its class, where that comes from, and what the tagger tells about a noun's kind."""

    token: str
    word: str  # the token without marks around it
    word_class: WordClass
    origin: Origin
    lemma: str = ""  # empty for signs, numbers, foreign words and without a tagger
    kind_hint: NounKind | None = None
