# ruff: noqa: E501
"""What a head reads where words are exchanged, in stations 4a and 8, with its check."""

import re

from findings.line import WORD, Line, swap
from findings.reckoned import weights_of
from findings.seen import close, number

TASKS = "8 read, 4a off, 4b off"


def _head(said):
    return int(re.findall(r"Head (\d+) (?:liest|achtet jedes Mal)", said.before)[-1])


def _rows(s, k, instead, word):
    """The place, and the weights of head k before and after the exchange."""
    place, other = swap(s, instead, word)
    before, after = (weights_of(s, tokens)[k - 1] for tokens in (s.tokens, other))
    return place, before, after


def _changes(s, said, k):
    """How far each exchange that is told moves the weight there."""
    told = said.text[len(said.before) :].split(": ", 1)[1].partition("Head ")[0]
    rows = {word: _rows(s, k, instead, word) for instead, word in re.findall(f"{WORD} statt {WORD}", told)}
    return {word: abs(after[place] - before[place]) for word, (place, before, after) in rows.items()}


def _little(s, said, k):
    assert all(change < 0.1 for change in _changes(s, said, int(k)).values())


def _reads(s, said, k, *words):
    changes = _changes(s, said, int(k))
    for word in words[::2]:
        assert changes[word] >= 0.1 - 1e-9
        assert changes[word] >= max(changes.values()) / 2 - 1e-9


def _elsewhere(s, said, k, most, *words):
    _reads(s, said, k, *filter(None, words))
    told = re.findall(
        f"{WORD} statt {WORD}", said.text[len(said.before) :].split(": ", 1)[1].partition("Head ")[0]
    )
    for instead, word in told:
        place, before, after = _rows(s, int(k), instead, word)
        for row in (before, after):
            assert row[s.words.index(most)] == row.max()
        assert s.words.index(most) != place


def _stays(s, said, instead, word, *numbers):
    place, before, after = _rows(s, _head(said), instead, word)
    assert close(number(numbers[-1]), after[place])
    assert close(number(numbers[0]), before[place])
    assert abs(after[place] - before[place]) < 0.03 + 1e-9


def moved(sign):
    def check(s, said, instead, word, first, then):
        place, before, after = _rows(s, _head(said), instead, word)
        assert close(number(first), before[place])
        assert close(number(then), after[place])
        assert (after[place] - before[place]) * sign > 0

    return check


def against(sign):
    """The word that the weight goes to, or comes from."""

    def check(s, said, word, first, then):
        instead, exchanged = re.findall(f"{WORD} statt {WORD}", said.before)[-1]
        _, before, after = _rows(s, _head(said), instead, exchanged)
        j = s.words.index(word)
        assert close(number(first), before[j])
        assert close(number(then), after[j])
        assert sign * (after[j] - before[j]) >= (sign * (after - before)).max() - 1e-9

    return check


LINES = [
    Line(TASKS, r"Head (\d+) liest davon wenig: ", _little),
    Line(TASKS, r"Head (\d+) liest beides, (?:ob) « oder « dasteht(?: und )ob « oder « dasteht: ", _reads, unseen=True),
    Line(TASKS, r"Head (\d+) liest vor allem, (?:ob) « oder « dasteht: ", _reads, unseen=True),
    Line(TASKS, r"Head (\d+) achtet jedes Mal am stärksten auf «, weniger darauf, (?:ob) « oder « dasteht(?: und ob « oder « "
         r"dasteht)?: ", _elsewhere, unseen=True),
    Line(TASKS, r"Head (\d+) liest, ob « oder « dasteht: ", _reads),
    Line(TASKS, r"(?:B|; b)ei « statt « bleibt das Gewicht dort #", _stays),
    Line(TASKS, r"(?:B|; b)ei « statt « bleibt das Gewicht dort fast gleich, # und #", _stays),
    Line(TASKS, r"(?:B|; b)ei « statt « sinkt das Gewicht dort von # auf #", moved(-1)),
    Line(TASKS, r"(?:B|; b)ei « statt « steigt das Gewicht dort von # auf #", moved(1)),
    Line(TASKS, r", dafür steigt « von # auf #", against(1)),
    Line(TASKS, r", dafür (?:sinkt) « von # auf #", against(-1), unseen=True),
    Line(TASKS, r"\."),
]  # fmt: skip
