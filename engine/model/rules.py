"""How a model calculates, beside its sizes and numbers: the switches of one sentence and of two."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Rules:
    """causal_mask: no token looks at a later one (with two sentences: in the decoder's own attention).

    scaling: scores are divided by √d_k. positions: their encoding is added to the embedding. temperatures: of
    the next word's softmax. places: N of the hand arithmetic.
    """

    causal_mask: bool = True
    scaling: bool = True
    positions: bool = True
    temperatures: tuple[float, ...] = (0.5, 1.0, 2.0)
    places: int = 2


DEFAULT_RULES: Final = Rules()
