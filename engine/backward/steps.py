"""What each step back stands on: the numbers written on the way forward, and what is to be learnt."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from engine.layers.steps import Steps
from engine.model.model import AnyModel
from engine.numbers.arrays import Array
from engine.pens.pens import Pen, Visible
from engine.trace.quantities import N_PLUS_2, Kind

Path = Literal["ausgabe", "attention", "alles"]

# With these the example's loss falls visibly in both arithmetics, and so it does for nearly all drawn models.
DEFAULT_RATES: Final[Mapping[Path, float]] = {"ausgabe": 0.5, "attention": 0.5, "alles": 0.1}


@dataclass(frozen=True)
class Lesson:
    """One step of learning.

    word: place in the vocabulary of the right next word. rate: how far the weights go against the gradient,
    above 0. path: which weights learn: the output's vectors; the three matrices of one head of the last block
    (with two sentences: of its cross-attention); or all. head: that head, counted from 1. before: what the
    names of its way forward begin with, where the lesson has a model of its own: an earlier state of the
    sheet's.
    """

    word: int
    rate: float
    path: Path = "alles"
    head: int = 1
    before: str = ""

    def __post_init__(self) -> None:
        if not 0 < self.rate < float("inf"):
            raise ValueError(f"no learning rate: {self.rate}")


class BackwardSteps(Steps):
    """Keeps what is written under its name, for the way back to read; gradients are ∂loss/∂(their name)."""

    def __init__(self, model: AnyModel, pen: Pen, lesson: Lesson) -> None:
        super().__init__(model, pen)
        self.lesson = lesson
        self.written: dict[str, Array] = {}
        self.axes: dict[str, tuple[str, ...]] = {}
        self.at = ""  # "after." in the forward pass after the step

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        name = self.at + name
        self.axes[name] = kind.axes
        self.written[name] = super().write(self.lead(name) + name, value, kind, visible)
        return self.written[name]

    def lead(self, name: str) -> str:
        """What the sheet's name of a quantity begins with; what the lesson adds has one name in any case."""
        added = self.at or name.startswith(("gradient.", "step.")) or name.endswith("loss")
        return "" if added else self.lesson.before

    def gradient(self, name: str, value: Array, *axes: str, visible: Visible = None) -> Array:
        """axes: those of what is written under the name, if they are not said."""
        return self.write("gradient." + name, value, N_PLUS_2.over(*(axes or self.axes[name])), visible)

    def learn(self, name: str, gradient: Array, *axes: str) -> None:
        """Write the gradient of a weight if it is one of those that the step changes."""
        if self.learns(name):
            self.gradient(name, gradient, *axes)

    def learns(self, name: str) -> bool:
        if self.lesson.path == "ausgabe":
            return name.endswith("vocabulary_embedding")
        if self.lesson.path == "attention":
            return name in [self.learning_head() + W for W in ("W_Q", "W_K", "W_V")]
        return True

    def learning_head(self) -> str:
        """The name of the head that learns in the path attention, with the point at its end."""
        return f"block{self.sizes.n_blocks}.head{self.lesson.head}."


def transposed(matrix: Array) -> Array:
    return matrix.swapaxes(-1, -2)
