# ruff: noqa: E501
"""Station 10, further blocks and the formulas: what their keys say, each with its check."""

import re
import tomllib
from pathlib import Path

import numpy as np

from findings.line import WORD, Line, best, leads, learns, nothing
from findings.seen import close, number

_LIST = Path(__file__).resolve().parents[2] / "generator/words/translations.toml"
TRANSLATIONS = tomllib.loads(_LIST.read_text(encoding="utf-8"))["lines"]


def _size(s, said, rows, _, columns):
    assert (int(rows), int(columns)) == s.desk.hand["decoder.block1.cross.head1.score"].values.shape


def _cross_row(s, word):
    return s.values("decoder.block1.cross.head1.weight", s.target.index(word))


def _cross(s, said, word, found, value):
    tied = re.findall(r" oder „(.+?)“(?=.* \(\d)", said.text)
    leads(_cross_row(s, word), s.source, value, found, *tied)


def _cross_next(s, said, value):
    row = _cross_row(s, re.match("„(.+?)“", said.text)[1])
    second = max(weight for weight in row if weight < best(row))
    assert close(number(value), second)
    assert best(row) >= 1.25 * second


def _fits_not(s, said, word, value):
    row = _cross_row(s, re.match("„(.+?)“", said.text)[1])
    weight = row[s.source.index(word)]
    assert close(weight, number(value))
    assert weight < best(row)


def _company(s, said, word, _, others):
    column = s.source.index(word)
    rows = s.values("decoder.block1.cross.head1.weight")
    own = re.match("„(.+?)“", said.text)[1]
    same = {s.target[i] for i, row in enumerate(rows) if row[column] == best(row)} - {own}
    count = re.fullmatch(r"(\d+) andere Zielwörter", others)
    if count:
        assert abs(len(same) - int(count[1])) <= 1
    else:
        assert set(re.findall("„(.+?)“", others)) <= same | {own}


def _next(s):
    """For each target word the source word that is to be translated after it, None where no list knows it."""
    listed = {tuple(pair.split("=")) for line in TRANSLATIONS for pair in line.split()}
    words, source = s.target, s.source
    found = {}
    for place, word in enumerate((*words[1:], "")):
        right = [w for w in source if (w, word.casefold()) in listed or w == word]
        found[words[place], place] = right[0] if right else None
    return found


def _of_row(s, said):
    own = re.search(WORD, said.text)[1]
    return [source for (word, _), source in _next(s).items() if word == own]


def _fits(s, said):
    assert s.desk.options.learns
    assert re.search(rf"am stärksten auf {WORD}", said.text)[1] in _of_row(s, said)


def _unknown(s, said, following):
    assert None in _of_row(s, said)
    place = s.target.index(re.match("„(.+?)“", said.text)[1])
    assert following.strip("„“") == (*s.target, "⟨Ende⟩")[place + 1]


def _row_beside(s, word, meant):
    """Its row, and the weight at the word that is to be translated next."""
    nexts = {s.target[place]: source for (_, place), source in _next(s).items() if source is not None}
    assert nexts[word] == meant
    row = _cross_row(s, word)
    return row, row[s.source.index(meant)]


def _right_beside(s, said, word, meant, weight):
    row, share = _row_beside(s, word, meant)
    assert close(number(weight), share)
    assert close(share, best(row))


def _wrong_beside(s, said, word, meant, weight, first, *rest):
    row, share = _row_beside(s, word, meant)
    assert close(number(weight), share)
    leads(row, s.source, rest[-1], first)


def _narrowly(s, said, others):
    row = np.sort(_cross_row(s, re.match(WORD, said.text)[1]))
    assert row[-1] < 1.5 * row[-2] + 1e-9
    assert all(number(each) in row for each in re.findall(r"\d,\d+", others))


def _even(s, said, word, low, high):
    row = _cross_row(s, word)
    assert close(number(low or high), row.min())
    assert close(number(high), row.max())
    assert row.max() <= 1.25 * row.min() + 1e-9


def _alone(s, said, word):
    rows, own = s.values("decoder.block1.cross.head1.weight"), re.match(WORD, said.text)[1]
    column = s.source.index(word)
    others = (np.delete(row, column).max(initial=-1) for row in rows)
    same = {s.target[i] for i, most in enumerate(others) if rows[i][column] > most}
    assert same <= {own}


def _blocks(s, said, first, words, second, further):
    for block, named in ((first, words), (second, further)):
        row = s.values(f"block{block}.head1.weight", s.path)
        weights = [row[s.words.index(word)] for word in re.findall(WORD, named)]
        assert max(weights) == best(row)
        assert min(weights) >= best(row) / 2  # what rounding may set in its place


def _pairs(s, said, longer, recurrent, few, many):
    n = int(re.sub(r"\D", "", longer))
    assert int(re.sub(r"\D", "", recurrent)) == n - 1
    assert int(re.sub(r"\D", "", many)) == n * n
    assert int(re.sub(r"\D", "", few)) == n


def _alike(s, said):
    Q, K = (s.desk.given(f"decoder.block1.cross.head1.W_{letter}") for letter in "QK")
    assert np.array_equal(Q, K)


def _masked(s, said):
    assert s.desk.options.maske


def _unmasked(s, said):
    assert not s.desk.options.maske


LINES = [
    Line("10 size", r"# Zeilen, eine für (⟨.+?⟩) und für jedes Zielwort, denn sie fragen; # Spalten, eine für jedes "
         r"Quellwort\.", _size),
    Line("10 look", r"« achtet am stärksten auf «(?: oder „[^“]+“)* \(#\)", _cross),
    Line("10 look", r", und zwar deutlich: Jedes andere Gewicht ist (?:höchstens|gerundet) #\.", _cross_next),
    Line("10 look", r", aber knapp: (.+?)\.(?= )", _narrowly),
    Line("10 look", r"Alle Gewichte von « sind fast gleich \((?:# bis|je) #\): Es achtet auf kein Wort besonders\.", _even),
    Line("10 look", r"\.", unseen=True),
    Line("10 look", r"Das passt: Dieses Wort ist als Nächstes dran\.", _fits),
    Line("10 look", r"Es passt, wenn es .+? ist: Dieses Wort ist als Nächstes dran\.", learns, unseen=True),
    Line("10 look", r"Das passt nicht: Als Nächstes dran wäre « \(#\)\.", _fits_not, unseen=True),
    Line("10 look", r"Danach kommt (.+?): Ein Urteil mit einem Grund aus den Sätzen zählt\.", _unknown, unseen=True),
    Line("10 look", r"Auch richtig: Am stärksten auf « (achtet|achten) in diesem Head auch (.+?); diese Zeile allein zeigt also "
         r"nicht, (?:dass der Head beim Übersetzen hilft|was danach kommt)\.", _company),
    Line("10 look", r"Kein anderes Zielwort achtet in diesem Head am stärksten auf «\.", _alone),
    Line("10 look", r"Auch bei « passt es: Danach ist « dran, und dort ist das größte Gewicht \(#\)\.", _right_beside),
    Line("10 look", r"Bei « passt es nicht: Danach ist « dran \(#\), am stärksten achtet es auf «(?: oder „[^“]+“)* \(#\)\.", _wrong_beside, unseen=True),
    Line("10 look", r"Die Zahlen sind nicht gelernt: W Q und W K sind hier gleich, also sucht jedes Wort nur Vektoren, "
         r"die seinem ähneln\.", _alike),
    Line("10 look", r"Die Zahlen sind nicht gelernt: Zu deuten ist das nicht\.", nothing),
    Line("10 masks", r"Verdeckt werden müssen nur spätere Zielwörter, .+? er wird nicht vorhergesagt\."),
    Line("10 masks", r"In der Self-Attention des Decoders bleibt die Maske\.", _masked),
    Line("10 why_kept", r"Keys und Values hängen nur von der Ausgabe des Encoders ab, und der Quellsatz ändert sich "
         r"nicht\. "),
    Line("10 why_kept", r"Wegen der Maske sieht ein früheres Zielwort das neue nicht; an seiner Rechnung ändert sich also "
         r"nichts\.", _masked),
    Line("10 why_kept", r"Ohne Maske sieht jedes Zielwort auch das neue; darum ändern sich alle Zeilen\.",
         _unmasked),
    Line("B compare", r"In Block # auf (.+?), in Block # auf (.+?)\. Der Block hat eigene Matrizen, und seine Eingabe enthält "
         r"schon den Zusammenhang aus dem Block davor\.", _blocks),
    Line("S history", r"Vorteil: Bei # Token braucht die Information 1 Schritt statt #; sie verblasst unterwegs nicht \(auch richtig: Alle Wörter werden gleichzeitig berechnet\)\. "
         r"Nachteil: Das rekurrente Netz liest # Wörter nacheinander, die Attention vergleicht # Wortpaare; ihre Zahl wächst "
         r"mit dem Quadrat der Länge\.", _pairs),
    Line("S learnt", r"Gelernt hat es, seine wenigen Sätze fortzusetzen\. .+? Ob das Wort passt, hat es nirgends "
         r"gelernt\.", learns),
]  # fmt: skip
