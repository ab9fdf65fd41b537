"""A sentence as it is read: its words, what tagger and lists say of them, and what belongs to what."""

from dataclasses import dataclass

from generator.words.noun_kinds import NounKind, TaggedWord, WordClass, fold
from generator.words.noun_slots import is_determiner, is_subject
from generator.words.word_vectors import WordVector


@dataclass(frozen=True)
class Spoken:
    """Three words at least; tagged and vectors are of these words."""

    words: tuple[str, ...]
    tagged: tuple[TaggedWord, ...]
    vectors: tuple[WordVector, ...]

    def is_last(self, place: int) -> bool:
        """Whether the sentence ends with the word."""
        return place == len(self.words) - 1

    def is_before(self, place: int) -> bool:
        """Whether an adverb belongs to the next word: gleich lang, heute Abend."""
        if self.is_last(place):
            return False
        alone = place > 0 and self.tagged[place - 1].word_class is WordClass.VERB  # esse gern frisches Brot
        adjective = self.tagged[place + 1].word_class is WordClass.ADJECTIVE and not alone
        return adjective or self.vectors[place + 1].kind is NounKind.TIME

    def noun_of(self, place: int) -> int | None:
        """The noun that a determiner belongs to; None where there is none."""
        if not is_determiner(fold(self.words[place])):
            return None
        noun = place + 1
        while noun < len(self.words) and self.tagged[noun].word_class is WordClass.ADJECTIVE:
            noun += 1
        if noun == len(self.words) or not self.tagged[noun].word_class.has_kind:
            return None
        return None if self.tagged[noun].word_class is WordClass.NAME else noun

    def subjects(self) -> list[int]:
        """Places of the nouns that may be its subject."""
        nouns = (i for i, each in enumerate(self.tagged[:-1]) if each.word_class is WordClass.NOUN)
        return [place for place in nouns if is_subject(self.tagged, place)]
