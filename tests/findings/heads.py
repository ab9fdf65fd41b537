# ruff: noqa: E501
"""Stations 4a and 4b: what their keys say of heads, each with its check."""

import re
from fractions import Fraction

import numpy as np

from findings.line import EVEN, LOOK, NUMBER, SOME, WORD, Line, best, leads, nothing
from findings.seen import close, number


def unmasked(s):
    return "unmasked.head1." if "unmasked.head1.weight" in s.desk.hand else "block1.head1."


def _entry(s, said, word, other, value):
    leads(s.values("entry.weight", s.words.index(word)), s.words, value, other)


def _mutual(s, said, score, other, word, weight):
    a, b = s.words.index(word), s.words.index(other)
    x = s.values("input")
    assert close(number(score), x[a] @ x[b])
    weights = s.values("entry.weight")
    assert close(number(weight), weights[b, a])
    assert min(weights[b, a], weights[a, b]) > 1 / len(s.words)


def _head_k(s, said, k, word, other, value):
    leads(s.values(f"block1.head{k}.weight", s.words.index(word)), s.words, value, other)


def _summand(s, said, word, line, _, right, also=None, most=None, its_line="", __=None, its_right=""):
    at = f"block1.head{said.text[: said.text.index(f'bei: „{word}“, {line}')].count('; zu o₁')}."
    _brings(s, at, s.path, 0, word, line, right)
    row = s.values(at + "weight", s.path)
    if most is None:
        heaviest = {s.words[j] for j in np.flatnonzero(row >= best(row) - 0.021)}
        assert heaviest & {word, *re.findall(WORD, also or "")}
    else:
        j = s.words.index(most)
        assert row[j] == best(row)
        product = row[j] * s.values(at + "value", j)[0]
        assert abs(number(its_right) - product) <= 0.5 * 10**-s.desk.options.nachkommastellen + 1e-9
        assert abs(product) < abs(number(right)) + 0.011
        assert close(number(its_line.split(" · ")[0]), row[j])


def _brings(s, at, token, component, word, line, right):
    places = s.desk.options.nachkommastellen
    weights = [Fraction(f"{x:.{places}f}") for x in np.nan_to_num(s.values(at + "weight", token))]
    values = [Fraction(f"{x:.{places}f}") for x in s.values(at + "value")[:, component]]
    products = [abs(w * v) for w, v in zip(weights, values, strict=True)]
    j = s.words.index(word)
    assert products[j] == max(products)
    factors = [Fraction(str(number(each))) for each in line.split(" · ")]
    assert factors[0] * factors[1] == weights[j] * values[j]
    assert abs(Fraction(str(number(right))) - factors[0] * factors[1]) <= Fraction(1, 2 * 10**places)


def _mask(s, said, last, count, first):
    assert (last, first) == (s.words[-1], s.words[0])
    assert int(number(count)) == len(s.words)


def _closest(s, said, ahead, undivided, times):
    words = re.findall("„(.+?)“", said.wording)[:2]
    at, (a, b) = "block1.head1.", (s.words.index(word) for word in words)
    name = at + ("scaled" if s.desk.options.skalierung else "score")
    token = s.last if s.desk.sizes.n_heads > 1 else s.last - 1
    scores, weights = s.values(name, token), s.values(at + "weight", token)
    assert close(number(ahead), scores[a] - scores[b])
    assert abs(number(times) - weights[a] / weights[b]) <= 0.051
    whole = s.values(at + "score", token)
    assert (undivided is not None) == s.desk.options.skalierung
    assert undivided is None or close(number(undivided), whole[a] - whole[b])
    assert weights[a] == best(weights)


def _own_head(s):
    """The pupil's own in a lesson."""
    return "block1.head2." if s.desk.sizes.n_heads > 1 else unmasked(s)


def _light(s, said, word):
    row = s.values(_own_head(s) + "weight", s.last)
    assert row[s.words.index(word)] < best(row)


def _heavy(s, said):
    first = re.findall("o[₁₂]: „(.+?)“", said.text)
    row = s.values(_own_head(s) + "weight", s.last)
    assert all(close(row[s.words.index(word)], best(row)) for word in first)


def _shares(s, said, component, word, line, _, right, also=None):
    _brings(s, _own_head(s), s.last, "₁₂".index(component), word, line, right)


def _tells(s, word):
    j = s.words.index(word)
    return any(text[j] != s.tokens[j] and text[len(s.tokens)] not in s.after() for text in s.longer)


def _fits(s, said, word, last):
    assert _tells(s, word)
    assert last == s.words[-1]


def _tells_nothing(s, said, word, last):
    assert not _tells(s, word)


def _not_read(case):
    def check(s, said, word, other=None):
        i = s.words.index(word)
        row = s.values(unmasked(s) + "weight", i)
        assert i < s.last
        assert s.desk.sizes.n_blocks == 1
        j = i if other is None else s.words.index(other)
        assert case is None or row[j] == best(row)
        there = s.at(s.words[j])
        holds = {
            "hidden": j > i and s.desk.options.maske,
            "itself": True,
            "same": j < i and len(there) == 1,
            "differs": j < i and len(there) > 1,
            None: True,
        }
        assert holds[case]

    return check


def _left_out(s, said, words):
    for word in re.findall("„(.+?)“", words):
        assert len(s.at(word)) > 1
        assert s.values(unmasked(s) + "weight", s.last)[s.words.index(word)] <= 0.1 + 1e-9
        assert f"„{word}“ passt" not in said.text


def _ahead(s, said, *_):
    looked = re.findall("„([^“]+)“ achtet am stärksten auf „([^“]+)“", said.text)
    assert s.desk.options.maske
    assert any(s.words.index(b) > s.words.index(a) for a, b in looked) or " oder " in said.text


def _apart(s, said):
    rows = [s.values(f"block1.head{k}.weight", s.path) for k in range(1, s.desk.sizes.n_heads + 1)]
    return len({frozenset(np.flatnonzero(row == best(row))) for row in rows}) == len(rows)


def _one_would_mix(s, said, what):
    assert _apart(s, said)
    assert (what == "beides") == (s.desk.sizes.n_heads == 2)


def _same_word(s, said, which):
    assert not _apart(s, said)
    assert (which == "beide") == (s.desk.sizes.n_heads == 2)


def _identity(s, said, *_):
    assert np.array_equal(s.desk.given("block1.W_O"), np.eye(s.desk.sizes.d_model))


def _mixtures(s, said, words, _):
    _identity(s, said)
    for head, named in re.findall(rf"Head (\d+), mit dem größten Gewicht auf {SOME}", words):
        name = f"block1.head{head}.weight"
        written, exact = s.values(name, s.path), s.desk.built.passes.exact[name].values[s.path]
        places = [s.words.index(word) for word in re.findall(WORD, named)]
        assert close(max(written[places]), best(written))
        assert all(written[j] >= best(written) - 0.03 or close(exact[j], exact.max()) for j in places)


def _no_identity(s, said):
    assert not np.array_equal(s.desk.given("block1.W_O"), np.eye(s.desk.sizes.d_model))


def _keys_asked(s, said):
    head = re.search(r"Keys von Head\s(\d+)", said.wording)[1]
    return s.values(f"block1.head{head}.key")


def _query(s, said, word, x, y, score, second, less):
    keys = _keys_asked(s, said)
    scores = keys @ np.array([number(x), number(y)])
    order = sorted(scores, reverse=True)
    assert close(scores[s.words.index(word)], number(score))
    assert close(scores[s.words.index(second)], number(less))
    assert close(order[0], number(score))
    assert close(order[1], number(less))
    assert order[0] > order[1]


def _found_by_some(s, said):
    keys = _keys_asked(s, said)
    angles = np.linspace(0, 2 * np.pi, 20001)
    scores = keys @ np.array([np.cos(angles), np.sin(angles)])  # (n, angles)
    ordered = np.sort(scores, 0)
    clear = ordered[-1] - ordered[-2] > 1e-9
    return {s.words[j] for j in scores.argmax(0)[clear]}


def _never(s, said, words):
    assert not set(re.findall("„(.+?)“", words)) & _found_by_some(s, said)


def _hardly(s, said, words):
    assert set(re.findall("„(.+?)“", words)) <= _found_by_some(s, said)


def _always(s, said):
    assert _found_by_some(s, said) == set(s.words)


def _first_score(s, said, words):
    named_mark = re.findall(
        rf"bei {WORD} mit ({SOME}) \({NUMBER}\)(?:, kaum kleiner mit ({SOME}) \((.+?)\))?", words
    )
    assert named_mark
    for word, top, _, value, near, _, values in named_mark:
        row = s.values(unmasked(s) + "score", s.words.index(word))
        weights = s.values(unmasked(s) + "weight", s.words.index(word))
        assert all(close(row[s.words.index(other)], number(value)) for other in re.findall(WORD, top))
        assert close(number(value), best(row))
        for other in re.findall(WORD, near):
            assert best(row) > row[s.words.index(other)]
            assert weights[s.words.index(other)] >= best(weights) - 0.02
        for each in values.split(" oder ") if values else ():
            assert any(close(row[s.words.index(other)], number(each)) for other in re.findall(WORD, near))


def _entry_leaders(s, said, first, second=None):
    token = s.desk.options.beispiel - 1
    second = second or first
    for name, words in (("entry.weight", first), ("entry.cosine", second)):
        row = s.values(name, token).copy()
        row[token] = np.nan
        places = [s.words.index(word) for word in re.findall("„(.+?)“", words)]
        assert min(row[places]) >= best(row) - 0.02


def _look_4a(s, said, word, other, *rest):
    leads(s.values(unmasked(s) + "weight", s.words.index(word)), s.words, rest[1], other)


def look_k(s, said, k, word, other, *rest):
    _head_k(s, said, k, word, other, rest[1])


def _no_part(s, said):
    """Of what is asked of one head in "4b strip" the last that is named before."""
    for k in range(1, s.desk.sizes.n_heads + 1):
        values = s.values(f"block1.head{k}.value")[:, 0]
        if not np.any(np.nan_to_num(s.values(f"block1.head{k}.weight", s.path)) * values):
            return
    raise AssertionError(said.text)


def _deciding(s, said, words):
    looked = {
        word
        for look in re.findall(r"achtet am stärksten auf ([^(]+) \(", said.text)
        for word in re.findall("„(.+?)“", look)
    }
    for word in re.findall("„(.+?)“", words):
        assert len(s.at(word)) > 1
        assert word in looked


def _level(s, said, what, words):
    name = {"Gewicht": "entry.weight", "Kosinus": "entry.cosine"}[what]
    row = s.values(name, s.desk.options.beispiel - 1).copy()
    row[s.desk.options.beispiel - 1] = np.nan
    for word in re.findall("„(.+?)“", words):
        assert row[s.words.index(word)] >= best(row) - 0.02


LINES = [
    Line("4a alike", rf"Ja, beides steht bei {SOME}\.", _entry_leaders),
    Line("4a alike", rf"Beim (Gewicht|Kosinus) (?:liegt|liegen) {SOME} gleichauf\.", _level),
    Line("4a alike", rf"Nein: Das größte Gewicht eines anderen Wortes steht bei {SOME}, der größte Kosinus bei {SOME}\.",
         _entry_leaders),
    Line("4a alike", r"Das Gewicht vergleicht die alten Vektoren, der Kosinus die neuen\. Neu ist jeder eine Mischung "
         r"aller alten: « achtet am stärksten auf «(?: oder „.+?“)* \(#\)(?:, also auf sich selbst)?(?:, aber die Gewichte sind fast "
         r"gleich \(.+?\))?\.", _entry),
    Line("4a alike", r"Auch « achtet am stärksten auf « \(#\)\.", _entry),
    Line("4a alike", r"Der Score ist in beiden Richtungen derselbe \(#\): Auch « nimmt viel von « \(#\)\.", _mutual),
    Line("4a alike", r"Wer ähnlich mischt, wird ähnlich\."),
    Line("4a alike", r"Nachgerechnet, nicht verlangt: "),
    Line("4a closest", r"Der Score ist um # größer(?: \(vor dem Teilen um #\))?, das Gewicht ist etwa #-mal so groß\.",
         _closest),
    Line("4a closest", r"Das macht Schritt 2: e hoch Score macht aus einem Vorsprung ein Vielfaches\."),
    Line("4a shares", rf"o([₁₂]): «, (.+?) (=|≈) #(?: \(auch richtig: {SOME}\))?\.", _shares),
    Line("4a shares", r"Nein: ", unseen=True),
    Line("4a shares", r"Hier ist es das Wort mit dem größten Gewicht; es muss nicht so sein", _heavy),
    Line("4a shares", r"«(?: und „.+?“)? (?:hat|haben) nicht das größte Gewicht", _light, unseen=True),
    Line("4a shares", r"Das muss nicht das Wort mit dem größten Gewicht sein", unseen=True),
    Line("4a shares", r": Ein großes Gewicht auf einem Value nahe 0 bringt fast nichts\."),
    Line("4a understand", LOOK + EVEN + r"[.;]", _look_4a),
    Line("4a understand", r"Dort ist der Score am größten: (.+?\))\.", _first_score),
    Line("4a understand", r"Über den Satz sagt das nichts, denn die Zahlen sind nicht gelernt\.", nothing),
    Line("4a understand", r"(?:Bei „.+?“: )?« passt: Steht dort ein anderes Wort, gehen die gelesenen Sätze nach « anders weiter\.", _fits),
    Line("4a understand", r"(?:Bei „.+?“: )?« verrät nichts: Die gelesenen Sätze gehen nach « nicht anders weiter, weil dort ein anderes "
         r"Wort steht\.", _tells_nothing, unseen=True),
    Line("4a understand", r"Bei «: Jedes Urteil mit einem Grund ist richtig\.", _not_read(None), unseen=True),
    Line("4a understand", r"Bei «: Jedes Urteil mit einem Grund ist richtig, zum Beispiel: Gelernt ist das nicht, denn beim "
         r"Lernen verdeckte die Maske «\.", _not_read("hidden")),
    Line("4a understand", r"Bei «: Jedes Urteil mit einem Grund ist richtig, zum Beispiel: Von anderen Wörtern erfährt es so "
         r"wenig\.", _not_read("itself")),
    Line("4a understand", r"Bei «: Jedes Urteil mit einem Grund ist richtig, zum Beispiel: « steht in allen gelesenen Sätzen "
         r"dort und unterscheidet sie nicht\.", _not_read("same")),
    Line("4a understand", r"Bei «: Jedes Urteil mit einem Grund ist richtig, zum Beispiel: An « unterscheiden sich die "
         r"gelesenen Sätze\.", _not_read("differs")),
    Line("4a understand", rf"Auch richtig: nur zum Teil, {SOME} (?:fehlt|fehlen)\.", _left_out),
    Line("4a understand", r"Spätere Wörter verdeckte beim Lernen die Maske\.", _ahead, unseen=True),
    Line("4b mask", r"« sieht alle Wörter \(#\), « nur sich selbst\.", _mask),
    Line("4b mask", r"Nach dem letzten Wort kommt keines mehr, das die Maske verdecken könnte\."),
    Line("4b strip", r"(?:Head (\d+): )?" + LOOK + EVEN + "; ", lambda s, said, k, *rest: look_k(s, said, k or 1, *rest)),
    Line("4b strip", rf"zu o₁ trägt am meisten bei: «, (.+?) (=|≈) #(?: \(auch richtig: {SOME}\))?(?:; « nur (.+?) (=|≈) #)?\.", _summand),
    Line("4b strip", r"zu o₁ trägt kein Wort etwas bei\.", _no_part, unseen=True),
    Line("4b strip", rf"Also steckt ((?:in .+? die Mischung von Head \d+, mit dem größten Gewicht auf {SOME}(?:; )?)+)\.", _mixtures),
    Line("4b strip", rf"An {SOME} unterscheiden sich die gelesenen Sätze\.", _deciding),
    Line("4b strip", r"Die Matrix nach den Heads mischt das noch\.", _no_identity),
    Line("4b strip", r"Ein Head allein hätte nur eine Verteilung und müsste darin (beides|alles) mischen\.", _one_would_mix),
    Line("4b strip", r"Hier achten (beide|mehrere) Heads auf dasselbe Wort, aber jeder nimmt etwas anderes von ihm mit\.",
         _same_word),
    Line("4b design", r"Richtig ist jede, deren Skalarprodukt mit dem Key dieses Worts das größte ist, zum Beispiel "),
    Line("4b design", r"« mit \(# \| #\): # vor « mit #[;.]", _query),
    Line("4b design", rf"Nicht zu finden: {SOME}; in jeder Richtung liegt ein anderer Key weiter vorn oder gleichauf\.",
         _never),
    Line("4b design", r"Nein, jedes lässt sich finden\.", _always),
    Line("4b design", rf"Nur ganz knapp: {SOME}; wer nach dem Bild sagt, dass keine Query es findet, bekommt die "
         r"Punkte auch\.", _hardly),
    Line("4b design", r"Hier lässt sich jedes Wort finden: Jeder Key liegt in einer Richtung am weitesten vorn\.",
         _always),
]  # fmt: skip
