"""A pupil's own numbers go in; what would have been right from them, in every pass, comes out."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.calculation.calculation import Calculation
from engine.pens.pupil import Numbers, PupilPen
from engine.trace.trace import Trace


@dataclass(frozen=True)
class Followed:
    """right: what is right from the pupil's own numbers; traces: what stands on paper, pass by pass."""

    right: Mapping[str, NDArray[np.float64]]
    traces: tuple[Trace, ...]


def follow(calculation: Calculation, numbers: Mapping[str, Numbers]) -> Followed:
    """What the pupil's numbers lead to, in every pass of the calculation."""
    right: dict[str, NDArray[np.float64]] = {}
    traces = []
    for each, _ in calculation.parts():
        pen = PupilPen(each.hand, each.places, numbers)
        traces.append(each.write(pen))
        right = pen.right | right
    return Followed(right, tuple(traces))
