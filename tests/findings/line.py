"""A sentence in which a key judges, the finding that it states and its check; what several stations need."""

import re
from dataclasses import dataclass

import numpy as np

from findings.reckoned import weights_of
from findings.seen import close, number

NUMBER = r"\(?(−?\d(?:[\d  ]*\d)?(?:,\d+)?)\)?"


WORD = r"„((?:[^„“]|„[^“]*“)+)“"

NOTICES = r"Head (\d+) liest(,| vor allem,|) (.+?): (Bei .+?)\.(?= |$)"


@dataclass(frozen=True)
class Line:
    task: str
    sentence: str
    check: object = None

    @property
    def pattern(self):
        return re.compile(self.sentence.replace("«", WORD).replace("#", NUMBER) + r"\s*")


def best(values):
    return float(np.nanmax(values))


def swap(s, instead, word):
    """The tokens with `instead` where `word` stands."""
    place = s.words.index(word)
    return place, (*s.tokens[:place], instead, *s.tokens[place + 1 :])


def _goes_against(s, k, other, said, change):
    """The word that the weight goes to, or comes from."""
    verb, word, *numbers = re.match(
        r"(\w+) es am meisten bei „(.+?)“ von (\d,\d+) auf (\d,\d+)", said
    ).groups()
    rows = [weights_of(s, tokens)[k - 1] for tokens in (s.tokens, other)]
    j = s.words.index(word)
    assert all(close(number(x), row[j]) for x, row in zip(numbers, rows, strict=True))
    moved = (rows[1] - rows[0]) * (-1 if change > 0 else 1)
    assert moved[j] >= moved.max() - 1e-9
    assert verb == ("sinkt" if change > 0 else "steigt")


def notices(s, said, k, sign, words, moves_):
    changes = {}
    for instead, word, rest in re.findall(r"„([^“]+)“ statt „([^“]+)“([^;]*)", moves_):
        place, other = swap(s, instead, word)
        before, after = (weights_of(s, tokens)[int(k) - 1][place] for tokens in (s.tokens, other))
        rest, _, against = rest.partition(", dafür ")
        if against:
            _goes_against(s, int(k), other, against, after - before)
        *said_before, said_after = [number(x) for x in re.findall(r"\d,\d+", rest)]
        assert close(said_after, after)
        if "fast gleich" in rest or "bleibt" in rest:
            assert abs(after - before) < 0.03 + 1e-9
        else:
            assert close(said_before[0], before)
            assert ("sinkt" in rest, "steigt" in rest) == (after < before, after > before)
            changes[word] = abs(after - before)
    named = re.findall("ob „([^“]+)“ oder „[^“]+“ dasteht", words)
    assert bool(named) == ("wenig" not in words)
    if "wenig" in words:
        assert all(change < 0.1 for change in changes.values())
    for word in named:
        assert changes[word] >= 0.1 - 1e-9
        assert changes[word] >= max(changes.values()) / 2 - 1e-9


def nothing(s, said, *_):
    assert not s.desk.options.learns


def learns(s, said, *_):
    assert s.desk.options.learns


SOME = r"((?:„.+?“(?:, | und | oder )?)+)"  # words in a row


LOOK = r"« achtet am stärksten auf «((?: oder „.+?“)*) \(#\)(?:, also auf sich selbst)?"


EVEN = r"(?:, aber die Gewichte sind fast gleich \(# bis #\))?"
