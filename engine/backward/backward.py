"""The way back, read from top to bottom: from the loss to the weights, for one sentence and for two."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from engine.forward.encoder_decoder import EncoderDecoder
from engine.forward.forward import Forward
from engine.forward.norms import STEPS
from engine.model.model import AnyModel, EncoderDecoderModel
from engine.numbers.arrays import Array, ln, positive
from engine.pens.pens import Pen, Visible
from engine.trace import (
    DECODER,
    DIM,
    ENCODER,
    HEAD_DIM,
    HIDDEN,
    N_PLUS_2,
    SOURCE,
    TOKEN,
    WORD,
    Kind,
    Operation,
    place_of,
)

_THROUGH_RELU: Final = N_PLUS_2.over(TOKEN, HIDDEN).by(Operation.GATE)

Path = Literal["ausgabe", "attention", "alles"]

# With these the example's loss falls visibly in both arithmetics, and so it does for nearly all drawn models.
DEFAULT_RATES: Final[Mapping[Path, float]] = {"ausgabe": 0.5, "attention": 0.5, "alles": 0.1}


@dataclass(frozen=True)
class Lesson:
    """One step of learning.

    word: place in the vocabulary of the right next word. rate: how far the weights go against the gradient,
    above 0. path: which weights learn: the output's vectors; the three matrices of one head of the last block
    (with two sentences: of its cross-attention); or all. head: that head, counted from 1. before: what the
    names of its way forward begin with, where the lesson has a model of its own: an earlier state of the
    sheet's.
    """

    word: int
    rate: float
    path: Path = "alles"
    head: int = 1
    before: str = ""

    def __post_init__(self) -> None:
        if not 0 < self.rate < float("inf"):
            raise ValueError(f"no learning rate: {self.rate}")


class Backward(Forward):
    """The forward pass and the way back of a model with one sentence; gradients are ∂loss/∂(their name).

    What is written is kept under its name, for the way back to read.
    """

    def __init__(self, model: AnyModel, pen: Pen, lesson: Lesson) -> None:
        super().__init__(model, pen)
        self.lesson = lesson
        self.written: dict[str, Array] = {}
        self.axes: dict[str, tuple[str, ...]] = {}
        self.prefix = ""  # "after." in the forward pass after the step

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        name = self.prefix + name
        self.axes[name] = kind.axes
        self.written[name] = super().write(self.lead(name) + name, value, kind, visible)
        return self.written[name]

    def lead(self, name: str) -> str:
        """What the sheet's name of a quantity begins with; what the lesson adds has one name in any case."""
        place = place_of(name)
        added = self.prefix or place.way in ("gradient.", "step.") or place.last == "loss"
        return "" if added else self.lesson.before

    def gradient(self, name: str, value: Array, *axes: str, visible: Visible = None) -> Array:
        """axes: those of what is written under the name, if they are not said."""
        return self.write("gradient." + name, value, N_PLUS_2.over(*(axes or self.axes[name])), visible)

    def through_relu(self, name: str, g: Array) -> Array:
        """The gradient of a ReLU's input, 0 where it is closed; (n, d_ff)."""
        return self.write("gradient." + name, g, _THROUGH_RELU)

    def learn(self, name: str, gradient: Array, *axes: str) -> None:
        """Write the gradient of a weight if it is one of those that the step changes."""
        if self.learns(name):
            self.gradient(name, gradient, *axes)

    def learns(self, name: str) -> bool:
        if self.lesson.path == "ausgabe":
            return place_of(name).last == "vocabulary_embedding"
        if self.lesson.path == "attention":
            return name in [self.learning_head() + W for W in ("W_Q", "W_K", "W_V")]
        return True

    def learning_head(self) -> str:
        """The name of the head that learns in the path attention, with the point at its end."""
        return f"block{self.sizes.n_blocks}.head{self.lesson.head}."

    # Cross-entropy of the right word at temperature 1, back through softmax and logits to the last token

    def vocabulary(self) -> Array:
        return self._read.get(self.side_of_output() + "vocabulary_embedding", super().vocabulary())

    def side_of_output(self) -> str:
        """What the names of the output's quantities begin with."""
        return ""

    def loss(self) -> Array:
        """−ln p; CalculationError (logarithm) where p is written as 0."""
        prefix = self.side_of_output()
        probability = self.written[f"{self.prefix}{prefix}temperature1.probability"]  # (V,)
        return self.write(
            prefix + "loss", self.surprise(probability[..., self.lesson.word]), N_PLUS_2.over()
        )  # ()

    def surprise(self, probability: Array) -> Array:
        return -ln(probability)

    def error(self, probability: Array, right: Array) -> Array:
        return probability - right

    def output_back(self, x: str) -> Array | None:
        """∂L/∂logits = p − y, to the vocabulary's vectors and the last row of x (a name); None: it ends here.

        The vectors of the output layer are weights of their own: those that the sentence's words enter with
        do not change with them.
        """
        prefix, vectors = self.side_of_output(), self.written[x]  # (n, d_model)
        right = np.eye(len(self.model.vocabulary))[self.lesson.word]  # (V,)
        probability = self.written[prefix + "temperature1.probability"]  # (V,)
        logit = self.gradient(prefix + "logit", self.error(probability, self.pen.read(right)))  # (V,)
        last = vectors[..., -1, :]  # (d_model,)
        vectors_back = logit[..., :, None] * last[..., None, :]  # (V, d_model)
        self.learn(prefix + "vocabulary_embedding", vectors_back, WORD, DIM)
        if self.lesson.path == "ausgabe":
            return None
        is_last = (np.arange(vectors.shape[-2]) == vectors.shape[-2] - 1).astype(np.int64)[:, None]  # (n, 1)
        return self.gradient(x, (logit[..., None, :] @ self.vocabulary()) * is_last)  # (n, d_model)

    # A norm and the feed-forward network backwards; a sum hands its gradient on to both its parts

    def norm_back(self, prefix: str, x: str, g: Array) -> Array:
        """x: the name of what was normalised."""
        return STEPS[self.sizes.norm.name].back(self, prefix, x, g)  # (n, d_model)

    def feed_forward_back(self, prefix: str, z: Array, g: Array) -> Array:
        """Through z·W_1 + b_1, ReLU, ·W_2 + b_2; what comes out is not written yet: a sum adds to it."""
        written = self.written[prefix + "activation"]  # (n, d_ff)
        self.learn(prefix + "W_2", transposed(written) @ g, HIDDEN, DIM)  # (d_ff, d_model)
        self.learn(prefix + "b_2", g.sum(-2), DIM)  # (d_model,)
        activation = self.gradient(
            prefix + "activation", g @ transposed(self.weight(prefix + "W_2"))
        )  # (n, d_ff)
        passes = positive(self.written[prefix + "hidden"])  # (n, d_ff)
        hidden = self.through_relu(prefix + "hidden", activation * passes)  # (n, d_ff)
        self.learn(prefix + "W_1", transposed(z) @ hidden, DIM, HIDDEN)  # (d_model, d_ff)
        self.learn(prefix + "b_1", hidden.sum(-2), HIDDEN)  # (d_ff,)
        return hidden @ transposed(self.weight(prefix + "W_1"))  # (n, d_model)

    # softmax(Q·Kᵀ / √d_k)·V backwards. Hidden cells keep weight 0 whatever their score is: gradient 0

    def multi_head_back(self, prefix: str, x: Array, source: Array, g: Array) -> tuple[Array, Array]:
        """What flows back into the queries' vectors x, and into the vectors of the keys and values.

        Not written yet: the sums before the layer add to it. On the path attention nothing is left to flow.
        """
        self.learn(
            prefix + "W_O", transposed(self.written[prefix + "concat"]) @ g, DIM, DIM
        )  # (d_model, d_model)
        concat = self.gradient(prefix + "concat", g @ transposed(self.weight(prefix + "W_O")))  # (n, d_model)
        into_x: list[Array] = []
        into_source: list[Array] = []
        for k in range(1, self.sizes.n_heads + 1):
            head, d = f"{prefix}head{k}.", self.sizes.d_head
            if self.lesson.path == "attention" and head != self.learning_head():
                continue
            output = self.gradient(head + "output", concat[..., (k - 1) * d : k * d])  # (n, d_head)
            query_part, source_part = self.head_back(head, x, source, output)
            into_x.append(query_part)
            into_source.append(source_part)
        return total(into_x), total(into_source)

    def head_back(self, prefix: str, x: Array, source: Array, g: Array) -> tuple[Array, Array]:
        written, visible = self.written, self.visible(prefix)
        weight = written[prefix + "weight"]  # (n, m)
        value = self.gradient(prefix + "value", transposed(weight) @ g)  # (m, d_head)
        inner = self.gradient(
            prefix + "weight", g @ transposed(written[prefix + "value"]), visible=visible
        )  # (n, m)
        scaled = self.softmax_back(prefix, weight, inner)  # (n, m)
        score = self.gradient(prefix + "score", self.scale(scaled), visible=visible)  # (n, m)
        query = self.gradient(prefix + "query", score @ written[prefix + "key"])  # (n, d_head)
        key = self.gradient(prefix + "key", transposed(score) @ written[prefix + "query"])  # (m, d_head)
        self.learn(prefix + "W_Q", transposed(x) @ query, DIM, HEAD_DIM)  # (d_model, d_head)
        self.learn(prefix + "W_K", transposed(source) @ key, DIM, HEAD_DIM)  # (d_model, d_head)
        self.learn(prefix + "W_V", transposed(source) @ value, DIM, HEAD_DIM)  # (d_model, d_head)
        return self.into_vectors(prefix, query, key, value)

    def softmax_back(self, prefix: str, weight: Array, g: Array) -> Array:
        """∂L/∂s_j = w_j·(g_j − Σ w·g), a row at a time: the Jacobian w_j·(δ_jk − w_k) applied to g."""
        if prefix == self.learning_head():
            self.jacobian(prefix, weight[..., -1, :])
        average = self.gradient(prefix + "average", (weight * g).sum(-1), TOKEN)  # (n,)
        scaled = weight * (g - average[..., None])  # (n, m)
        return self.gradient(prefix + "scaled", scaled, visible=self.visible(prefix))

    def jacobian(self, prefix: str, row: Array) -> None:
        """∂w_j/∂s_k of the last row, worked out for one head; the last token sees all, nothing is hidden."""
        own = row[..., :, None] * np.eye(row.shape[-1], dtype=np.int64)  # (m, m)
        self.gradient(
            prefix + "jacobian", own - row[..., :, None] * row[..., None, :], SOURCE, SOURCE
        )  # (m, m)

    def into_vectors(self, prefix: str, query: Array, key: Array, value: Array) -> tuple[Array, Array]:
        """What a head's queries, and what its keys and values send back to the vectors they were made of."""
        if self.lesson.path == "attention":
            return None, None
        from_query = query @ transposed(self.weight(prefix + "W_Q"))  # (n, d_model)
        from_source = key @ transposed(self.weight(prefix + "W_K")) + value @ transposed(
            self.weight(prefix + "W_V")
        )
        if place_of(prefix).layer == "cross":
            source = self.gradient(prefix + "source", from_source, SOURCE, DIM)  # (m, d_model)
            return self.gradient(prefix + "input", from_query, TOKEN, DIM), source
        return self.gradient(prefix + "input", from_query + from_source, TOKEN, DIM), None  # (n, d_model)

    def back(self) -> None:
        """Every gradient that the lesson's path needs; `run` and `loss` come first."""
        g = self.output_back(f"block{self.sizes.n_blocks}.norm2.output")
        for block in range(self.sizes.n_blocks, 0, -1):
            if g is not None:
                g = self.block_back("", block, g)

    def block_back(self, side: str, block: int, g: Array) -> Array | None:
        """From the block's output to its input; None if nothing flows further on this path."""
        prefix = f"{side}block{block}."
        g = self.norm_back(prefix + "norm2.", prefix + "residual2", g)
        z = self.written[prefix + "norm1.output"]
        g = self.gradient(prefix + "norm1.output", g + self.feed_forward_back(prefix + "ffn.", z, g))
        g = self.norm_back(prefix + "norm1.", prefix + "residual1", g)
        x = f"{side}block{block - 1}.norm2.output" if block > 1 else side + "input"
        into_x, _ = self.multi_head_back(prefix, self.written[x], self.written[x], g)
        return None if into_x is None else self.gradient(x, g + into_x)


def transposed(matrix: Array) -> Array:
    return matrix.swapaxes(-1, -2)


def total(parts: list[Array]) -> Array:
    """The sum, or None where nothing flows."""
    there = [part for part in parts if part is not None]
    return sum(there[1:], start=there[0]) if there else None


class EncoderDecoderBackward(Backward, EncoderDecoder):
    """The same with two sentences: through the decoder, and through its keys and values into the encoder."""

    model: EncoderDecoderModel

    def side_of_output(self) -> str:
        return DECODER

    def learning_head(self) -> str:
        return f"{DECODER}block{self.sizes.n_blocks}.cross.head{self.lesson.head}."

    def back(self) -> None:
        g = self.output_back(f"{DECODER}block{self.sizes.n_blocks}.norm3.output")
        into_source: list[Array] = []
        for block in range(self.sizes.n_blocks, 0, -1):
            if g is not None:
                g, from_block = self.decoder_block_back(block, g)
                into_source.append(from_block)
        if g is None:
            return
        g = self.gradient(self.encoder_output(), total(into_source))  # (n_source, d_model)
        for block in range(self.sizes.n_blocks, 0, -1):
            g = self.block_back(ENCODER, block, g)

    def decoder_block_back(self, block: int, g: Array) -> tuple[Array | None, Array | None]:
        """The gradients at the block's input and, from this block alone, at the encoder's output."""
        prefix = f"{DECODER}block{block}."
        g = self.norm_back(prefix + "norm3.", prefix + "residual3", g)
        z = self.written[prefix + "norm2.output"]
        g = self.gradient(prefix + "norm2.output", g + self.feed_forward_back(prefix + "ffn.", z, g))
        g = self.norm_back(prefix + "norm2.", prefix + "residual2", g)
        queried, source = self.written[prefix + "norm1.output"], self.written[self.encoder_output()]
        into_x, into_source = self.multi_head_back(prefix + "cross.", queried, source, g)
        if into_x is None:
            return None, None
        into_source = self.gradient(prefix + "cross.source", into_source, SOURCE, DIM)  # (n_source, d_model)
        g = self.gradient(prefix + "norm1.output", g + into_x)
        g = self.norm_back(prefix + "norm1.", prefix + "residual1", g)
        x = f"{DECODER}block{block - 1}.norm3.output" if block > 1 else DECODER + "input"
        into_x, _ = self.multi_head_back(prefix + "self.", self.written[x], self.written[x], g)
        return self.gradient(x, g + into_x), into_source

    def encoder_output(self) -> str:
        return f"{ENCODER}block{self.sizes.n_blocks}.norm2.output"
