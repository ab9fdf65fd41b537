# ruff: noqa: E501
"""All sentences in which a key judges, with the finding that each states and its check.

A line is a task, a sentence and a check. The sentence is a regular expression in which « is a word in quotes
and # a number. The check gets the sheet, what was said, and words, numbers and groups in order; None: the
sentence holds on every sheet, whatever its numbers are.
"""

import re
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from findings.seen import MEANT, close, number

NUMBER = r"\(?(−?\d(?:[\d  ]*\d)?(?:,\d+)?)\)?"
WORD = r"„((?:[^„“]|„[^“]*“)+)“"


@dataclass(frozen=True)
class Line:
    task: str
    sentence: str
    check: object = None

    @property
    def pattern(self):
        return re.compile(self.sentence.replace("«", WORD).replace("#", NUMBER) + r"\s*")


def best(values):
    return float(np.nanmax(values))


# --- Stations 0 to 3


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


def _platz(s, said, component, value):
    row = s.values("positional_encoding", s.path)
    assert close(number(value), row[int(component) - 1])
    assert close(abs(number(value)), np.abs(row).max())


def _same_place(s, said, value):
    component = int(re.match(r"Komponente (\d+)", said.text)[1]) - 1
    column = s.values("positional_encoding")[:, component]
    assert np.ptp(column) <= 0.1 + 1e-9
    assert abs(column.mean() - number(value)) <= 0.06


# --- Heads


def looks(at, token=None):
    def check(s, said, word, *others):
        *others, value = others
        row = s.values(at(s) + "weight", s.words.index(word) if token is None else token(s))
        assert close(number(value), best(row))
        names = [each for each in others if each]
        assert close(row[s.words.index(names[0])], best(row))

    return check


def unmasked(s):
    return "unmasked.head1." if "unmasked.head1.weight" in s.desk.hand else "block1.head1."


def _entry(s, said, word, other, value):
    row = s.values("entry.weight", s.words.index(word))
    assert close(number(value), best(row))
    assert close(row[s.words.index(other)], best(row))


def _head_k(s, said, k, word, other, value):
    row = s.values(f"block1.head{k}.weight", s.words.index(word))
    assert close(number(value), best(row))
    assert close(row[s.words.index(other)], best(row))


def _summand(s, said, word, line, _, right, also=None):
    k = said.text[: said.text.index(f"bei: „{word}“, {line}")].count("; zu o₁")
    _brings(s, f"block1.head{k}.", s.path, 0, word, line, right)


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


def _closest(s, said, ahead, times):
    words = re.findall("„(.+?)“", said.wording)[:2]
    at, (a, b) = "block1.head1.", (s.words.index(word) for word in words)
    name = at + ("scaled" if s.desk.options.skalierung else "score")
    scores, weights = s.values(name, s.last), s.values(at + "weight", s.last)
    assert close(number(ahead), scores[a] - scores[b])
    assert abs(number(times) - weights[a] / weights[b]) <= 0.051
    assert weights[a] == best(weights)


def _light(s, said, word):
    assert s.values("block1.head2.weight", s.last, s.words.index(word)) < best(
        s.values("block1.head2.weight", s.last)
    )


def _heavy(s, said):
    first = re.findall("o[₁₂]: „(.+?)“", said.text)
    row = s.values("block1.head2.weight", s.last)
    assert all(close(row[s.words.index(word)], best(row)) for word in first)


def _shares(s, said, component, word, line, _, right, also=None):
    _brings(s, "block1.head2.", s.last, "₁₂".index(component), word, line, right)


def _tells(s, word):
    j = s.words.index(word)
    begun = [text for text in s.texts if len(text) > len(s.tokens)]
    follows = {text[len(s.tokens)] for text in begun if text[: len(s.tokens)] == s.tokens}
    others = [text for text in begun if text[j] != s.tokens[j]]
    return any(text[len(s.tokens)] not in follows for text in others)


def _fits(s, said, word, last):
    assert _tells(s, word)
    assert last == s.words[-1]


def _tells_nothing(s, said, word, last):
    assert not _tells(s, word)


def _not_read(s, said, words, last):
    assert all(s.words.index(word) < s.last for word in re.findall("„(.+?)“", words))
    assert s.desk.sizes.n_blocks == 1


def _ahead(s, said, *_):
    looked = re.findall("„([^“]+)“ achtet am stärksten auf „([^“]+)“", said.text)
    assert s.desk.options.maske
    assert any(s.words.index(b) > s.words.index(a) for a, b in looked) or " oder " in said.text


def _apart(s, said):
    rows = [s.values(f"block1.head{k}.weight", s.path) for k in range(1, s.desk.sizes.n_heads + 1)]
    return len({frozenset(np.flatnonzero(row == best(row))) for row in rows}) == len(rows)


def _one_would_mix(s, said):
    assert _apart(s, said)


def _same_word(s, said, _):
    assert not _apart(s, said)


def _identity(s, said, *_):
    assert np.array_equal(s.desk.given("block1.W_O"), np.eye(s.desk.sizes.d_model))


def _no_identity(s, said):
    assert not np.array_equal(s.desk.given("block1.W_O"), np.eye(s.desk.sizes.d_model))


def _query(s, said, word, x, y, score, second, less):
    keys = s.values(f"block1.head{s.desk.sizes.n_heads}.key")
    scores = keys @ np.array([number(x), number(y)])
    order = sorted(scores, reverse=True)
    assert close(scores[s.words.index(word)], number(score))
    assert close(scores[s.words.index(second)], number(less))
    assert close(order[0], number(score))
    assert close(order[1], number(less))
    assert order[0] > order[1]


def _found_by_some(s):
    keys = s.values(f"block1.head{s.desk.sizes.n_heads}.key")
    angles = np.linspace(0, 2 * np.pi, 20001)
    scores = keys @ np.array([np.cos(angles), np.sin(angles)])  # (n, angles)
    ordered = np.sort(scores, 0)
    clear = ordered[-1] - ordered[-2] > 1e-9
    return {s.words[j] for j in scores.argmax(0)[clear]}


def _never(s, said, words):
    assert not set(re.findall("„(.+?)“", words)) & _found_by_some(s)


def _always(s, said):
    assert _found_by_some(s) == set(s.words)


def _first_score(s, said, words):
    for word, other, value in re.findall(r"bei „(.+?)“ mit „(.+?)“.*? \((−?\d+(?:,\d+)?)", words):
        row = s.values(unmasked(s) + "score", s.words.index(word))
        assert close(row[s.words.index(other)], number(value))
        assert number(value) >= best(row) - 0.05


def _entry_leaders(s, said, first, second=None):
    token = s.desk.options.beispiel - 1
    second = second or first
    for name, words in (("entry.weight", first), ("entry.cosine", second)):
        row = s.values(name, token).copy()
        row[token] = np.nan
        places = [s.words.index(word) for word in re.findall("„(.+?)“", words)]
        assert min(row[places]) >= best(row) - 0.02


# --- Stations 5 to 7


def _component(s, said, component, value):
    row = s.values("block1.attention", s.path)
    assert close(number(value), row[int(component) - 1])
    assert close(abs(number(value)), np.abs(row).max())


def _source(s, said, head, words):
    component = int(re.search(r"Komponente (\d+) \(a", said.text)[1]) - 1
    width = s.desk.sizes.d_head
    assert int(head) == component // width + 1
    at, c = f"block1.head{head}.", component % width
    parts = np.nan_to_num(s.values(at + "weight", s.path)) * s.values(at + "value")[:, c]
    found = re.findall(r"„(.+?)“ \((−?[\d,]+) · \(?(−?[\d,]+)", words)
    assert found
    for word, weight, value in found:
        j = s.words.index(word)
        assert close(parts[j], number(weight) * number(value))
        assert abs(parts[j]) >= 0.9 * np.max(parts * np.sign(parts.sum() or 1)) - 1e-9


def spread(least, most):
    def check(s, said, sigma=None):
        value = float(s.values("block1.norm1.std", s.path))
        assert least <= value <= most
        assert sigma is None or close(value, number(sigma))

    return check


def moves(old, new):
    def check(s, said, component, verb, before, after):
        c = int(component) - 1
        rows = [s.values(name, s.path) for name in (old, new)]
        assert close(rows[0][c], number(before))
        assert close(rows[1][c], number(after))
        assert verb == ("fällt" if rows[1][c] < rows[0][c] else "steigt")
        change = np.abs(rows[1] - rows[0])
        assert change[c] >= change.max() - 0.05

    return check


def _wants(s, said, component, value):
    row = s.values("block1.ffn.output", s.path)
    assert close(number(value), row[int(component) - 1])
    assert abs(number(value)) >= np.abs(row).max() - 0.05


def _all_stand(s, said):
    assert (s.values("block1.ffn.hidden", s.path) >= 0).all()


def _no_f(s, said):
    assert not s.values("block1.ffn.output", s.path).any()


def _relu(s, said, zeros, units):
    hidden = s.values("block1.ffn.hidden", s.path)
    assert int(units) == len(hidden)
    assert int(zeros) == int((hidden < 0).sum())


def _without(s, said, shift):
    biases = [
        s.desk.given(f"block1.ffn.b_{k}")
        for k in (1, 2)
        if f"block1.ffn.b_{k}" in s.desk.calculation.model.weights
    ]
    assert (shift != "") == any(np.any(b) for b in biases)


def _added(s, said, heard, thought):
    for name, line in (("block1.attention", heard), ("block1.ffn.output", thought)):
        *terms, total = re.split(r" [+=] ", line)
        row = np.abs(s.values(name, s.path))
        assert all(close(number(a), b) for a, b in zip(terms, row, strict=True))
        assert close(number(total), row.sum())


def more(sign):
    def check(s, said, *_):
        a, f = (np.abs(s.values(f"block1.{name}", s.path)).sum() for name in ("attention", "ffn.output"))
        assert {"f": f > a, "a": a > f, "=": abs(a - f) <= 0.25 * max(a, f)}[sign]

    return check


# --- Stations 8 and 9


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


def _weights(s, tokens):
    """The last word's weights in each head, and the probabilities, in plain floats."""
    model = s.desk.built.learnt.model
    w, sizes = model.weights, model.sizes
    ids = [model.vocabulary.index(token) for token in tokens]
    whole = model.input_embedding[ids] + np.round(_encoding(s, len(ids), sizes.d_model), 3)
    x = (
        np.sign(whole) * np.floor(np.abs(whole) * 10 + 0.5 + 1e-9) / 10
        if s.desk.options.positionen
        else whole
    )
    heads, mixes = [], []
    for k in range(1, sizes.n_heads + 1):
        q, key, v = (x @ w[f"block1.head{k}.W_{letter}"] for letter in "QKV")
        scores = q @ key.T / (np.sqrt(sizes.d_head) if s.desk.options.skalierung else 1)
        scores[np.triu_indices(len(ids), 1)] = -np.inf
        e = np.exp(scores)
        weight = e / e.sum(1, keepdims=True)
        heads.append(weight[-1])
        mixes.append(weight @ v)
    return heads, mixes


def _encoding(s, n, d):
    if not s.desk.options.positionen:
        return np.zeros((n, d))
    pos, i = np.arange(n)[:, None], np.arange(d)[None, :]
    angle = pos / 10000 ** (2 * (i // 2) / d)
    return np.where(i % 2, np.cos(angle), np.sin(angle))


def _swap(s, instead, word):
    """The tokens with `instead` where `word` stands."""
    place = s.words.index(word)
    return place, (*s.tokens[:place], instead, *s.tokens[place + 1 :])


def _notices(s, said, k, sign, words, moves_):
    changes = {}
    for instead, word, rest in re.findall(r"„([^“]+)“ statt „([^“]+)“([^;]*)", moves_):
        place, other = _swap(s, instead, word)
        before, after = (_weights(s, tokens)[0][int(k) - 1][place] for tokens in (s.tokens, other))
        said_numbers = [number(x) for x in re.findall(r"\d,\d+", rest)]
        assert abs(said_numbers[-1] - after) <= 0.06
        if "ändert dort" in rest:
            assert abs(after - before) <= 0.09
        else:
            assert abs(said_numbers[0] - before) <= 0.06
            changes[word] = abs(said_numbers[1] - said_numbers[0])
    named = re.findall("„([^“]+)“", words)
    if "wenig" in words:
        assert all(change < 0.1 for change in changes.values())
    for word in named:
        assert changes[word] >= 0.1 - 1e-9
        assert changes[word] >= max(changes.values()) / 2 - 1e-9


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


# --- Stations 10 and 11


def _size(s, said, rows, columns):
    assert (int(rows), int(columns)) == s.desk.hand["decoder.block1.cross.head1.score"].values.shape


def _cross_row(s, word):
    return s.values("decoder.block1.cross.head1.weight", s.desk.target_words.index(word))


def _cross(s, said, word, found, value):
    row = _cross_row(s, word)
    assert close(number(value), best(row))
    assert row[s.desk.source_words.index(found)] == best(row)


def _cross_next(s, said, word, value):
    first = re.match("„(.+?)“", said.text)[1]
    second = np.sort(_cross_row(s, first))[-2]
    assert close(number(value), second)
    clear = "und zwar deutlich" in said.text
    assert clear == (best(_cross_row(s, first)) >= 1.25 * second) or second == 0


def _company(s, said, word, _, others):
    column = s.desk.source_words.index(word)
    rows = s.values("decoder.block1.cross.head1.weight")
    own = re.match("„(.+?)“", said.text)[1]
    same = {s.desk.target_words[i] for i, row in enumerate(rows) if row[column] == best(row)} - {own}
    count = re.fullmatch(r"(\d+) andere Zielwörter", others)
    if count:
        assert abs(len(same) - int(count[1])) <= 1
    else:
        assert set(re.findall("„(.+?)“", others)) <= same | {own}


def _loss_words(s, said, word, before, after, verb, hand_before, hand_after, exact_before, exact_after):
    lesson = s.desk.built.learning
    place = list(s.desk.vocabulary).index(word)
    old = lesson.hand[lesson.lesson.before + "temperature1.probability"].values[place]
    new = lesson.hand["after.temperature1.probability"].values[place]
    assert close(number(before), old)
    assert close(number(after), new)
    assert {"sinkt": new > old, "bleibt gleich": new == old, "steigt": new < old}[verb.split(":")[0]]
    for text, trace, name in (
        (hand_before, lesson.hand, "loss"),
        (hand_after, lesson.hand, "after.loss"),
        (exact_before, lesson.exact, "loss"),
        (exact_after, lesson.exact, "after.loss"),
    ):
        assert abs(float(trace[name].values) - number(text)) <= 1e-4


def _right_is_negative(s, said, word):
    lesson = s.desk.built.learning
    row = lesson.hand["gradient.logit"].values
    place = list(s.desk.vocabulary).index(word)
    assert row[place] < 0
    assert (np.delete(row, place) >= 0).all()


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


def _flowing(s, said, count):
    lesson = s.desk.built.learning
    at = f"{lesson.lesson.before}block{s.desk.sizes.n_blocks}.ffn.hidden"
    assert int(count) == int((lesson.hand[at].values[-1] > 0).sum())


def _further(s, said, count):
    assert int(re.sub(r"\D", "", count)) > 0


def _pairs(s, said, longer, recurrent, few, many):
    n = int(re.sub(r"\D", "", longer))
    assert int(re.sub(r"\D", "", recurrent)) == n - 1
    assert int(re.sub(r"\D", "", many)) == n * n
    assert int(re.sub(r"\D", "", few)) == len(s.words) ** 2


def _nothing(s, said, *_):
    assert not s.desk.options.learns


def _learns(s, said, *_):
    assert s.desk.options.learns


def _alike(s, said):
    Q, K = (s.desk.given(f"decoder.block1.cross.head1.W_{letter}") for letter in "QK")
    assert np.array_equal(Q, K)


def _cross_size(s, said, rows, _, columns):
    _size(s, said, rows, columns)


SOME = r"((?:„.+?“(?:, | und | oder )?)+)"  # words in a row
LOOK = r"« achtet am stärksten auf «((?: oder „.+?“)*) \(#\)(?:, also auf sich selbst)?"
EVEN = r"(?:, aber die Gewichte sind fast gleich \(# bis #\))?"


def _look_4a(s, said, word, other, *rest):
    value = rest[1]
    looks(unmasked, lambda s: s.words.index(word))(s, said, word, other, value)


def _look_k(s, said, k, word, other, *rest):
    _head_k(s, said, k, word, other, rest[1])


def _off(s, said, word, p, text):
    tokens = tuple(re.findall(r"[\w-]+|[.!?]", text))
    assert tokens in s.texts
    assert word in tokens


def _no_end(s, said, word, p):
    follows = {text[len(s.tokens)] for text in s.texts if len(text) > len(s.tokens)}
    assert word not in follows


def _last_again(s):
    assert s.desk.vocabulary[int(np.argmax(s.values("logit")))] == s.tokens[-1]


def _both_words(s, said, first, second):
    _entry_leaders(s, said, first, second)


def _differ(s, said, words):
    begun = [text[: len(s.tokens)] for text in s.texts]
    for word in re.findall("„(.+?)“", words):
        assert len({text[s.words.index(word)] for text in begun}) > 1


def _not_enough(s, said, word, others):
    place = s.words.index(word)
    follows = {t[len(s.tokens)] for t in s.texts if t[place] == s.tokens[place]}
    assert set(re.findall("„(.+?)“", others)) == follows
    assert len(follows) > 1


def _level(s, said, what, words):
    name = {"Gewicht": "entry.weight", "Kosinus": "entry.cosine"}[what]
    row = s.values(name, s.desk.options.beispiel - 1).copy()
    row[s.desk.options.beispiel - 1] = np.nan
    for word in re.findall("„(.+?)“", words):
        assert row[s.words.index(word)] >= best(row) - 0.02


TABLE = [
    Line("0 largest", r"Bei (n|V|d|h|L|B|.*?): # : # ≈ #", _sizes),
    Line("1 same", r"Alle IDs bleiben, hinten kommt noch einmal die ID # dazu\.", _first_id),
    Line("1 same", r"Das Vokabular wächst nicht: Die ID ist die Nummer im Vokabular, nicht die Stelle im Satz\."),
    Line("2 meaning", r"Komponente (\d+)(?: \((.+?)\))? mit #\.", _furthest),
    Line("2 meaning", r"Das trifft auf « am meisten zu\.", _is_own),
    Line("2 meaning", r"Das trifft auf « am meisten zu: Auch nach dem Lernen gehört seine größte Zahl zu seiner "
         r"Wortgruppe\.", _is_own),
    Line("2 meaning", r"Seine Wortgruppe ist eine andere \((.+?)\): .+? deuten\."),
    Line("2 meaning", r"Eine Komponente für die Wortgruppe von « gibt es hier nicht: Die Zahl sagt nur, wem es "
         r"(?:un)?ähn(?:elt|lich ist)\.", _is_another),
    Line("2 meaning", r"Eine Deutung ist nur im Vergleich mit anderen Wörtern möglich: .+?\?"),
    Line("2 pair", r"« und « \(Kosinus #\)", _pair),
    Line("2 pair", r"« und «; "),
    Line("2 pair", r"(?:; |, |und |\.)"),
    Line("2 pair", r"\.? ?Ihre Vektoren zeigen von allen am ehesten in dieselbe Richtung\."),
    Line("2 pair", r"(?:Bei .+? |Am meisten )?(?:trägt|tragen)(?: am meisten)? dazu bei: "),
    Line("2 pair", r"e(\d+)(?: \(.+?\))? mit # und #", _shared),
    Line("2 pair", r"In den Texten füreinander getauscht sind « und « \(Kosinus #\)", _pair),
    Line("2 pair", r": Je kleiner ihr Kosinus, desto weiter hat das Lernen sie auseinandergerückt, damit nach ihnen "
         r"Verschiedenes kommen kann\.", _learns),
    Line("3 exchange", r"Vertauscht ist der Score # statt #: Die Attention bemerkt, dass die Wörter die Plätze "
         r"getauscht haben\.", _moved),
    Line("3 strip", r"Komponente (\d+) \(Platz: #\)\.", _platz),
    Line("3 strip", r"Alle Wörter bekommen dort aber fast gleich viel \(#\): Den Platz verrät sie hier nicht\.",
         _same_place),
    Line("3 strip", r"In einem langen Text unterscheiden schnelle Komponenten Nachbarn, langsame vorn und hinten\."),
    Line("3 understand", r"Jeder Score hängt nur von den Vektoren der beiden Wörter ab\. Ohne Position hat ein Wort an "
         r"jedem Platz denselben Vektor, also bleiben alle Scores gleich\."),
    Line("4a alike", rf"Ja, beides steht bei {SOME}\.", _entry_leaders),
    Line("4a alike", rf"Beim (Gewicht|Kosinus) (?:liegt|liegen) {SOME} gleichauf\.", _level),
    Line("4a alike", rf"Nein: Das größte Gewicht eines anderen Wortes steht bei {SOME}, der größte Kosinus bei {SOME}\.",
         _both_words),
    Line("4a alike", r"Das Gewicht vergleicht die alten Vektoren, der Kosinus die neuen\. Neu ist jeder eine Mischung "
         r"aller alten: « achtet am stärksten auf «(?: oder „.+?“)* \(#\)(?:, also auf sich selbst)?(?:, aber die Gewichte sind fast "
         r"gleich \(.+?\))?\.", _entry),
    Line("4a alike", r"Wer ähnlich mischt, wird ähnlich\."),
    Line("4a why", rf"Unterscheiden lassen sich die Sätze an {SOME}\.", _differ),
    Line("4a why", rf"« reicht nicht: Danach kann {SOME} kommen\.", _not_enough),
    Line("4a why", r"[^.„]*« reicht\b.*", None),
    Line("4a closest", r"Der Score liegt um # weiter vorn, das Gewicht ist etwa #-mal so groß\.", _closest),
    Line("4a closest", r"Das macht Schritt 2: e hoch Score macht aus einem Vorsprung ein Vielfaches\."),
    Line("4a shares", rf"o([₁₂]): «, (.+?) (=|≈) #(?: \(auch richtig: {SOME}\))?\.", _shares),
    Line("4a shares", r"Hier ist es das Wort mit dem größten Gewicht; das muss nicht so sein", _heavy),
    Line("4a shares", r"«(?: und „.+?“)? (?:hat|haben) nicht das größte Gewicht", _light),
    Line("4a shares", r"Das muss nicht das Wort mit dem größten Gewicht sein"),
    Line("4a shares", r": Ein großes Gewicht auf einem Value nahe 0 bringt fast nichts\."),
    Line("4a understand", LOOK + EVEN + r"[.;]", _look_4a),
    Line("4a understand", r"Dort ist der Score am größten: (.+?\))\.", _first_score),
    Line("4a understand", r"Über den Satz sagt das nichts, denn die Zahlen sind nicht gelernt\.", _nothing),
    Line("4a understand", r"« passt: Wo in einem gelesenen Text dort ein anderes Wort steht, geht er nach « anders "
         r"weiter\.", _fits),
    Line("4a understand", r"« verrät nichts: Die gelesenen Texte gehen nach « nicht anders weiter, weil dort ein anderes "
         r"Wort steht\.", _tells_nothing),
    Line("4a understand", rf"Worauf {SOME} (?:achtet|achten), geht in die Vorhersage nicht ein: Sie liest nur «\.",
         _not_read),
    Line("4a understand", r"Den Blick auf spätere Wörter hat das Modell nie geübt: Beim Lernen verdeckte ihn die Maske "
         r"\(.+?\)\.", _ahead),
    Line("4a back", r"Head (\d+): " + LOOK + EVEN + r"\.", _look_k),
    Line("4b back", r"Head (\d+): " + LOOK + EVEN + r"\.", _look_k),
    Line("4a off", r"« \(#\): So endet «", _off),
    Line("4a off", r"« \(#\): So endet keiner der Sätze, es rät\.", _no_end),
    Line("4a off", r"Mit diesem Satz verwechselt es deinen\."),
    Line("4a off", r"Head (\d+) merkt(,| vor allem,|) (.+?) \((.+)\)\.", _notices),
    Line("4b mask", r"« sieht alle Wörter \(#\), « nur sich selbst\.", _mask),
    Line("4b mask", r"Nach dem letzten Wort kommt keines mehr, das die Maske verdecken könnte\."),
    Line("4b strip", r"(?:Head (\d+): )?" + LOOK + EVEN + "; ", lambda s, said, k, *rest: _look_k(s, said, k or 1, *rest)),
    Line("4b strip", rf"zu o₁ trägt am meisten bei: «, (.+?) (=|≈) #(?: \(auch richtig: {SOME}\))?\.", _summand),
    Line("4b strip", r"zu o₁ trägt kein Wort etwas bei\."),
    Line("4b strip", r"Also steckt (?:in .+? die Mischung von Head \d+(?:, )?)+\.", _identity),
    Line("4b strip", r"Die Matrix nach den Heads mischt das noch\.", _no_identity),
    Line("4b strip", r"Ein einziger Head hätte nur eine Verteilung: Er müsste beides mischen\.", _one_would_mix),
    Line("4b strip", r"(Beide|Manche) Heads achten hier auf dasselbe Wort; verschieden ist nur, was sie von ihm "
         r"mitnehmen\.", _same_word),
    Line("4b design", r"Richtig ist jede, deren Skalarprodukt mit dem Key dieses Worts das größte ist, zum Beispiel "),
    Line("4b design", r"« mit \(# \| #\): # vor « mit #[;.]", _query),
    Line("4b design", rf"Nicht zu finden: {SOME}; in jeder Richtung liegt ein anderer Key weiter vorn oder gleichauf\.",
         _never),
    Line("4b design", r"Hier lässt sich jedes Wort finden: Jeder Key liegt in einer Richtung am weitesten vorn\.",
         _always),
    Line("5 strip", r"Am meisten ändert es sich bei "),
    Line("5 strip", r"Komponente (\d+) \(a = #\)(?: und )?", _component),
    Line("5 strip", r"; gerundet kann es auch .+? sein"),
    Line("5 strip", r"\."),
    Line("5 strip", r"Das kommt aus Head (\d+), am meisten von ((?:„.+?“ \(.+? · .+?\)(?:, | und )?)+)\.", _source),
    Line("5 strip", r"Weil σ = # kleiner als 1 ist, werden die Abstände beim Teilen größer\.", spread(0, 0.999)),
    Line("5 strip", r"Weil σ = # größer als 1 ist, werden die Abstände beim Teilen kleiner\.", spread(1.001, 99)),
    Line("5 strip", r"Weil σ = 1 ist, bleiben die Abstände, wie sie sind\.", spread(1, 1)),
    Line("5 strip", r"Von x nach z: "),
    Line("5 strip", r"Komponente (\d+) (fällt|steigt) von # auf #(?: und )?", moves("input", "block1.norm1.output")),
    Line("6 strip", r"Nichts: f ist überall 0", _no_f),
    Line("6 strip", r"Komponente (\d+) \(f = #\)(?: und )?", _wants),
    Line("6 strip", r"; gerundet kann es auch .+? sein"),
    Line("6 strip", r"\. ReLU setzt (\d+) von (\d+) Zahlen u auf 0\.", _relu),
    Line("6 strip", r"\. ReLU lässt hier alles stehen\.", _all_stand),
    Line("6 strip", r"Ohne ReLU käme z W 1 W 2 gleich z \(W 1 W 2\)( mit einer festen Verschiebung|) heraus: nur eine "
         r"einzige Matrix\.", _without),
    Line("6 strip", r"ReLU macht den Knick, der Regeln wie „nur wenn“ erlaubt\."),
    Line("7 strip", r"Zuhören: (.+?); Nachdenken: (.+?)\. ", _added),
    Line("7 strip", r"Mehr kam vom Nachdenken\.", more("f")),
    Line("7 strip", r"Mehr kam vom Zuhören\.", more("a")),
    Line("7 strip", r"Beides gab fast gleich viel\.", more("=")),
    Line("7 strip", r"Komponente (\d+) (fällt|steigt) von # auf #(?: und )?", moves("input", "block1.norm2.output")),
    Line("7 strip", r"; gerundet kann es auch .+? sein"),
    Line("7 strip", r"\."),
    Line("8 plane", rf"{SOME}: Das Skalarprodukt mit y, nur mit diesen beiden Komponenten gerechnet, ist dort am "
         r"größten\.", _plane),
    Line("8 learnt", r"Deine Rechnung sagt « mit #; in den Texten steht «\.", _continued),
    Line("8 learnt", r"Vor dem Training war « mit # am wahrscheinlichsten(?:, und das richtige Wort hatte #)?\."),
    Line("8 learnt", r"Das Training hat die Zahlen so verändert, dass am wahrscheinlichsten ist, was in den Texten "
         r"steht\.", _learns),
    Line("8 alone", rf"Falsch: {SOME}\."),
    Line("8 alone", r"In diesen Texten verrät schon das letzte Wort .+? nötig\."),
    Line("8 alone", r"Es sagt jedes Mal «: Die Anfänge enden gleich, und mehr als sich selbst und seinen Platz kennt das "
         r"letzte Wort ohne Attention nicht\."),
    Line("8 alone", r"Ohne Attention kennt das letzte Wort nur sich selbst und seinen Platz: Wo Anfänge darin gleich "
         r"sind, kommt dasselbe heraus\."),
    Line("8 compare", r"« hat bei T = # die Wahrscheinlichkeit #, bei T = # (nur |)#\.", _temperatures),
    Line("8 compare", r"Niedrige Temperatur macht den Vorsprung des besten größer: Der Text wird vorhersehbar\. Hohe "
         r"Temperatur gleicht die Wahrscheinlichkeiten an: Der Text wird abwechslungsreicher und öfter unsinnig\."),
    Line("8 read", r"Head (\d+) merkt(,| vor allem,|) (.+?) \((.+?\)?)\)\. ", _notices),
    Line("8 read", r"Dann sagt das Modell (?:beide Male )?.+?\)\."),
    Line("8 tip", r"Jeder Tipp mit einem Grund zählt\."),
    Line("8 guess", r"Es sagt « \(#\)\.", _mixed),
    Line("8 guess", r"Dasselbe sagt es, wenn man .+? einsetzt: Es folgt dem, was es zu (?:diesem Wort|beiden Wörtern) "
         r"gelesen hat\."),
    Line("8 guess", r"Dasselbe sagt es zum ersten Satz: Beide Wörter zusammen haben daran nichts geändert\."),
    Line("8 guess", r"Das sagt es zu keinem der drei Sätze: Diese Mischung hat es nie gelesen, es rät\."),
    Line("8 guess", r"Seine Bänder gleichen am meisten denen (.+?)\."),
    Line("8 guess", r"Eine Bedeutung kennt es nicht\."),
    Line("8 worth", r"Nichts: Gelernt wäre erst, wenn Texte die Zahlen so verändert hätten, dass passende Wörter "
         r"wahrscheinlich werden\. Die Rechnung ist dieselbe wie in einem großen Modell, nur die Zahlen sind nicht aus "
         r"Texten\.", _nothing),
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
    Line("10 size", r"# Zeilen, eine für (⟨.+?⟩) und für jedes Zielwort, denn sie fragen; # Spalten, eine für jedes "
         r"Quellwort\.", _cross_size),
    Line("10 look", r"« achtet am stärksten auf « \(#\)", _cross),
    Line("10 look", r", und zwar deutlich; das nächste Gewicht: « #\.", _cross_next),
    Line("10 look", r", aber knapp: .+?\.(?= )"),
    Line("10 look", r"Alle Gewichte von « sind fast gleich \(.+?\): Es achtet auf kein Wort besonders\."),
    Line("10 look", r"\."),
    Line("10 look", r"Das passt: Dieses Wort ist als Nächstes zu übersetzen\.", _learns),
    Line("10 look", r"Es passt, wenn es .+? ist: Dieses Wort ist als Nächstes zu übersetzen\.", _learns),
    Line("10 look", r"Das passt nicht: Als Nächstes zu übersetzen wäre .+?\.", _learns),
    Line("10 look", r"Ob das passt, hängt von deiner Begründung ab\."),
    Line("10 look", r"Am stärksten auf « (achtet|achten) in diesem Head auch (.+?)\.(?= |$)", _company),
    Line("10 look", r"Kein anderes Zielwort achtet in diesem Head am stärksten auf «\."),
    Line("10 look", r"Von den .+? Zeilen des Heads ist bei .+? bekannt, welches Wort als Nächstes zu übersetzen ist; bei "
         r".+? (?:davon )?liegt das größte Gewicht darauf(?:: Das hat der Head gelernt)?\.", _learns),
    Line("10 look", r"Die Zahlen sind nicht gelernt: W Q und W K sind hier gleich, also sucht jedes Wort nur Vektoren, "
         r"die seinem ähneln\.", _alike),
    Line("10 look", r"Die Zahlen sind nicht gelernt: Zu deuten ist das nicht\.", _nothing),
    Line("10 masks", r"Verdeckt werden müssen nur spätere Zielwörter, .+? kein Wort davon wird vorhergesagt\."),
    Line("10 why_kept", r"Keys und Values hängen nur von der Ausgabe des Encoders ab, .+? ändert sich also nichts\."),
    Line("11 sign", r"Bei « ist der Wert negativ: Der Logit des richtigen Wortes soll wachsen\. Bei allen anderen ist er "
         r"nicht negativ: Ihre Logits sollen sinken, umso mehr, je wahrscheinlicher das Wort war\.", _right_is_negative),
    Line("11 loss_size", r"0 ist er nur, wenn das richtige Wort die Wahrscheinlichkeit 1 hat\. Je näher sie an 0 liegt, "
         r"desto größer wird er; bei 0 wäre er unendlich\."),
    Line("11 lower", r"Die Wahrscheinlichkeit von « geht von # auf #; der Loss (sinkt|steigt.*?|bleibt gleich.*?) \(auf "
         r"dem Blatt von # auf #, ohne Runden von # auf #\)\.", _loss_words),
    Line("11 lower", r"Der Gradient zeigt dorthin, wo der Loss am stärksten wächst; in der Gegenrichtung fällt er\. Das "
         r"gilt nur in der Nähe: Ein zu großer Schritt springt über das Tal hinweg\."),
    Line("11 lower", r"Im Training deines Modells folgten noch # Schritte, jeder mit allen Texten zugleich\.", _further),
    Line("11 astray", r"Hier bewegt sich der Logit in die andere Richtung bei (.+?)\.(?= Kein)", _astray),
    Line("11 astray", r"Hier gibt es keine solchen Wörter\.", _none_astray),
    Line("11 astray", r"Kein Logit ändert sich für sich allein: .+? anheben\."),
    Line("11 others_fall", r"Bei ihnen ist .+? kleiner\."),
    Line("11 dead", r"Größer als 0 sind hier # Einheiten; nur dort kommt der Gradient durch\.", _flowing),
    Line("11 dead", r"Größer als 0 ist hier nur Einheit \d+; nur dort kommt der Gradient durch\.",
         lambda s, said: _flowing(s, said, "1")),
    Line("11 dead", r"Eine Einheit, die nie über 0 kommt, .+? nicht mehr\."),
    Line("11 adds", r"Der direkte Weg führt an Matrizen und ReLU vorbei, .+? fast nichts durchlässt\."),
    Line("11 column_sum", r"Die Gewichte einer Zeile ergeben immer zusammen 1\. .+? verlieren die anderen zusammen\."),
    Line("11 other_rows", r"Nur « sagt das nächste Wort vorher\. .+? liest sie\."),
    Line("11 masked", r"Verdeckt heißt .+? ändern könnten\."),
    Line("11 source_sums", r"q ist für alle Quellwörter gleich, .+? ergeben zusammen 1\."),
    Line("11 cross", r"Keys und Values werden aus der Ausgabe des Encoders berechnet; .+? werden addiert\."),
    Line("B compare", r"In Block # auf .+?, in Block # auf .+?\. Der Block hat eigene Matrizen, .+? aus dem Block davor\."),
    Line("S history", r"Vorteil: Bei # Token braucht die Information 1 Schritt statt #; sie verblasst unterwegs nicht\. "
         r"Nachteil: Statt # sind # Wortpaare zu vergleichen; ihre Zahl wächst mit dem Quadrat der Länge\.", _pairs),
    Line("S learnt", r"Gelernt hat es, seine wenigen Texte fortzusetzen\. .+? Ob das Wort passt, hat es nirgends "
         r"gelernt\.", _learns),
]  # fmt: skip
