# ruff: noqa: E501
"""Station 10, further blocks and the formulas: what their keys say, each with its check."""

import re

import numpy as np

from findings.line import WORD, Line, best, leads, learns, nothing, words_in
from findings.seen import close, number
from generator.words.noun_kinds import read_toml

LISTED = {tuple(pair.split("=")) for line in read_toml("translations.toml")["lines"] for pair in line.split()}


def _rows(s):
    return s.values("decoder.block1.cross.head1.weight")


def _own(s, said):
    """The word that an answer begins with, and its row."""
    word = re.search(WORD, said.text)[1]
    return word, _rows(s)[s.target.index(word)]


def _cross(s, said, word, found, value):
    tied = re.findall(r" oder „(.+?)“(?=.* \(\d)", said.text)
    leads(_rows(s)[s.target.index(word)], s.source, value, found, *tied)


def _cross_next(s, said, value):
    _, row = _own(s, said)
    second = max(weight for weight in row if weight < best(row))
    return close(value, second) and best(row) >= 1.25 * second


def _company(s, said, word, _, others):
    own, column = _own(s, said)[0], s.source.index(word)
    same = {s.target[i] for i, row in enumerate(_rows(s)) if row[column] == best(row)} - {own}
    count = re.fullmatch(r"(\d+) andere Zielwörter", others)
    return abs(len(same) - int(count[1])) <= 1 if count else {*words_in(others)} <= same | {own}


def _translation(s, place):
    """The source word that is to be translated after a target word; None where no list knows it."""
    word = (*s.target[1:], "")[place].casefold()
    return next((w for w in s.source if (w, word) in LISTED or w == (*s.target[1:], "")[place]), None)


def _fits(s, said):
    own, _ = _own(s, said)
    right = {_translation(s, place) for place, word in enumerate(s.target) if word == own}
    return s.desk.options.learns and re.search(rf"am stärksten auf {WORD}", said.text)[1] in right


def _right_beside(s, said, word, meant, weight):
    places = [place for place, each in enumerate(s.target) if each == word]
    assert meant in [_translation(s, place) for place in places]
    row = _rows(s)[s.target.index(word)]
    return close(weight, row[s.source.index(meant)]) and close(weight, best(row))


def _narrowly(s, said, others):
    _, row = _own(s, said)
    first, second = np.sort(row)[-1:-3:-1]
    told = re.findall(r"\d,\d+", others)
    return first < 1.5 * second + 1e-9 and all(number(each) in row for each in told)


def _even(s, said, word, low, high):
    row = _rows(s)[s.target.index(word)]
    assert close(low or high, row.min())
    assert close(high, row.max())
    return row.max() <= 1.25 * row.min() + 1e-9


def _alone(s, said, word):
    rows, column = _rows(s), s.source.index(word)
    own, _ = _own(s, said)
    others = (np.delete(row, column).max(initial=-1) for row in rows)
    return {s.target[i] for i, most in enumerate(others) if rows[i][column] > most} <= {own}


def _blocks(s, said, first, words, second, further):
    for block, named in ((first, words), (second, further)):
        row = s.values(f"block{block:.0f}.head1.weight", s.path)
        weights = [row[s.words.index(word)] for word in words_in(named)]
        assert max(weights) == best(row)
        assert min(weights) >= best(row) / 2  # what rounding may set in its place


def _alike(s, said):
    Q, K = (s.desk.given(f"decoder.block1.cross.head1.W_{letter}") for letter in "QK")
    return np.array_equal(Q, K)


def _masked(s, said):
    return s.desk.options.maske


LINES = [
    Line("10 size", r"# Zeilen, eine für (⟨.+?⟩) und für jedes Zielwort, denn sie fragen; # Spalten, eine für jedes "
         r"Quellwort\.", lambda s, said, rows, _, columns: (rows, columns) == _rows(s).shape),
    Line("10 look", r"« achtet am stärksten auf «(?: oder „[^“]+“)* \(#\)", _cross),
    Line("10 look", r", und zwar deutlich: Jedes andere Gewicht ist (?:höchstens|gerundet) #\.", _cross_next),
    Line("10 look", r", aber knapp: (.+?)\.(?= )", _narrowly),
    Line("10 look", r"Alle Gewichte von « sind fast gleich \((?:# bis|je) #\): .+? kein Wort besonders\.", _even),
    Line("10 look", r"Das passt: Dieses Wort ist als Nächstes dran\.", _fits),
    Line("10 look", r"Auch richtig: Am stärksten auf « (achtet|achten) in diesem Head auch (.+?); diese Zeile allein "
         r"zeigt also nicht, (?:dass der Head beim Übersetzen hilft|was danach kommt)\.", _company),
    Line("10 look", r"Kein anderes Zielwort achtet in diesem Head am stärksten auf «\.", _alone),
    Line("10 look", r"Auch bei « passt es: Danach ist « dran, und dort ist das größte Gewicht \(#\)\.", _right_beside),
    Line("10 look", r"Die Zahlen sind nicht gelernt: W Q und W K sind hier gleich, .+? ähneln\.", _alike),
    Line("10 look", r"Die Zahlen sind nicht gelernt: Zu deuten ist das nicht\.", nothing),
    Line("10 masks", r"Verdeckt werden müssen nur spätere Zielwörter, .+? er wird nicht vorhergesagt\."),
    Line("10 masks", r"In der Self-Attention des Decoders bleibt die Maske\.", _masked),
    Line("10 why_kept", r"Keys und Values hängen nur von der Ausgabe des Encoders ab, .+? ändert sich nicht\. "),
    Line("10 why_kept", r"Wegen der Maske sieht ein früheres Zielwort das neue nicht; .+? also nichts\.", _masked),
    Line("10 why_kept", r"Ohne Maske sieht jedes .+? alle Zeilen\.", lambda s, said: not _masked(s, said)),
    Line("B compare", r"In Block # auf (.+?), in Block # auf (.+?)\. Der Block .+? aus dem Block davor\.", _blocks),
    Line("S history", r"Vorteil: Bei # Token braucht die Information 1 Schritt statt #; .+? Nachteil: Das rekurrente "
         r"Netz liest # Wörter nacheinander, die Attention vergleicht # Wortpaare; .+? Quadrat der Länge\.",
         lambda s, said, n, steps, few, many: (steps, few, many) == (n - 1, n, n * n)),
    Line("S learnt", r"Gelernt hat es, .+? Ob das Wort passt, hat es nirgends gelernt\.", learns),
]  # fmt: skip
