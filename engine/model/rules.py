"""How a model calculates, beside its sizes and numbers: the switches of one sentence and of two."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True)
class Norm:
    """name: as formulas and sheets have it. steps: what it writes before its output; the last is the divisor.

    parameters: the given vectors, (d_model,) each, with the number that changes nothing.
    """

    name: str
    steps: tuple[str, ...]
    parameters: Mapping[str, float] = field(hash=False)

    def __str__(self) -> str:
        return self.name

    @property
    def divisor(self) -> str:
        return self.steps[-1]


LAYER_NORM: Final = Norm("LayerNorm", ("mean", "variance", "std"), {"gamma": 1.0, "beta": 0.0})
NORM: Final = LAYER_NORM  # of all models that sheets calculate


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
