# ruff: noqa: E501
"""Stations 8 and 9: what their keys say, each with its check."""

import re

import numpy as np

from findings.line import SOME, Line, learns, nothing, notices, swap, weights_of
from findings.seen import close, number


def _probability(s, word, temperature="1"):
    names = list(s.desk.vocabulary)
    return float(s.values(f"temperature{temperature}.probability", names.index(word)))


def _plane(s, said, words):
    letters = re.search(r"nach rechts die (\d+)\., nach oben die (\d+)\.", said.wording)
    pair = [int(letters[k]) - 1 for k in (1, 2)]
    vectors = s.desk.calculation.model.vocabulary_embedding[:, pair]
    y = s.values(f"block{s.desk.sizes.n_blocks}.norm2.output", s.last)[pair]
    parts = vectors @ y
    for word in re.findall("„(.+?)“", words):
        assert parts[list(s.desk.vocabulary).index(word)] >= parts.max() - 0.11  # as near as a drawing tells


def _temperatures(s, said, word, low, p_low, high, only, p_high):
    for temperature, p in ((low, p_low), (high, p_high)):
        name = temperature.replace(",", ".")
        assert close(_probability(s, word, name), number(p))
    assert (only == "nur ") == (p_low != p_high)


def _continued(s, said, word, p, text):
    assert close(_probability(s, word), number(p))
    follows = [t[len(s.tokens)] for t in s.texts if t[: len(s.tokens)] == s.tokens]
    assert text in follows
    assert close(number(p), s.values("temperature1.probability").max())


def _nearest(s, said, heads):
    """Which of the sentences each head's weights in the mix are nearest to."""
    swaps = [swap(s, *each) for answer in s.said if answer.task == "8 read"
             for each in dict.fromkeys(re.findall(r"„([^“]+)“ statt „([^“]+)“", answer.text))]  # fmt: skip
    swaps = list({place: (place, tokens) for place, tokens in swaps}.values())
    mix = list(s.tokens)
    for place, tokens in swaps:
        mix[place] = tokens[place]
    weights = weights_of(s, mix)[:2]
    named = re.findall(r"(?:in Head (\d+) )?denen (des ersten Satzes|mit „[^“]+“)", heads)
    assert named
    for k, whose in named:
        runs = {"des ersten Satzes": s.tokens} | {f"mit „{tokens[place]}“": tokens for place, tokens in swaps}
        for head in [int(k) - 1] if k else range(len(weights)):
            far = {name: np.abs(weights[head] - weights_of(s, t)[head]).sum() for name, t in runs.items()}
            assert far[whose] <= min(far.values()) + 0.06, (head, far)


def _mixed(s, said, word, p):
    assert word in s.desk.vocabulary
    assert 0 < number(p) <= 1


def _written(kind):
    def check(s, said, endings):
        for ending in re.findall(r"… (.+?)“", endings):
            words = tuple(re.findall(r"[\w-]+|[.!?]", ending))
            text = s.tokens + words
            read = any(t[: len(text)] == text for t in s.texts)
            slots = all(any(len(t) > i and t[i] == w for t in s.texts) for i, w in enumerate(text))
            assert read == (kind == "read")
            if kind == "mixed":
                assert slots

    return check


def _last_again(s):
    assert s.desk.vocabulary[int(np.argmax(s.values("logit")))] == s.tokens[-1]


LINES = [
    Line("8 plane", rf"{SOME}: Das Skalarprodukt mit y, nur mit diesen beiden Komponenten gerechnet, ist dort am "
         r"größten\.", _plane),
    Line("8 learnt", r"Deine Rechnung sagt « mit #; in den Texten steht «\.", _continued),
    Line("8 learnt", r"Vor dem Training war « mit # am wahrscheinlichsten(?:, und das richtige Wort hatte #)?\."),
    Line("8 learnt", r"Das Training hat die Zahlen so verändert, dass am wahrscheinlichsten ist, was in den Texten "
         r"steht\.", learns),
    Line("8 alone", rf"Falsch: {SOME}\."),
    Line("8 alone", r"In diesen Texten verrät schon das letzte Wort .+? nötig\."),
    Line("8 alone", r"Es sagt jedes Mal «: Die Anfänge enden gleich, und mehr als sich selbst und seinen Platz kennt das "
         r"letzte Wort ohne Attention nicht\."),
    Line("8 alone", r"Ohne Attention kennt das letzte Wort nur sich selbst und seinen Platz: Wo Anfänge darin gleich "
         r"sind, kommt dasselbe heraus\."),
    Line("8 compare", r"« hat bei T = # die Wahrscheinlichkeit #, bei T = # (nur |)#\.", _temperatures),
    Line("8 compare", r"Niedrige Temperatur macht den Vorsprung des besten größer: Der Text wird vorhersehbar\. Hohe "
         r"Temperatur gleicht die Wahrscheinlichkeiten an: Der Text wird abwechslungsreicher und öfter unsinnig\."),
    Line("8 read", r"Head (\d+) merkt(,| vor allem,|) (.+?) \((.+?\)?)\)\. ", notices),
    Line("8 read", r"Dann sagt das Modell (?:beide Male )?.+?\)\."),
    Line("8 tip", r"Jeder Tipp mit einem Grund zählt\."),
    Line("8 guess", r"Es sagt « \(#\)\.", _mixed),
    Line("8 guess", r"Dasselbe sagt es, wenn man .+? einsetzt: Es folgt dem, was es zu (?:diesem Wort|beiden Wörtern) "
         r"gelesen hat\."),
    Line("8 guess", r"Dasselbe sagt es zum ersten Satz: Beide Wörter zusammen haben daran nichts geändert\."),
    Line("8 guess", r"Das sagt es zu keinem der drei Sätze: Diese Mischung hat es nie gelesen, es rät\."),
    Line("8 guess", r"Seine Bänder gleichen am meisten (.+?)\.", _nearest),
    Line("8 guess", r"Eine Bedeutung kennt es nicht\."),
    Line("8 worth", r"Nichts: Gelernt wäre erst, wenn Texte die Zahlen so verändert hätten, dass passende Wörter "
         r"wahrscheinlich werden\. Die Rechnung ist dieselbe wie in einem großen Modell, nur die Zahlen sind nicht aus "
         r"Texten\.", nothing),
    Line("8 worth", r"Dass hier das letzte Wort noch einmal herauskommt, liegt auch daran, dass sein alter Vektor durch "
         r"das Addieren erhalten bleibt\.",
         lambda s, said: _last_again(s)),
    Line("9 judge", r"Geschichte: .+? Andere gut begründete Urteile gelten\."),
    Line("9 repeat", r"Gelesen: ((?:„… .+?“(?:, )?)+)\.", _written("read")),
    Line("9 repeat", r"Neu gemischt \(so nie gelesen, aber jedes Wort steht, wo es in einem der Texte steht\): "
         r"((?:„… .+?“(?:, )?)+)\.", _written("mixed")),
    Line("9 repeat", r"Unsinn: ((?:„… .+?“(?:, )?|sofort der Punkt(?:, )?)+)\.", _written("nonsense")),
    Line("9 repeat", r"Wie es nach dem Satzzeichen weitergeht, .+? weiß davon nichts\."),
    Line("9 repeat", r"Greedy kennt keinen Zufall: .+? kann auch ein anderes Wort kommen\."),
]  # fmt: skip
