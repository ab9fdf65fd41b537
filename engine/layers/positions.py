"""Tokens' vectors and positions go in; the input of the first block comes out."""

import numpy as np

from engine.layers.steps import Steps
from engine.numbers.arrays import Array, Floats
from engine.trace.quantities import AS_GIVEN, DIM, ONE, THREE, TOKEN, Printed


def sinusoids(n_tokens: int, d_model: int) -> Floats:
    """PE(pos, 2i) = sin(pos / 10000^(2i/d)), PE(pos, 2i+1) = cos of the same; shape (n_tokens, d_model).

    Positions count from 0, angles are in radians; for an odd d_model the last component is a sine.
    Source: Vaswani et al., Attention Is All You Need (2017), section 3.5.
    """
    angle = angles(n_tokens, d_model)  # (n, d_model)
    return alternating(np.sin(angle), np.cos(angle))


def angles(n_tokens: int, d_model: int) -> Floats:
    """pos / 10000^(2i/d) for both components of a pair, in radians; shape (n_tokens, d_model)."""
    position = np.arange(n_tokens, dtype=np.float64)[:, None]  # (n, 1)
    component = np.arange(d_model)  # (d_model,)
    return position / 10000.0 ** (2 * (component // 2) / d_model)  # (n, d_model)


def alternating(first: Floats, second: Floats) -> Floats:
    """By turns a component of the one and of the other."""
    return np.where(np.arange(first.shape[-1]) % 2 == 0, first, second)


class InputSteps(Steps):
    """X = E + PE."""

    def input(self) -> Array:
        return self.input_of("", self.model.embedding, self.position())

    def input_of(self, at: str, given: Floats, position: Floats) -> Array:
        vectors = AS_GIVEN.over(TOKEN, DIM, printed=Printed.GIVEN)
        embedding = self.write(at + "embedding", self.pen.read(given), vectors)  # (n, d_model)
        if not self.model.rules.positions:
            return self.write(at + "input", embedding, vectors)
        encoding = THREE.over(TOKEN, DIM, printed=Printed.ALSO)
        written = self.write(at + "positional_encoding", position, encoding)  # (n, d_model)
        rounded = ONE.over(TOKEN, DIM, printed=Printed.GIVEN)
        return self.write(at + "input", embedding + written, rounded)  # (n, d_model)

    def position(self) -> Floats:
        return sinusoids(self.model.n_tokens, self.sizes.d_model)
