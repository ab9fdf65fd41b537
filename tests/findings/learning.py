# ruff: noqa: E501
"""Station 11: what their keys say, each with its check."""

import re

import numpy as np

from findings.line import Line
from findings.seen import close, number


def _loss_words(s, said, word, before, after, verb, hand_before, hand_after, exact_before, exact_after):
    lesson = s.desk.built.learning
    place = list(s.desk.vocabulary).index(word)
    old = lesson.hand[lesson.lesson.before + "temperature1.probability"].values[place]
    new = lesson.hand["after.temperature1.probability"].values[place]
    assert close(number(before), old)
    assert close(number(after), new)
    assert {"sinkt": new > old, "bleibt gleich": new == old, "steigt": new < old}[verb.split(":")[0]]
    assert (exact_before is None) == (verb == "sinkt")
    for text, trace, name in (
        (hand_before, lesson.hand, "loss"),
        (hand_after, lesson.hand, "after.loss"),
        (exact_before, lesson.exact, "loss"),
        (exact_after, lesson.exact, "after.loss"),
    ):
        assert text is None or abs(float(trace[name].values) - number(text)) <= 1e-4


def _right_is_negative(s, said, word, rounded):
    lesson = s.desk.built.learning
    row = lesson.hand["gradient.logit"].values
    place = list(s.desk.vocabulary).index(word)
    assert row[place] < 0
    assert (np.delete(row, place) >= 0).all()
    assert bool(rounded) == (row == 0).any()


def _astray(s, said, words):
    lesson = s.desk.built.learning
    change = lesson.hand["after.logit"].values - lesson.hand[lesson.lesson.before + "logit"].values
    right = lesson.lesson.word
    wrong = {
        s.desk.vocabulary[w] for w in range(len(change)) if (change[w] > 0) != (w == right) and change[w]
    }
    named = set(re.findall("„(.+?)“", words))
    rest = re.search(r"und (\d+) andere", words)
    assert named <= wrong
    assert len(wrong) == len(named) + (int(rest[1]) if rest else 0)


def _none_astray(s, said):
    lesson = s.desk.built.learning
    change = lesson.hand["after.logit"].values - lesson.hand[lesson.lesson.before + "logit"].values
    change[lesson.lesson.word] *= -1
    assert (change <= 0).all()


def _new_logits(s, said, words):
    new = s.desk.built.learning.hand["after.logit"].values
    named = re.findall(r"„(.+?)“ (−?\d+,\d+)", words)
    assert named
    for word, logit in named:
        assert close(number(logit), new[list(s.desk.vocabulary).index(word)])


def _flowing(s, said, count):
    lesson = s.desk.built.learning
    at = f"{lesson.lesson.before}block{s.desk.sizes.n_blocks}.ffn.hidden"
    assert int(count) == int((lesson.hand[at].values[-1] > 0).sum())


LINES = [
    Line("11 sign", r"Bei « ist der Wert negativ: Der Logit des richtigen Wortes soll wachsen\. Bei allen anderen ist er "
         r"positiv( \(gerundet steht manchmal 0 da\)|): Ihre Logits sollen sinken, umso mehr, je wahrscheinlicher das Wort "
         r"war\.", _right_is_negative),
    Line("11 loss_size", r"0 ist er nur, wenn das richtige Wort die Wahrscheinlichkeit 1 hat\. Je näher sie an 0 liegt, "
         r"desto größer wird er; bei 0 wäre er unendlich\."),
    Line("11 lower", r"Die Wahrscheinlichkeit von « geht von # auf #; der Loss (sinkt|steigt.*?|bleibt gleich.*?) \(von "
         r"# auf #(?:, ohne Runden von # auf #)?\)\.", _loss_words),
    Line("11 lower", r"Der Gradient zeigt dorthin, wo der Loss am stärksten wächst; in der Gegenrichtung fällt er\. Das "
         r"gilt nur in der Nähe: Ein zu großer Schritt springt über das Tal hinweg und kann auf der "
         r"anderen Seite höher landen\."),
    Line("11 astray", r"Anders bewegt sich hier der Logit dieser Wörter: (.+?)\.(?= Kein)", _astray),
    Line("11 astray", r"Hier gibt es keine solchen Wörter\.", _none_astray),
    Line("11 astray", r"Kein Logit ändert sich für sich allein: .+? anheben\."),
    Line("11 others_fall", r"Bei ihnen ist .+? kleiner\."),
    Line("11 dead", r"Größer als 0 sind hier # Einheiten; nur dort kommt der Gradient durch\.", _flowing),
    Line("11 dead", r"Größer als 0 ist hier nur Einheit \d+; nur dort kommt der Gradient durch\.",
         lambda s, said: _flowing(s, said, "1"), unseen=True),
    Line("11 dead", r"Eine Einheit, die nie über 0 kommt, .+? trägt nie etwas bei\."),
    Line("11 adds", r"Der direkte Weg führt an Matrizen und ReLU vorbei, .+? fast nichts durchlässt\."),
    Line("11 column_sum", r"Die Gewichte einer Zeile ergeben immer zusammen 1\. .+? verlieren die anderen zusammen\."),
    Line("11 other_rows", r"Nur « sagt das nächste Wort vorher\. .+? liest sie\."),
    Line("11 masked", r"Verdeckt heißt .+? nicht gelernt\."),
    Line("11 source_sums", r"q ist für alle Quellwörter gleich, .+? ergeben zusammen 1\."),
    Line("11 logits", r"((?:„.+?“ #(?:, )?)+): (?:derselbe Logit|dieselben Logits) wie in der Tabelle\.", lambda s, said, words, *_: _new_logits(s, said, words)),
    Line("11 logits", r"Durch das Runden kann die letzte Stelle um 1 abweichen\."),
    Line("11 cross", r"Keys und Values werden aus der Ausgabe des Encoders berechnet; .+? werden addiert\."),
]  # fmt: skip
