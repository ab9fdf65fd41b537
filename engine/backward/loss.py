"""The last block's output and the right next word go in; the loss and its gradient there come out."""

import numpy as np

from engine.backward.steps import BackwardSteps
from engine.layers.output import OutputSteps
from engine.numbers.arrays import Array, ln
from engine.trace.quantities import DIM, N_PLUS_2, WORD


class LossSteps(BackwardSteps, OutputSteps):
    """Cross-entropy of the right word at temperature 1, back through softmax and logits to the last token."""

    def vocabulary(self) -> Array:
        return self._read.get(self.side_of_output() + "vocabulary_embedding", super().vocabulary())

    def side_of_output(self) -> str:
        """What the names of the output's quantities begin with."""
        return ""

    def loss(self) -> Array:
        """−ln p; CalculationError (logarithm) where p is written as 0."""
        at = self.side_of_output()
        probability = self.written[f"{self.at}{at}temperature1.probability"]  # (V,)
        return self.write(at + "loss", -ln(probability[..., self.lesson.word]), N_PLUS_2.over())  # ()

    def output_back(self, x: str) -> Array | None:
        """∂L/∂logits = p − y, to the vocabulary's vectors and the last row of x (a name); None: it ends here.

        The vectors of the output layer are weights of their own: those that the sentence's words enter with
        do not change with them.
        """
        at, vectors = self.side_of_output(), self.written[x]  # (n, d_model)
        right = np.eye(len(self.model.vocabulary))[self.lesson.word]  # (V,)
        logit = self.gradient(
            at + "logit", self.written[at + "temperature1.probability"] - self.pen.read(right)
        )  # (V,)
        last = vectors[..., -1, :]  # (d_model,)
        vectors_back = logit[..., :, None] * last[..., None, :]  # (V, d_model)
        self.learn(at + "vocabulary_embedding", vectors_back, WORD, DIM)
        if self.lesson.path == "ausgabe":
            return None
        is_last = (np.arange(vectors.shape[-2]) == vectors.shape[-2] - 1).astype(np.int64)[:, None]  # (n, 1)
        return self.gradient(x, (logit[..., None, :] @ self.vocabulary()) * is_last)  # (n, d_model)
