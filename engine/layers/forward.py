"""The order of the steps, nothing else: a model and a pen go in, the pen's trace comes out."""

import numpy as np

from engine.layers.attention import FirstLookSteps
from engine.layers.feed_forward import FeedForwardSteps
from engine.layers.norm import NormSteps
from engine.layers.output import OutputSteps
from engine.layers.positions import InputSteps
from engine.model.model import Model
from engine.numbers.arrays import Array
from engine.pens.pens import Pen
from engine.trace.quantities import DIM, NATURAL, TOKEN
from engine.trace.trace import Trace


class Forward(InputSteps, FirstLookSteps, NormSteps, FeedForwardSteps, OutputSteps):
    """One forward pass through the transformer, post-norm as in Vaswani et al. (2017)."""

    def run(self, entry: bool = True) -> Trace:
        with np.errstate(all="ignore"):  # the pen looks at every value itself
            x = self.input()  # (n, d_model)
            self.similarity()
            if entry:
                self.entry(x)
            if self.model.rules.causal_mask:
                self.unmasked(x)
            for block in range(1, self.sizes.n_blocks + 1):
                x = self.block(f"block{block}.", x)
            self.next_word(x)
        return self.pen.trace

    def block(self, at: str, x: Array) -> Array:
        attention = self.multi_head(at, x)  # (n, d_model)
        if at == "block1.":
            self.context(attention)
        z = self.norm(at + "norm1.", self.residual(at + "residual1", x, attention))
        return self.norm(at + "norm2.", self.residual(at + "residual2", z, self.feed_forward(at + "ffn.", z)))

    def residual(self, name: str, x: Array, new: Array) -> Array:
        return self.write(name, x + new, NATURAL.over(TOKEN, DIM))  # (n, d_model)


def exchanged(way: type[Forward], whole: type[Forward]) -> type[Forward]:
    """The pass `whole` with the step that `way` exchanges."""
    return whole if issubclass(whole, way) else type(way.__name__, (way, whole), {})


def forward(model: Model, pen: Pen, entry: bool = True) -> Trace:
    """Run a model with a pen; `entry` adds the entry step with Q = K = V = X."""
    return Forward(model, pen).run(entry)
