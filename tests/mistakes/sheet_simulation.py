"""Numbers of sheets go in; how often what pupils fill in is named and charged once comes out.

The pupils have a real sheet: they write its blanks, go on from what it prints, and keep the rest in their
heads. They make a typical mistake, or a slip in one number.
Run as `python tests/mistakes/sheet_simulation.py [sheets] [pupils for each mistake]`.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from itertools import product
from pathlib import Path
from unittest.mock import patch

import numpy as np

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

from judging import judge

from engine.forward.forward import Forward
from engine.judging.acceptance import accepted
from engine.judging.mistakes import MISTAKES
from engine.pens.pens import CarelessPen, numbers_of
from generator.basics.errors import UserError
from generator.calculation.build import build
from generator.check.answers import Answers
from generator.check.entries import Entry
from generator.options.options import Options
from generator.sheet.sheet import Number, walk
from generator.stations.make_sheet import build_sheet

SENTENCES = (
    "Die Katze sitzt auf der Matte",
    "Der Hund schläft",
    "Ein kleiner Bär tanzt im Wald",
    "Der Ball rollt und rollt",
    "Vögel singen laut im alten Garten hinter dem Haus",
    "Übung macht den Meister",
)
_SIZES = ((4, 2), (4, 2), (4, 2), (4, 1), (6, 3), (6, 2), (2, 1), (8, 2))
_COPIED = ("query", "key", "value", "score", "scaled", "exp")
_FIRST_LOOK, _MASKED = "unmasked.head1.", "block1.head1."


def options(seed: int) -> dict:
    """One of many; the same seed gives the same sheet."""
    rng = np.random.default_rng([seed, 77])
    dimension, heads = _SIZES[rng.integers(len(_SIZES))]
    return {
        "satz": SENTENCES[rng.integers(len(SENTENCES))],
        "dimension": dimension,
        "heads": heads,
        "startwert": seed,
        "gewichte": ("auswahl", "auswahl", "ganzzahlig", "dezimal")[rng.integers(4)],
        "nachkommastellen": (2, 2, 2, 3, 1)[rng.integers(5)],
        "stufe": int(rng.integers(1, 4)),
        "bloecke": (1, 1, 1, 2)[rng.integers(4)],
        "maske": bool(rng.random() < 0.85),
        "positionen": bool(rng.random() < 0.8),
    }


class SheetPen(CarelessPen):
    """One pupil with a sheet. blanks, printed: its cells, True where a quantity has one.

    slip: name, index and by how much that number is written beside what it is, and read on.
    """

    def __init__(self, hand, blanks, printed, rng, first, slip=None) -> None:
        super().__init__(hand, 1, rng, first)
        self.slip = slip
        self.blanks, self.known = blanks, printed
        self.first_look: dict = {}

    def write(self, name, value, kind, visible=None):
        carried = super().write(name, value, kind, visible)
        if name in self.known:
            carried = np.where(self.known[name], self.printed[name].values, carried)
        if name.startswith(_FIRST_LOOK):
            self.first_look[name.removeprefix(_FIRST_LOOK)] = carried
        ending = name.removeprefix(_MASKED)
        if name.startswith(_MASKED) and ending in _COPIED and ending in self.first_look:
            copied = self.on_sheet(_FIRST_LOOK + ending) & ~self.on_sheet(name)
            seen = self.printed[name].visible
            carried = np.where(copied if seen is None else copied & seen, self.first_look[ending], carried)
        if self.slip is not None and name == self.slip[0]:
            carried = np.array(np.broadcast_to(carried, (1, *self.printed[name].values.shape)))
            carried[(0, *self.slip[1])] += self.slip[2]
        return carried

    def on_sheet(self, name):
        nowhere = np.zeros(self.printed[name].values.shape, np.bool_)
        return self.blanks.get(name, nowhere) | self.known.get(name, nowhere)


def sheet_of(chosen: dict):
    """The calculation, and where the sheet has blanks and prints numbers."""
    built = build(Options.from_mapping(chosen))
    hand = built.calculation.hand
    cells: dict = {True: {}, False: {}}
    for number in walk(build_sheet(built)[0], Number):
        if number.name in hand:
            nowhere = np.zeros(hand[number.name].values.shape, np.bool_)
            cells[number.blank].setdefault(number.name, nowhere)[number.index] = True
    blanks, printed = cells[True], cells[False]
    for name in blanks:
        if hand[name].visible is not None:
            blanks[name] &= hand[name].visible
    return built.calculation, blanks, {n: c & ~blanks[n] if n in blanks else c for n, c in printed.items()}


def written(calculation, way, blanks, printed, rng, first, slip=None):
    """What a pupil would write in every cell; the first one rounds as asked."""
    pen = SheetPen(calculation.hand, blanks, printed, rng, first, slip)
    way(calculation.model, pen).run("entry.score" in calculation.hand)
    tables = {n: q.values if q.values.ndim == len(q.axes) else q.values[0] for n, q in pen.trace.items()}
    if slip is not None:
        name, index, off = slip
        tables[name] = np.array(tables[name])
        tables[name][index] += off
    return tables


def answers_of(calculation, blanks, tables) -> Answers:
    entries = []
    for name, cells in blanks.items():
        for index in (tuple(map(int, place)) for place in np.argwhere(cells)):
            if np.isfinite(value := tables[name][index]):
                text = f"{value:.{calculation.hand[name].places}f}"
                entries.append(Entry(name, index, text, Decimal(text)))
    return Answers(tuple(entries), 0)


def beyond(ranges, blanks, tables) -> bool:
    """Whether any blank holds a number outside its accepted range."""
    return any(bool((~ranges[name].contains(tables[name]) & cells).any()) for name, cells in blanks.items())


def sheets_of(seeds) -> Iterator[tuple]:
    """Each seed with its sheet; what cannot be calculated by hand is left out."""
    for seed in seeds:
        try:
            yield seed, *sheet_of(options(seed))
        except UserError:
            continue


def mistakes(seeds, pupils: int) -> Counter:
    """Counts of (mistake, outcome): seen, named, charged once at most; of honest pupils charged at all."""
    counts: Counter = Counter()
    for seed, calculation, blanks, printed in sheets_of(seeds):
        ranges = accepted(calculation, printed)
        made = [each for each in MISTAKES if each.id != "cut" and each.applies(calculation.model)]
        ways = [("honest", Forward), *((each.id, way) for each in made for way in each.variants)]
        for (name, way), pupil in product(ways, range(pupils)):
            rng, first = np.random.default_rng([seed, pupil, 9]), 6 + seed + pupil if pupil else 0
            tables = written(calculation, way, blanks, printed, rng, first)
            if name != "honest" and not beyond(ranges, blanks, tables):
                continue
            report = judge(calculation, answers_of(calculation, blanks, tables), ranges, printed)
            counts[name, "seen"] += 1
            counts[name, "charged"] += report.charges() > 0
            counts[name, "named"] += any(name in finding.ids for finding in report.findings)
            counts[name, "once"] += report.charges() <= 1
            counts[name, f"twice {seed} {pupil} {way.__name__}"] += report.charges() > 1
    return counts


def slips(seeds, each: int) -> dict[str, Counter]:
    """Counts of honest papers and of single slips: on sheets (printed), and where all is written (own).

    A slip is 3 to 8 units beside what the calculation gave, outside the accepted range. Whether it is charged
    does not depend on the name that is found for it: none is looked for.
    """
    counts: dict[str, Counter] = {"printed": Counter(), "own": Counter()}
    with patch("generator.check.check.diagnose", lambda *_: []):
        for seed in seeds:
            calculation, blanks, printed = sheet_of(options(seed))
            every = numbers_of(calculation.hand)
            own = {name: every[name].given for name in every if name not in ("embedding", "input")}
            slips_on(calculation, blanks, printed, each, seed, counts["printed"])
            slips_on(calculation, own, {}, each, seed, counts["own"])
    return counts


def slips_on(calculation, blanks, printed, each: int, seed: int, counts: Counter) -> None:
    ranges = accepted(calculation, printed)
    cells = [(name, tuple(map(int, at))) for name in blanks for at in np.argwhere(blanks[name])]

    def paper(number, slip=None):
        rng = np.random.default_rng([seed, number, 1])  # the pure ways of rounding too
        return written(calculation, Forward, blanks, printed, rng, number % 24, slip)

    def charged(tables):
        report = judge(calculation, answers_of(calculation, blanks, tables), ranges, printed)
        return {(cell.entry.name, cell.index) for cell in report.cells if cell.charged}

    for number in range(each):
        counts["honest"] += 1
        counts["honest charged"] += bool(charged(paper(number)))
        rng = np.random.default_rng([seed, number, 11])
        for _ in range(20):
            name, index = cells[rng.integers(len(cells))]
            unit = 10.0 ** -calculation.hand[name].places
            slip = name, index, unit * int(rng.integers(3, 9)) * (1 if rng.random() < 0.5 else -1)
            tables = paper(number, slip)
            value = tables[name][index]  # nan where the paper ended before, at a divisor of 0
            if np.isfinite(value) and not ranges[name].contains(tables[name])[index]:
                counts["slip"] += 1
                counts["slip once"] += charged(tables) == {slip[:2]}
                break


def main(sheets: int = 30, pupils: int = 3) -> None:
    counts = mistakes(range(sheets), pupils)
    total = Counter()
    for mistake in MISTAKES:
        row = {kind: counts[mistake.id, kind] for kind in ("seen", "named", "once")}
        total.update(row)
        print(f"{mistake.id:26}", row)
    print(f"{'all':26}", dict(total))
    print("charged twice:", sorted({kind for _, kind in +counts if kind.startswith("twice")})[:12])
    print("honest pupils:", counts["honest", "seen"], "of them charged:", counts["honest", "charged"])


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
