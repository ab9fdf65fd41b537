"""The steps of a training, on a coarse grid, so that no order of summing changes a result.

A library may add the terms of a matrix product in any order, and with floats the last digit then differs
from one processor to another; over hundreds of steps that is enough to end with other weights. On a grid of
2⁻¹⁸ with values below 2⁵ every product is a multiple of 2⁻³⁶ below 2¹⁰, and 128 of them add up to less than
2¹⁷: each partial sum fits into the 53 bits of a float64, so all sums are exact, in any order, fused or not.
Gradients stay below 2², so that their sums over all tokens of all texts fit too. What is left are +, −, ·, /
and √ of single numbers, which IEEE 754 rounds in one way only; e^x is built from those.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.backward.backward import Backward, Lesson
from engine.model.model import Sizes
from engine.model.rules import Rules
from engine.numbers.arrays import Array, Floats
from engine.pens.pens import Pen, Visible
from engine.trace import N_PLUS_2, TOKEN, WORD, Kind, N, Trace, place_of

_GRID: Final = 2.0**18
_ROUNDING: Final = 1.5 * 2.0**52 / _GRID
LARGEST_VALUE: Final = 2.0**5
LARGEST_GRADIENT: Final = 2.0**2
_LOWEST_EXPONENT: Final = -14.0  # e^−14 is less than half a step of the grid
_HALVINGS: Final = 8
_TAYLOR: Final = tuple(1.0 / n for n in (6, 5, 4, 3, 2, 1))


def on_grid(values: Floats, largest: float = LARGEST_VALUE) -> Floats:
    """The nearest points of the grid within ±largest.

    Next to _ROUNDING these are the only numbers of a float64: adding it rounds to them, taking it away again
    changes nothing.
    """
    found = np.asarray(np.clip(values, -largest, largest))
    found += _ROUNDING
    found -= _ROUNDING
    return found


def exponential(x: Floats) -> Floats:
    """e^x for x ≤ 0 from products and sums alone: a Taylor polynomial of x/256, squared eight times."""
    small = np.maximum(x, _LOWEST_EXPONENT) / 2**_HALVINGS
    result = np.ones_like(small)
    for factor in _TAYLOR:
        result = 1.0 + small * factor * result
    for _ in range(_HALVINGS):
        result = result * result
    return np.asarray(result)


class GridPen:
    """Writes on the grid; keeps nothing."""

    def __init__(self) -> None:
        self.trace = Trace()

    def read(self, given: Floats) -> Array:
        return on_grid(given)

    def constant(self, value: Array) -> Array:
        return on_grid(value)

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        largest = LARGEST_GRADIENT if place_of(name).way == "gradient." else LARGEST_VALUE
        written = on_grid(value, largest)
        return written if visible is None else np.where(visible, written, 0.0)


# --- The engine's way forward and back, for all texts, all their beginnings and several starts at once.


LARGEST_SCALED: Final = 3.0  # scores beyond are drawn back: e^x has to stay a number that one likes to write
FRIENDLY_EXPONENT: Final = 5.0  # e^5 ≈ 148
_FIRMNESS, _INSISTING = 3.0, 10.0  # with which logits are drawn back
SMALLEST_LIMIT: Final = 2.3  # of a logit
SMALLEST_VARIANCE: Final = 2.0**-10
_LOGIT: Final = N.over(TOKEN, WORD)
_GRADIENT: Final = N_PLUS_2.over()
_ANY_LESSON: Final = Lesson(word=0, rate=1.0)


def learns(name: str) -> bool:
    """Whether a weight changes in training; W_O and the norms' vectors leave nothing to multiply with."""
    place = place_of(name)
    return place.last != "W_O" and not place.of_norm


@dataclass(frozen=True)
class Batch:
    """What the layers need of a model, with leading axes (starts S, texts B).

    weights: matrices (S, 1, rows, columns), vectors (S, 1, 1, columns). vocabulary_embedding: (S, 1, V, d).
    right: (B, n, V), visible: (B, n, n), see `Reading`. largest: logits beyond are drawn back firmly,
    (B, n, 1) or one number for all. insists: still more firmly, and what is not said clearly yet counts
    twice. A batch begins with its input: no embedding is read.
    """

    sizes: Sizes
    weights: Mapping[str, Floats]
    vocabulary_embedding: Floats
    right: Floats
    visible: Visible
    largest: Floats
    rules: Rules
    insists: bool


class EveryBeginning(Backward):
    """Predicts after every token, not after the last one alone; the loss is the sum over all that is asked.

    e^x is taken relative to the largest of its row, and a spread of 0 is taken as a small one: on the way to
    good weights nothing may stop.
    """

    model: Batch  # type: ignore[assignment]

    def __init__(self, batch: Batch, pen: Pen) -> None:
        super().__init__(batch, pen, _ANY_LESSON)  # type: ignore[arg-type]

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        """No trace wants to know axes here."""
        self.written[name] = self.pen.write(name, value, kind, visible)
        return self.written[name]

    def gradient(self, name: str, value: Array, *axes: str, visible: Visible = None) -> Array:
        return self.write("gradient." + name, value, _GRADIENT, visible)

    def gradient_of(self, name: str) -> Array:
        """∂loss/∂weight for each text, (S, B, …)."""
        return self.written["gradient." + name]

    def logits(self, prefix: str, x: Array) -> Array:
        return self.write(prefix + "logit", x @ self.vocabulary().swapaxes(-1, -2), _LOGIT)  # (…, n, V)

    def learns(self, name: str) -> bool:
        return learns(name)

    @cached_property
    def _root(self) -> Array:
        return super().root()

    def root(self) -> Array:
        return self._root

    def tempered(self, logit: Array, temperature: float) -> Array:
        return super().tempered(logit - logit.max(-1, keepdims=True), temperature)

    def exp(self, scaled: Array) -> Array:
        return exponential(scaled)

    def mask(self, scaled: Array, visible: Visible) -> tuple[Array, Visible]:
        scaled, visible = super().mask(scaled, visible)
        return scaled - scaled.max(-1, keepdims=True), visible

    def norm_divisor(self, mean_square: Array) -> Array:
        return np.sqrt(np.maximum(mean_square, SMALLEST_VARIANCE))

    def output_back(self, x: str) -> Array:
        """∂L/∂logits = p − y for every beginning that is asked for."""
        prefix, vectors = self.side_of_output(), self.written[x]  # (…, n, d_model)
        right = self.model.right
        probability = self.written[prefix + "temperature1.probability"]  # (…, n, V)
        wrong = probability - right + self.beyond(self.written[prefix + "logit"])
        asked = right.sum(-1, keepdims=True) > 0  # (B, n, 1)
        wrong = wrong * asked * self.emphasis()
        if self.model.insists:
            wrong = wrong * (2.0 - said_clearly(probability, right)[..., None])
        wrong = wrong + self.extra_gradient(probability)
        logit = self.gradient(prefix + "logit", wrong)
        self.learn(prefix + "vocabulary_embedding", logit.swapaxes(-1, -2) @ vectors)  # (…, V, d_model)
        return self.gradient(x, logit @ self.vocabulary())  # (…, n, d_model)

    def extra_gradient(self, probability: Array) -> Array:
        """What is added to the gradient of the logits beside the loss."""
        return np.float64(0.0)

    def emphasis(self) -> Array:
        """The weight of each beginning in the loss."""
        return np.float64(1.0)

    def beyond(self, logit: Array) -> Array:
        """How far the logits are beyond their limits."""
        limit = 1.5 + 12.0 / max(4, self.sizes.d_model)  # with few components words lie close
        firmness = _INSISTING if self.model.insists else _FIRMNESS
        return too_large(logit, -limit, limit) + firmness * np.maximum(logit - self.model.largest, 0.0)

    def softmax_back(self, prefix: str, weight: Array, g: Array) -> Array:
        beyond = too_large(self.written[prefix + "scaled"], -LARGEST_SCALED, LARGEST_SCALED)
        wrong = super().softmax_back(prefix, weight, g) + beyond
        return self.gradient(prefix + "scaled", wrong, visible=self.visible(prefix))

    def jacobian(self, prefix: str, row: Array) -> None:
        """A table for sheets only."""


_PROBABILITY, RATIO = 0.55, 2.4  # what the examination asks for, and a little more


def said_clearly(probability: Array, right: Floats) -> NDArray[np.bool_]:
    """After which beginnings a right word is said so well that rounding leaves it so, (S, B, n)."""
    own = np.where(right > 0, probability, 0.0).max(-1)
    second = np.where(right > 0, 0.0, probability).max(-1)
    return np.asarray((own > _PROBABILITY) & (own > RATIO * second))


def largest_to_write(rules: Rules) -> float:
    """The largest logit whose e^x is a number that one likes to write, at every temperature of the sheet.

    Not below what a clear prediction needs: at very low temperatures numbers become large in any case.
    """
    return max(SMALLEST_LIMIT, min(rules.temperatures) * FRIENDLY_EXPONENT)


def too_large(values: Floats, low: float, high: float) -> Floats:
    """How far values are outside: the slope of half the square of that."""
    return values - np.clip(values, low, high)
