"""The forward pass of both kinds of model written again in autograd.numpy, without the engine.

Every array may carry leading axes. `Taps` adds a number to any intermediate value, so that its derivative by
that number is the gradient at this value.
"""

import autograd.numpy as np


class Taps:
    """seen: every value by name; added: what is added to it."""

    def __init__(self, added=None):
        self.added = added or {}
        self.seen = {}

    def __call__(self, name, value):
        if name in self.added:
            value = value + self.added[name]
        self.seen[name] = value
        return value


def turned(x):
    return np.swapaxes(x, -1, -2)


def position_table(n, d):
    rows = []
    for pos in range(n):
        row = []
        for i in range(d):
            angle = pos / 10000 ** ((i - i % 2) / d)
            row.append(np.cos(angle) if i % 2 else np.sin(angle))
        rows.append(row)
    return np.array(rows)


def normed(tap, w, at, x):
    centred = x - np.mean(x, axis=-1, keepdims=True)
    hat = tap(at + "normalised", centred / np.sqrt(np.mean(centred**2, axis=-1, keepdims=True)))
    return tap(at + "output", hat * w[at + "gamma"][..., None, :] + w[at + "beta"][..., None, :])


def attention(tap, w, at, heads, x, source, masked, scaling):
    parts = []
    cross = source is not None
    source = tap(at + "source", source) if cross else None
    for k in range(1, heads + 1):
        h = f"{at}head{k}."
        mine = tap(h + "input", x)
        theirs = tap(h + "source", source) if cross else mine
        q, key = tap(h + "query", mine @ w[h + "W_Q"]), tap(h + "key", theirs @ w[h + "W_K"])
        v = tap(h + "value", theirs @ w[h + "W_V"])
        score = tap(h + "score", q @ turned(key))
        scaled = tap(h + "scaled", score / np.sqrt(q.shape[-1]) if scaling else score)
        e = np.exp(scaled) * (np.tri(*scaled.shape[-2:]) if masked else 1.0)
        weight = tap(h + "weight", e / np.sum(e, axis=-1, keepdims=True))
        parts.append(tap(h + "output", weight @ v))
    leading = sum(part[..., :1] * 0 for part in parts)  # all parts get the leading axes of any
    return tap(at + "concat", np.concatenate([part + leading for part in parts], axis=-1)) @ w[at + "W_O"]


def added(tap, w, at, number, x, new):
    return normed(tap, w, f"{at}norm{number}.", tap(f"{at}residual{number}", x + new))


def fed(tap, w, at, z):
    hidden = tap(at + "hidden", z @ w[at + "W_1"] + w[at + "b_1"][..., None, :])
    return tap(at + "activation", np.maximum(hidden, 0)) @ w[at + "W_2"] + w[at + "b_2"][..., None, :]


def plain_block(tap, w, at, heads, x, masked, scaling):
    z = added(tap, w, at, 1, x, attention(tap, w, at, heads, x, None, masked, scaling))
    return added(tap, w, at, 2, z, fed(tap, w, at + "ffn.", z))


def decoder_block(tap, w, at, heads, x, source, masked, scaling):
    x = added(tap, w, at, 1, x, attention(tap, w, at + "self.", heads, x, None, masked, scaling))
    x = added(tap, w, at, 2, x, attention(tap, w, at + "cross.", heads, x, source, False, scaling))
    return added(tap, w, at, 3, x, fed(tap, w, at + "ffn.", x))


def start(tap, at, embedding, positions):
    place = position_table(*embedding.shape) if positions else 0
    return tap(at + "input", embedding + place)


def minus_ln(tap, at, x, vocabulary, word):
    logit = tap(at + "logit", (vocabulary @ x[..., -1, :, None])[..., 0])
    highest = np.max(logit, axis=-1, keepdims=True)
    return np.log(np.sum(np.exp(logit - highest), axis=-1)) + highest[..., 0] - logit[..., word]


def one_sentence_loss(w, model, word, tap):
    """model: only its sizes, switches and embedding are read; w: weights with vocabulary_embedding."""
    x = start(tap, "", model.embedding, model.rules.positions)
    for b in range(1, model.sizes.n_blocks + 1):
        x = plain_block(
            tap, w, f"block{b}.", model.sizes.n_heads, x, model.rules.causal_mask, model.rules.scaling
        )
    return minus_ln(tap, "", x, w["vocabulary_embedding"], word)


def two_sentence_loss(w, model, word, tap):
    h, blocks = model.sizes.n_heads, range(1, model.sizes.n_blocks + 1)
    source = start(tap, "encoder.", model.source_embedding, model.rules.positions)
    for b in blocks:
        source = plain_block(tap, w, f"encoder.block{b}.", h, source, False, model.rules.scaling)
    x = start(tap, "decoder.", model.embedding, model.rules.positions)
    for b in blocks:
        x = decoder_block(
            tap, w, f"decoder.block{b}.", h, x, source, model.rules.causal_mask, model.rules.scaling
        )
    return minus_ln(tap, "decoder.", x, w["decoder.vocabulary_embedding"], word)
