"""The two Add & LayerNorm of a block, and the working space of one token: deviations, squares, sums."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from engine.judging.deviations import DEVIATION, SQUARE, SUM, SUM_OF_DEVIATIONS, SUM_OF_SQUARES, working
from engine.numbers.arrays import Floats
from engine.numbers.decimals import Decimals
from generator.sheet.desk import Desk


@dataclass(frozen=True)
class Layer:
    """One Add & LayerNorm of a block: what is added to what, and what the results are called.

    letters: of the two vectors that are added and of the normalised one.
    """

    block: int
    which: Literal[1, 2]
    own: str
    new: str
    letters: tuple[str, str, str]

    @property
    def residual(self) -> str:
        return f"block{self.block}.residual{self.which}"

    @property
    def at(self) -> str:
        return f"block{self.block}.norm{self.which}."


def first_layer(block: int) -> Layer:
    own = "input" if block == 1 else f"block{block - 1}.norm2.output"
    return Layer(block, 1, own, f"block{block}.attention", ("x", "a", "z"))


def second_layer(block: int) -> Layer:
    return Layer(block, 2, f"block{block}.norm1.output", f"block{block}.ffn.output", ("z", "f", "y"))


def changes_nothing(desk: Desk, at: str) -> bool:
    """Whether the given vectors of a norm leave every number as it is: γ is 1 and β is 0."""
    weights = desk.calculation.model.weights
    return all(np.all(weights[at + name] == neutral) for name, neutral in desk.sizes.norm.parameters.items())


@dataclass(frozen=True)
class Deviations:
    """Working space of one token as text, exact: r − μ and its square for each component, and the sums."""

    deviations: tuple[str, ...]
    squares: tuple[str, ...]
    sum: str
    sum_of_deviations: str
    sum_of_squares: str
    mean_sign: str
    variance_sign: str
    std_sign: str


def deviations(desk: Desk, layer: Layer, token: int) -> Deviations:
    names = (layer.residual, layer.at + "mean")
    between = working({name: desk.quantity(name) for name in names})
    n = desk.options.nachkommastellen

    def values(ending: str) -> Floats:
        return np.asarray(between[layer.at + ending].values[token])

    def written(name: str) -> Fraction:
        return _fraction(Decimals.from_floats(desk.quantity(layer.at + name).values[token]))

    def sign(exact: bool) -> str:
        return "=" if exact else "≈"

    total, total_square = (Decimals.from_floats(values(ending)) for ending in (SUM, SUM_OF_SQUARES))
    d = desk.sizes.d_model

    return Deviations(
        tuple(desk.format.text(float(x), n) for x in values(DEVIATION)),
        tuple(desk.format.text(float(x), None) for x in values(SQUARE)),
        desk.format.text(float(total.to_floats()), desk.quantity(layer.residual).places),
        desk.format.text(float(values(SUM_OF_DEVIATIONS)), n),
        desk.format.text(float(total_square.to_floats()), None),
        sign(_fraction(total) / d == written("mean")),
        sign(_fraction(total_square) / d == written("variance")),
        sign(written("std") ** 2 == written("variance")),
    )


def _fraction(number: Decimals) -> Fraction:
    return Fraction(int(number.digits), 10**number.places)
