"""A sentence in which a key judges, the finding that it states and its check; what several stations need."""

import re
import sys
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from pathlib import Path

import numpy as np

from findings.seen import close, number

ROOT = Path(__file__).resolve().parents[2]
NUMBER = r"\(?(−?\d(?:[\d  ]*\d)?(?:,\d+)?)\)?"
WORD = r"„((?:[^„“]|„[^“]*“)+)“"


@dataclass(frozen=True)
class Line:
    """task: the answer that it stands in; several with commas. sentence: « is a word in quotes, # a number.

    check: gets the sheet, what was said, and words, numbers and groups in order; the finding holds unless it
    fails or says no. None: the sentence holds on every sheet, whatever its numbers are.
    """

    task: str
    sentence: str
    check: object = None

    def __post_init__(self):
        written = sys._getframe(2)  # where the line stands, for whoever changes the sentence
        file = Path(written.f_code.co_filename).relative_to(ROOT).as_posix()
        object.__setattr__(self, "place", f"{file}, Zeile {written.f_lineno}")

    def of(self, task):
        return task in self.task.split(", ")

    @cached_property
    def pattern(self):
        places = count()
        named = re.sub("#", lambda _: NUMBER.replace("(−", f"(?P<n{next(places)}>−"), self.sentence)
        return re.compile(named.replace("«", WORD) + r"\s*")

    def holds(self, sheet, said, match):
        numbers = {*self.pattern.groupindex.values()}
        groups = enumerate(match.groups(), 1)
        found = [number(group) if group and n in numbers else group for n, group in groups]
        return self.check is None or self.check(sheet, said, *found) in (None, True)


def words_in(text):
    return re.findall(WORD, text or "")


def best(values):
    return float(np.nanmax(values))


def leads(row, words, value, *named):
    """The largest number of a row is this one, and these of its words have it."""
    assert close(value, best(row))
    assert all(close(row[words.index(word)], best(row)) for word in named)


def swap(s, instead, word):
    """The tokens with `instead` where `word` stands."""
    place = s.words.index(word)
    return place, (*s.tokens[:place], instead, *s.tokens[place + 1 :])


def swaps_in(text):
    """What stands for what, as in „Hund“ statt „Katze“."""
    return re.findall(f"{WORD} statt {WORD}", text)


def nothing(s, said, *_):
    return not s.desk.options.learns


def learns(s, said, *_):
    return s.desk.options.learns


SOME = r"((?:„.+?“(?:, | und | oder )?)+)"  # words in a row
LOOK = r"« achtet am stärksten auf «(?: oder „.+?“)* \(#\)(?:, also auf sich selbst)?"
EVEN = r"(?:, aber die Gewichte sind fast gleich \(.+? bis .+?\))?"
