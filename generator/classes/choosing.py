"""Options go in; how hard their sheet is, and what neighbours could copy from it, comes out."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

import numpy as np

from generator.calculation.build import Built
from generator.document.document import Ranges
from generator.document.exercises import exercises_of
from generator.sheet.sheet import Sheet
from generator.teacher.workload import total, workloads

EFFORT: Final = 0.05  # of the wanted minutes, to either side
WIDTH: Final = 0.20  # of the wanted mean accepted width, to either side
# What is calculated from the words alone, without drawn matrices: the same on every sheet of the sentence.
_UNDRAWN: Final = ("embedding", "positional_encoding", "input", "entry", "similarity", "context")


@dataclass(frozen=True)
class Hardness:
    """minutes: of all stations. width: of the accepted ranges in units of the last place, mean of blanks."""

    minutes: float
    width: float

    def like(self, wanted: Hardness) -> bool:
        """Whether a sheet is as hard as it should be."""
        return (
            abs(self.minutes - wanted.minutes) <= EFFORT * wanted.minutes
            and abs(self.width - wanted.width) <= WIDTH * wanted.width
        )


def middle(found: Sequence[Hardness]) -> Hardness:
    """What is usual: the medians."""
    return Hardness(median(each.minutes for each in found), median(each.width for each in found))


def hardness(built: Built, sheet: Sheet, ranges: Ranges) -> Hardness:
    """How hard a sheet is."""
    hand = built.whole.hand
    widths = [
        (ranges[name].high[index] - ranges[name].low[index]) * 10 ** (hand[name].places or 0)
        for name, index in _cells(built, sheet)
    ]
    work = total(workloads(sheet.stations, built.effort))
    return Hardness(work.minutes, float(np.mean(widths)) if widths else 0.0)


def rows(built: Built, sheet: Sheet) -> frozenset[str]:
    """What a pupil writes side by side, each row as a short mark; sheets that share one can be copied."""
    values: dict[tuple[str, tuple[int, ...]], list[float]] = {}
    for name, index in sorted(_cells(built, sheet)):
        if name.rpartition(".")[2] not in _UNDRAWN and name.partition(".")[0] not in _UNDRAWN:
            values.setdefault((name, index[:-1]), []).append(float(built.whole.hand[name].values[index]))
    return frozenset(
        hashlib.sha256(repr((built.options.satz, place, row)).encode()).hexdigest()[:12]
        for place, row in values.items()
        if len(row) > 2
    )


def _cells(built: Built, sheet: Sheet) -> set[tuple[str, tuple[int, ...]]]:
    hand = built.whole.hand
    return {cell for exercise in exercises_of(sheet) for cell in exercise.cells if cell[0] in hand}
