"""The last block's output goes in; a probability for each word of the vocabulary comes out."""

import numpy as np

from engine.layers.steps import Steps
from engine.numbers.arrays import Array, exp
from engine.trace.quantities import THREE, WORD, N


def temperature_name(temperature: float) -> str:
    """0.5 -> temperature0.5, 1.0 -> temperature1: a point, no trailing zeros."""
    return f"temperature{float(temperature):.12f}".rstrip("0").rstrip(".")


class OutputSteps(Steps):
    """Logits of the last token against every word, and softmax at each temperature."""

    def next_word(self, x: Array) -> None:
        logit = self.logits("", x)  # (V,)
        for temperature in self.model.rules.temperatures:
            self.probabilities("", logit, temperature)

    def logits(self, at: str, x: Array) -> Array:
        last = self.last(x)[..., None, :]  # (1, d_model)
        logit = (last @ self.vocabulary().swapaxes(-1, -2))[..., 0, :]  # (V,)
        return self.write(at + "logit", logit, N.over(WORD, ranked=True))

    def vocabulary(self) -> Array:
        return self.pen.read(self.model.vocabulary_embedding)  # (V, d_model)

    def probabilities(self, at: str, logit: Array, temperature: float) -> Array:
        at += temperature_name(temperature) + "."
        scaled = self.write(at + "scaled_logit", self.cool(logit, temperature), N.inside(WORD))  # (V,)
        e = self.write(at + "exp", self.exp_logit(scaled), THREE.inside(WORD))  # (V,)
        total = self.write(at + "exp_sum", e.sum(-1), THREE.inside(divisor=True))  # ()
        return self.write(at + "probability", e / total[..., None], THREE.over(WORD, divisor=True))  # (V,)

    def last(self, x: Array) -> Array:
        """The token whose vector decides on the next word."""
        return x[..., -1, :]  # (d_model,)

    def cool(self, logit: Array, temperature: float) -> Array:
        return logit / self.pen.read(np.asarray(temperature))

    def exp_logit(self, scaled: Array) -> Array:
        return exp(scaled)
