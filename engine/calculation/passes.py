"""What is computed in both arithmetics, and how any pen writes it once more."""

from dataclasses import dataclass
from typing import ClassVar, Generic, Protocol, TypeVar

import numpy as np

from engine.layers.forward import Forward
from engine.model.encoder_decoder_model import EncoderDecoderModel
from engine.model.model import Model
from engine.pens.pens import Pen
from engine.trace.trace import Quantity, Trace

M = TypeVar("M", bound=Model | EncoderDecoderModel)


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


def write_as_far_as_possible(each: Pass, pen: Pen, way: type[Forward]) -> None:
    """A step that takes rows for columns can be exchanged only where both are as many: there it ends."""
    try:
        each.write(pen, way)
    except ValueError:
        if way is Forward:
            raise
