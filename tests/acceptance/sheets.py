"""Numbers of sheets and pupils go in; how honest cells in blanks are judged comes out.

Run as `python tests/acceptance/sheets.py [sheets] [pupils]`. The pupils fill in a sheet and read on what it
prints; their seeds and, for every second class, their habits are not those that the ranges were made with.
The widths stand there twice: of ranges that know the sheet, and of those that do not.
"""

import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

from mistakes.sheet_simulation import sheets_of

from acceptance.validation import FRESH, MorePlacesPen
from engine.judging.acceptance import accepted, classes
from engine.judging.own_range import shared
from engine.pens.careless import CarelessPen


class Reading:
    """Goes on from what the sheet prints."""

    def write(self, name, value, kind, visible=None):
        carried = super().write(name, value, kind, visible)
        if name not in self.on_sheet:
            return carried
        return np.where(self.on_sheet[name], self.printed[name].values, carried)


class ReadingPen(Reading, CarelessPen):
    pass


class MorePlacesReadingPen(Reading, MorePlacesPen):
    pass


def judge(seed, calculation, blanks, printed, pupils) -> tuple[Counter, np.ndarray, np.ndarray]:
    """Cells and refused ones; the widths with the sheet and without, in units of the last place."""
    ranges, alone = accepted(calculation, printed), accepted(calculation)
    on_sheet = shared(calculation.hand, printed)
    rng = np.random.default_rng([FRESH, seed])
    count: Counter = Counter()
    for each, names in calculation.parts():
        for number, members in enumerate(classes(each, pupils)):
            pen = (ReadingPen, MorePlacesReadingPen)[number % 2](each.hand, len(members), rng, members.start)
            pen.on_sheet = on_sheet
            trace = each.write(pen)
            for name in set(names) & set(blanks):
                values = trace[name].values
                shown = np.broadcast_to(values, (len(members), *each.hand[name].values.shape))
                fine = ranges[name].contains(shown)[:, blanks[name]]
                count["cells"] += fine.size
                count["refused"] += int((~fine).sum())
    widths = [
        np.concatenate(
            [
                ((r[n].high - r[n].low) * 10.0 ** calculation.hand[n].places)[cells]
                for n, cells in blanks.items()
            ]
        )
        for r in (ranges, alone)
    ]
    return count, *widths


def main(sheets: int = 30, pupils: int = 3000) -> None:
    start = time.perf_counter()
    total: Counter = Counter()
    known, unknown = [], []
    for seed, calculation, blanks, printed in sheets_of(range(500, 500 + sheets)):
        count, with_sheet, without = judge(seed, calculation, blanks, printed, pupils)
        total += count
        known.append(with_sheet)
        unknown.append(without)
    share = 100 * (1 - total["refused"] / max(1, total["cells"]))
    print(f"{total['cells']:,} cells, {total['refused']:,} refused: {share:.4f} % accepted")
    for title, widths in (("knowing the sheet", known), ("without a sheet", unknown)):
        every = np.concatenate(widths)
        print(
            f"widths {title}: median {np.median(every):.1f}, mean {every.mean():.2f} units of the last place"
        )
    print(f"({time.perf_counter() - start:.0f} s)")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
