"""Both arithmetics of any model or draw; all passes of a sheet as one; which of its cells are one number."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar

import numpy as np

from engine.forward.forward import Forward, sinusoids
from engine.model.model import AnyModel, EncoderDecoderModel, Model
from engine.numbers.arrays import Array, CalculationError, Floats
from engine.pens.pens import ExactPen, Pen, SchoolPen, Visible
from engine.trace import CellAddress, Cells, Kind, Operation, Quantity, Trace, place_of

# --- Which cells are one number by the formulas alone: for whoever copies, withholds, shares or counts cells.
#
# Nobody lists them. The pass is run on numbers moved by chance, the weights too, in a few runs at once: cells
# that come out alike in all of them are alike whatever the numbers are. So a copy, a symmetric cell, heads
# side by side, a table that is worked out twice. A weight that happens to be 0 or 1 makes none, for it is
# moved; only a W_O that is the identity is left alone, for such a step does nothing. What is alike for these
# numbers only (z · 1, behind closed ReLUs) is another question: what is accepted there has to be known first,
# and that rests on these aliases (`ProbePen` in engine/judging/acceptance.py).


Aliases = Mapping[CellAddress, tuple[CellAddress, ...]]

_SEED: Final = 1802
_RUNS: Final = 3
_MOVED: Final = 0.01
_NOISE_PLACES: Final = 10
_MOST_ALIKE: Final = 1_000_000  # cells of one pass: nobody writes so many
_GATED: Final = (Operation.RELU, Operation.GATE)


class AliasPen(ExactPen):
    """Rounds nothing: writes a moved number for every new cell, and for an alias that of the first such cell.

    weights: of the model, by name. Cells are counted in the order of `hand`. first: by what it
    holds the number of the first cell that does; same: of every cell that of its first one (−1: unknown).
    """

    def __init__(self, hand: Trace, weights: Mapping[str, Floats]) -> None:
        super().__init__()
        self.hand = hand
        mixing = [table for name, table in weights.items() if place_of(name).last == "W_O"]
        self.idle = {id(table) for table in mixing if np.array_equal(table, np.eye(len(table)))}
        self.rng = np.random.default_rng(_SEED)
        sizes = [quantity.values.size for quantity in hand.values()]
        self.starts = dict(zip(hand, accumulate(sizes, initial=0), strict=False))
        self.moved = np.zeros((_RUNS, sum(sizes)))
        self.first: dict[bytes, int] = {}
        self.same = np.full(sum(sizes), -1)

    def found(self) -> Aliases:
        """Of each cell that is not alone with its number all that have it."""
        often = np.bincount(self.same + 1, minlength=1) > 1
        often[0] = False
        alike: dict[int, list[CellAddress]] = {}
        for name, quantity in self.hand.items():
            same = self.same[self.starts[name] :][: quantity.values.size]
            several = often[same + 1]
            cells = np.argwhere(several.reshape(quantity.values.shape)).tolist()
            for first, index in zip(same[several].tolist(), cells, strict=True):
                alike.setdefault(first, []).append((name, tuple(index)))
        return {cell: tuple(alike[first]) for first in sorted(alike) for cell in alike[first]}

    def read(self, given: Floats) -> Array:
        table = np.asarray(given, dtype=np.float64)
        fixed = table.ndim == 0 or id(given) in self.idle  # d_k and the temperatures are part of the formulas
        return table if fixed else table + self._chance(table.shape)

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        hand, start = self.hand[name].values, self.starts[name]
        moved = hand + self._chance((_RUNS, *hand.shape))
        if kind.operation in _GATED:
            return moved
        carried = np.empty_like(moved)
        carried[...] = value
        numbers, fresh = carried.reshape(_RUNS, -1), moved.reshape(_RUNS, -1)  # (runs, cells)
        constant = (numbers == np.rint(numbers[0])).all(0) | ~np.isfinite(numbers).all(0)  # (cells,), 0 or 1
        numbers[:, constant] = fresh[:, constant]
        self.moved[:, start : start + hand.size] = fresh
        shown = np.arange(hand.size) if visible is None else np.flatnonzero(visible)
        keys = keys_of(np.concatenate([numbers, fresh], axis=1).round(_NOISE_PLACES) + 0.0)
        same = [*map(self.first.setdefault, map(keys.__getitem__, shown.tolist()), (shown + start).tolist())]
        self.first.update(zip(map(keys.__getitem__, (shown + hand.size).tolist()), same, strict=True))
        self.same[shown + start] = same
        numbers[:, shown] = self.moved.take(same, 1)
        return carried if visible is None else np.where(visible, carried, 0.0)

    def _chance(self, shape: tuple[int, ...]) -> Floats:
        return self.rng.uniform(-_MOVED, _MOVED, shape)


def keys_of(numbers: Floats) -> list[bytes]:
    """One for each cell of (runs, cells): what it holds in all runs."""
    cells = np.ascontiguousarray(numbers.T).view(f"V{len(numbers) * numbers.itemsize}")
    return list(cells.reshape(-1).tolist())


# --- What is computed in both arithmetics, and how any pen writes it once more.

M = TypeVar("M", bound=AnyModel)
C = TypeVar("C")
P = TypeVar("P", bound="Pass")


class Pass(Protocol):
    """One calculation from given numbers to its last quantity."""

    @property
    def exact(self) -> Trace: ...
    @property
    def hand(self) -> Trace: ...
    @property
    def places(self) -> int:
        """The sheet's number of places."""

    def write(self, pen: Pen, variant: type[Forward] = Forward) -> Trace:
        """The pen's trace of all steps; variant: the forward pass, or one with a step exchanged."""


@dataclass(frozen=True)
class ModelNumbers(Generic[M]):
    """A model's numbers in both arithmetics; the traces hold the same names in the same order."""

    model: M
    exact: Trace
    hand: Trace
    before: ClassVar[str] = ""  # what the names of its output begin with

    @property
    def places(self) -> int:
        return self.model.rules.places

    def predicted(self) -> int:
        """The place in the vocabulary of the most probable next word, by hand (the first of equals)."""
        return int(np.argmax(self.hand[self.before + "logit"].values))

    def __getitem__(self, name: str) -> Quantity:
        return self.hand[name]


def write_as_far_as_possible(each: Pass, pen: Pen, variant: type[Forward]) -> None:
    """A step that takes rows for columns can be exchanged only where both are as many: there it ends."""
    try:
        each.write(pen, variant)
    except ValueError:
        if variant is Forward:
            raise


# Beyond e^9 ≈ 8103 nobody wants to write the exponentials of the entry step, which has no scaling.
_LARGEST_ENTRY_SCORE: Final = 9.0


class Calculation(ModelNumbers[Model], ABC):
    """The numbers of a sheet."""

    @abstractmethod
    def parts(self) -> Iterator[tuple[Pass, tuple[str, ...]]]:
        """Every pass of the calculation with the names of the quantities that are its own."""

    @cached_property
    def aliases(self) -> Aliases:
        """Every cell that is the same number as others, with all of them; a later pass knows those before."""
        found: dict[CellAddress, tuple[CellAddress, ...]] = {}
        for each, _ in self.parts():
            if sum(quantity.values.size for quantity in each.hand.values()) <= _MOST_ALIKE:
                pen = AliasPen(each.hand, each.model.weights if isinstance(each, ModelNumbers) else {})
                each.write(pen)
                found |= pen.found()
        return found

    @cached_property
    def written_twice(self) -> tuple[tuple[str, str], ...]:
        """Tables of one kind whose cells are the same numbers: head 1 with and without its mask."""
        alike = Counter(
            (name, other)
            for (name, index), cells in self.aliases.items()
            for other, place in cells
            if place == index and name != other and place_of(name).last == place_of(other).last
        )
        return tuple(
            pair
            for pair, count in alike.items()
            if all(name in self.hand for name in pair)
            and count == min(self.hand[name].shown.sum() for name in pair)
        )

    def under_both_names(self, cells: Cells) -> Cells:
        """Where a number is known, under either name of a table that has two."""
        found = {name: known for name, known in cells.items() if name in self.hand}
        for name, other in self.written_twice:
            if other in cells:
                found[name] = cells.get(name, False) | (cells[other] & self.hand[name].shown)
        return found


class SentencePass(Calculation):
    """One sentence's model alone: a single pass."""

    def parts(self) -> Iterator[tuple[Pass, tuple[str, ...]]]:
        yield self, tuple(self.hand)

    def write(self, pen: Pen, variant: type[Forward] = Forward) -> Trace:
        return variant(self.model, pen).run("entry.score" in self.hand)


def calculate(model: Model) -> SentencePass:
    """Both arithmetics of one model. Raises CalculationError where a step cannot be computed."""
    return with_entry_step(model, lambda entry: SentencePass(model, *both_traces(Forward, model, entry)))


def both_traces(forward: type[Forward], model: AnyModel, entry: bool = False) -> tuple[Trace, Trace]:
    return forward(model, ExactPen()).run(entry), forward(model, SchoolPen(model.rules.places)).run(entry)


def with_entry_step(model: Model, compute: Callable[[bool], C]) -> C:
    """What is computed with the entry step, or without it where that step cannot be computed or written."""
    if has_entry_step(model):
        try:
            return compute(True)
        except CalculationError as error:
            if place_of(error.name).way != "entry.":
                raise
    return compute(False)


def has_entry_step(model: Model) -> bool:
    """Whether the entry step with Q = K = V = X stays within numbers that a pupil can write."""
    x = model.embedding
    if model.rules.positions:
        x = x + sinusoids(model.n_tokens, model.sizes.d_model)
    return float(np.abs(x @ x.T).max(initial=0)) < _LARGEST_ENTRY_SCORE


# --- The calculations of a sheet go in; one with the numbers of all of them comes out.


@dataclass(frozen=True)
class AllPasses(Calculation):
    """The sentence's calculation with all that later stations add; the traces hold the quantities of all.

    passes: each with the names of what it adds; a later one may write quantities of an earlier one again on
    its way.
    """

    passes: tuple[tuple[Pass, tuple[str, ...]], ...]

    def parts(self) -> Iterator[tuple[Pass, tuple[str, ...]]]:
        return iter(self.passes)


def all_passes(sentence: SentencePass, further: Sequence[Pass] = (), unused: Sequence[str] = ()) -> AllPasses:
    """All passes, the sentence's first. unused: names that a pass writes and the sheet has no use for."""
    exact, hand = Trace(), Trace()
    known = set(unused)
    own = []
    for each in (sentence, *further):
        names = tuple(name for name in each.hand if name not in known)
        known.update(names)
        own.append((each, names))
        for name in names:
            exact.note(each.exact[name])
            hand.note(each.hand[name])
    return AllPasses(sentence.model, exact, hand, tuple(own))


# --- A way to build a model from a draw goes in; the first playable model and its calculation come out.


LARGEST_SCALED: Final = 4.0
SMALLEST_DIVISOR: Final = 0.2  # of a norm: rounding grows by dividing
MOST_DRAWS: Final = 500
_MOST_CELLS: Final = 2 * 10**7  # beyond paper sizes: fewer draws, so that the search ends within seconds


def draw_playable(build: Callable[[int], M], compute: Callable[[M], P]) -> P:
    """Build with draw number 0, 1, 2, … until every hand step can be computed and |scaled| stays below 4.

    compute: `calculate`, or `calculate_encoder_decoder`. The same `build` gives the same result always. Where
    no draw stays below 4, the first one that can be computed is taken; raises the last draw's
    CalculationError when none can.
    """
    computable: P | None = None
    refusal = CalculationError("unplayable", "")
    attempt, draws = 0, MOST_DRAWS
    while attempt < draws:
        model = build(attempt)
        draws = min(MOST_DRAWS, max(1, _MOST_CELLS // _cells(model)))
        attempt += 1
        try:
            calculation = compute(model)
        except CalculationError as error:
            if error.kind in ("shape", "vocabulary"):
                raise
            refusal = error
            continue
        if largest_scaled(calculation) < LARGEST_SCALED:
            return calculation
        computable = computable or calculation
    if computable is None:
        raise refusal
    return computable


def _cells(model: AnyModel) -> int:
    """Quantities or weights, whichever are more; two sentences count as three of the longer one."""
    n, times, sizes, d = model.n_tokens, 1, model.sizes, model.sizes.d_model
    if isinstance(model, EncoderDecoderModel):
        n, times = max(n, model.n_source), 3
    return times * max(n * (12 * d + 8 * n * sizes.n_heads), 4 * d * d + 2 * d * sizes.d_ff) * sizes.n_blocks


def largest_scaled(calculation: Pass | ModelNumbers[Any]) -> float:
    """The largest |scaled| that meets e^x, in either arithmetic."""
    return max(
        float(np.abs(scaled.values).max())
        for trace in (calculation.exact, calculation.hand)
        for scaled in trace.by(Operation.SCALED)
    )


def divides_well(hand: Trace) -> bool:
    """Whether no norm divides by a number that is nearly 0."""
    return all(each.values.min() >= SMALLEST_DIVISOR for each in hand.by(Operation.NORM_DIVISOR))
