"""A model goes in; the two traces of its sheet, exact and by hand, come out."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Final

import numpy as np

from engine.calculation.passes import ModelNumbers, Pass
from engine.layers.forward import Forward, forward
from engine.layers.positions import sinusoids
from engine.model.model import Model
from engine.numbers.errors import CalculationError
from engine.pens.pens import ExactPen, Pen, SchoolPen
from engine.trace.trace import Trace

# Beyond e^9 ≈ 8103 nobody wants to write the exponentials of the entry step, which has no scaling.
_LARGEST_ENTRY_SCORE: Final = 9.0


class Calculation(ModelNumbers[Model], ABC):
    """The numbers of a sheet."""

    @abstractmethod
    def parts(self) -> Iterator[tuple[Pass, tuple[str, ...]]]:
        """Every pass of the calculation with the names of the quantities that are its own."""


class SentencePass(Calculation):
    """One sentence's model alone: a single pass."""

    def parts(self) -> Iterator[tuple[Pass, tuple[str, ...]]]:
        yield self, tuple(self.hand)

    def write(self, pen: Pen, way: type[Forward] = Forward) -> Trace:
        return way(self.model, pen).run("entry.score" in self.hand)


def calculate(model: Model) -> SentencePass:
    """Both arithmetics of one model. Raises CalculationError where a step cannot be computed."""
    if has_entry_step(model):
        try:
            return _both(model, entry=True)
        except CalculationError as error:
            if not error.name.startswith("entry."):
                raise
    return _both(model, entry=False)


def _both(model: Model, entry: bool) -> SentencePass:
    exact, hand = ExactPen(), SchoolPen(model.rules.places)
    return SentencePass(model, forward(model, exact, entry), forward(model, hand, entry))


def has_entry_step(model: Model) -> bool:
    """Whether the entry step with Q = K = V = X stays within numbers that a pupil can write."""
    x = model.embedding
    if model.rules.positions:
        x = x + sinusoids(model.n_tokens, model.sizes.d_model)
    return float(np.abs(x @ x.T).max(initial=0)) < _LARGEST_ENTRY_SCORE
