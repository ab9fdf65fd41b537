"""What is computed in both arithmetics, and how any pen writes it once more."""

from typing import Protocol

from engine.layers.forward import Forward
from engine.pens.pens import Pen
from engine.trace.trace import Trace


class Pass(Protocol):
    """One calculation from given numbers to its last quantity."""

    @property
    def exact(self) -> Trace: ...
    @property
    def hand(self) -> Trace: ...
    @property
    def places(self) -> int:
        """The sheet's number of places."""

    def write(self, pen: Pen, way: type[Forward] = Forward) -> Trace:
        """The pen's trace of all steps; way: the forward pass, or one with a step exchanged."""


def write_as_far_as_possible(each: Pass, pen: Pen, way: type[Forward]) -> None:
    """A step that takes rows for columns can be exchanged only where both are as many: there it ends."""
    try:
        each.write(pen, way)
    except ValueError:
        if way is Forward:
            raise
