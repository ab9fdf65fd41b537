"""Vectors go in; their lengths, dot products and cosines come out."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.forward.steps import Steps
from engine.numbers.arrays import Array, sqrt
from engine.numbers.counted import Counted
from engine.numbers.decimals import Decimals, Irrational
from engine.trace import N_PLUS_1, NATURAL_PLUS_1, TOKEN, WORD, N

_FLOAT_NOISE: Final = 1e-12


class SimilaritySteps(Steps):
    """cos(a, b) = a·b / (|a|·|b|): the angle between two vectors, whatever their lengths are."""

    def similarity(self) -> None:
        """The vocabulary's word vectors, each with each."""
        self.cosines("similarity.", self.pen.read(self.model.input_embedding), WORD)  # (V, d_model)

    def context(self, attention: Array) -> None:
        """The tokens' context vectors: what block 1's attention hands over, all heads together."""
        self.cosines("context.", attention, TOKEN)  # (n, d_model)

    def cosines(self, at: str, vectors: Array, axis: str) -> None:
        """A vector whose length is 0 at the sheet's places has no direction: its cells stay hidden."""
        squares = (vectors * vectors).sum(-1)  # (m,)
        norm = self.write(at + "norm", sqrt(squares), N_PLUS_1.inside(axis, divisor=True))  # (m,)
        products = vectors @ vectors.swapaxes(-1, -2)  # (m, m)
        dot = self.write(at + "dot", products, NATURAL_PLUS_1.inside(axis, axis))  # (m, m)
        directed = self.directed(squares)  # (m,)
        divisor = norm + missing(norm, directed)  # hidden cells divide by 1 instead of 0
        cosine = dot / (divisor[..., :, None] * divisor[..., None, :])  # (m, m)
        in_some_run = np.atleast_1d(directed.reshape(-1, directed.shape[-1]).any(axis=0))  # (m,)
        visible = in_some_run[:, None] & in_some_run[None, :]  # (m, m)
        self.write(at + "cosine", cosine, N.over(axis, axis, ranked=True), None if visible.all() else visible)

    def directed(self, squares: Array) -> NDArray[np.bool_]:
        """Which lengths are not rounded to 0: those whose square is at least half a unit squared."""
        if isinstance(squares, Counted):
            return np.asarray(squares.given != 0)
        half_unit = 0.5 * 10.0**-self.model.rules.places
        if isinstance(squares, Decimals):
            return np.asarray(Irrational("sqrt", squares).rounded(self.model.rules.places).digits != 0)
        return np.asarray(squares >= half_unit**2 * (1 - _FLOAT_NOISE))


def missing(norm: Array, directed: NDArray[np.bool_]) -> Array:
    """1 − norm where there is no direction, 0 elsewhere."""
    if isinstance(norm, Counted):
        return Counted(np.zeros(norm.shape))
    hidden: NDArray[Any] = (~directed).astype(np.int64)
    if isinstance(norm, Decimals):
        return Decimals(hidden, 0) - norm * hidden
    return hidden - norm * hidden
