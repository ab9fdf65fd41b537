"""What a norm is called, what it writes on its way, and which vectors it is given."""

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
