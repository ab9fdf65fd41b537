"""Options go in; seeds whose sheets are equally hard, and tell nothing about each other, come out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import Final

import numpy as np

from generator.basics.errors import UserError
from generator.calculation.build import build
from generator.document.exercises import exercises_of
from generator.options.options import Options
from generator.print.sheet_documents import lay_out_sheet, ranges_on_sheet
from generator.teacher.workload import total, workloads

EFFORT: Final = 0.05  # of the first sheet's minutes, to either side
WIDTH: Final = 0.20  # of the first sheet's mean accepted width, to either side
_TRIES: Final = 30  # seeds for each sheet, before giving up
# What is calculated from the words alone, without drawn matrices: the same on every sheet of the sentence.
_UNDRAWN: Final = ("embedding", "positional_encoding", "input", "entry", "similarity", "context")
_LAST_SEED: Final = 2**32

Rows = frozenset[tuple[str, tuple[int, ...], tuple[float, ...]]]


@dataclass(frozen=True)
class Measured:
    """How hard the sheet of a seed is.

    minutes: of all stations. width: of the accepted ranges, in units of the last place, mean over the blanks.
    rows: what a pupil writes side by side, by place; two sheets that share one can be copied from each other.
    """

    seed: int
    minutes: float
    width: float
    rows: Rows


def measure(options: Options) -> Measured:
    """The sheet of these options, measured."""
    built = build(options)
    ranges = ranges_on_sheet(built)
    sheet, _ = lay_out_sheet(built)
    hand = built.whole.hand
    cells = {cell for exercise in exercises_of(sheet) for cell in exercise.cells if cell[0] in hand}
    widths = [
        (ranges[name].high[index] - ranges[name].low[index]) * 10 ** (hand[name].places or 0)
        for name, index in cells
    ]
    rows: dict[tuple[str, tuple[int, ...]], list[float]] = {}
    for name, index in sorted(cells):
        if name.rpartition(".")[2] not in _UNDRAWN and name.partition(".")[0] not in _UNDRAWN:
            rows.setdefault((name, index[:-1]), []).append(float(hand[name].values[index]))
    work = total(workloads(sheet.stations, built.effort))
    return Measured(
        options.startwert,
        work.minutes,
        float(np.mean(widths)) if widths else 0.0,
        frozenset((name, place, tuple(row)) for (name, place), row in rows.items() if len(row) > 2),
    )


def equally_hard(options: Options, number: int) -> Iterator[Measured]:
    """So many sheets from the seed of the options on. UserError where too few can be found."""
    first: Measured | None = None
    before: Measured | None = None
    found = 0
    for tried, seed in enumerate(count(options.startwert)):
        if found == number:
            return
        if tried > _TRIES * number or seed >= _LAST_SEED:
            break
        new = measure(replace(options, startwert=seed))
        first = first or new
        if _fits(new, first) and not (before and before.rows & new.rows):
            before = new
            found += 1
            yield new
    raise UserError(
        f"Mit diesen Optionen finden sich nur {found} gleich schwere Varianten statt {number}; bitte einen "
        "anderen --startwert oder weniger Varianten (--anzahl) nehmen."
    )


def _fits(new: Measured, first: Measured) -> bool:
    return (
        abs(new.minutes - first.minutes) <= EFFORT * first.minutes
        and abs(new.width - first.width) <= WIDTH * first.width
    )
