"""Sizes go in; how many parameters each component has comes out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.model.model import Sizes


@dataclass(frozen=True)
class LargeModel:
    """Sizes of a trained model with its vocabulary and the longest text that it can see."""

    sizes: Sizes
    vocabulary: int
    context: int


# Radford et al., Language Models are Unsupervised Multitask Learners (2019), and the released weights.
GPT2_SMALL: Final = LargeModel(Sizes(768, 12, 3072, 12), vocabulary=50_257, context=1024)


def count_parameters(sizes: Sizes, n_words: int, own_output: bool = False) -> dict[str, int]:
    """Parameters by component, V·d + L·(4d² + 2·d·d_ff + 4d) in all; biases of the feed-forward left out.

    own_output: words are predicted by vectors of their own, V·d more.
    """
    d, d_ff, L = sizes.d_model, sizes.d_ff, sizes.n_blocks
    return {
        "embedding": n_words * d,
        **({"output": n_words * d} if own_output else {}),
        "attention": L * 3 * d * d,
        "W_O": L * d * d,
        "ffn": L * 2 * d * d_ff,
        "norm": L * 4 * d,
    }


def count_gpt2_parameters(model: LargeModel = GPT2_SMALL) -> dict[str, int]:
    """The same for GPT-2: with learned positions, biases, a last norm, and the embedding as output matrix."""
    d, d_ff, L = model.sizes.d_model, model.sizes.d_ff, model.sizes.n_blocks
    return {
        "embedding": model.vocabulary * d,
        "positions": model.context * d,
        "attention": L * (3 * d * d + 3 * d),
        "W_O": L * (d * d + d),
        "ffn": L * (2 * d * d_ff + d_ff + d),
        "norm": L * 4 * d + 2 * d,
    }
