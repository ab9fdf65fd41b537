"""A sentence in which a key judges, the finding that it states and its check; what several stations need."""

import re
from dataclasses import dataclass

import numpy as np

NUMBER = r"\(?(−?\d(?:[\d  ]*\d)?(?:,\d+)?)\)?"


WORD = r"„((?:[^„“]|„[^“]*“)+)“"


@dataclass(frozen=True)
class Line:
    """task: the answer that it stands in; several with commas. unseen: on no sheet that is tested."""

    task: str
    sentence: str
    check: object = None
    unseen: bool = False

    def of(self, task):
        return task in self.task.split(", ")

    @property
    def pattern(self):
        return re.compile(self.sentence.replace("«", WORD).replace("#", NUMBER) + r"\s*")


def best(values):
    return float(np.nanmax(values))


def swap(s, instead, word):
    """The tokens with `instead` where `word` stands."""
    place = s.words.index(word)
    return place, (*s.tokens[:place], instead, *s.tokens[place + 1 :])


def nothing(s, said, *_):
    assert not s.desk.options.learns


def learns(s, said, *_):
    assert s.desk.options.learns


SOME = r"((?:„.+?“(?:, | und | oder )?)+)"  # words in a row


LOOK = r"« achtet am stärksten auf «((?: oder „.+?“)*) \(#\)(?:, also auf sich selbst)?"


EVEN = r"(?:, aber die Gewichte sind fast gleich \(# bis #\))?"
