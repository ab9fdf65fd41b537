"""A sentence in which a key judges, the finding that it states and its check; what several stations need."""

import re
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from findings.seen import close, number

ROOT = Path(__file__).resolve().parents[2]
NUMBER = r"\(?(−?\d(?:[\d  ]*\d)?(?:,\d+)?)\)?"
WORD = r"„((?:[^„“]|„[^“]*“)+)“"


@dataclass(frozen=True)
class Line:
    """task: the answer that it stands in; several with commas. unseen: on no sheet that is tested."""

    task: str
    sentence: str
    check: object = None
    unseen: bool = False

    def __post_init__(self):
        written = sys._getframe(2)  # where the line stands, for whoever changes the sentence
        file = Path(written.f_code.co_filename).relative_to(ROOT).as_posix()
        object.__setattr__(self, "place", f"{file}, Zeile {written.f_lineno}")

    def of(self, task):
        return task in self.task.split(", ")

    @property
    def pattern(self):
        return re.compile(self.sentence.replace("«", WORD).replace("#", NUMBER) + r"\s*")


def best(values):
    return float(np.nanmax(values))


def leads(row, words, value, *named):
    """The largest number of a row is this one, and these of its words have it."""
    assert close(number(value), best(row))
    assert all(close(row[words.index(word)], best(row)) for word in named)


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
