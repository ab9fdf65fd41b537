"""What a key says in words, with the numbers that it is checked against: no station is asked."""

import re
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from laid_out import laid_out

from generator.calculation.document import document_of
from generator.options.options import Options
from generator.output.formulas.typeset import Typesetter
from generator.output.html import Html
from generator.sheet.record import stations_of
from tests.laid_out import page_of

MEANT = {  # word classes and the component that is theirs, as the sheets name it
    "article": "Artikel/Funktionswort", "conjunction": "Artikel/Funktionswort", "verb": "Handlung",
    "living": "Lebewesen", "thing": "Ding", "preposition": "Artikel/Funktionswort",
}  # fmt: skip


@dataclass(frozen=True)
class Said:
    """An answer of the key. task: station and name of the task, as in "4b strip".

    before: what a line is told to stand after.
    """

    task: str
    wording: str
    text: str
    before: str = ""


@dataclass
class Seen:
    """A sheet as its reader has it. pages: those that have been reckoned, by what they are of."""

    desk: object
    said: tuple[Said, ...]
    pages: dict = field(default_factory=dict)

    def __post_init__(self):
        self.words, self.tokens = _spaced(self.desk.words), tuple(self.desk.calculation.model.tokens)
        self.last, self.path = len(self.words) - 1, self.desk.options.uebung[-1] - 1

    def values(self, name, *index):
        """By hand; nan where hidden."""
        quantity = self.desk.hand[name]
        return np.where(quantity.shown, quantity.values, np.nan)[index]

    @property
    def source(self):
        return _spaced(self.desk.source_words)

    @property
    def target(self):
        return _spaced(self.desk.target_words)

    @cached_property
    def texts(self):
        """What a trained model has read, as words."""
        learnt = self.desk.built.learnt
        return [tuple(learnt.model.vocabulary[i] for i in ids) for ids in learnt.corpus.ids]

    @cached_property
    def longer(self):
        """Of them those that are longer than the sentence."""
        return [text for text in self.texts if len(text) > len(self.tokens)]

    @cached_property
    def differing(self):
        """The places at which they differ before the sentence ends."""
        return [j for j in range(len(self.tokens)) if len({text[j] for text in self.longer}) > 1]

    def at(self, word):
        """What stands in them where a word of the sentence stands."""
        return {text[self.words.index(word)] for text in self.longer}

    def after(self, *places):
        """What follows in those that have the sentence's words at these places, all if none is named."""
        known = places or range(len(self.tokens))
        same = (text for text in self.longer if all(text[j] == self.tokens[j] for j in known))
        return {text[len(self.tokens)] for text in same}

    @cached_property
    def document(self):
        return document_of(self.desk.built, {})


def _spaced(words):
    return tuple(word.replace("\N{NO-BREAK SPACE}", " ") for word in words)


def seen(options):
    sheet, desk = laid_out(Options.from_mapping(options))
    page = page_of(sheet, desk, "key")
    shown = Html(page.objects, Typesetter("pdf"))
    said = []
    for station, printed in zip(sheet.stations, stations_of(page), strict=True):
        names = {task.number: name for name, task in station.tasks.items()}
        for exercise in printed.exercises:
            block = "B" if station.id.startswith("B") else station.id
            task = f"{block} {names[exercise.task.number]}"
            asked = plain(shown.markup(exercise.wording))
            said += [Said(task, asked, plain(shown.markup(answer))) for answer in exercise.answers]
    return Seen(desk, tuple(said))


def plain(markup):
    """Formulas as they are spoken."""
    spoken = re.sub(r'<img[^>]*alt="([^"]*)"[^>]*>', r"\1", str(markup))
    text = re.sub("<[^>]+>", "", spoken).replace("&nbsp;", " ").replace("\N{NO-BREAK SPACE}", " ")
    return re.sub(r"\s+", " ", text).strip()


def number(text):
    return float(re.sub(r"[\s\N{NARROW NO-BREAK SPACE}()]", "", text).replace("−", "-").replace(",", "."))


def close(a, b):
    return abs(a - b) < 1e-9
