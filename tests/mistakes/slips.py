"""Numbers of sheets and papers go in; how often honest papers and single slips are charged comes out.

Each paper is one pupil's, with habits of rounding that are drawn: honest all through, or with one number 3 to
8 units beside what the calculation gave, outside the accepted range, and read on like that. Half of the
papers fill in a sheet and go on from what it prints; for the others nothing is printed, and every number is
written. Whether a slip is charged does not depend on the name that is found for it: none is looked for.
"""

from collections import Counter
from collections.abc import Iterator
from unittest.mock import patch

import numpy as np
from judging import judge as check_with_names

from engine.forward.forward import Forward
from engine.judging.acceptance import accepted
from engine.pens.pens import numbers_of
from mistakes.sheet_simulation import SheetPen, answers_of, options, sheet_of

OUTCOMES = ("once", "not", "elsewhere", "more")


class SlippingPen(SheetPen):
    """A pupil who writes one number `units` beside what it is, and reads that on."""

    def __init__(self, hand, blanks, printed, rng, first, slip=None) -> None:
        super().__init__(hand, blanks, printed, rng, first)
        self.slip = slip

    def write(self, name, value, kind, visible=None):
        carried = super().write(name, value, kind, visible)
        if self.slip is None or name != self.slip[0]:
            return carried
        carried = np.array(np.broadcast_to(carried, (1, *self.printed[name].values.shape)))
        carried[(0, *self.slip[1])] += self.slip[2]
        return carried


def written(calculation, blanks, printed, number, seed, slip=None):
    """What stands on a pupil's paper in every table."""
    pen = SlippingPen(calculation.hand, blanks, printed, np.random.default_rng([*seed, 1]), number, slip)
    Forward(calculation.model, pen).run("entry.score" in calculation.hand)
    tables = {n: q.values if q.values.ndim == len(q.axes) else q.values[0] for n, q in pen.trace.items()}
    if slip is not None:
        name, index, off = slip
        tables[name] = np.array(tables[name])
        tables[name][index] += off
    return tables


def judge(calculation, blanks, tables, ranges, printed):
    with patch("generator.check.check.diagnose", lambda *_: []):
        return check_with_names(calculation, answers_of(calculation, blanks, tables), ranges, printed)


def outcome(report, slip) -> str:
    charged = {(cell.entry.name, cell.index) for cell in report.cells if cell.charged}
    if not charged:
        return "not"
    if charged == {slip[:2]}:
        return "once"
    return "more" if slip[:2] in charged else "elsewhere"


def papers(calculation, blanks, printed, each: int, seed: int, counts: Counter) -> None:
    """Adds outcomes of so many honest papers, and of as many with a slip."""
    ranges = accepted(calculation, printed)
    names = list(blanks)
    for number in range(each):
        rng = np.random.default_rng([seed, number, 11])
        habit = number % 24  # the pure ways too
        tables = written(calculation, blanks, printed, habit, [seed, number])
        report = judge(calculation, blanks, tables, ranges, printed)
        counts["honest", "papers"] += 1
        counts["honest", "charged"] += report.charges() > 0
        if report.charges():
            counts["case", f"honest, sheet {seed}, paper {number}"] += 1
        cells = [(name, tuple(map(int, at))) for name in names for at in np.argwhere(blanks[name])]
        for _ in range(20):
            name, index = cells[rng.integers(len(cells))]
            unit = 10.0 ** -calculation.hand[name].places
            slip = name, index, unit * int(rng.integers(3, 9)) * (1 if rng.random() < 0.5 else -1)
            tables = written(calculation, blanks, printed, habit, [seed, number], slip)
            value = tables[name][index]  # nan where the paper ended before, at a divisor of 0
            if np.isfinite(value) and not ranges[name].contains(tables[name])[index]:
                break
        else:
            continue
        report = judge(calculation, blanks, tables, ranges, printed)
        counts["slip", outcome(report, slip)] += 1
        if outcome(report, slip) != "once":
            where = ",".join(map(str, index))
            counts["case", f"{outcome(report, slip)}, sheet {seed}, paper {number}, {name}[{where}]"] += 1


def both_ways(seeds, each: int, places: int = 0) -> Iterator[dict[str, Counter]]:
    """Counts for papers on sheets and for papers without one, sheet by sheet."""
    for seed in seeds:
        counts: dict[str, Counter] = {"printed": Counter(), "own": Counter()}
        chosen = options(seed) | ({"nachkommastellen": places} if places else {})
        calculation, blanks, printed = sheet_of(chosen)
        papers(calculation, blanks, printed, each, seed, counts["printed"])
        every = {name: own.given for name, own in numbers_of(calculation.hand).items()
                 if name not in ("embedding", "input")}  # fmt: skip
        papers(calculation, every, {}, each, seed, counts["own"])
        yield counts


def totals(of_sheets) -> dict[str, Counter]:
    counts: dict[str, Counter] = {"printed": Counter(), "own": Counter()}
    for sheet in of_sheets:
        for way, count in sheet.items():
            counts[way].update(count)
    return counts
