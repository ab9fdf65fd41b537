"""A sentence in which a key judges, the finding that it states and its check; what several stations need."""

import re
from dataclasses import dataclass

import numpy as np

from findings.seen import number

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


def weights_of(s, tokens):
    """The last word's weights in each head, in plain floats."""
    model = s.desk.built.learnt.model
    w, sizes = model.weights, model.sizes
    ids = [model.vocabulary.index(token) for token in tokens]
    whole = model.input_embedding[ids] + np.round(encoding(s, len(ids), sizes.d_model), 3)
    x = (
        np.sign(whole) * np.floor(np.abs(whole) * 10 + 0.5 + 1e-9) / 10
        if s.desk.options.positionen
        else whole
    )
    heads = []
    for k in range(1, sizes.n_heads + 1):
        q, key = (x @ w[f"block1.head{k}.W_{letter}"] for letter in "QK")
        scores = q @ key.T / (np.sqrt(sizes.d_head) if s.desk.options.skalierung else 1)
        scores[np.triu_indices(len(ids), 1)] = -np.inf
        e = np.exp(scores)
        heads.append(e[-1] / e[-1].sum())
    return heads


def encoding(s, n, d):
    if not s.desk.options.positionen:
        return np.zeros((n, d))
    pos, i = np.arange(n)[:, None], np.arange(d)[None, :]
    angle = pos / 10000 ** (2 * (i // 2) / d)
    return np.where(i % 2, np.cos(angle), np.sin(angle))


def swap(s, instead, word):
    """The tokens with `instead` where `word` stands."""
    place = s.words.index(word)
    return place, (*s.tokens[:place], instead, *s.tokens[place + 1 :])


def notices(s, said, k, sign, words, moves_):
    changes = {}
    for instead, word, rest in re.findall(r"„([^“]+)“ statt „([^“]+)“([^;]*)", moves_):
        place, other = swap(s, instead, word)
        before, after = (weights_of(s, tokens)[int(k) - 1][place] for tokens in (s.tokens, other))
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


def nothing(s, said, *_):
    assert not s.desk.options.learns


def learns(s, said, *_):
    assert s.desk.options.learns


SOME = r"((?:„.+?“(?:, | und | oder )?)+)"  # words in a row


LOOK = r"« achtet am stärksten auf «((?: oder „.+?“)*) \(#\)(?:, also auf sich selbst)?"


EVEN = r"(?:, aber die Gewichte sind fast gleich \(# bis #\))?"
