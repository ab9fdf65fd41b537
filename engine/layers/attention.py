"""A block's input goes in; what the heads hand over, put together and sent through W_O, comes out."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.layers.similarity import SimilaritySteps
from engine.layers.steps import Steps
from engine.numbers.arrays import Array, concatenate, exp, sqrt
from engine.pens.pens import Visible
from engine.trace.quantities import DIM, HEAD_DIM, NATURAL, SOURCE, TOKEN, N

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
