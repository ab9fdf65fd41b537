"""A way to build a model from a draw goes in; the first playable model and its calculation come out."""

from collections.abc import Callable
from typing import Final

import numpy as np

from engine.calculation import Calculation, calculate
from engine.errors import CalculationError
from engine.model import Model

LARGEST_SCALED: Final = 4.0
_MOST_DRAWS: Final = 500
_MOST_CELLS: Final = 2 * 10**7  # beyond paper sizes: fewer draws, so that the search ends within seconds


def draw_playable(build: Callable[[int], Model]) -> Calculation:
    """Build with draw number 0, 1, 2, … until every hand step can be computed and |scaled| stays below 4.

    The same `build` gives the same result always. Where no draw stays below 4, the first one that can be
    computed is taken; raises the last draw's CalculationError when none can.
    """
    computable: Calculation | None = None
    refusal = CalculationError("unplayable", "")
    attempt, draws = 0, _MOST_DRAWS
    while attempt < draws:
        model = build(attempt)
        cells = model.n_tokens * (model.sizes.d_model * 12 + model.n_tokens) * model.sizes.n_blocks
        draws = min(_MOST_DRAWS, max(1, _MOST_CELLS // cells))
        attempt += 1
        try:
            calculation = calculate(model)
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


def largest_scaled(calculation: Calculation) -> float:
    """The largest |scaled| that meets e^x, in either arithmetic."""
    traces = (calculation.exact, calculation.hand)
    return max(
        float(np.abs(q.values).max())
        for trace in traces
        for name, q in trace.items()
        if name.endswith(".scaled")
    )
