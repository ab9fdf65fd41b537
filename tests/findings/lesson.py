# ruff: noqa: E501
"""The first and the last page of a lesson: what the key says of a guess and of the pictures, with its check."""

import re

import numpy as np

from findings.heads import look_k
from findings.line import EVEN, LOOK, SOME, WORD, Line, best, leads, nothing, swap
from findings.reckoned import says, weights_of
from findings.seen import close, number


def _shared(s, said):
    heads = range(1, min(2, s.desk.sizes.n_heads) + 1)
    ahead = [s.values(f"block1.head{k}.weight", s.last) for k in heads]
    leading = {j for row in ahead for j in np.flatnonzero(row >= best(row) - 0.02)}
    assert len(s.differing) > 1
    assert {*s.differing} <= leading


def _guessed(s, said, word, weights, *_):
    j = s.words.index(word)
    assert j in s.differing
    for weight, k in re.findall(r"(\d,\d+) in Head (\d+)", weights):
        assert close(number(weight), s.values(f"block1.head{k}.weight", s.last)[j])


def _look_instead(s, said, instead, k, first, weight):
    _, tokens = swap(s, instead, re.search(f"„{re.escape(instead)}“ statt {WORD}", said.text)[1])
    leads(weights_of(s, tokens)[int(k) - 1], tokens, weight, first)


def _without(s, said, word, p):
    off = re.search(r"ohne Head (\d+)", said.wording)[1]
    found = says(s, s.tokens, off)
    assert found[0] == word
    assert close(found[1], number(p))


def _off(s, said, word, p, text):
    _without(s, said, word, p)
    tokens = tuple(re.findall(r"[\w-]+|[.!?]", text))
    assert tokens in s.texts
    assert word in tokens


def _several_off(s, said, word, p, texts):
    for text in re.findall("„(.+?)“", texts):
        _off(s, said, word, p, text)


def _no_end(s, said, word, p):
    _without(s, said, word, p)
    assert word not in {text[len(s.tokens)] for text in s.longer}


def _stays(s, said, word, p, before, p_before):
    _without(s, said, word, p)
    assert word == before == says(s, s.tokens)[0]
    assert close(says(s, s.tokens)[1], number(p_before))


def _in_all(s, said, word, weight, needed, instead):
    off = re.search(r"ohne Head (\d+)", said.wording)[1]
    row = s.values(f"block1.head{off}.weight", s.last)
    leads(row, s.words, weight, word)
    assert s.at(word) == {s.tokens[s.words.index(word)]}
    assert needed is None or says(s, s.tokens, off)[0] != says(s, s.tokens)[0]
    if instead:
        place = next(i for i in range(len(s.tokens)) if f"statt „{s.words[i]}“" in said.text)
        other = weights_of(s, swap(s, instead, s.words[place])[1])[int(off) - 1]
        assert (row - other)[s.words.index(word)] >= 0.1 - 1e-9


def _differ(s, said, enough, words, same=None, *_):
    assert (enough == "Ja") == (" reicht: " in said.text)
    assert all(len(s.at(word)) > 1 for word in re.findall("„(.+?)“", words))
    assert all(len(s.at(word)) == 1 for word in re.findall("„(.+?)“", same or ""))


def _not_enough(s, said, word, others):
    follows = s.after(s.words.index(word))
    assert ({*re.findall("„(.+?)“", others)} or {others}) == follows
    assert (len(follows) > 1) == ("reicht nicht" in said.text)


def _together(s, said, words):
    assert set(re.findall("„(.+?)“", words)) == s.after(*s.differing)


def _enough(s, said, word, after, others):
    _not_enough(s, said, word, after)
    place = s.words.index(word)
    for instead, next_word in re.findall("mit „(.+?)“ nur mit „(.+?)“", others):
        assert {t[len(s.tokens)] for t in s.texts if t[place] == instead} == {next_word}


def _learnt_with(s, said, how_many):
    assert s.desk.options.learns
    assert (how_many == "beiden") == (s.desk.sizes.n_heads == 2)


LINES = [
    Line("4a why", rf"(Ja|Nein)\. Unterscheiden lassen sich die Sätze an {SOME}(?:; ({SOME}) (?:steht|stehen) in allen)?\.", _differ),
    Line("4a why", rf"« reicht nicht: Dann kann es mit {SOME} weitergehen\.", _not_enough),
    Line("4a why", r"« reicht: Dann geht es nur mit « weiter((?:, mit „.+?“ nur mit „.+?“)*)\.", _enough, unseen=True),
    Line("4a why", rf"Erst zusammen lassen sie nur {SOME} übrig\.", _together),
    Line("4a why", r"Jeder Tipp mit einem Grund zählt\."),
    Line("4a back, 4b back", r"Head (\d+): " + LOOK + EVEN + r"\.", look_k),
    Line("4a back, 4b back", r"Wer « getippt hat: ((?:# in Head \d+(?:, | und )?)+)\.", _guessed),
    Line("4a back, 4b back", r"Am besten trifft es, wer (?:beide|alle) getippt hat: Jedes steht in einem Head vorn\.", _shared),
    Line("4a back, 4b back", r"Der Tipp passt, soweit seine breiten Bögen dort stehen\.", unseen=True),
    Line("4a worth", r"Nichts: Die Rechnung ist dieselbe wie in einem großen Modell, aber die Zahlen sind nicht an "
         r"Sätzen gelernt\. Es müsste Texte lesen und nach jedem falschen Wort seine Zahlen ein Stück ändern\.", nothing),
    Line("4a off, 4b off", r"« \(#\): So geht « weiter\.", _off),
    Line("4a off, 4b off", r"« \(#\): So gehen (.+?) weiter\.", _several_off, unseen=True),
    Line("4a off, 4b off", r"« \(#\): So geht keiner der Sätze weiter\.", _no_end, unseen=True),
    Line("4a off, 4b off", r"(?:Zum anderen Head|Zu den anderen Heads) muss das nicht passen: "
         r"Gelernt hat das Modell nur mit (beiden|allen)\.", _learnt_with),
    Line("4a off, 4b off", r"Es bleibt bei « \(#\), vorher war es « \(#\)\.", _stays, unseen=True),
    Line("4a off, 4b off", r"In deinem Satz achtet er am stärksten auf « \(#\)\. Das steht in allen Sätzen(?: und unterscheidet sie nicht(; doch "
         r"ohne diesen Beitrag kommt ein anderes Wort heraus)?|; doch weil er dort bleibt, ist zu sehen, dass « nicht dasteht)\.",
         _in_all, unseen=True),
    Line("4a off, 4b off", r"Steht « da, achtet Head (\d+) am stärksten auf «(?: oder „.+?“)* \(#\)\.", _look_instead),
]  # fmt: skip
