"""Functions that the formulas need on either kind of array: float64, or exact `Decimals`."""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from engine.decimals import Decimals, Irrational

# float64 arrays in the exact arithmetic, `Decimals` in the hand arithmetic: the same operators on both, which
# the type system cannot say of NumPy's arrays.
Array: TypeAlias = Any


def exp(x: Array) -> Array:
    return Irrational("exp", x) if isinstance(x, Decimals) else np.exp(x)


def sqrt(x: Array) -> Array:
    return Irrational("sqrt", x) if isinstance(x, Decimals) else np.sqrt(x)


def ln(x: Array) -> Array:
    """Natural logarithm."""
    return Irrational("ln", x) if isinstance(x, Decimals) else np.log(x)


def positive(x: Array) -> Array:
    """True where x > 0: the slope of ReLU, taken as 0 at the corner."""
    return np.asarray(x.digits > 0) if isinstance(x, Decimals) else np.asarray(x > 0)


def relu(x: Array) -> Array:
    if isinstance(x, Decimals):
        return Decimals(np.maximum(x.digits, 0), x.places)
    return np.maximum(x, 0.0)


def concatenate(parts: Sequence[Array]) -> Array:
    """Side by side along the last axis."""
    if isinstance(parts[0], Decimals):
        places = max(part.places for part in parts)
        return Decimals(np.concatenate([part.rounded(places).digits for part in parts], axis=-1), places)
    leading = np.broadcast_shapes(*(part.shape[:-1] for part in parts))  # some may lack the axis of pupils
    return np.concatenate([np.broadcast_to(part, (*leading, part.shape[-1])) for part in parts], axis=-1)
