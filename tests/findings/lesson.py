# ruff: noqa: E501
"""A lesson: what the key says of a guess, of the pictures and of what a head reads, with its check."""

import re

import numpy as np

from findings.heads import look_k
from findings.line import EVEN, LOOK, SOME, WORD, Line, best, leads, learns, nothing, swap, swaps_in, words_in
from findings.reckoned import says, weights_of
from findings.seen import close, number

OFF = "4a off, 4b off"
READ = f"8 read, {OFF}"


def _shared(s, said):
    heads = range(1, min(2, s.desk.sizes.n_heads) + 1)
    ahead = [s.values(f"block1.head{k}.weight", s.last) for k in heads]
    leading = {j for row in ahead for j in np.flatnonzero(row >= best(row) - 0.02)}
    return len(s.differing) > 1 and {*s.differing} <= leading


def _guessed(s, said, word, weights):
    j = s.words.index(word)
    told = re.findall(r"(\d,\d+) in Head (\d+)", weights)
    own = [close(number(weight), s.values(f"block1.head{k}.weight", s.last)[j]) for weight, k in told]
    return j in s.differing and all(own)


def _look_instead(s, said, instead, k, first, weight):
    _, tokens = swap(s, instead, re.search(f"„{re.escape(instead)}“ statt {WORD}", said.text)[1])
    leads(weights_of(s, tokens)[int(k) - 1], tokens, weight, first)


def _off(s, said, word, p, text):
    found = says(s, s.tokens, re.search(r"ohne Head (\d+)", said.wording)[1])
    assert found[0] == word
    assert close(found[1], p)
    tokens = tuple(re.findall(r"[\w-]+|[.!?]", text))
    return tokens in s.texts and word in tokens


def _differ(s, said, enough, words, same, _):
    assert (enough == "Ja") == (" reicht: " in said.text)
    assert all(len(s.at(word)) > 1 for word in words_in(words))
    assert all(len(s.at(word)) == 1 for word in words_in(same))


def _not_enough(s, said, word, others):
    follows = s.after(s.words.index(word))
    return {*words_in(others)} == follows and (len(follows) > 1) == ("reicht nicht" in said.text)


def _together(s, said, words):
    return {*words_in(words)} == s.after(*s.differing)


def _learnt_with(s, said, heads):
    return learns(s, said) and (heads == "beiden") == (s.desk.sizes.n_heads == 2)


# What a head reads where words are exchanged


def _rows(s, k, instead, word):
    """The place, and the weights of head k before and after the exchange."""
    place, other = swap(s, instead, word)
    return place, *(weights_of(s, tokens)[int(k) - 1] for tokens in (s.tokens, other))


def _changes(s, said, k):
    """How far each exchange that is told moves the weight there."""
    told = said.text[len(said.before) :].split(": ", 1)[1].partition("Head ")[0]
    rows = {word: _rows(s, k, instead, word) for instead, word in swaps_in(told)}
    return {word: abs(after[place] - before[place]) for word, (place, before, after) in rows.items()}


def _reads(s, said, k, word, _):
    changes = _changes(s, said, k)
    return changes[word] >= max(0.1, max(changes.values()) / 2) - 1e-9


def _exchange(s, said, instead, word, first, then):
    """How the weight there changes, and whether both numbers are the weights."""
    k = re.findall(r"Head (\d+) (?:liest|achtet jedes Mal)", said.before)[-1]
    place, before, after = _rows(s, k, instead, word)
    assert close(first, before[place])
    assert close(then, after[place])
    return after[place] - before[place]


def _stays(s, said, instead, word, first, then=None):
    return abs(_exchange(s, said, instead, word, first, then or first)) < 0.03 + 1e-9


def _goes_to(s, said, word, first, then):
    k = re.findall(r"Head (\d+) (?:liest|achtet jedes Mal)", said.before)[-1]
    _, before, after = _rows(s, k, *swaps_in(said.before)[-1])
    j = s.words.index(word)
    assert close(first, before[j])
    assert close(then, after[j])
    return after[j] - before[j] >= (after - before).max() - 1e-9


LINES = [
    Line("4a why", rf"(Ja|Nein)\. Unterscheiden lassen sich die Sätze an {SOME}(?:; ({SOME}) "
         r"(?:steht|stehen) in allen)?\.", _differ),
    Line("4a why", rf"« reicht nicht: Dann kann es mit {SOME} weitergehen\.", _not_enough),
    Line("4a why", rf"Erst zusammen lassen sie nur {SOME} übrig\.", _together),
    Line("4a why", r"Jeder Tipp mit einem Grund zählt\."),
    Line("4a back, 4b back", r"Head (\d+): " + LOOK + EVEN + r"\.", look_k),
    Line("4a back, 4b back", r"Wer « getippt hat: ((?:\d,\d+ in Head \d+(?:, | und )?)+)\.", _guessed),
    Line("4a back, 4b back", r"Am besten trifft es, wer (?:beide|alle) getippt hat: Jedes .+? vorn\.", _shared),
    Line("4a worth", r"Nichts: Die Rechnung ist dieselbe wie in einem großen Modell, .+? ein Stück ändern\.", nothing),
    Line(OFF, r"« \(#\): So geht « weiter\.", _off),
    Line(OFF, r"(?:Zum anderen Head|Zu den anderen Heads) muss .+? nur mit (beiden|allen)\.", _learnt_with),
    Line(OFF, r"Steht « da, achtet Head (\d+) am stärksten auf «(?: oder „.+?“)* \(#\)\.", _look_instead),
    Line(READ, r"Head (\d+) liest davon wenig: ", lambda s, said, k: max(_changes(s, said, k).values()) < 0.1),
    Line(READ, r"Head (\d+) liest, ob « oder « dasteht: ", _reads),
    Line(READ, r"(?:B|; b)ei « statt « bleibt das Gewicht dort (?:fast gleich, )?#(?: und #)?", _stays),
    Line(READ, r"(?:B|; b)ei « statt « sinkt das Gewicht dort von # auf #", lambda *told: _exchange(*told) < 0),
    Line(READ, r"(?:B|; b)ei « statt « steigt das Gewicht dort von # auf #", lambda *told: _exchange(*told) > 0),
    Line(READ, r", dafür steigt « von # auf #", _goes_to),
    Line(READ, r"\."),
]  # fmt: skip
