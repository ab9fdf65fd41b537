# ruff: noqa: E501
"""Station 11: what their keys say, each with its check."""

import re

import numpy as np

from findings.line import Line, words_in
from findings.seen import close, number


def _rows(s, ending):
    """A quantity of the output before and after the step."""
    lesson = s.desk.built.learning
    return lesson.hand[lesson.lesson.before + ending].values, lesson.hand["after." + ending].values


def _loss_words(s, said, word, before, after, verb, *losses):
    lesson, place = s.desk.built.learning, s.desk.vocabulary.index(word)
    old, new = (row[place] for row in _rows(s, "temperature1.probability"))
    assert close(before, old)
    assert close(after, new)
    assert {"sinkt": new > old, "bleibt gleich": new == old, "steigt": new < old}[verb.split(":")[0]]
    assert (losses[2] is None) == (verb == "sinkt")  # without rounding it always falls
    exact = [trace[name].values for trace in (lesson.hand, lesson.exact) for name in ("loss", "after.loss")]
    assert all(
        text is None or abs(float(value) - text) <= 1e-4 for text, value in zip(losses, exact, strict=True)
    )


def _right_is_negative(s, said, word, rounded):
    row, place = s.desk.built.learning.hand["gradient.logit"].values, s.desk.vocabulary.index(word)
    assert row[place] < 0
    assert (np.delete(row, place) >= 0).all()
    return bool(rounded) == (row == 0).any()


def _astray(s, said, words=""):
    """Words whose logit goes the other way."""
    old, new = _rows(s, "logit")
    right = s.desk.built.learning.lesson.word
    wrong = {
        s.desk.vocabulary[w] for w, change in enumerate(new - old) if change and (change > 0) != (w == right)
    }
    named, rest = {*words_in(words)}, re.search(r"und (\d+) andere", words)
    return named <= wrong and len(wrong) == len(named) + (int(rest[1]) if rest else 0)


def _new_logits(s, said, words, *_):
    new, named = _rows(s, "logit")[1], re.findall(r"„(.+?)“ (−?\d+,\d+)", words)
    return named and all(close(number(logit), new[s.desk.vocabulary.index(word)]) for word, logit in named)


def _flowing(s, said, count):
    lesson = s.desk.built.learning
    at = f"{lesson.lesson.before}block{s.desk.sizes.n_blocks}.ffn.hidden"
    return count == (lesson.hand[at].values[-1] > 0).sum()


LINES = [
    Line("11 sign", r"Bei « ist der Wert negativ: .+? soll wachsen\. Bei allen anderen ist er "
         r"positiv( \(gerundet steht manchmal 0 da\)|): .+? wahrscheinlicher das Wort war\.", _right_is_negative),
    Line("11 loss_size", r"0 ist er nur, wenn .+? die Wahrscheinlichkeit 1 hat\. .+? wäre er unendlich\."),
    Line("11 lower", r"Die Wahrscheinlichkeit von « geht von # auf #; der Loss (sinkt|steigt.*?|bleibt gleich.*?) "
         r"\(von # auf #(?:, ohne Runden von # auf #)?\)\.", _loss_words),
    Line("11 lower", r"Der Gradient zeigt dorthin, wo der Loss am stärksten wächst; .+? höher landen\."),
    Line("11 astray", r"Anders bewegt sich hier der Logit dieser Wörter: (.+?)\.(?= Kein)", _astray),
    Line("11 astray", r"Hier gibt es keine solchen Wörter\.", _astray),
    Line("11 astray", r"Kein Logit ändert sich für sich allein: .+? anheben\."),
    Line("11 others_fall", r"Bei ihnen ist .+? kleiner\."),
    Line("11 dead", r"Größer als 0 sind hier # Einheiten; nur dort kommt der Gradient durch\.", _flowing),
    Line("11 dead", r"Eine Einheit, die nie über 0 kommt, .+? trägt nie etwas bei\."),
    Line("11 adds", r"Der direkte Weg führt an Matrizen und ReLU vorbei, .+? fast nichts durchlässt\."),
    Line("11 column_sum", r"Die Gewichte einer Zeile ergeben immer zusammen 1\. .+? verlieren die anderen zusammen\."),
    Line("11 other_rows", r"Nur « sagt das nächste Wort vorher\. .+? liest sie\."),
    Line("11 masked", r"Verdeckt heißt .+? nicht gelernt\."),
    Line("11 source_sums", r"q ist für alle Quellwörter gleich, .+? ergeben zusammen 1\."),
    Line("11 logits", r"((?:„.+?“ #(?:, )?)+): (?:derselbe Logit|dieselben Logits) wie in der Tabelle\.", _new_logits),
    Line("11 logits", r"Durch das Runden kann die letzte Stelle um 1 abweichen\."),
    Line("11 cross", r"Keys und Values werden aus der Ausgabe des Encoders berechnet; .+? werden addiert\."),
]  # fmt: skip
