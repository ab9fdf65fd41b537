"""Vectors go in; vectors with mean 0 and standard deviation 1, stretched by γ and moved by β, come out."""

from engine.layers.steps import Steps
from engine.numbers.arrays import Array, sqrt
from engine.trace.quantities import DIM, N_PLUS_1, TOKEN, N


class NormSteps(Steps):
    """LayerNorm (Ba, Kiros, Hinton 2016) over all d_model components, dividing by d_model, without ε."""

    def norm(self, at: str, x: Array) -> Array:
        mean = self.write(at + "mean", x.sum(-1) / self.sizes.d_model, N.inside(TOKEN))  # (n,)
        deviation = x - mean[..., None]  # (n, d_model)
        variance = self.write(at + "variance", self.mean_square(deviation), N_PLUS_1.inside(TOKEN))  # (n,)
        std = self.write(at + "std", self.spread(variance), N.inside(TOKEN, divisor=True))  # (n,)
        gamma, beta = self.weight(at + "gamma"), self.weight(at + "beta")
        normalised = deviation / std[..., None] * gamma + beta  # (n, d_model)
        return self.write(at + "output", normalised, N.over(TOKEN, DIM))

    def mean_square(self, deviation: Array) -> Array:
        return (deviation * deviation).sum(-1) / self.sizes.d_model  # (n,)

    def spread(self, variance: Array) -> Array:
        return sqrt(variance)
