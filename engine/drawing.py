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

    The same `build` gives the same result always. Raises the last draw's CalculationError, or one of kind
    "unplayable" that names the largest scaled score, when no draw suits.
    """
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
        too_large = unplayable_cell(calculation)
        if too_large is None:
            return calculation
        refusal = CalculationError("unplayable", *too_large)
    raise refusal


def unplayable_cell(calculation: Calculation) -> tuple[str, tuple[int, ...]] | None:
    """The first scaled score that is too large for e^x by hand, if there is one."""
    for trace in (calculation.exact, calculation.hand):
        for name, quantity in trace.items():
            if name.endswith(".scaled") and np.abs(quantity.values).max() >= LARGEST_SCALED:
                cell = np.unravel_index(int(np.argmax(np.abs(quantity.values))), quantity.values.shape)
                return name, tuple(int(i) for i in cell)
    return None
