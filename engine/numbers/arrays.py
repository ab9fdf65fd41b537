"""Functions that the formulas need on either kind of array: float64, or exact `Decimals`."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.numbers.counted import Counted, side_by_side
from engine.numbers.decimals import Decimals, Irrational

# float64 arrays in the exact arithmetic, `Decimals` in the hand arithmetic: the same operators on both, which
# the type system cannot say of NumPy's arrays.
Floats: TypeAlias = NDArray[np.float64]
Array: TypeAlias = Any


def exp(x: Array) -> Array:
    if isinstance(x, Counted):
        return Counted(np.full(x.shape, np.nan), x.done).typed("exponentials")
    return Irrational("exp", x) if isinstance(x, Decimals) else np.exp(x)


def sqrt(x: Array) -> Array:
    if isinstance(x, Counted):
        return Counted(np.sqrt(x.given), x.done).typed("roots")
    return Irrational("sqrt", x) if isinstance(x, Decimals) else np.sqrt(x)


def ln(x: Array) -> Array:
    """Natural logarithm."""
    if isinstance(x, Counted):
        return Counted(np.full(x.shape, np.nan), x.done).typed("exponentials")
    return Irrational("ln", x) if isinstance(x, Decimals) else np.log(x)


def positive(x: Array) -> Array:
    """True where x > 0: the slope of ReLU, taken as 0 at the corner."""
    if isinstance(x, Counted):
        return x.given != 0
    return np.asarray(x.digits > 0) if isinstance(x, Decimals) else np.asarray(x > 0)


def relu(x: Array) -> Array:
    if isinstance(x, Counted):
        return Counted(np.where(x.given == 0, 0.0, np.nan), x.done)
    if isinstance(x, Decimals):
        return Decimals(np.maximum(x.digits, 0), x.places)
    return np.maximum(x, 0.0)


def partial_sums(parts: Array, up_to: Floats, read: Callable[[Floats], Array]) -> Array:
    """parts @ up_to, where up_to holds 1 for each part that has been reached, 0 elsewhere."""
    return parts.steps_of(up_to) if isinstance(parts, Counted) else parts @ read(up_to)


def concatenate(parts: Sequence[Array]) -> Array:
    """Side by side along the last axis."""
    if isinstance(parts[0], Counted):
        return side_by_side(parts)
    if isinstance(parts[0], Decimals):
        places = max(part.places for part in parts)
        return Decimals(np.concatenate([part.rounded(places).digits for part in parts], axis=-1), places)
    leading = np.broadcast_shapes(*(part.shape[:-1] for part in parts))  # some may lack the axis of pupils
    return np.concatenate([np.broadcast_to(part, (*leading, part.shape[-1])) for part in parts], axis=-1)
