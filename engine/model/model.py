"""A model for one sentence: sizes, switches and every given number, with the shapes checked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Final, Protocol

import numpy as np

from engine.model.rules import DEFAULT_RULES, LAYER_NORM, NORM, Norm, Rules
from engine.model.tokenizer import token_ids, vocabulary_of
from engine.numbers.arrays import CalculationError, Floats


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
    d, d_head, d_ff = sizes.d_model, sizes.d_head, sizes.d_ff
    shapes: dict[str, tuple[int, ...]] = {}
    for block in range(1, sizes.n_blocks + 1):
        at = f"block{block}."
        for head in range(1, sizes.n_heads + 1):
            shapes |= {f"{at}head{head}.{W}": (d, d_head) for W in ("W_Q", "W_K", "W_V")}
        shapes[at + "W_O"] = (d, d)
        shapes |= norm_shapes(at + "norm1.", sizes)
        shapes |= {at + "ffn.W_1": (d, d_ff), at + "ffn.b_1": (d_ff,)}
        shapes |= {at + "ffn.W_2": (d_ff, d), at + "ffn.b_2": (d,)}
        shapes |= norm_shapes(at + "norm2.", sizes)
    return shapes


def norm_shapes(at: str, sizes: Sizes) -> dict[str, tuple[int, ...]]:
    return {at + name: (sizes.d_model,) for name in sizes.norm.parameters}


class AnyModel(Protocol):
    """What the layers need of a model, whether it reads one sentence or two (then its own is the target)."""

    @property
    def sizes(self) -> Sizes: ...
    @property
    def tokens(self) -> tuple[str, ...]: ...
    @property
    def n_tokens(self) -> int: ...
    @property
    def embedding(self) -> Floats: ...
    @property
    def weights(self) -> Mapping[str, Floats]: ...
    @property
    def rules(self) -> Rules: ...
    @property
    def vocabulary(self) -> tuple[str, ...]: ...
    @property
    def vocabulary_embedding(self) -> Floats: ...
    @property
    def input_embedding(self) -> Floats: ...


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


@dataclass(frozen=True)
class LargeModel:
    """Sizes of a trained model with its vocabulary and the longest text that it can see."""

    sizes: Sizes
    vocabulary: int
    context: int


# Radford et al., Language Models are Unsupervised Multitask Learners (2019), and the released weights.
GPT2_SMALL: Final = LargeModel(Sizes(768, 12, 3072, 12, LAYER_NORM), vocabulary=50_257, context=1024)
_IN_BLOCKS: Final = {"attention": r"\.W_[QKV]$", "W_O": r"\.W_O$", "ffn": r"\.W_[12]$", "norm": r"\.norm\d\."}


def count_parameters(sizes: Sizes, n_words: int, own_output: bool = False) -> dict[str, int]:
    """Parameters by component; biases of the feed-forward left out.

    own_output: words are predicted by vectors of their own.
    """
    found = dict.fromkeys(("embedding", "output") if own_output else ("embedding",), n_words * sizes.d_model)
    shapes = weight_shapes(sizes).items()
    for part, names in _IN_BLOCKS.items():
        found[part] = sum(prod(shape) for name, shape in shapes if re.search(names, name))
    return found


def count_gpt2_parameters(model: LargeModel = GPT2_SMALL) -> dict[str, int]:
    """The same for GPT-2: with learned positions, biases, a last norm, and the embedding as output matrix."""
    d, d_ff, L = model.sizes.d_model, model.sizes.d_ff, model.sizes.n_blocks
    plain = count_parameters(model.sizes, model.vocabulary)
    biases = {"attention": L * 3 * d, "W_O": L * d, "ffn": L * (d_ff + d)}
    more = {"embedding": 0, "positions": model.context * d, **biases, "norm": 2 * d}
    return {part: plain.get(part, 0) + extra for part, extra in more.items()}
