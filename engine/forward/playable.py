"""A way to build a model from a draw goes in; the first playable model and its calculation come out."""

from collections.abc import Callable
from typing import Final, Protocol, TypeVar

import numpy as np

from engine.forward.calculation import (
    EncoderDecoderCalculation,
    SentencePass,
    calculate,
    calculate_encoder_decoder,
)
from engine.model.encoder_decoder_model import EncoderDecoderModel
from engine.model.model import Model, Sizes
from engine.model.rules import Norm
from engine.numbers.arrays import CalculationError
from engine.trace import Trace

LARGEST_SCALED: Final = 4.0
SMALLEST_DIVISOR: Final = 0.2  # of a norm: rounding grows by dividing
_MOST_DRAWS: Final = 500
_MOST_CELLS: Final = 2 * 10**7  # beyond paper sizes: fewer draws, so that the search ends within seconds


class Calculated(Protocol):
    """A calculation in both arithmetics, of one sentence or of two."""

    @property
    def exact(self) -> Trace: ...
    @property
    def hand(self) -> Trace: ...


_Model = TypeVar("_Model", Model, EncoderDecoderModel)
_Calculation = TypeVar("_Calculation", bound=Calculated)


def draw_playable(build: Callable[[int], Model]) -> SentencePass:
    """Build with draw number 0, 1, 2, … until every hand step can be computed and |scaled| stays below 4.

    The same `build` gives the same result always. Where no draw stays below 4, the first one that can be
    computed is taken; raises the last draw's CalculationError when none can.
    """
    return _first_playable(build, calculate, _cells)


def draw_playable_encoder_decoder(build: Callable[[int], EncoderDecoderModel]) -> EncoderDecoderCalculation:
    """The same for two sentences."""
    return _first_playable(build, calculate_encoder_decoder, _cells_of_two)


def _first_playable(
    build: Callable[[int], _Model], compute: Callable[[_Model], _Calculation], cells: Callable[[_Model], int]
) -> _Calculation:
    computable: _Calculation | None = None
    refusal = CalculationError("unplayable", "")
    attempt, draws = 0, _MOST_DRAWS
    while attempt < draws:
        model = build(attempt)
        draws = min(_MOST_DRAWS, max(1, _MOST_CELLS // cells(model)))
        attempt += 1
        try:
            calculation = compute(model)
        except CalculationError as error:
            if error.kind in ("shape", "vocabulary"):
                raise
            refusal = error
            continue
        if largest_scaled(calculation) < LARGEST_SCALED:
            return calculation
        computable = computable or calculation
    if computable is None:
        raise refusal
    return computable


def _cells(model: Model) -> int:
    return _numbers(model.n_tokens, model.sizes)


def _cells_of_two(model: EncoderDecoderModel) -> int:
    return 3 * _numbers(max(model.n_tokens, model.n_source), model.sizes)


def _numbers(n: int, sizes: Sizes) -> int:
    """Quantities or weights, whichever are more."""
    d = sizes.d_model
    return max(n * (12 * d + 8 * n * sizes.n_heads), 4 * d * d + 2 * d * sizes.d_ff) * sizes.n_blocks


def largest_scaled(calculation: Calculated) -> float:
    """The largest |scaled| that meets e^x, in either arithmetic."""
    traces = (calculation.exact, calculation.hand)
    return max(
        float(np.abs(q.values).max())
        for trace in traces
        for name, q in trace.items()
        if name.endswith(".scaled")
    )


def divides_well(hand: Trace, norm: Norm) -> bool:
    """Whether no norm divides by a number that is nearly 0."""
    divisors = [q.values.min() for name, q in hand.items() if name.endswith("." + norm.divisor)]
    return bool(min(divisors) >= SMALLEST_DIVISOR)
