"""A model for two sentences: every given number, with the shapes checked, and its weights by style."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from engine.model.model import Sizes, norm_shapes, weight_shapes
from engine.model.rules import DEFAULT_RULES, Rules
from engine.model.tokenizer import token_ids
from engine.model.weights import Style, Weights, make_weights
from engine.numbers.arrays import CalculationError, Floats

ENCODER, DECODER = "encoder.", "decoder."


def encoder_decoder_shapes(sizes: Sizes) -> dict[str, tuple[int, ...]]:
    """Name and shape of every weight but the vocabulary's vectors, in order of use.

    Encoder blocks are named as in `weight_shapes`; a decoder block has heads and W_O twice, under self and
    cross, and three norms.
    """
    own = weight_shapes(sizes)
    shapes = {ENCODER + name: shape for name, shape in own.items()}
    for block in range(1, sizes.n_blocks + 1):
        at = f"block{block}."
        parts = {name.removeprefix(at): shape for name, shape in own.items() if name.startswith(at)}
        attention = {name: parts[name] for name in parts if name.startswith("head") or name == "W_O"}
        here = DECODER + at
        shapes |= {f"{here}self.{name}": shape for name, shape in attention.items()}
        shapes |= norm_shapes(here + "norm1.", sizes)
        shapes |= {f"{here}cross.{name}": shape for name, shape in attention.items()}
        shapes |= norm_shapes(here + "norm2.", sizes)
        shapes |= {here + name: shape for name, shape in parts.items() if name.startswith("ffn.")}
        shapes |= norm_shapes(here + "norm3.", sizes)
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
    def end_id(self) -> int:
        """The end token's place in the vocabulary."""
        return len(self.vocabulary) - 1

    @property
    def token_ids(self) -> tuple[int, ...]:
        """Places in the vocabulary of the target tokens after the start token."""
        return tuple(token_ids(self.tokens[1:], self.vocabulary))


def make_encoder_decoder_weights(
    sizes: Sizes, style: Style, rng: np.random.Generator, calm: int = 0
) -> Weights:
    """All weights of `encoder_decoder_shapes`, by the styles of `make_weights`.

    In the style auswahl a cross-attention head takes the same components as query and as key: a target word
    looks for source words that are like it; and the encoder has a choice of its own.
    """
    encoder, decoder, cross = (make_weights(sizes, style, rng, calm) for _ in range(3))
    if style == "auswahl":
        encoder = {name: _another_choice(name, matrix, sizes) for name, matrix in encoder.items()}
    weights = {ENCODER + name: matrix for name, matrix in encoder.items()}
    for name in encoder_decoder_shapes(sizes):
        if not name.startswith(DECODER):
            continue
        plain = name.removeprefix(DECODER).replace("self.", "").replace("norm3.", "norm2.")
        if ".cross." in name:
            plain = plain.replace("cross.", "")
            if style == "auswahl":
                plain = plain.replace("W_K", "W_Q")
            weights[name] = cross[plain]
        else:
            drawn = cross if ".norm2." in name else decoder
            weights[name] = drawn[plain]
    return weights


def _another_choice(name: str, matrix: Floats, sizes: Sizes) -> Floats:
    """Queries and keys one component further on, so that no number is that of the model of one sentence.

    A single head's scores would stay the same if its keys moved with its queries: they go one more.
    """
    if not name.endswith(("W_Q", "W_K")) or sizes.d_model <= 2:
        return matrix
    further = 2 if sizes.n_heads == 1 and name.endswith("W_K") else 1
    return np.roll(matrix, further, axis=0)
