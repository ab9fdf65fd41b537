"""A calculation goes in; what a pupil types into the calculator for a cell, and about how long, comes out."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.calculation.calculation import Calculation
from engine.pens.counting import CountingPen
from engine.trace.trace import CellAddress

# Estimates, not measured: a pupil of about sixteen with a pocket calculator and numbers of two places. They
# follow the keystroke-level model (Card, Moran, Newell 1980) for keys that are not known by heart: half a
# second a key, 1.35 seconds to find a number or to decide. A product is about ten keys and two numbers, an
# addition five keys and one number, e^x and a root six or seven keys with second function and brackets, a
# sine ten keys with its angle and four digits back; a cell is to round, to find its place and to write four
# signs. Replace them when a class has been timed.
SECONDS: Final[Mapping[str, float]] = {
    "multiplications": 8.0,
    "additions": 4.0,
    "divisions": 8.0,
    "exponentials": 8.0,
    "roots": 6.0,
    "sines": 10.0,
    "cells": 5.0,
}


@dataclass(frozen=True)
class Operations:
    """How often each is done, in the order of the pen's KEYS; cells: the numbers written down."""

    multiplications: int = 0
    additions: int = 0
    divisions: int = 0
    exponentials: int = 0
    roots: int = 0
    sines: int = 0
    cells: int = 0

    def __add__(self, other: "Operations") -> "Operations":
        return Operations(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    @property
    def minutes(self) -> float:
        """Estimated working time by `SECONDS`."""
        seconds = (float(getattr(self, name)) * each for name, each in SECONDS.items())
        return sum(seconds) / 60


NOTHING: Final = Operations()


@dataclass(frozen=True)
class Effort:
    """What every cell of one calculation takes; n_tokens: of its sentence."""

    n_tokens: int
    done: Mapping[str, NDArray[np.int64]]

    def of(self, name: str, index: tuple[int, ...]) -> Operations | None:
        """None for a cell that no pass writes."""
        counts = self.done.get(name)
        return None if counts is None else Operations(*map(int, counts[index]))

    def total(self, cells: Iterable[CellAddress]) -> Operations:
        return sum((self.of(*cell) or NOTHING for cell in cells), NOTHING)


def effort(calculation: Calculation) -> Effort:
    """Every pass is counted once more, with a pen that only counts."""
    done: dict[str, NDArray[np.int64]] = {}
    for each, names in calculation.parts():
        pen = CountingPen()
        each.write(pen)
        done |= {name: pen.done[name] for name in names}
    return Effort(calculation.model.n_tokens, done)
