# ruff: noqa: E501
"""Stations 0 to 3: what their keys say, each with its check."""

import re

import numpy as np

from findings.line import NUMBER, WORD, Line
from findings.seen import MEANT, close, number


def _sizes(s, said, letter, theirs, ours, ratio):
    model = s.desk.sizes
    both = {
        "n": (s.desk.n, 1024), "V": (len(s.desk.vocabulary), 50257), "h": (model.n_heads, 12),
        "d": (model.d_model, 768), "L": (model.n_blocks, 12),
    }  # fmt: skip
    sizes = [b / a for a, b in both.values()] + [3072 / model.d_ff, 64 / model.d_head]
    assert close(number(theirs) / number(ours), max(sizes))
    assert letter == "V" or max(sizes) > both["V"][1] / both["V"][0]
    assert abs(number(ratio) - max(sizes)) <= 0.5


def _first_id(s, said, new):
    word = re.search("„(.+?)“ noch einmal", said.wording)[1]
    assert int(number(new)) == list(s.desk.vocabulary).index(word)


def _furthest(s, said, component, name, value):
    word = re.search("„(.+?)“ an, die am weitesten", said.wording)[1]
    row = s.values("embedding", s.words.index(word))
    assert close(abs(number(value)), np.abs(row).max())
    assert close(number(value), row[int(component) - 1])


def _own(s, word):
    vector = s.desk.built.vectors[s.words.index(word)]
    return MEANT.get(str(vector.kind.value if vector.kind else vector.word_class.value))


def _named(s, said):
    return re.search(r"Komponente \d+ \((.+?)\)", said.text)[1]


def _is_own(s, said, word):
    assert _own(s, word) in (_named(s, said), None)


def _is_another(s, said, word):
    assert _own(s, word) != _named(s, said)


def _other_group(s, said, group):
    word = re.search("„(.+?)“ an, die am weitesten", said.wording)[1]
    assert _own(s, word) == group != _named(s, said)


def _cosine(s, a, b):
    names = list(s.desk.vocabulary)
    x, y = (
        s.values("vocabulary_table", names.index(w))
        if "vocabulary_table" in s.desk.hand
        else s.desk.calculation.model.input_embedding[names.index(w)]
        for w in (a, b)
    )
    return float(x @ y / np.sqrt((x @ x) * (y @ y)))


def _pair(s, said, a, b, value):
    assert abs(_cosine(s, a, b) - number(value)) <= 0.0101


def _strange(s, said):
    learnt = s.desk.built.learnt
    groups = dict(zip(learnt.model.vocabulary, learnt.vectors, strict=True))
    for a, b in re.findall(rf"{WORD} und {WORD}", said.text.partition(" (Kosinus")[0]):
        assert (groups[a].kind, groups[a].word_class) != (groups[b].kind, groups[b].word_class)


def _groups(s, pairs):
    learnt = s.desk.built.learnt
    groups = dict(zip(learnt.model.vocabulary, learnt.vectors, strict=True))
    return [[groups[w].group for w in pair] for pair in re.findall(rf"{WORD} und {WORD}", pairs)]


def _akin(s, said):
    assert all(a == b for a, b in _groups(s, said.text.partition(" (Kosinus")[0]))


def _some_akin(s, said, akin, strange):
    assert all(a == b for a, b in _groups(s, akin))
    assert all(a != b for a, b in _groups(s, strange))


def _moved(s, said, after, before):
    x, e = s.values("input"), s.values("embedding")
    pairs = [
        (i, j) for i in range(s.desk.n) for j in range(i) if close(round(x[i] @ x[j], 2), number(before))
    ]
    p = x - e if "positional_encoding" not in s.desk.hand else s.values("positional_encoding")
    moved = [np.round(e[i] + p[j] + 1e-9, 1) @ np.round(e[j] + p[i] + 1e-9, 1) for i, j in pairs]
    assert any(abs(score - number(after)) <= 0.3 for score in moved)
    assert before != after


def _shared(s, said, component, a, b):
    words = re.match(r"„(.+?)“ und „(.+?)“", said.text)
    names = list(s.desk.vocabulary)
    rows = [s.desk.calculation.model.input_embedding[names.index(words[k])] for k in (1, 2)]
    c = int(component) - 1
    if " und „" not in said.text.partition("Ihre")[0].replace(words[0], "", 1):  # one pair alone
        assert [round(float(row[c]), 6) for row in rows] == [number(a), number(b)]


def _place(s, component, value):
    """What the places add in a component."""
    row, c = s.values("positional_encoding", s.path), int(component) - 1
    assert close(number(value), row[c])
    assert close(abs(number(value)), np.abs(row).max())
    return s.values("positional_encoding")[:, c]


def _same_place(s, said, component, value, alike, others, *_):
    column = _place(s, component, value)
    assert np.ptp(column) <= 0.1 + 1e-9
    assert abs(column.mean() - number(alike)) <= 0.06
    widths = np.ptp(s.values("positional_encoding"), axis=0)
    named = re.findall(rf"Komponente (\d+) \({NUMBER} bis {NUMBER}\)", others)
    wide = [c for c, width in enumerate(widths, 1) if width >= 0.8 * widths.max() > 0.1]
    assert [int(c) for c, *_ in named] == wide
    for c, low, high in named:
        assert abs(number(high) - number(low) - widths[int(c) - 1]) <= 0.1 + 1e-9


def _another_each(s, said, component, value, low, high):
    column = _place(s, component, value)
    assert abs(column.min() - number(low)) <= 0.05 + 1e-9
    assert abs(column.max() - number(high)) <= 0.05 + 1e-9
    assert len(set(column)) == len(column)


def _is_known(s, said, word):
    assert word in s.tokens


def _twins(s, said):
    assert len(set(s.tokens)) < len(s.tokens)


LINES = [
    Line("0 largest", r"Bei (n|V|d|h|L|B|.*?): # : # ≈ #", _sizes),
    Line("1 same", r"Alle IDs bleiben, hinten kommt noch einmal die ID # dazu\.", _first_id),
    Line("1 same", r"Das Vokabular wächst nicht, denn « steht schon darin: Die ID ist die Nummer im Vokabular, nicht der Platz im Satz\.",
         _is_known),
    Line("1 same", r"Die ID ist die Nummer des Wortes im Vokabular, nicht sein Platz im Satz\. Im Vokabular steht jedes "
         r"Wort nur einmal\.", _twins),
    Line("2 meaning", r"Komponente (\d+)(?: \((.+?)\))? mit #\.", _furthest),
    Line("2 meaning", r"Das trifft auf « am meisten zu\.", _is_own),
    Line("2 meaning", r"Das trifft auf « am meisten zu: Auch nach dem Lernen gehört seine größte Zahl zu seiner "
         r"Wortgruppe\.", _is_own),
    Line("2 meaning", r"Seine Wortgruppe ist eine andere \((.+?)\): .+? deuten\.", _other_group, unseen=True),
    Line("2 meaning", r"Eine Komponente für die Wortgruppe von « gibt es hier nicht: Die Zahl sagt nur, wem es "
         r"(?:un)?ähn(?:elt|lich ist)\.", _is_another),
    Line("2 meaning", r"Eine Deutung ist nur im Vergleich mit anderen Wörtern möglich: .+?\?", unseen=True),
    Line("2 pair", r"« und «(?:, …)? \(Kosinus #\)", _pair),
    Line("2 pair", r"« und «; "),
    Line("2 pair", r"(?:; |, |und |\.)"),
    Line("2 pair", r"\.? ?Ihre Vektoren zeigen von den Wörtern hier am ehesten in dieselbe Richtung\."),
    Line("2 pair", r"\.? ?Das passt: Sie gehören zur selben Wortgruppe\.", _akin),
    Line("2 pair", r"\.? ?((?:„[^“]+“ und „[^“]+“(?: sowie )?)+) gehören (?:jeweils )?zur selben Wortgruppe, ((?:„[^“]+“ und „[^“]+“(?: sowie )?)+) "
         r"nicht: Beim Lernen zählt nur, was beim Fortsetzen hilft\.", _some_akin, unseen=True),
    Line("2 pair", r"(?:Bei .+? |Am meisten )?(?:trägt|tragen)(?: am meisten)? dazu bei: "),
    Line("2 pair", r"Komponente (\d+)(?: \(.+?\))? mit # und #", _shared),
    Line("2 pair", r"Dass zwei Vektoren sich ähneln, heißt hier nicht, dass die Wörter Ähnliches bedeuten: Beim Lernen zählt nur, "
         r"was beim Fortsetzen hilft\.", _strange),
    Line("3 exchange", r"Nach dem Tausch ist der Score # statt #: Die Attention bemerkt, dass die Wörter die Plätze "
         r"getauscht haben\.", _moved),
    Line("3 strip", r"Komponente (\d+) \(Platz: #\)\. Alle Wörter bekommen dort aber fast gleich viel \(#\): Den Platz "
         r"verrät sie hier nicht, sondern eher ((?:(?:, | oder )?Komponente \d+ \(# bis #\))+)\.", _same_place),
    Line("3 strip", r"Komponente (\d+) \(Platz: #\)\. Dort bekommt jedes Wort etwas anderes \(# bis #\): Sie verrät den "
         r"Platz\.", _another_each, unseen=True),
    Line("3 understand", r"Jeder Score hängt nur von den Vektoren der beiden Wörter ab\. Ohne Position hat ein Wort an "
         r"jedem Platz denselben Vektor, also bleiben alle Scores gleich\."),
]  # fmt: skip
