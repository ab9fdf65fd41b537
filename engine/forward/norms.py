"""How each norm of engine/model/norms.py is worked out, forward and back."""

from collections.abc import Mapping
from typing import Final, Protocol

from engine.model.norms import LAYER_NORM
from engine.numbers.arrays import Array
from engine.trace import DIM, N_PLUS_1, TOKEN, Kind, N, Operation

_OUTPUT: Final = N.over(TOKEN, DIM)
_DIVISOR: Final = N.intermediate(TOKEN, divisor=True).by(Operation.NORM_DIVISOR)


class Pass(Protocol):
    """The forward pass that a norm is a part of (`Forward`); numbers are (…, d_model), their means (…)."""

    def write(self, name: str, value: Array, kind: Kind) -> Array: ...
    def weight(self, name: str) -> Array: ...
    def mean(self, numbers: Array) -> Array: ...
    def mean_square(self, numbers: Array) -> Array: ...
    def norm_divisor(self, mean_square: Array) -> Array: ...


class PassBack(Pass, Protocol):
    """The way back (`Backward`), with what was written on the way forward."""

    written: dict[str, Array]

    def gradient(self, name: str, value: Array, *axes: str) -> Array: ...
    def learn(self, name: str, gradient: Array, *axes: str) -> None: ...


class NormSteps(Protocol):
    def forward(self, run: Pass, at: str, x: Array) -> Array:
        """The output, written after the steps; at: what their names begin with. x: (n, d_model)."""

    def back(self, run: PassBack, at: str, x: str, g: Array) -> Array:
        """∂L/∂x from the output's gradient g; x: the name of what was normalised."""


class LayerNorm(NormSteps):
    """(x − μ) / σ · γ + β over all d_model components, without ε (Ba, Kiros, Hinton 2016)."""

    def forward(self, run: Pass, at: str, x: Array) -> Array:
        kind = N.intermediate(TOKEN).by(Operation.NORM, LAYER_NORM.name)
        mean = run.write(at + "mean", run.mean(x), kind)  # (n,)
        deviation = x - mean[..., None]  # (n, d_model)
        kind = N_PLUS_1.intermediate(TOKEN)
        variance = run.write(at + "variance", run.mean_square(deviation), kind)  # (n,)
        std = run.write(at + "std", run.norm_divisor(variance), _DIVISOR)  # (n,)
        normalised = deviation / std[..., None] * run.weight(at + "gamma") + run.weight(at + "beta")
        return run.write(at + "output", normalised, _OUTPUT)

    def back(self, run: PassBack, at: str, x: str, g: Array) -> Array:
        """(∂L/∂x̂ − mean of ∂L/∂x̂ − x̂ · mean of ∂L/∂x̂·x̂) / σ: μ and σ depend on x too."""
        mean, std = (run.written[at + step][..., None] for step in ("mean", "std"))  # (n, 1)
        normalised = run.write(at + "normalised", (run.written[x] - mean) / std, _OUTPUT)  # (n, d_model)
        run.learn(at + "gamma", (g * normalised).sum(-2), DIM)  # (d_model,)
        run.learn(at + "beta", g.sum(-2), DIM)  # (d_model,)
        inner = run.gradient(at + "normalised", g * run.weight(at + "gamma"))  # (n, d_model)
        average = run.gradient(at + "average", run.mean(inner), TOKEN)  # (n,)
        overlap = run.gradient(at + "overlap", run.mean(inner * normalised), TOKEN)  # (n,)
        rest = inner - average[..., None] - normalised * overlap[..., None]  # (n, d_model)
        return run.gradient(x, rest / std)


STEPS: Final[Mapping[str, NormSteps]] = {LAYER_NORM.name: LayerNorm()}
