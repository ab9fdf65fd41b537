"""One forward pass through the transformer, read from top to bottom: a quantity a line.

`write` hands a number to a pen (a rounding policy), and what the pen wrote is what the next line reads. The
encoder-decoder, the way back and the typical mistakes are this class with further or exchanged steps.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.forward.norms import STEPS
from engine.model.model import AnyModel
from engine.numbers.arrays import Array, Floats, concatenate, exp, has_direction, masked, missing, relu, sqrt
from engine.pens.pens import Pen, Visible
from engine.trace import (
    AS_GIVEN,
    DIM,
    HEAD_DIM,
    HIDDEN,
    N_PLUS_1,
    NATURAL,
    NATURAL_PLUS_1,
    ONE,
    SOURCE,
    THREE,
    TOKEN,
    WORD,
    Kind,
    N,
    Operation,
    Printed,
    Trace,
)

_VECTOR: Final = NATURAL.over(TOKEN, DIM)
_RESIDUAL: Final = _VECTOR.by(Operation.RESIDUAL)
_NETWORK: Final = _VECTOR.by(Operation.NETWORK)
_SCORE: Final = NATURAL.intermediate(TOKEN, SOURCE)
_SCALED: Final = N.intermediate(TOKEN, SOURCE).by(Operation.SCALED)
_GIVEN: Final = AS_GIVEN.over(TOKEN, DIM, printed=Printed.GIVEN)


class Forward:
    """Post-norm, as in Vaswani et al., Attention Is All You Need (2017).

    A step of one line is a method of its own where somebody exchanges it: a typical mistake
    (engine/judging/mistakes.py), the training (engine/training/steps.py) or who is named beside it.
    """

    def __init__(self, model: AnyModel, pen: Pen) -> None:
        self.model = model
        self.sizes = model.sizes
        self.pen = pen
        self._read: dict[str, Array] = {}

    def run(self, entry: bool = True) -> Trace:
        """entry: with the entry step Q = K = V = X."""
        with np.errstate(all="ignore"):  # the pen looks at every value itself
            self.next_word(self.states(entry))
        return self.pen.trace

    def states(self, entry: bool) -> Array:
        """What the last block gives."""
        x = self.input()  # (n, d_model)
        self.similarity()
        if entry:
            self.entry(x)
        if self.model.rules.causal_mask:
            self.unmasked(x)
        return self.blocks(x)

    def blocks(self, x: Array, side: str = "", first: int = 1) -> Array:
        for block in range(first, self.sizes.n_blocks + 1):
            x = self.block(f"{side}block{block}.", x)
        return x  # (n, d_model)

    def block(self, prefix: str, x: Array) -> Array:
        attention = self.multi_head(prefix, x)  # (n, d_model)
        if prefix == "block1.":
            self.attention_cosines(attention)
        z = self.add_norm(prefix, 1, x, attention)
        return self.add_norm(prefix, 2, z, self.feed_forward(prefix + "ffn.", z))

    def add_norm(self, prefix: str, number: int, x: Array, new: Array) -> Array:
        return self.norm(f"{prefix}norm{number}.", self.residual(f"{prefix}residual{number}", x, new))

    def residual(self, name: str, x: Array, new: Array) -> Array:  # exchanged by ForgotResidual
        return self.write(name, x + new, _RESIDUAL)  # (n, d_model)

    # --- X = E + PE

    def input(self) -> Array:
        return self.input_of("", self.model.embedding, self.position())

    def input_of(self, prefix: str, given: Floats, position: Floats) -> Array:
        embedding = self.write(prefix + "embedding", self.pen.read(given), _GIVEN)  # (n, d_model)
        if not self.model.rules.positions:
            return self.write(prefix + "input", embedding, _GIVEN)
        kind = THREE.over(TOKEN, DIM, printed=Printed.ALSO)
        encoding = self.write(prefix + "positional_encoding", position, kind)  # (n, d_model)
        return self.write(prefix + "input", embedding + encoding, ONE.over(TOKEN, DIM, printed=Printed.ALSO))

    def position(self) -> Floats:  # exchanged by Degrees, SineAndCosineExchanged
        return sinusoids(self.model.n_tokens, self.sizes.d_model)

    # --- cos(a, b) = a·b / (|a|·|b|): the angle between two vectors, whatever their lengths are

    def similarity(self) -> None:
        self.cosines("similarity.", self.pen.read(self.model.input_embedding), WORD)

    def attention_cosines(self, attention: Array) -> None:
        self.cosines("context.", attention, TOKEN)

    def cosines(self, prefix: str, vectors: Array, axis: str) -> None:
        """A vector whose length is 0 at the sheet's places has no direction: its cells stay hidden."""
        squares = (vectors * vectors).sum(-1)  # (m,)
        length = N_PLUS_1.intermediate(axis, divisor=True).by(Operation.LENGTH)
        norm = self.write(prefix + "norm", sqrt(squares), length)  # (m,)
        dot = self.write(
            prefix + "dot", vectors @ vectors.swapaxes(-1, -2), NATURAL_PLUS_1.intermediate(axis, axis)
        )
        directed = has_direction(squares, self.model.rules.places)  # (m,)
        divisor = norm + missing(norm, directed)  # hidden cells divide by 1 instead of 0
        cosine = dot / (divisor[..., :, None] * divisor[..., None, :])  # (m, m)
        in_some_run = np.atleast_1d(directed.reshape(-1, directed.shape[-1]).any(axis=0))  # (m,)
        visible = in_some_run[:, None] & in_some_run[None, :]  # (m, m)
        self.write(
            prefix + "cosine", cosine, N.over(axis, axis, ranked=True), None if visible.all() else visible
        )

    # --- Attention(Q, K, V) = softmax(Q·Kᵀ / √d_k)·V (section 3.2)

    def entry(self, x: Array) -> None:
        """Q = K = V = X, no scaling, no mask; then the cosines of the new vectors."""
        score = self.write("entry.score", self.score(x, x), _SCORE)  # (n, n)
        mixed = self.softmax_and_sum("entry.", score, x, None, "score")
        output = self.write("entry.output", mixed, N.over(TOKEN, DIM))  # (n, d_model)
        self.cosines("entry.", output, TOKEN)

    def unmasked(self, x: Array) -> None:
        self.attend("unmasked.head1.", "block1.head1.", x, x, None)

    def multi_head(self, prefix: str, x: Array) -> Array:
        visible = self.visible(prefix)
        heads = range(1, self.sizes.n_heads + 1)
        outputs = [
            self.attend(f"{prefix}head{k}.", f"{prefix}head{k}.", x, x, visible) for k in heads
        ]  # h × (n, d_head)
        return self.join(prefix, outputs)

    def visible(self, prefix: str) -> Visible:  # EncoderDecoder masks one sentence alone
        return self.causal() if self.model.rules.causal_mask else None

    def causal(self) -> NDArray[np.bool_]:  # exchanged by ForgotMask
        """True where a token (row) may look at another (column): itself and those before it."""
        return np.tri(self.model.n_tokens, dtype=np.bool_)  # (n, n)

    def join(self, prefix: str, outputs: Sequence[Array]) -> Array:
        """Exchanged by HeadsBackwards, HeadsTurned."""
        concat = self.write(prefix + "concat", concatenate(outputs), _VECTOR)  # (n, d_model)
        return self.write(prefix + "attention", concat @ self.weight(prefix + "W_O"), _VECTOR)  # (n, d_model)

    def attend(self, prefix: str, weights: str, x: Array, source: Array, visible: Visible) -> Array:
        """Queries from x, keys and values from the source: for self-attention the same vectors."""
        kind = NATURAL.intermediate(TOKEN, HEAD_DIM)
        query = self.write(prefix + "query", x @ self.weight(weights + "W_Q"), kind)  # (n, d_head)
        key, value = self.keys_and_values(prefix, weights, source)
        score = self.write(prefix + "score", self.score(query, key), _SCORE, visible)  # (n, m)
        scaled = self.write(prefix + "scaled", self.scale(score), _SCALED, visible)  # (n, m)
        mixed = self.softmax_and_sum(prefix, scaled, value, visible)  # (n, d_head)
        return self.write(prefix + "output", mixed, N.over(TOKEN, HEAD_DIM))

    def keys_and_values(self, prefix: str, weights: str, source: Array) -> tuple[Array, Array]:
        """Both (m, d_head); exchanged by ValuesOfOtherHead, and by TranslationSteps, which keeps them."""
        kind = NATURAL.intermediate(SOURCE, HEAD_DIM)
        key = self.write(prefix + "key", source @ self.weight(weights + "W_K"), kind)
        return key, self.write(prefix + "value", source @ self.weight(weights + "W_V"), kind)

    def score(self, query: Array, key: Array) -> Array:  # exchanged by ScoreTransposed
        return query @ key.swapaxes(-1, -2)  # (n, m)

    def scale(self, score: Array) -> Array:  # exchanged by ForgotScaling, DividedByDk
        return score / self.root() if self.model.rules.scaling else score

    def root(self) -> Array:  # exchanged by training
        """√d_k, in the hand arithmetic the rounded constant that the sheet prints."""
        return self.pen.constant(sqrt(self.pen.read(np.asarray(float(self.sizes.d_head)))))

    def softmax_and_sum(
        self, prefix: str, scaled: Array, value: Array, visible: Visible, of: str = "scaled"
    ) -> Array:
        """Softmax row by row, then the weighted sum of the values; of: what the exponents are called."""
        kind = N.intermediate(TOKEN, SOURCE).by(Operation.EXP, of)
        scaled, visible = self.mask(scaled, visible)
        e = self.write(prefix + "exp", self.exp(scaled), kind, visible)  # (n, m)
        kind = N.intermediate(TOKEN, divisor=True).by(Operation.SUM, "exp")
        total = self.write(prefix + "exp_sum", self.total(e), kind)  # (n,)
        kind = N.intermediate(TOKEN, SOURCE, ranked=True)
        weight = self.write(prefix + "weight", self.normalise(e, total), kind, visible)  # (n, m)
        return weight @ value  # (n, d_head)

    def mask(self, scaled: Array, visible: Visible) -> tuple[Array, Visible]:
        """−∞ for what a token must not look at, as e^−∞ = 0; and which cells are then written.

        Exchanged by MaskAsZero, which hides nothing, and by training.
        """
        return masked(scaled, visible), visible

    def exp(self, scaled: Array) -> Array:  # exchanged by PowersOfTen; training
        return exp(scaled)

    def total(self, e: Array) -> Array:  # exchanged by SoftmaxOverColumns
        return e.sum(-1)

    def normalise(self, e: Array, total: Array) -> Array:  # exchanged by SoftmaxOverColumns, NotNormalised
        return e / total[..., None]

    # --- A norm, whose steps are its own (engine/forward/norms.py); what they share

    def norm(self, prefix: str, x: Array) -> Array:
        return STEPS[self.sizes.norm.name].forward(self, prefix, x)

    def mean(self, numbers: Array) -> Array:
        return numbers.sum(-1) / self.sizes.d_model  # (n,)

    def mean_square(self, numbers: Array) -> Array:  # exchanged by OneLess
        return self.mean(numbers * numbers)  # (n,)

    def norm_divisor(self, mean_square: Array) -> Array:  # exchanged by RootForgotten; training
        return sqrt(mean_square)

    # --- FFN(z) = ReLU(z·W_1 + b_1)·W_2 + b_2 (section 3.3)

    def feed_forward(self, prefix: str, z: Array) -> Array:
        inner = NATURAL.intermediate(TOKEN, HIDDEN)
        summed = z @ self.weight(prefix + "W_1") + self.weight(prefix + "b_1")  # (n, d_ff)
        hidden = self.write(prefix + "hidden", summed, inner)
        kind = inner.by(Operation.RELU, "hidden")
        activation = self.write(prefix + "activation", self.activate(hidden), kind)  # (n, d_ff)
        return self.write(prefix + "output", self.project(prefix, activation), _NETWORK)

    def activate(self, hidden: Array) -> Array:  # exchanged by ForgotRelu
        return relu(hidden)

    def project(self, prefix: str, activation: Array) -> Array:  # exchanged by ReluOnOutput
        return activation @ self.weight(prefix + "W_2") + self.weight(prefix + "b_2")  # (n, d_model)

    # --- Logits of the last token against every word, and softmax at each temperature

    def next_word(self, x: Array, prefix: str = "") -> None:
        logit = self.logits(prefix, x)  # (V,)
        for temperature in self.model.rules.temperatures:
            self.probabilities(prefix, logit, temperature)

    def logits(self, prefix: str, x: Array) -> Array:
        last = self.last(x)[..., None, :]  # (1, d_model)
        logit = (last @ self.vocabulary().swapaxes(-1, -2))[..., 0, :]  # (V,)
        return self.write(prefix + "logit", logit, N.over(WORD, ranked=True))

    def last(self, x: Array) -> Array:  # exchanged by FirstToken
        return x[..., -1, :]  # (d_model,), the token that decides on the next word

    def vocabulary(self) -> Array:
        return self.pen.read(self.model.vocabulary_embedding)  # (V, d_model)

    def probabilities(self, prefix: str, logit: Array, temperature: float) -> Array:
        prefix += temperature_name(temperature) + "."
        scaled = self.write(
            prefix + "scaled_logit", self.tempered(logit, temperature), N.intermediate(WORD)
        )  # (V,)
        kind = THREE.intermediate(WORD).by(Operation.EXP, "scaled_logit")
        e = self.write(prefix + "exp", self.exp(scaled), kind)  # (V,)
        kind = THREE.intermediate(divisor=True).by(Operation.SUM, "exp")
        total = self.write(prefix + "exp_sum", e.sum(-1), kind)  # ()
        return self.write(
            prefix + "probability", e / total[..., None], THREE.over(WORD, divisor=True)
        )  # (V,)

    def tempered(self, logit: Array, temperature: float) -> Array:  # exchanged by TimesTemperature; training
        return logit / self.pen.read(np.asarray(temperature))

    # --- What every step stands on: the model's numbers, and the pen that writes

    def weight(self, name: str) -> Array:  # exchanged by QueryMatrixForKey, ValueMatrixOfOtherHead
        """A given table by its contract name, as the pen reads it."""
        if name not in self._read:
            self._read[name] = self.pen.read(self.model.weights[name])
        return self._read[name]

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        tokens = self.tokens_of(name)
        if not tokens.keys().isdisjoint(kind.axes):
            kind = kind.renamed(tuple(tokens.items()))
        return self.pen.write(name, value, kind, visible)

    def tokens_of(self, name: str) -> Mapping[str, str]:
        """Which tokens a quantity has: in one sentence those that are looked at are its own."""
        return {SOURCE: TOKEN}


def exchanged(variant: type[Forward], whole: type[Forward]) -> type[Forward]:
    """The pass `whole` with the step that `variant` exchanges."""
    return whole if issubclass(whole, variant) else type(variant.__name__, (variant, whole), {})


def sinusoids(n_tokens: int, d_model: int) -> Floats:
    """PE(pos, 2i) = sin(pos / 10000^(2i/d)), PE(pos, 2i+1) = cos of the same; shape (n_tokens, d_model).

    Positions from 0, angles in radians (section 3.5); for an odd d_model the last component is a sine.
    """
    angle = angles(n_tokens, d_model)  # (n, d_model)
    return alternating(np.sin(angle), np.cos(angle))


def angles(n_tokens: int, d_model: int) -> Floats:
    """pos / 10000^(2i/d) for both components of a pair, in radians; shape (n_tokens, d_model)."""
    return np.arange(n_tokens, dtype=np.float64)[:, None] / 10000.0 ** (
        2 * (np.arange(d_model) // 2) / d_model
    )


def alternating(first: Floats, second: Floats) -> Floats:
    """By turns a component of the one and of the other."""
    return np.where(np.arange(first.shape[-1]) % 2 == 0, first, second)


def temperature_name(temperature: float) -> str:
    """0.5 -> temperature0.5, 1.0 -> temperature1: a point, no trailing zeros."""
    return f"temperature{float(temperature):.12f}".rstrip("0").rstrip(".")
