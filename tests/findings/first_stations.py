# ruff: noqa: E501
"""Stations 0 to 3: what their keys say, each with its check."""

import re

import numpy as np

from findings.line import NUMBER, WORD, Line
from findings.seen import MEANT, close, number


def _sizes(s, said, letter, theirs, ours, ratio):
    model, words = s.desk.sizes, 50257 / len(s.desk.vocabulary)
    ratios = [1024 / s.desk.n, words, 12 / model.n_heads, 768 / model.d_model, 12 / model.n_blocks]
    most = max(*ratios, 3072 / model.d_ff, 64 / model.d_head)
    assert close(theirs / ours, most)
    assert abs(ratio - most) <= 0.5
    return letter == "V" or most > words


def _first_id(s, said, new):
    return new == s.desk.vocabulary.index(re.search("„(.+?)“ noch einmal", said.wording)[1])


def _furthest(s, said, component, name, value):
    word = re.search("„(.+?)“ an, die am weitesten", said.wording)[1]
    row = s.values("embedding", s.words.index(word))
    return close(abs(value), np.abs(row).max()) and close(value, row[int(component) - 1])


def _of_its_group(own):
    """Whether the component that is named is that of the word's own class."""

    def check(s, said, word):
        vector = s.desk.built.vectors[s.words.index(word)]
        meant = MEANT.get(str(vector.kind.value if vector.kind else vector.word_class.value))
        named = re.search(r"Komponente \d+ \((.+?)\)", said.text)[1]
        return meant in (named, None) if own else meant != named

    return check


def _pair(s, said, a, b, value):
    names = list(s.desk.vocabulary)
    drawn = "vocabulary_table" in s.desk.hand
    table = s.values("vocabulary_table") if drawn else s.desk.calculation.model.input_embedding
    x, y = (table[names.index(word)] for word in (a, b))
    return abs(x @ y / np.sqrt((x @ x) * (y @ y)) - value) <= 0.0101


def _akin(expected):
    """Whether the words of each pair are of one group."""

    def check(s, said):
        learnt = s.desk.built.learnt
        group = {w: v.group for w, v in zip(learnt.model.vocabulary, learnt.vectors, strict=True)}
        pairs = re.findall(rf"{WORD} und {WORD}", said.text.partition(" (Kosinus")[0])
        return all((group[a] == group[b]) == expected for a, b in pairs)

    return check


def _moved(s, said, after, before):
    x, e = s.values("input"), s.values("embedding")
    pairs = [(i, j) for i in range(s.desk.n) for j in range(i) if close(round(x[i] @ x[j], 2), before)]
    p = x - e if "positional_encoding" not in s.desk.hand else s.values("positional_encoding")
    moved = [np.round(e[i] + p[j] + 1e-9, 1) @ np.round(e[j] + p[i] + 1e-9, 1) for i, j in pairs]
    return any(abs(score - after) <= 0.3 for score in moved) and before != after


def _shared(s, said, component, a, b):
    words = re.match(r"„(.+?)“ und „(.+?)“", said.text)
    rows = [s.desk.calculation.model.input_embedding[s.desk.vocabulary.index(words[k])] for k in (1, 2)]
    if " und „" not in said.text.partition("Ihre")[0].replace(words[0], "", 1):  # one pair alone
        assert [round(float(row[int(component) - 1]), 6) for row in rows] == [a, b]


def _same_place(s, said, component, value, alike, others):
    added, c = s.values("positional_encoding"), int(component) - 1
    assert close(value, added[s.path, c])
    assert close(abs(value), np.abs(added[s.path]).max())
    assert np.ptp(added[:, c]) <= 0.1 + 1e-9
    assert abs(added[:, c].mean() - alike) <= 0.06
    widths = np.ptp(added, axis=0)
    named = re.findall(rf"Komponente (\d+) \({NUMBER} bis {NUMBER}\)", others)
    wide = [c for c, width in enumerate(widths, 1) if width >= 0.8 * widths.max() > 0.1]
    assert [int(c) for c, *_ in named] == wide
    for c, low, high in named:
        assert abs(number(high) - number(low) - widths[int(c) - 1]) <= 0.1 + 1e-9


LINES = [
    Line("0 largest", r"Bei (n|V|d|h|L|B|.*?): # : # ≈ #", _sizes),
    Line("1 same", r"Alle IDs bleiben, hinten kommt noch einmal die ID # dazu\.", _first_id),
    Line("1 same", r"Das Vokabular wächst nicht, denn « .+? im Satz\.", lambda s, said, word: word in s.tokens),
    Line("1 same", r"Die ID ist die Nummer des Wortes im Vokabular, .+? steht jedes Wort nur einmal\.",
         lambda s, said: len(set(s.tokens)) < len(s.tokens)),
    Line("2 meaning", r"Komponente (\d+)(?: \((.+?)\))? mit #\.", _furthest),
    Line("2 meaning", r"Das trifft auf « am meisten zu\.", _of_its_group(True)),
    Line("2 meaning", r"Das trifft auf « am meisten zu: Auch nach dem Lernen .+? Wortgruppe\.", _of_its_group(True)),
    Line("2 meaning", r"Eine Komponente für die Wortgruppe von « gibt es hier nicht: .+?\.", _of_its_group(False)),
    Line("2 pair", r"« und «(?:, …)? \(Kosinus #\)", _pair),
    Line("2 pair", r"« und «; "),
    Line("2 pair", r"(?:; |, |und |\.)"),
    Line("2 pair", r"\.? ?Ihre Vektoren zeigen von den Wörtern hier am ehesten in dieselbe Richtung\."),
    Line("2 pair", r"\.? ?Das passt: Sie gehören zur selben Wortgruppe\.", _akin(True)),
    Line("2 pair", r"(?:Bei .+? |Am meisten )?(?:trägt|tragen)(?: am meisten)? dazu bei: "),
    Line("2 pair", r"Komponente (\d+)(?: \(.+?\))? mit # und #", _shared),
    Line("2 pair", r"Dass zwei Vektoren sich ähneln, heißt hier nicht, .+? beim Fortsetzen hilft\.", _akin(False)),
    Line("3 exchange", r"Nach dem Tausch ist der Score # statt #: Die Attention bemerkt, .+? haben\.", _moved),
    Line("3 strip", r"Komponente (\d+) \(Platz: #\)\. Alle Wörter bekommen dort aber fast gleich viel \(#\): Den Platz "
         r"verrät sie hier nicht, sondern eher ((?:(?:, | oder )?Komponente \d+ \(\S+ bis \S+\))+)\.", _same_place),
    Line("3 understand", r"Jeder Score hängt nur von den Vektoren .+? bleiben alle Scores gleich\."),
]  # fmt: skip
