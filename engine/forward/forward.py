"""The order of the steps, nothing else: a model and a pen go in, the pen's trace comes out."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.forward.similarity import SimilaritySteps
from engine.forward.steps import Steps
from engine.model.model import Model
from engine.numbers.arrays import Array, Floats, concatenate, exp, relu, sqrt
from engine.pens.pens import Pen, Visible
from engine.trace import (
    AS_GIVEN,
    DIM,
    HEAD_DIM,
    HIDDEN,
    N_PLUS_1,
    NATURAL,
    ONE,
    SOURCE,
    THREE,
    TOKEN,
    WORD,
    N,
    Printed,
    Trace,
)

# --- Tokens' vectors and positions go in; the input of the first block comes out.


def sinusoids(n_tokens: int, d_model: int) -> Floats:
    """PE(pos, 2i) = sin(pos / 10000^(2i/d)), PE(pos, 2i+1) = cos of the same; shape (n_tokens, d_model).

    Positions count from 0, angles are in radians; for an odd d_model the last component is a sine.
    Source: Vaswani et al., Attention Is All You Need (2017), section 3.5.
    """
    angle = angles(n_tokens, d_model)  # (n, d_model)
    return alternating(np.sin(angle), np.cos(angle))


def angles(n_tokens: int, d_model: int) -> Floats:
    """pos / 10000^(2i/d) for both components of a pair, in radians; shape (n_tokens, d_model)."""
    position = np.arange(n_tokens, dtype=np.float64)[:, None]  # (n, 1)
    component = np.arange(d_model)  # (d_model,)
    return position / 10000.0 ** (2 * (component // 2) / d_model)  # (n, d_model)


def alternating(first: Floats, second: Floats) -> Floats:
    """By turns a component of the one and of the other."""
    return np.where(np.arange(first.shape[-1]) % 2 == 0, first, second)


class InputSteps(Steps):
    """X = E + PE."""

    def input(self) -> Array:
        return self.input_of("", self.model.embedding, self.position())

    def input_of(self, at: str, given: Floats, position: Floats) -> Array:
        vectors = AS_GIVEN.over(TOKEN, DIM, printed=Printed.GIVEN)
        embedding = self.write(at + "embedding", self.pen.read(given), vectors)  # (n, d_model)
        if not self.model.rules.positions:
            return self.write(at + "input", embedding, vectors)
        encoding = THREE.over(TOKEN, DIM, printed=Printed.ALSO)
        written = self.write(at + "positional_encoding", position, encoding)  # (n, d_model)
        rounded = ONE.over(TOKEN, DIM, printed=Printed.GIVEN)
        return self.write(at + "input", embedding + written, rounded)  # (n, d_model)

    def position(self) -> Floats:
        return sinusoids(self.model.n_tokens, self.sizes.d_model)


# --- A block's input goes in; what the heads hand over, put together and sent through W_O, comes out.

_VECTORS: Final = NATURAL.over(TOKEN, DIM)
_QUERY: Final = NATURAL.inside(TOKEN, HEAD_DIM)
_OFFER: Final = NATURAL.inside(SOURCE, HEAD_DIM)  # keys and values
_SCORE: Final = NATURAL.inside(TOKEN, SOURCE)
_LOOK: Final = N.inside(TOKEN, SOURCE)
_WEIGHTS: Final = N.inside(TOKEN, SOURCE, ranked=True)


class AttentionSteps(Steps):
    """Attention(Q, K, V) = softmax(Q·Kᵀ / √d_k)·V (Vaswani et al. 2017, section 3.2), a step a line."""

    def causal(self) -> NDArray[np.bool_]:
        """True where a token (row) may look at another (column): itself and those before it."""
        return np.tri(self.model.n_tokens, dtype=np.bool_)  # (n, n)

    def multi_head(self, at: str, x: Array) -> Array:
        visible = self.visible(at)
        heads = range(1, self.sizes.n_heads + 1)
        outputs = [self.head(f"{at}head{k}.", f"{at}head{k}.", x, visible) for k in heads]  # h × (n, d_head)
        return self.join(at, outputs)

    def visible(self, at: str) -> Visible:
        """What the tokens of the layer `at` may look at; None: everything."""
        return self.causal() if self.model.rules.causal_mask else None

    def join(self, at: str, outputs: Sequence[Array]) -> Array:
        concat = self.write(at + "concat", self.together(outputs), _VECTORS)  # (n, d_model)
        return self.write(at + "attention", concat @ self.weight(at + "W_O"), _VECTORS)  # (n, d_model)

    def together(self, outputs: Sequence[Array]) -> Array:
        return concatenate(outputs)

    def head(self, at: str, weights: str, x: Array, visible: Visible) -> Array:
        return self.look(at, weights, x, x, visible)

    def look(self, at: str, weights: str, x: Array, source: Array, visible: Visible) -> Array:
        """Queries from x, keys and values from the source: for self-attention the same vectors."""
        query = self.write(at + "query", x @ self.weight(weights + "W_Q"), _QUERY)  # (n, d_head)
        key, value = self.keys_and_values(at, weights, source)
        score = self.write(at + "score", self.score(query, key), _SCORE, visible)  # (n, m)
        scaled = self.write(at + "scaled", self.scale(score), _LOOK, visible)  # (n, m)
        return self.write(at + "output", self.mix(at, scaled, value, visible), N.over(TOKEN, HEAD_DIM))

    def keys_and_values(self, at: str, weights: str, source: Array) -> tuple[Array, Array]:
        """The notes that can be found, and what is handed over for them."""
        key = self.write(at + "key", source @ self.weight(weights + "W_K"), _OFFER)  # (m, d_head)
        value = self.write(at + "value", source @ self.weight(weights + "W_V"), _OFFER)  # (m, d_head)
        return key, value

    def score(self, query: Array, key: Array) -> Array:
        return query @ key.swapaxes(-1, -2)  # (n, n)

    def scale(self, score: Array) -> Array:
        return score / self.root() if self.model.rules.scaling else score

    def root(self) -> Array:
        """√d_k, in the hand arithmetic the rounded constant that the sheet prints."""
        return self.pen.constant(sqrt(self.pen.read(np.asarray(float(self.sizes.d_head)))))

    def mix(self, at: str, scaled: Array, value: Array, visible: Visible) -> Array:
        """Softmax row by row, then the weighted sum of the values."""
        e = self.write(at + "exp", self.exp(scaled), _LOOK, self.seen(visible))  # (n, n)
        total = self.write(at + "exp_sum", self.total(e), N.inside(TOKEN, divisor=True))  # (n,)
        weight = self.write(at + "weight", self.share(e, total), _WEIGHTS, self.seen(visible))  # (n, n)
        return weight @ value  # (n, d_head)

    def exp(self, scaled: Array) -> Array:
        return exp(scaled)

    def seen(self, visible: Visible) -> Visible:
        """e^−∞ = 0: what the mask hides has no share."""
        return visible

    def total(self, e: Array) -> Array:
        return e.sum(-1)

    def share(self, e: Array, total: Array) -> Array:
        return e / total[..., None]


class FirstLookSteps(AttentionSteps, SimilaritySteps):
    """The looks at attention that come before the blocks: the entry step, and head 1 without a mask."""

    def entry(self, x: Array) -> None:
        """Q = K = V = X, no scaling, no mask; then the cosines of the new vectors."""
        score = self.write("entry.score", self.score(x, x), _SCORE)  # (n, n)
        mixed = self.mix("entry.", score, x, None)
        output = self.write("entry.output", mixed, N.over(TOKEN, DIM))  # (n, d_model)
        self.cosines("entry.", output, TOKEN)

    def unmasked(self, x: Array) -> None:
        self.head("unmasked.head1.", "block1.head1.", x, None)


# --- Vectors go in; vectors with mean 0 and standard deviation 1, stretched by γ and moved by β, come out.


class NormSteps(Steps):
    """LayerNorm (Ba, Kiros, Hinton 2016) over all d_model components, dividing by d_model, without ε."""

    def norm(self, at: str, x: Array) -> Array:
        mean = self.write(at + "mean", x.sum(-1) / self.sizes.d_model, N.inside(TOKEN))  # (n,)
        deviation = x - mean[..., None]  # (n, d_model)
        variance = self.write(at + "variance", self.mean_square(deviation), N_PLUS_1.inside(TOKEN))  # (n,)
        std = self.write(at + "std", self.spread(variance), N.inside(TOKEN, divisor=True))  # (n,)
        gamma, beta = self.weight(at + "gamma"), self.weight(at + "beta")
        normalised = deviation / std[..., None] * gamma + beta  # (n, d_model)
        return self.write(at + "output", normalised, N.over(TOKEN, DIM))

    def mean_square(self, deviation: Array) -> Array:
        return (deviation * deviation).sum(-1) / self.sizes.d_model  # (n,)

    def spread(self, variance: Array) -> Array:
        return sqrt(variance)


# --- Normalised vectors go in; what each token works out alone comes out.

_INNER: Final = NATURAL.inside(TOKEN, HIDDEN)


class FeedForwardSteps(Steps):
    """FFN(z) = ReLU(z·W_1 + b_1)·W_2 + b_2 (Vaswani et al. 2017, section 3.3)."""

    def feed_forward(self, at: str, z: Array) -> Array:
        hidden = z @ self.weight(at + "W_1") + self.weight(at + "b_1")  # (n, d_ff)
        hidden = self.write(at + "hidden", hidden, _INNER)  # (n, d_ff)
        activation = self.write(at + "activation", self.activate(hidden), _INNER)  # (n, d_ff)
        return self.write(at + "output", self.project(at, activation), NATURAL.over(TOKEN, DIM))

    def activate(self, hidden: Array) -> Array:
        return relu(hidden)

    def project(self, at: str, activation: Array) -> Array:
        return activation @ self.weight(at + "W_2") + self.weight(at + "b_2")  # (n, d_model)


# --- The last block's output goes in; a probability for each word of the vocabulary comes out.


def temperature_name(temperature: float) -> str:
    """0.5 -> temperature0.5, 1.0 -> temperature1: a point, no trailing zeros."""
    return f"temperature{float(temperature):.12f}".rstrip("0").rstrip(".")


class OutputSteps(Steps):
    """Logits of the last token against every word, and softmax at each temperature."""

    def next_word(self, x: Array) -> None:
        logit = self.logits("", x)  # (V,)
        for temperature in self.model.rules.temperatures:
            self.probabilities("", logit, temperature)

    def logits(self, at: str, x: Array) -> Array:
        last = self.last(x)[..., None, :]  # (1, d_model)
        logit = (last @ self.vocabulary().swapaxes(-1, -2))[..., 0, :]  # (V,)
        return self.write(at + "logit", logit, N.over(WORD, ranked=True))

    def vocabulary(self) -> Array:
        return self.pen.read(self.model.vocabulary_embedding)  # (V, d_model)

    def probabilities(self, at: str, logit: Array, temperature: float) -> Array:
        at += temperature_name(temperature) + "."
        scaled = self.write(at + "scaled_logit", self.cool(logit, temperature), N.inside(WORD))  # (V,)
        e = self.write(at + "exp", self.exp_logit(scaled), THREE.inside(WORD))  # (V,)
        total = self.write(at + "exp_sum", e.sum(-1), THREE.inside(divisor=True))  # ()
        return self.write(at + "probability", e / total[..., None], THREE.over(WORD, divisor=True))  # (V,)

    def last(self, x: Array) -> Array:
        """The token whose vector decides on the next word."""
        return x[..., -1, :]  # (d_model,)

    def cool(self, logit: Array, temperature: float) -> Array:
        return logit / self.pen.read(np.asarray(temperature))

    def exp_logit(self, scaled: Array) -> Array:
        return exp(scaled)


class Forward(InputSteps, FirstLookSteps, NormSteps, FeedForwardSteps, OutputSteps):
    """One forward pass through the transformer, post-norm as in Vaswani et al. (2017)."""

    def run(self, entry: bool = True) -> Trace:
        with np.errstate(all="ignore"):  # the pen looks at every value itself
            x = self.input()  # (n, d_model)
            self.similarity()
            if entry:
                self.entry(x)
            if self.model.rules.causal_mask:
                self.unmasked(x)
            for block in range(1, self.sizes.n_blocks + 1):
                x = self.block(f"block{block}.", x)
            self.next_word(x)
        return self.pen.trace

    def block(self, at: str, x: Array) -> Array:
        attention = self.multi_head(at, x)  # (n, d_model)
        if at == "block1.":
            self.context(attention)
        z = self.norm(at + "norm1.", self.residual(at + "residual1", x, attention))
        return self.norm(at + "norm2.", self.residual(at + "residual2", z, self.feed_forward(at + "ffn.", z)))

    def residual(self, name: str, x: Array, new: Array) -> Array:
        return self.write(name, x + new, NATURAL.over(TOKEN, DIM))  # (n, d_model)


def exchanged(way: type[Forward], whole: type[Forward]) -> type[Forward]:
    """The pass `whole` with the step that `way` exchanges."""
    return whole if issubclass(whole, way) else type(way.__name__, (way, whole), {})


def forward(model: Model, pen: Pen, entry: bool = True) -> Trace:
    """Run a model with a pen; `entry` adds the entry step with Q = K = V = X."""
    return Forward(model, pen).run(entry)
