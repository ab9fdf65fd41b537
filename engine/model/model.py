"""A model for one sentence, and one for two: sizes, switches, every given number, with the shapes checked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from engine.model.norms import NORM, Norm
from engine.model.rules import DEFAULT_RULES, Rules, token_ids, vocabulary_of
from engine.numbers.arrays import CalculationError, Floats
from engine.trace import DECODER, ENCODER


@dataclass(frozen=True)
class Sizes:
    """What the shapes of a transformer follow from; n_heads divides d_model."""

    d_model: int = 4
    n_heads: int = 2
    d_ff: int = 8
    n_blocks: int = 1
    norm: Norm = NORM

    def __post_init__(self) -> None:
        if min(self.d_model, self.n_heads, self.d_ff, self.n_blocks) < 1 or self.d_model % self.n_heads:
            raise ValueError(f"no model has these sizes: {self}")

    @property
    def d_head(self) -> int:
        return self.d_model // self.n_heads


def weight_shapes(sizes: Sizes) -> dict[str, tuple[int, ...]]:
    """Name and shape of every weight but the vocabulary's vectors, in order of use."""
    shapes: dict[str, tuple[int, ...]] = {}
    for block in range(1, sizes.n_blocks + 1):
        prefix = f"block{block}."
        shapes |= attention_shapes(prefix, sizes) | norm_shapes(prefix + "norm1.", sizes)
        shapes |= network_shapes(prefix + "ffn.", sizes) | norm_shapes(prefix + "norm2.", sizes)
    return shapes


def attention_shapes(prefix: str, sizes: Sizes) -> dict[str, tuple[int, ...]]:
    d, heads = sizes.d_model, range(1, sizes.n_heads + 1)
    names = [f"{prefix}head{head}.{W}" for head in heads for W in ("W_Q", "W_K", "W_V")]
    return {**dict.fromkeys(names, (d, sizes.d_head)), prefix + "W_O": (d, d)}


def network_shapes(prefix: str, sizes: Sizes) -> dict[str, tuple[int, ...]]:
    d, d_ff = sizes.d_model, sizes.d_ff
    shapes = {"W_1": (d, d_ff), "b_1": (d_ff,), "W_2": (d_ff, d), "b_2": (d,)}
    return {prefix + name: shape for name, shape in shapes.items()}


def norm_shapes(prefix: str, sizes: Sizes) -> dict[str, tuple[int, ...]]:
    return {prefix + name: (sizes.d_model,) for name in sizes.norm.parameters}


@dataclass(frozen=True)
class Vocabulary:
    """Words beyond those of the sentence, with the vectors that they enter with and are predicted by.

    vectors, output: (V, d_model); the same table where the output has no matrix of its own.
    """

    words: tuple[str, ...]
    vectors: Floats
    output: Floats

    def rows(self, tokens: Sequence[str]) -> Floats:
        """The tokens' vectors, (n, d_model)."""
        return np.asarray(self.vectors[token_ids(tokens, self.words)])


@dataclass(frozen=True)
class Model:
    """All that a forward pass needs.

    embedding: one row per token, (n, d_model). weights: by contract name, see `weight_shapes`.
    A word that occurs twice must have the same vector both times. known: a vocabulary that holds the tokens
    and more; None: the words of the sentence. vocabulary_embedding: what the logits are taken with;
    input_embedding: the vectors that the words enter with, the same table where `known` gives no other.
    """

    sizes: Sizes
    tokens: tuple[str, ...]
    embedding: Floats
    weights: Mapping[str, Floats]
    rules: Rules = DEFAULT_RULES
    known: Vocabulary | None = None
    vocabulary: tuple[str, ...] = field(init=False)
    token_ids: tuple[int, ...] = field(init=False)
    vocabulary_embedding: Floats = field(init=False)
    input_embedding: Floats = field(init=False)

    def __post_init__(self) -> None:
        vocabulary = self.known.words if self.known else tuple(vocabulary_of(self.tokens))
        if not set(self.tokens) <= set(vocabulary):
            raise CalculationError("vocabulary", "embedding")
        ids = tuple(token_ids(self.tokens, vocabulary))
        if self.embedding.shape != (len(self.tokens), self.sizes.d_model):
            raise CalculationError("shape", "embedding")
        for name, shape in weight_shapes(self.sizes).items():
            if name not in self.weights or self.weights[name].shape != shape:
                raise CalculationError("shape", name)
        if self.known is None:
            vectors = output = self.embedding[[ids.index(i) for i in range(len(vocabulary))]]  # (V, d_model)
        else:
            vectors, output = self.known.vectors, self.known.output  # (V, d_model) each
            for name, table in (("input_embedding", vectors), ("vocabulary_embedding", output)):
                if table.shape != (len(vocabulary), self.sizes.d_model):
                    raise CalculationError("shape", name)
        differs = np.any(vectors[list(ids)] != self.embedding, axis=1)
        if differs.any():
            raise CalculationError("vocabulary", "embedding", (int(np.argmax(differs)),))
        object.__setattr__(self, "vocabulary", vocabulary)
        object.__setattr__(self, "token_ids", ids)
        object.__setattr__(self, "vocabulary_embedding", output)
        object.__setattr__(self, "input_embedding", vectors)

    @property
    def n_tokens(self) -> int:
        return len(self.tokens)


# --- Two sentences


def encoder_decoder_shapes(sizes: Sizes) -> dict[str, tuple[int, ...]]:
    """Name and shape of every weight but the vocabulary's vectors, in order of use.

    Encoder blocks are named as in `weight_shapes`; a decoder block has heads and W_O twice, under self and
    cross, and three norms.
    """
    shapes = {ENCODER + name: shape for name, shape in weight_shapes(sizes).items()}
    for block in range(1, sizes.n_blocks + 1):
        prefix = f"{DECODER}block{block}."
        shapes |= attention_shapes(prefix + "self.", sizes) | norm_shapes(prefix + "norm1.", sizes)
        shapes |= attention_shapes(prefix + "cross.", sizes) | norm_shapes(prefix + "norm2.", sizes)
        shapes |= network_shapes(prefix + "ffn.", sizes) | norm_shapes(prefix + "norm3.", sizes)
    return shapes


@dataclass(frozen=True)
class EncoderDecoderModel:
    """All that an encoder–decoder needs; encoder and decoder have the same sizes.

    source_tokens, source_embedding: the sentence that the encoder reads, (n_source, d_model).
    tokens, embedding: the target sentence so far, the start token first, (n_target, d_model).
    vocabulary, vocabulary_embedding: the words that can come next, the end token last, (V, d_model). Every
    target token but the start token is one of them, with the same vector; the end token is no target token.
    weights: by name, see `encoder_decoder_shapes`. entering: the vectors that the words enter with,
    (V, d_model), where they are not those that the logits are taken with.
    """

    sizes: Sizes
    source_tokens: tuple[str, ...]
    source_embedding: Floats
    tokens: tuple[str, ...]
    embedding: Floats
    vocabulary: tuple[str, ...]
    vocabulary_embedding: Floats
    weights: Mapping[str, Floats]
    rules: Rules = DEFAULT_RULES
    entering: Floats | None = None

    def __post_init__(self) -> None:
        d = self.sizes.d_model
        for name, rows, table in (
            ("encoder.embedding", len(self.source_tokens), self.source_embedding),
            ("decoder.embedding", len(self.tokens), self.embedding),
            ("decoder.vocabulary_embedding", len(self.vocabulary), self.vocabulary_embedding),
        ):
            if rows == 0 or table.shape != (rows, d):
                raise CalculationError("shape", name)
        if self.entering is not None and self.entering.shape != self.vocabulary_embedding.shape:
            raise CalculationError("shape", "decoder.input_embedding")
        for name, shape in encoder_decoder_shapes(self.sizes).items():
            if name not in self.weights or self.weights[name].shape != shape:
                raise CalculationError("shape", name)
        for row, token in enumerate(self.tokens[1:], start=1):
            known = token in self.vocabulary[:-1]
            if not known or np.any(self.vector_of(token) != self.embedding[row]):
                raise CalculationError("vocabulary", "decoder.embedding", (row,))

    def vector_of(self, word: str) -> Floats:
        """The vector of a word of the vocabulary, (d_model,)."""
        return np.asarray(self.input_embedding[self.vocabulary.index(word)])

    @property
    def input_embedding(self) -> Floats:
        """The vectors that the words of the vocabulary enter with, (V, d_model)."""
        return self.vocabulary_embedding if self.entering is None else self.entering

    @property
    def n_tokens(self) -> int:
        return len(self.tokens)

    @property
    def n_source(self) -> int:
        return len(self.source_tokens)

    @property
    def token_ids(self) -> tuple[int, ...]:
        """Places in the vocabulary of the target tokens after the start token."""
        return tuple(token_ids(self.tokens[1:], self.vocabulary))


AnyModel: TypeAlias = Model | EncoderDecoderModel
