"""The calculations of a sheet, each of which any pen can write again; one table of all their numbers."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from engine.calculation import Calculation
from engine.forward import Forward
from engine.pens import Pen
from engine.trace import Trace


class Pass(Protocol):
    """What is computed in both arithmetics, and how a pen writes it once more."""

    @property
    def exact(self) -> Trace: ...
    @property
    def hand(self) -> Trace: ...
    @property
    def places(self) -> int:
        """The sheet's number of places."""

    def write(self, pen: Pen, way: type[Forward] = Forward) -> Trace:
        """The pen's trace of all steps; way: the forward pass, or one with a step exchanged."""


@dataclass(frozen=True)
class Whole:
    """The sentence's calculation, and what later stations add, in the order of the stations.

    A later pass may write quantities of an earlier one again on its way; they belong to the earlier one.
    unused: names that a pass writes and the sheet has no use for.
    """

    sentence: Calculation
    further: tuple[Pass, ...] = ()
    unused: frozenset[str] = frozenset()

    @property
    def passes(self) -> tuple[Pass, ...]:
        return (self.sentence, *self.further)

    def parts(self) -> Iterator[tuple[Pass, tuple[str, ...]]]:
        """Every pass with the names that it adds."""
        known = set(self.unused)
        for each in self.passes:
            names = tuple(name for name in each.hand if name not in known)
            known.update(names)
            yield each, names

    @cached_property
    def merged(self) -> Calculation:
        """All quantities under the sentence's model."""
        exact, hand = Trace(), Trace()
        for each, names in self.parts():
            for name in names:
                exact.note(each.exact[name])
                hand.note(each.hand[name])
        return Calculation(self.sentence.model, exact, hand)


def whole_of(calculation: Calculation | Whole) -> Whole:
    return calculation if isinstance(calculation, Whole) else Whole(calculation)
