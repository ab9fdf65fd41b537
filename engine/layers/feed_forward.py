"""Normalised vectors go in; what each token works out alone comes out."""

from typing import Final

from engine.layers.steps import Steps
from engine.numbers.arrays import Array, relu
from engine.trace.quantities import DIM, HIDDEN, NATURAL, TOKEN

_INNER: Final = NATURAL.inside(TOKEN, HIDDEN)


class FeedForwardSteps(Steps):
    """FFN(z) = ReLU(z·W_1 + b_1)·W_2 + b_2 (Vaswani et al. 2017, section 3.3)."""

    def feed_forward(self, at: str, z: Array) -> Array:
        hidden = z @ self.weight(at + "W_1") + self.weight(at + "b_1")  # (n, d_ff)
        hidden = self.write(at + "hidden", hidden, _INNER)  # (n, d_ff)
        activation = self.write(at + "activation", self.activate(hidden), _INNER)  # (n, d_ff)
        return self.write(at + "output", self.project(at, activation), NATURAL.over(TOKEN, DIM))

    def activate(self, hidden: Array) -> Array:
        return relu(hidden)

    def project(self, at: str, activation: Array) -> Array:
        return activation @ self.weight(at + "W_2") + self.weight(at + "b_2")  # (n, d_model)
