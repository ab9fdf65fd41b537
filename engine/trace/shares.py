"""A written row of weights and the written values go in; what each token hands over comes out, exactly."""

from __future__ import annotations

from engine.numbers.decimals import Decimals
from engine.trace.trace import Quantity


def handed_over(weight: Quantity, value: Quantity, row: int) -> Decimals:
    """weight[row, j] · value[j, c] of the written numbers, not rounded: the parts of output[row, c].

    Shape (n, d_head); hidden tokens hand over 0.
    """
    weights = Decimals.from_floats(weight.values[row])  # (n,)
    values = Decimals.from_floats(value.values)  # (n, d_head)
    return weights[:, None] * values
