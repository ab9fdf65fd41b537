"""What is to be known of a norm: its steps with their signs, its given vectors. Help reads it, without NumPy.

It is worked out in engine/forward/norms.py; its formulas are in generator/output/formulas/expressions.py, its
words in templates/stations/norms/.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

# What a sheet has in the columns and sums of its table, on the way to the steps. They are no quantities of a
# trace, for the next step needs none of them.
RESIDUAL, DEVIATION, SQUARE = "residual", "deviation", "square"
SUM, SUM_OF_SQUARES = "sum", "sum_of_squares"
_ADDED: Final = {SUM: RESIDUAL, SUM_OF_SQUARES: SQUARE}


class NormStep(NamedTuple):
    """of: the sum whose d-th part it is, or the earlier step whose root it is; sign, latex: its name."""

    of: str
    sign: str
    latex: str


@dataclass(frozen=True)
class Norm:
    """name: as formulas and sheets have it. steps: what it writes before its output; the last is the divisor.

    parameters: the given vectors, (d_model,) each, with the number that changes nothing.
    """

    name: str
    steps: Mapping[str, NormStep] = field(hash=False)
    parameters: Mapping[str, float] = field(hash=False)

    def __str__(self) -> str:
        return self.name

    @property
    def first(self) -> str:
        return next(iter(self.steps))

    @property
    def divisor(self) -> str:
        return list(self.steps)[-1]

    @property
    def centred(self) -> bool:
        """Whether the first step, a mean, is taken away before the squares."""
        return self.steps[self.first].of == SUM

    @property
    def columns(self) -> tuple[str, ...]:
        """What stands between x and the output in the sheet's table."""
        return (DEVIATION, SQUARE) if self.centred else (SQUARE,)

    @property
    def sums(self) -> dict[str, str]:
        """The columns that are added up, with what their sum is called."""
        return {_ADDED[step.of]: step.of for step in self.steps.values() if step.of in _ADDED}

    @property
    def never_negative(self) -> tuple[str, ...]:
        return tuple(self.steps)[self.centred :]


LAYER_NORM: Final = Norm(
    "LayerNorm",
    {
        "mean": NormStep(SUM, "μ", r"\mu"),
        "variance": NormStep(SUM_OF_SQUARES, "σ²", r"\sigma^2"),
        "std": NormStep("variance", "σ", r"\sigma"),
    },
    {"gamma": 1.0, "beta": 0.0},
)
NORMS: Final[Mapping[str, Norm]] = {norm.name: norm for norm in (LAYER_NORM,)}
NORM: Final = LAYER_NORM  # of all models that sheets calculate
