"""Sizes go in; how many parameters each component has comes out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import prod
from typing import Final

from engine.model.model import Sizes, weight_shapes
from engine.model.norms import LAYER_NORM


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
