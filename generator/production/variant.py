"""Carries out an order for one sheet of a class: worksheet, key, rechnung.json and a note, as bytes.

An order carries all that it needs, may be carried out anywhere and twice, and gives the same each time.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import tempfile
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from statistics import median, mode
from typing import Any, Final

import numpy as np

from engine.trace import CellAddress
from generator.basics.cell_names import quantity_title
from generator.basics.errors import UserError
from generator.calculation.build import Built, build
from generator.calculation.learnt import NoModelError
from generator.options.declaration import LEARNT
from generator.options.options import Options
from generator.options.sheet_code import sheet_code
from generator.output.formulas.typeset import Typesetter
from generator.output.many import Together
from generator.output.pdf import PdfResult
from generator.output.render import VIEWS
from generator.production.exports import of_variant
from generator.production.sheet_documents import jobs_of_both, worksheet_and_key
from generator.reading import blank_map
from generator.sheet.sheet import Sheet
from generator.sheet.whole_sheet import WholeSheet, exercises_of
from generator.stations.make_sheet import build_sheet, make_sheet
from generator.teacher.plan import Workload, total, workloads
from generator.version import VERSION

EFFORT: Final = 0.05  # of the wanted minutes, to either side
WIDTH: Final = 0.20  # of the wanted mean accepted width, to either side
# What is calculated from the words alone, without drawn matrices: the same on every sheet of the sentence.
_UNDRAWN: Final = ("embedding", "positional_encoding", "input", "entry", "similarity", "context")


@dataclass(frozen=True)
class Hardness:
    """minutes: of all stations. width: of the accepted ranges in units of the last place, mean of blanks."""

    minutes: float
    width: float
    blanks: int
    points: int

    def as_much(self, work: Hardness | Workload) -> bool:
        """Whether there is as much to do."""
        return (self.blanks, self.points) == (work.blanks, work.points)

    def like(self, wanted: Hardness) -> bool:
        """Whether a sheet is as hard as it should be."""
        return (
            self.as_much(wanted)
            and abs(self.minutes - wanted.minutes) <= EFFORT * wanted.minutes
            and abs(self.width - wanted.width) <= WIDTH * wanted.width
        )


def middle(found: Sequence[Hardness]) -> Hardness:
    """What is usual: the commonest number of blanks and points, the medians of sheets that have it."""
    counts = mode([(each.blanks, each.points) for each in found])
    usual = [each for each in found if (each.blanks, each.points) == counts]
    return Hardness(median(each.minutes for each in usual), median(each.width for each in usual), *counts)


def hardness(whole: WholeSheet) -> Hardness:
    """How hard a sheet is."""
    hand, ranges = whole.built.whole.hand, whole.ranges
    widths = [
        (ranges[name].high[index] - ranges[name].low[index]) * 10 ** (hand[name].places or 0)
        for name, index in sorted(_cells(whole))
    ]
    work = _work(whole.sheet, whole.built)
    return Hardness(work.minutes, float(np.mean(widths)) if widths else 0.0, work.blanks, work.points)


def _work(sheet: Sheet, built: Built) -> Workload:
    return total(workloads(sheet.stations, built.effort))


def rows(whole: WholeSheet) -> frozenset[str]:
    """What a pupil writes side by side, each row as a short mark; sheets that share one can be copied."""
    built, values = whole.built, dict[tuple[str, tuple[int, ...]], list[float]]()
    for name, index in sorted(_cells(whole)):
        if name.rpartition(".")[2] not in _UNDRAWN and name.partition(".")[0] not in _UNDRAWN:
            values.setdefault((name, index[:-1]), []).append(float(built.whole.hand[name].values[index]))
    return frozenset(
        hashlib.sha256(repr((built.options.satz, place, row)).encode()).hexdigest()[:12]
        for place, row in values.items()
        if len(row) > 2
    )


def _cells(whole: WholeSheet) -> set[tuple[str, tuple[int, ...]]]:
    hand = whole.built.whole.hand
    return {cell for exercise in exercises_of(whole.sheet) for cell in exercise.cells if cell[0] in hand}


STRIDE: Final = 1000  # between the seeds that one sheet tries: no two sheets of a set try the same
TRIES: Final = 60
_TRIES_OF_TWO: Final = 20  # where each trains the models of two sentences, which takes seconds
_MISSES: Final = 3  # seeds without a model that one sheet passes over
_LAST_SEED: Final = 2**32
_SENTENCES: Final = 8  # of a set
_LONGEST_ON_SHEET: Final = 26  # letters that the name's line has room for
_FILES: Final = ("gewichte", "embeddings", "texte")


@dataclass(frozen=True)
class Order:
    """One sheet of a class.

    options: their seed is the first of the set. variant: counted from 0; sheets of the same variant are the
    same but for the name. name: "" for none; None: nobody's, to see how hard it is. wanted: how hard it
    should be; None: as it comes. first: the try to begin with.
    contents: of the files that the options name, for a machine that does not have them.
    """

    options: Options
    variant: int
    name: str | None
    wanted: Hardness | None = None
    first: int = 0
    contents: Mapping[str, bytes] = field(default_factory=dict)

    @cached_property
    def mark(self) -> str:
        """Of all that the sheet depends on; no name can be read from it."""
        options = self.options
        said = (VERSION, options.satz, options.resolved(), sheet_code(options), options.format)
        said_of_it = (self.variant, self.name, self.wanted, self.first)
        return hashlib.sha256(repr((said, said_of_it)).encode()).hexdigest()[:20]

    def seeds(self) -> Iterator[tuple[int, int]]:
        """The tries and their seeds."""
        of_two = self.options.gewichte == LEARNT and self.options.zielsatz is not None
        for tried in range(self.first, _TRIES_OF_TWO if of_two else TRIES):
            seed = self.options.startwert + self.variant + STRIDE * tried
            if seed < _LAST_SEED:
                yield tried, seed

    def carrying(self) -> Order:
        """The same with the contents of its files."""
        paths = {name: getattr(self.options, name) for name in _FILES}
        return replace(self, contents={n: p.read_bytes() for n, p in paths.items() if isinstance(p, Path)})


@dataclass(frozen=True)
class Made:
    """A finished sheet. note: what overview and manifest say of it. files: ending -> content."""

    note: Mapping[str, Any]
    files: Mapping[str, bytes]

    def printed(self, pair: Sequence[PdfResult]) -> Made:
        """The same with worksheet and key, and where the worksheet's blanks are."""
        worksheet, _ = pair
        files = {f"{name}.pdf": each.data for name, each in zip(VIEWS.values(), pair, strict=True)}
        files[blank_map.FILE] = json.dumps(blank_map.map_of(worksheet)).encode()
        return Made({**self.note, "seiten": worksheet.pages}, {**self.files, **files})


@dataclass(frozen=True)
class Waiting:
    """A sheet that waits to be printed: another one of its kind is being laid out. made: all but its PDFs."""

    work: Together
    made: Made
    kind: str

    def print(self) -> Made:
        """The finished sheet."""
        return self.made.printed(Together.kept(self.work.parts) or self.work.write())


def carry_out(order: Order, may_wait: bool = False) -> Made | Waiting:
    """Makes the first sheet that is as hard as wanted, or only measures it. UserError if there is none.

    may_wait: where no layout is kept for it, it is not printed yet.
    """
    with _files_at_hand(order) as options:
        for tried, built in _by_turns(order, options):
            asked, wanted = _asked(replace(options, startwert=0)), order.wanted
            known = build_sheet(built, asked=asked[-1] if asked else frozenset())
            asked.append(known[1].asked)
            if wanted is not None and not wanted.as_much(_work(known[0], built)):
                continue  # told before the ranges are worked out
            whole = make_sheet(built, known=known)
            found = hardness(whole)
            if order.name is None:
                return Made({"haerte": astuple(found)}, {})
            if wanted is None or found.like(wanted):
                return _made(order, whole, tried, found, may_wait)
    raise UserError(
        f"Mit diesen Optionen finden sich zu „{order.options.satz}“ nicht genug gleich schwere Varianten; "
        "bitte einen anderen --startwert, weniger Stationen oder weniger Varianten (--anzahl) nehmen."
    )


@lru_cache(maxsize=_SENTENCES)
def _asked(options: Options) -> deque[Collection[CellAddress]]:
    """What the last sheet with these options, but another seed, asked for; probably the next does too."""
    return deque(maxlen=1)


def _by_turns(order: Order, options: Options) -> Iterator[tuple[int, Built]]:
    """The tries; a seed with which no model is found is passed over, several are not."""
    missed = 0
    for tried, seed in order.seeds():
        try:
            built = build(replace(options, startwert=seed))
        except NoModelError:
            missed += 1
            if missed > _MISSES:
                raise
            continue
        yield tried, built


def _made(order: Order, whole: WholeSheet, tried: int, found: Hardness, may_wait: bool) -> Made | Waiting:
    options, typesetter = whole.built.options, Typesetter("pdf")
    on_sheet = _on_sheet(order.name or "")
    pair = list(worksheet_and_key(whole, typesetter, "pdf", on_sheet))
    jobs, layout = jobs_of_both(pair, whole, typesetter, on_sheet)
    note = {
        "satz": options.satz,
        "startwert": options.startwert,
        "blatt": whole.sheet.code,
        "code": sheet_code(options),
        "be": whole.sheet.points,
        "minuten": round(found.minutes, 1),
        "breite": round(found.width, 3),
        "haerte": astuple(found),
        "versuch": tried,
        "reihen": sorted(rows(whole)),
        "ergebnisse": _results(whole),
        "weitere": [],
    }
    made = Made(note, {"rechnung.json": whole.record_json()})
    printed = Together.kept(jobs)
    if printed is None:
        work = Together(layout(), tuple(jobs))
        if may_wait and not order.options.format:
            return Waiting(work, made, work.kind)
        printed = work.write()
    further = of_variant(order.options.format, whole, on_sheet, printed)
    return Made({**note, "weitere": [*further]}, {**made.files, **further}).printed(printed)


@contextlib.contextmanager
def _files_at_hand(order: Order) -> Iterator[Options]:
    """The options, their files written down if the order carries them."""
    if not order.contents:
        yield order.options
        return
    with tempfile.TemporaryDirectory(prefix="papierformer-") as folder:
        there: dict[str, Any] = {}
        for name, content in order.contents.items():
            there[name] = Path(folder) / f"{name}-{Path(getattr(order.options, name)).name}"
            there[name].write_bytes(content)
        yield replace(order.options, **there)


def _on_sheet(name: str) -> str:
    return name if len(name) <= _LONGEST_ON_SHEET else name[: _LONGEST_ON_SHEET - 1].rstrip() + "…"


def _results(whole: WholeSheet) -> list[dict[str, Any]]:
    """Of each exercise what it ends in: the numbers of the last quantity that it asks for."""
    built = whole.built
    hand, numbers = built.whole.hand, built.options.number_format
    results = []
    for exercise in exercises_of(whole.sheet):
        cells = [cell for cell in exercise.cells if cell[0] in hand]
        if not cells:
            continue
        last = cells[-1][0]
        values = [
            numbers.text(float(hand[name].values[index]), hand[name].places)
            for name, index in cells
            if name == last
        ]
        title = quantity_title(last, built.calculation.model, built.options.dezimalzeichen)
        results.append(
            {"station": exercise.station, "nummer": exercise.number, "titel": title, "werte": values}
        )
    return results
