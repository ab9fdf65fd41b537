"""Draws sheets for a class: with other numbers each, equally hard as far as such are found.

Each seed is a draw. As many as are needed are taken from those that lie nearest together. While they lie too
far apart, more are drawn; the more there are, the further apart they may lie. A number of draws ends it, or
of seconds, which are estimated, not measured: the same command gives the same sheets on a busy computer, too.
"""

from __future__ import annotations

import hashlib
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np

from engine.trace import place_of
from engine.training import budget
from generator.basics.errors import UserError
from generator.calculation.build import build
from generator.options.options import Options
from generator.sheet.whole_sheet import WholeSheet, exercises_of
from generator.stations.make_sheet import make_sheet
from generator.teacher.lesson import member_sheet
from generator.teacher.plan import Workload, total, workloads

# What is calculated from the words alone, without drawn matrices: the same on every sheet of the sentence.
_UNDRAWN: Final = {"embedding", "positional_encoding", "input", "entry.", "similarity.", "context."}


@dataclass(frozen=True)
class Hardness:
    """minutes: of all stations. width: of the accepted ranges in units of the last place, mean of blanks."""

    minutes: float
    width: float
    blanks: int
    points: int


@dataclass(frozen=True)
class Band:
    """How far apart sheets may lie that count as equally hard, as shares of what the middle one has."""

    minutes: float
    counts: float  # of blanks and of points
    width: float

    def nearest(self, drawn: Sequence[Drawn]) -> list[Drawn]:
        """The largest group of which each is as hard as one that is in it."""
        shares = np.array([self.minutes, self.width, self.counts, self.counts])
        found = np.array([astuple(each.hardness) for each in drawn])  # (n, 4)
        middles = found[:_MIDDLES, None]  # (m, 1, 4)
        near = (abs(found - middles) <= shares * middles).all(axis=-1)  # (m, n)
        return [each for each, holds in zip(drawn, near[near.sum(axis=-1).argmax()], strict=True) if holds]


_MIDDLES: Final = 200  # that are tried
_ANY: Final = 1e9
BANDS: Final = (
    Band(0.05, 0.0, 0.20),
    Band(0.05, 0.0, _ANY),
    Band(0.05, 0.05, _ANY),
    Band(0.15, 0.15, _ANY),
)


@dataclass(frozen=True)
class Drawn:
    """A sheet that could be printed. numbers: a mark of all that is written on it; rows: as `rows` says;
    seconds: that drawing it takes, estimated.
    """

    options: Options
    hardness: Hardness
    numbers: str
    rows: frozenset[str]
    seconds: float

    def repeats(self, other: Drawn) -> bool:
        """Whether it is the same sheet, or most of it is."""
        return self.numbers == other.numbers or len(self.rows & other.rows) * 2 > len(self.rows)


@dataclass(frozen=True)
class Missed:
    """A seed without a sheet: the sentence on why, and the seconds as of a `Drawn`."""

    why: str
    seconds: float


Contents = Mapping[str, bytes]
"""Of the files that options name, for a machine that does not have them."""
_FILES: Final = ("gewichte", "embeddings", "texte")


def contents_of(options: Options) -> Contents:
    paths = {name: getattr(options, name) for name in _FILES}
    return {name: path.read_bytes() for name, path in paths.items() if isinstance(path, Path)}


@contextmanager
def files_at_hand(options: Options, contents: Contents) -> Iterator[Options]:
    """The options, their files written down if their contents came along."""
    if not contents:
        yield options
        return
    with TemporaryDirectory(prefix="papierformer-") as folder:
        there: dict[str, Any] = {}
        for name, content in contents.items():
            there[name] = Path(folder) / f"{name}-{Path(getattr(options, name)).name}"
            there[name].write_bytes(content)
        yield replace(options, **there)


def draw(options: Options, contents: Contents) -> Drawn | Missed:
    """The sheet of one seed, or why there is none."""
    try:
        with files_at_hand(options, contents) as at_hand:
            whole = sheet_of(at_hand, 1 if at_hand.gruppen else 0)
    except UserError as error:
        return Missed(str(error), _seconds(options, budget.SECONDS if options.learns else 0, 0))
    hand = whole.built.passes.hand
    written = [(name, index, float(hand[name].values[index])) for name, index in sorted(_cells(whole))]
    found, learnt = hardness(whole), whole.built.learnt
    seconds = _seconds(options, learnt.seconds if learnt else 0, found.blanks)
    return Drawn(options, found, _mark(written), rows(whole), seconds)


# In the measure of `engine.training.budget`.
_SECONDS_OF_SHEET, _SECONDS_OF_BLANK = 0.2, 0.002


def _seconds(options: Options, training: float, blanks: int) -> float:
    """training: of one sentence; a pair takes as long again."""
    return training * (2 if options.zielsatz else 1) + _SECONDS_OF_SHEET + _SECONDS_OF_BLANK * blanks


def sheet_of(options: Options, group: int, alone: bool = False) -> WholeSheet:
    """What is printed for one person; group: of a jigsaw, counted from 1, 0 for none. alone: in it."""
    return member_sheet(build(options), group, alone) if group else make_sheet(options)


def hardness(whole: WholeSheet) -> Hardness:
    """Minutes, width of the accepted ranges, blanks and points of a sheet."""
    hand, ranges = whole.built.passes.hand, whole.ranges
    widths = [
        (ranges[name].high[index] - ranges[name].low[index]) * 10 ** (hand[name].places or 0)
        for name, index in sorted(_cells(whole))
    ]
    work = total(work_of(whole))
    return Hardness(work.minutes, float(np.mean(widths)) if widths else 0.0, work.blanks, work.points)


def work_of(whole: WholeSheet) -> list[Workload]:
    """The workload of each station."""
    return workloads(whole.sheet.stations, whole.built.effort)


def rows(whole: WholeSheet) -> frozenset[str]:
    """What a pupil writes side by side, each row as a short mark; sheets that share one can be copied."""
    built, values = whole.built, dict[tuple[str, tuple[int, ...]], list[float]]()
    for name, index in sorted(_cells(whole)):
        if _UNDRAWN.isdisjoint((place_of(name).last, place_of(name).way)):
            values.setdefault((name, index[:-1]), []).append(float(built.passes.hand[name].values[index]))
    return frozenset(_mark((place, row)) for place, row in values.items() if len(row) > 2)


def _mark(said: object) -> str:
    return hashlib.sha256(repr(said).encode()).hexdigest()[:12]


def _cells(whole: WholeSheet) -> set[tuple[str, tuple[int, ...]]]:
    hand = whole.built.passes.hand
    return {cell for exercise in exercises_of(whole.sheet) for cell in exercise.cells if cell[0] in hand}


FURTHER: Final = 6  # draws beyond the number wanted
SECONDS: Final = 4.0  # of one process, a sheet, as the training estimates them
_FEWEST: Final = 30  # sheets that so many seconds are for
_MISSES: Final = 4  # draws in a row that give nothing new: then no further one will
_LAST_SEED: Final = 2**32


@dataclass
class Pool:
    """What was drawn of one sentence. options: their seed is the first. number: of sheets that are wanted."""

    options: Options
    number: int
    drawn: list[Drawn] = field(default_factory=list)
    seats: list[Drawn] | None = None
    begun: int = 0
    _ended: int = 0
    _missed: int = 0  # in a row
    _why: str = ""

    @property
    def wants(self) -> bool:
        """Whether a further draw would not be one too many."""
        left = self.number - len(self.drawn)
        return left <= 0 or self.begun - self._ended < left

    def next(self) -> Options:
        """The options of the next draw: the same with the next seed."""
        self.begun += 1
        return replace(self.options, startwert=(self.options.startwert + self.begun - 1) % _LAST_SEED)

    def add(self, found: Drawn | Missed) -> None:
        """A draw; one that repeats another is none. UserError where nothing is found."""
        self._ended += 1
        self._missed += 1
        if isinstance(found, Missed):
            self._why = self._why or found.why
        elif not any(map(found.repeats, self.drawn)):
            self.drawn.append(found)
            self._missed = 0
        if not self.drawn and self._missed >= _MISSES:
            raise UserError(self._why)

    def choose(self, late: bool) -> None:
        """A sheet for each pupil, unless more are to be drawn. late: it is too late for that.

        Only where there is nothing else, two pupils have the same sheet, or neighbours a row in common.
        """
        if not self.drawn or self.seats is not None:
            return
        last = late or self._missed >= _MISSES or self._ended >= self.number + FURTHER
        for number, band in enumerate(BANDS, 1):
            if last or len(self.drawn) >= number * self.number:
                seats = seated(band.nearest(self.drawn), self.number)
                if _different(seats) or (last and band is BANDS[-1]):
                    self.seats = seats
                    return


def seated(drawn: Sequence[Drawn], number: int) -> list[Drawn]:
    """A sheet for each place, each as seldom as can be, none beside one with a row in common if possible."""
    uses: Counter[int] = Counter()
    seats: list[Drawn] = []
    for _ in range(number):
        before = seats[-1].rows if seats else frozenset()
        at = min(range(len(drawn)), key=lambda i: (bool(drawn[i].rows & before), uses[i], i))
        uses[at] += 1
        seats.append(drawn[at])
    return seats


def _different(seats: Sequence[Drawn]) -> bool:
    beside = pairwise(seats)
    return len({each.numbers for each in seats}) == len(seats) and not any(a.rows & b.rows for a, b in beside)


Begin = Callable[[Options], Callable[[], Drawn | Missed]]


def draw_all(
    pools: Sequence[Pool], begin: Begin, tell: Callable[[int, int], None], at_once: int
) -> list[list[Drawn]]:
    """The sheets of each pool, drawn until they are enough or enough is done.

    begin: has one drawn elsewhere, and gives what waits for it. tell: how many sheets there are, of how many.
    at_once: draws under way. What was begun first counts first, so that the same is chosen each time.
    """
    wanted = sum(pool.number for pool in pools)
    left = SECONDS * max(_FEWEST, wanted)
    waiting: deque[tuple[Pool, Callable[[], Drawn | Missed]]] = deque()
    while missing := [pool for pool in pools if pool.seats is None]:
        while len(waiting) < at_once and (able := [pool for pool in missing if pool.wants]):
            next_one = min(able, key=lambda pool: pool.begun / pool.number)
            waiting.append((next_one, begin(next_one.next())))
        pool, result = waiting.popleft()
        found = result()
        left -= found.seconds
        pool.add(found)
        for each in pools if left <= 0 else [pool]:
            each.choose(left <= 0)
        tell(sum(min(len(each.drawn), each.number) for each in pools), wanted)
    return [pool.seats or [] for pool in pools]
