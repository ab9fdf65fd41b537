"""Both arithmetics, exact and by hand, of any model or draw; all passes of a sheet as one calculation."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar

import numpy as np

from engine.forward.aliases import Aliases, aliases
from engine.forward.forward import Forward, sinusoids
from engine.model.model import AnyModel, EncoderDecoderModel, Model
from engine.numbers.arrays import CalculationError
from engine.pens.pens import ExactPen, Pen, SchoolPen
from engine.trace import CellAddress, Operation, Quantity, Trace, place_of

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
            found |= aliases(each, each.model.weights if isinstance(each, ModelNumbers) else {})
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
