"""Normalised vectors go in; what each token works out alone comes out."""

from engine.numbers import Array, relu
from engine.steps import Steps


class FeedForwardSteps(Steps):
    """FFN(z) = ReLU(z·W_1 + b_1)·W_2 + b_2 (Vaswani et al. 2017, section 3.3)."""

    def feed_forward(self, at: str, z: Array) -> Array:
        hidden = self.write(at + "hidden", z @ self.weight(at + "W_1") + self.weight(at + "b_1"))  # (n, d_ff)
        activation = self.write(at + "activation", self.activate(hidden))  # (n, d_ff)
        return self.write(at + "output", self.project(at, activation))  # (n, d_model)

    def activate(self, hidden: Array) -> Array:
        return relu(hidden)

    def project(self, at: str, activation: Array) -> Array:
        return activation @ self.weight(at + "W_2") + self.weight(at + "b_2")  # (n, d_model)
