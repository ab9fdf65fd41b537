# ruff: noqa: E501
"""Stations 4a and 4b: what their keys say of heads, each with its check."""

import re
from fractions import Fraction

import numpy as np

from findings.line import EVEN, LOOK, NUMBER, SOME, WORD, Line, best, leads, nothing, words_in
from findings.seen import close, number


def unmasked(s):
    return "unmasked.head1." if "unmasked.head1.weight" in s.desk.hand else "block1.head1."


def _look(s, name, word, other, value):
    leads(s.values(name + "weight", s.words.index(word)), s.words, value, other)


def _entry(s, said, *look):
    _look(s, "entry.", *look)


def look_k(s, said, k, *look):
    _look(s, f"block1.head{k}." if k else "block1.head1.", *look)


def _mutual(s, said, score, other, word, weight):
    a, b = s.words.index(word), s.words.index(other)
    x, weights = s.values("input"), s.values("entry.weight")
    assert close(score, x[a] @ x[b])
    assert close(weight, weights[b, a])
    assert min(weights[b, a], weights[a, b]) > 1 / len(s.words)


def _summand(s, said, word, line, right, also=None, most=None, its_line="", its_right=None):
    at = f"block1.head{said.text[: said.text.index(f'bei: „{word}“, {line}')].count('; zu o₁')}."
    _brings(s, at, s.path, 0, word, line, right)
    row = s.values(at + "weight", s.path)
    if most is None:
        heaviest = {s.words[j] for j in np.flatnonzero(row >= best(row) - 0.021)}
        assert heaviest & {word, *words_in(also)}
    else:
        j = s.words.index(most)
        assert row[j] == best(row)
        product = row[j] * s.values(at + "value", j)[0]
        assert abs(its_right - product) <= 0.5 * 10**-s.desk.options.nachkommastellen + 1e-9
        assert abs(product) < abs(right) + 0.011
        assert close(number(its_line.split(" · ")[0]), row[j])


def _brings(s, at, token, component, word, line, right):
    places = s.desk.options.nachkommastellen
    weights = [Fraction(f"{x:.{places}f}") for x in np.nan_to_num(s.values(at + "weight", token))]
    values = [Fraction(f"{x:.{places}f}") for x in s.values(at + "value")[:, component]]
    products = [abs(w * v) for w, v in zip(weights, values, strict=True)]
    j = s.words.index(word)
    assert products[j] == max(products)
    one, other = (Fraction(str(number(each))) for each in line.split(" · "))
    assert one * other == weights[j] * values[j]
    assert abs(Fraction(str(right)) - one * other) <= Fraction(1, 2 * 10**places)


def _closest(s, said, ahead, undivided, times):
    a, b = (s.words.index(word) for word in words_in(said.wording)[:2])
    at, scaling = "block1.head1.", s.desk.options.skalierung
    token = s.last if s.desk.sizes.n_heads > 1 else s.last - 1
    weights, whole = s.values(at + "weight", token), s.values(at + "score", token)
    scores = s.values(at + ("scaled" if scaling else "score"), token)
    assert close(ahead, scores[a] - scores[b])
    assert abs(times - weights[a] / weights[b]) <= 0.051
    assert (undivided is not None) == scaling
    assert undivided is None or close(undivided, whole[a] - whole[b])
    return weights[a] == best(weights)


def _own_row(s):
    """Of the head that is the pupil's own in a lesson."""
    return ("block1.head2." if s.desk.sizes.n_heads > 1 else unmasked(s)), s.last


def _heavy(s, said):
    at, token = _own_row(s)
    row, first = s.values(at + "weight", token), re.findall("o[₁₂]: „(.+?)“", said.text)
    return all(close(row[s.words.index(word)], best(row)) for word in first)


def _fits(s, said, word, last):
    j, n = s.words.index(word), len(s.tokens)
    assert any(text[j] != s.tokens[j] and text[n] not in s.after() for text in s.longer)
    return last == s.words[-1]


def _not_read(case):
    def check(s, said, word, other=None):
        i = s.words.index(word)
        row = s.values(unmasked(s) + "weight", i)
        j = i if other is None else s.words.index(other)
        assert i < s.last
        assert s.desk.sizes.n_blocks == 1
        assert row[j] == best(row)
        alike = len(s.at(s.words[j])) == 1
        holds = {
            "hidden": j > i and s.desk.options.maske,
            "same": j < i and alike,
            "differs": j < i and not alike,
        }
        return holds.get(case, True)

    return check


def _left_out(s, said, words):
    row = s.values(unmasked(s) + "weight", s.last)
    for word in words_in(words):
        assert len(s.at(word)) > 1
        assert row[s.words.index(word)] <= 0.1 + 1e-9
        assert f"„{word}“ passt" not in said.text


def _apart(s):
    """Two heads or more, and whether each looks at another word."""
    rows = [s.values(f"block1.head{k}.weight", s.path) for k in range(1, s.desk.sizes.n_heads + 1)]
    return len(rows) == 2, len({frozenset(np.flatnonzero(row == best(row))) for row in rows}) == len(rows)


def _identity(s):
    return np.array_equal(s.desk.given("block1.W_O"), np.eye(s.desk.sizes.d_model))


def _mixtures(s, said, words, _):
    assert _identity(s)
    for head, named in re.findall(rf"Head (\d+), mit dem größten Gewicht auf {SOME}", words):
        name = f"block1.head{head}.weight"
        written, exact = s.values(name, s.path), s.desk.built.passes.exact[name].values[s.path]
        places = [s.words.index(word) for word in words_in(named)]
        assert close(max(written[places]), best(written))
        assert all(written[j] >= best(written) - 0.03 or close(exact[j], exact.max()) for j in places)


def _keys_asked(s, said):
    head = re.search(r"Keys von Head\s(\d+)", said.wording)[1]
    return s.values(f"block1.head{head}.key")


def _query(s, said, word, x, y, score, second, less):
    scores = _keys_asked(s, said) @ np.array([x, y])
    order = sorted(scores, reverse=True)
    assert close(scores[s.words.index(word)], score)
    assert close(scores[s.words.index(second)], less)
    return close(order[0], score) and close(order[1], less) and order[0] > order[1]


def _found_by_some(s, said):
    angles = np.linspace(0, 2 * np.pi, 20001)
    scores = _keys_asked(s, said) @ np.array([np.cos(angles), np.sin(angles)])  # (n, angles)
    ordered = np.sort(scores, 0)
    return {s.words[j] for j in scores.argmax(0)[ordered[-1] - ordered[-2] > 1e-9]}


def _first_score(s, said, words):
    told = re.findall(
        rf"bei {WORD} mit ({SOME}) \({NUMBER}\)(?:, kaum kleiner mit ({SOME}) \((.+?)\))?", words
    )
    assert told
    for word, top, _, value, near, _, values in told:
        score, weight = (s.values(unmasked(s) + end, s.words.index(word)) for end in ("score", "weight"))
        leads(score, s.words, number(value), *words_in(top))
        others = [s.words.index(other) for other in words_in(near)]
        assert all(best(score) > score[j] and weight[j] >= best(weight) - 0.02 for j in others)
        for each in values.split(" oder ") if values else ():
            assert any(close(score[j], number(each)) for j in others)


def _others_lead(s, name, words):
    """Whether these have the largest number among all words but the example."""
    token = s.desk.options.beispiel - 1
    row = s.values(name, token).copy()
    row[token] = np.nan
    return min(row[s.words.index(word)] for word in words_in(words)) >= best(row) - 0.02


def _entry_leaders(s, said, first, second=None):
    return _others_lead(s, "entry.weight", first) and _others_lead(s, "entry.cosine", second or first)


def _deciding(s, said, words):
    looks = re.findall(r"achtet am stärksten auf ([^(]+) \(", said.text)
    looked = {word for look in looks for word in words_in(look)}
    return {*words_in(words)} <= looked and all(len(s.at(word)) > 1 for word in words_in(words))


LINES = [
    Line("4a alike", rf"Ja, beides steht bei {SOME}\.", _entry_leaders),
    Line("4a alike", rf"Beim (Gewicht|Kosinus) (?:liegt|liegen) {SOME} gleichauf\.",
         lambda s, said, what, words: _others_lead(s, "entry.weight" if what == "Gewicht" else "entry.cosine", words)),
    Line("4a alike", rf"Nein: Das größte Gewicht .+? bei {SOME}, der größte Kosinus bei {SOME}\.", _entry_leaders),
    Line("4a alike", rf"Das Gewicht vergleicht .+? Neu ist jeder .+? aller alten: {LOOK}{EVEN}\.", _entry),
    Line("4a alike", r"Auch « achtet am stärksten auf « \(#\)\.", _entry),
    Line("4a alike", r"Der Score ist in beiden Richtungen derselbe \(#\): Auch « nimmt viel von « \(#\)\.", _mutual),
    Line("4a alike", r"Wer ähnlich mischt, wird ähnlich\."),
    Line("4a alike", r"Nachgerechnet, nicht verlangt: "),
    Line("4a closest", r"Der Score ist um # größer(?: \(.+? um #\))?, das Gewicht ist etwa #-mal so groß\.", _closest),
    Line("4a closest", r"Das macht Schritt 2: e hoch Score macht aus einem Vorsprung ein Vielfaches\."),
    Line("4a shares", rf"o([₁₂]): «, (.+?) [=≈] #(?: \(auch richtig: {SOME}\))?\.",
         lambda s, said, c, word, line, right, _: _brings(s, *_own_row(s), "₁₂".index(c), word, line, right)),
    Line("4a shares", r"Hier ist es das Wort mit dem größten Gewicht; es muss nicht so sein", _heavy),
    Line("4a shares", r": Ein großes Gewicht auf einem Value nahe 0 bringt fast nichts\."),
    Line("4a understand", LOOK + EVEN + r"[.;]", lambda s, said, *to: _look(s, unmasked(s), *to)),
    Line("4a understand", r"Dort ist der Score am größten: (.+?\))\.", _first_score),
    Line("4a understand", r"Über den Satz sagt das nichts, denn die Zahlen sind nicht gelernt\.", nothing),
    Line("4a understand", r"(?:Bei „.+?“: )?« passt: Steht dort .+? nach « anders weiter\.", _fits),
    Line("4a understand", r"Bei «: Jedes .+?, zum Beispiel: Gelernt .+? die Maske «\.", _not_read("hidden")),
    Line("4a understand", r"Bei «: Jedes .+?, zum Beispiel: Von anderen Wörtern .+? wenig\.", _not_read("itself")),
    Line("4a understand", r"Bei «: Jedes Urteil .+?, zum Beispiel: « steht in allen .+? dort .+?\.", _not_read("same")),
    Line("4a understand", r"Bei «: Jedes Urteil .+?, zum Beispiel: An « unterscheiden sich .+?\.", _not_read("differs")),
    Line("4a understand", rf"Auch richtig: nur zum Teil, {SOME} (?:fehlt|fehlen)\.", _left_out),
    Line("4b mask", r"« sieht alle Wörter \(#\), « nur sich selbst\.",
         lambda s, said, last, count, first: (last, count, first) == (s.words[-1], len(s.words), s.words[0])),
    Line("4b mask", r"Nach dem letzten Wort kommt keines mehr, das die Maske verdecken könnte\."),
    Line("4b strip", r"(?:Head (\d+): )?" + LOOK + EVEN + "; ", look_k),
    Line("4b strip", rf"zu o₁ trägt am meisten bei: «, (.+?) [=≈] #(?: \(auch richtig: {SOME}\))?"
         r"(?:; « nur (.+?) [=≈] #)?\.", _summand),
    Line("4b strip", rf"Also steckt ((?:in .+? die Mischung von Head \d+, mit .+? auf {SOME}(?:; )?)+)\.", _mixtures),
    Line("4b strip", rf"An {SOME} unterscheiden sich die gelesenen Sätze\.", _deciding),
    Line("4b strip", r"Die Matrix nach den Heads mischt das noch\.", lambda s, said: not _identity(s)),
    Line("4b strip", r"Ein Head allein hätte nur eine Verteilung und müsste darin (beides|alles) mischen\.",
         lambda s, said, what: _apart(s) == (what == "beides", True)),
    Line("4b strip", r"Hier achten (beide|mehrere) Heads auf dasselbe Wort, aber .+? anderes von ihm mit\.",
         lambda s, said, which: _apart(s) == (which == "beide", False)),
    Line("4b design", r"Richtig ist jede, deren Skalarprodukt mit dem Key dieses Worts das größte ist, zum Beispiel "),
    Line("4b design", r"« mit \(# \| #\): # vor « mit #[;.]", _query),
    Line("4b design", rf"Nicht zu finden: {SOME}; in jeder Richtung liegt ein anderer Key weiter vorn oder gleichauf\.",
         lambda s, said, words: not {*words_in(words)} & _found_by_some(s, said)),
    Line("4b design", r"(?:Nein, jedes|Hier) lässt .+?\.", lambda s, said: _found_by_some(s, said) == {*s.words}),
    Line("4b design", rf"Nur ganz knapp: {SOME}; wer nach dem Bild sagt, .+? bekommt die Punkte auch\.",
         lambda s, said, words: {*words_in(words)} <= _found_by_some(s, said)),
]  # fmt: skip
