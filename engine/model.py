"""A model for one sentence: sizes, switches and every given number, with the shapes checked."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.errors import CalculationError
from engine.tokenizer import token_ids, vocabulary_of

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Sizes:
    """The sizes of a transformer; n_heads divides d_model."""

    d_model: int = 4
    n_heads: int = 2
    d_ff: int = 8
    n_blocks: int = 1

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
        shapes |= {at + "norm1.gamma": (d,), at + "norm1.beta": (d,)}
        shapes |= {at + "ffn.W_1": (d, d_ff), at + "ffn.b_1": (d_ff,)}
        shapes |= {at + "ffn.W_2": (d_ff, d), at + "ffn.b_2": (d,)}
        shapes |= {at + "norm2.gamma": (d,), at + "norm2.beta": (d,)}
    return shapes


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
    def causal_mask(self) -> bool: ...
    @property
    def scaling(self) -> bool: ...
    @property
    def positions(self) -> bool: ...
    @property
    def temperatures(self) -> tuple[float, ...]: ...
    @property
    def places(self) -> int: ...
    @property
    def vocabulary(self) -> tuple[str, ...]: ...
    @property
    def vocabulary_embedding(self) -> Floats: ...


@dataclass(frozen=True)
class Model:
    """All that a forward pass needs.

    embedding: one row per token, (n, d_model). weights: by contract name, see `weight_shapes`.
    A word that occurs twice must have the same vector both times.
    """

    sizes: Sizes
    tokens: tuple[str, ...]
    embedding: Floats
    weights: Mapping[str, Floats]
    causal_mask: bool = True
    scaling: bool = True
    positions: bool = True
    temperatures: tuple[float, ...] = (0.5, 1.0, 2.0)
    places: int = 2
    vocabulary: tuple[str, ...] = field(init=False)
    token_ids: tuple[int, ...] = field(init=False)
    vocabulary_embedding: Floats = field(init=False)

    def __post_init__(self) -> None:
        vocabulary = tuple(vocabulary_of(self.tokens))
        ids = tuple(token_ids(self.tokens, vocabulary))
        if self.embedding.shape != (len(self.tokens), self.sizes.d_model):
            raise CalculationError("shape", "embedding")
        for name, shape in weight_shapes(self.sizes).items():
            if name not in self.weights or self.weights[name].shape != shape:
                raise CalculationError("shape", name)
        firsts = [ids.index(i) for i in range(len(vocabulary))]
        vectors = self.embedding[firsts]  # (V, d_model)
        differs = np.any(vectors[list(ids)] != self.embedding, axis=1)
        if differs.any():
            raise CalculationError("vocabulary", "embedding", (int(np.argmax(differs)),))
        object.__setattr__(self, "vocabulary", vocabulary)
        object.__setattr__(self, "token_ids", ids)
        object.__setattr__(self, "vocabulary_embedding", vectors)

    @property
    def n_tokens(self) -> int:
        return len(self.tokens)
