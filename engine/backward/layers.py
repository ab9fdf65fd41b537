"""A gradient at a norm's or feed-forward layer's output goes in; those of its weights and input come out."""

from engine.backward.steps import BackwardSteps, transposed
from engine.numbers.arrays import Array, positive
from engine.trace.quantities import DIM, HIDDEN, TOKEN, N


class BackwardLayerSteps(BackwardSteps):
    """LayerNorm and the feed-forward network backwards; a sum hands its gradient on to both its parts."""

    def norm_back(self, at: str, x: str, g: Array) -> Array:
        """Through output = x̂·γ + β with x̂ = (x − mean) / std; x: the name of what was normalised.

        ∂L/∂x = (∂L/∂x̂ − mean of ∂L/∂x̂ − x̂ · mean of ∂L/∂x̂·x̂) / std: mean and std depend on x too
        (Ba, Kiros, Hinton 2016).
        """
        d = self.sizes.d_model
        mean, std = self.written[at + "mean"][..., None], self.written[at + "std"][..., None]  # (n, 1)
        normalised = (self.written[x] - mean) / std  # (n, d_model)
        normalised = self.write(at + "normalised", normalised, N.over(TOKEN, DIM))
        self.learn(at + "gamma", (g * normalised).sum(-2), DIM)  # (d_model,)
        self.learn(at + "beta", g.sum(-2), DIM)  # (d_model,)
        inner = self.gradient(at + "normalised", g * self.weight(at + "gamma"))  # (n, d_model)
        average = self.gradient(at + "average", inner.sum(-1) / d, TOKEN)  # (n,)
        overlap = self.gradient(at + "overlap", (inner * normalised).sum(-1) / d, TOKEN)  # (n,)
        rest = inner - average[..., None] - normalised * overlap[..., None]  # (n, d_model)
        return self.gradient(x, rest / std)  # (n, d_model)

    def feed_forward_back(self, at: str, z: Array, g: Array) -> Array:
        """Through z·W_1 + b_1, ReLU, ·W_2 + b_2; what comes out is not written yet: a sum adds to it."""
        written = self.written[at + "activation"]  # (n, d_ff)
        self.learn(at + "W_2", transposed(written) @ g, HIDDEN, DIM)  # (d_ff, d_model)
        self.learn(at + "b_2", g.sum(-2), DIM)  # (d_model,)
        activation = self.gradient(at + "activation", g @ transposed(self.weight(at + "W_2")))  # (n, d_ff)
        passes = positive(self.written[at + "hidden"])  # (n, d_ff)
        hidden = self.gradient(at + "hidden", activation * passes)  # (n, d_ff)
        self.learn(at + "W_1", transposed(z) @ hidden, DIM, HIDDEN)  # (d_model, d_ff)
        self.learn(at + "b_1", hidden.sum(-2), HIDDEN)  # (d_ff,)
        return hidden @ transposed(self.weight(at + "W_1"))  # (n, d_model)
