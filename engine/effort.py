"""Blanks of a sheet go in; what the pupil types into the calculator for them, and about how long, comes out.

Counted is what a person does who has the printed tables in view: a product with a given 0 falls away, one
with a given 1 or −1 is no multiplication, and a matrix that only picks a component costs nothing but writing.
A subtraction counts as an addition. Cells that the mask hides cost nothing.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Final

import numpy as np

from engine.model import AnyModel, Floats
from engine.output import temperature_name
from engine.quantities import kind_of

# Estimates, not measured: a pupil of about sixteen with a pocket calculator and numbers of two places. They
# follow the keystroke-level model (Card, Moran, Newell 1980) for keys that are not known by heart: half a
# second a key, 1.35 seconds to find a number or to decide. A product is about ten keys and two numbers, an
# addition five keys and one number, e^x and a root six or seven keys with second function and brackets, a
# sine ten keys with its angle and four digits back; a cell is to round, to find its place and to write four
# signs. Replace them when a class has been timed.
SECONDS: Final[Mapping[str, float]] = {
    "multiplications": 8.0,
    "additions": 4.0,
    "divisions": 8.0,
    "exponentials": 8.0,
    "roots": 6.0,
    "sines": 10.0,
    "cells": 5.0,
}


@dataclass(frozen=True)
class Operations:
    """How often each is done; sines counts cosines too, cells the numbers written down."""

    multiplications: int = 0
    additions: int = 0
    divisions: int = 0
    exponentials: int = 0
    roots: int = 0
    sines: int = 0
    cells: int = 0

    def __add__(self, other: "Operations") -> "Operations":
        return Operations(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    @property
    def minutes(self) -> float:
        """Estimated working time by `SECONDS`."""
        seconds = (float(getattr(self, name)) * each for name, each in SECONDS.items())
        return sum(seconds) / 60


NOTHING: Final = Operations()


@dataclass(frozen=True)
class _Cell:
    """A cell to fill: parts are the named parts of its quantity's name."""

    model: AnyModel
    index: tuple[int, ...]
    parts: Mapping[str, str]

    @property
    def d(self) -> int:
        return self.model.sizes.d_model

    def table(self, name: str) -> Floats:
        """A given weight; unmasked.head1 works with block 1's matrices."""
        return self.model.weights[name.replace("unmasked.", "block1.")]

    def seen(self) -> int:
        """How many tokens the cell's row may look at."""
        masked = self.parts["path"].startswith("block") and self.model.causal_mask
        return self.index[0] + 1 if masked else self.model.n_tokens

    def hidden(self) -> bool:
        return len(self.index) == 2 and self.index[1] >= self.seen()

    def words(self) -> int:
        return len(self.model.vocabulary)


def operations(name: str, index: tuple[int, ...], model: AnyModel) -> Operations:
    """What one cell takes; ValueError for a name or an index that the model's forward pass does not have.

    Quantities of a generated text (round1.logit …) count without the end token in sums over the words; its
    own cells come last.
    """
    rule = _rule(name)
    if rule is None or not _exists(name, rule[1], model):
        raise ValueError(f"no effort is known for {name}")
    count, parts = rule
    sizes = {
        "token": model.n_tokens,
        "dim": model.sizes.d_model,
        "head_dim": model.sizes.d_head,
        "hidden": model.sizes.d_ff,
        "word": len(model.vocabulary) + name.startswith("round"),
    }
    shape = [sizes[axis] for axis in kind_of(name).axes]
    if len(index) != len(shape) or any(not 0 <= i < size for i, size in zip(index, shape, strict=True)):
        raise ValueError(f"{name} has no cell {list(index)}")
    return count(_Cell(model, index, parts))


def effort(blanks: Iterable[tuple[str, tuple[int, ...]]], model: AnyModel) -> Operations:
    """The sum over blanks (quantity, index); `.minutes` estimates the time."""
    total = NOTHING
    for name, index in blanks:
        total += operations(name, index, model)
    return total


@cache
def _rule(name: str) -> tuple[Callable[[_Cell], Operations], Mapping[str, str]] | None:
    for pattern, count in _RULES.items():
        match = re.fullmatch(pattern, name)
        if match is not None:
            return count, match.groupdict()
    return None


def _exists(name: str, parts: Mapping[str, str], model: AnyModel) -> bool:
    """Whether the block, the head, the temperature or the switch is one of the model's."""
    path = parts.get("path") or ""
    if path.startswith("temperature"):
        return path in {temperature_name(t) for t in model.temperatures}
    if path.startswith("block"):
        needed = path + (".W_Q" if ".head" in path else ".W_O")
        return needed in model.weights
    if path.startswith("unmasked"):
        return model.causal_mask
    return name != "positional_encoding" or model.positions


def products(count: int) -> Operations:
    """A sum of products of computed numbers."""
    return Operations(multiplications=count, additions=max(0, count - 1), cells=1)


def given_products(factors: Floats, bias: float = 0.0) -> Operations:
    """A sum of products with given factors, and a given number added to it."""
    present = factors[factors != 0]
    terms = len(present) + (bias != 0)
    return Operations(multiplications=int((np.abs(present) != 1).sum()), additions=max(0, terms - 1), cells=1)


def _one(**done: int) -> Callable[[_Cell], Operations]:
    """The same for each cell of a quantity."""
    fixed = Operations(**done, cells=1)
    return lambda cell: fixed


def _in_row(count: Callable[[_Cell], Operations]) -> Callable[[_Cell], Operations]:
    """For tables of token against token: nothing where the mask hides the cell."""
    return lambda cell: NOTHING if cell.hidden() else count(cell)


def _angle(cell: _Cell) -> Operations:
    divided = cell.index[1] >= 2  # the first pair's divisor is 10000^0 = 1
    return Operations(divisions=int(divided), sines=1, cells=1)


def _projection(cell: _Cell) -> Operations:
    W = {"query": "W_Q", "key": "W_K", "value": "W_V"}[cell.parts["end"]]
    return given_products(cell.table(f"{cell.parts['path']}.{W}")[:, cell.index[1]])


def _scaled(cell: _Cell) -> Operations:
    divides = cell.model.scaling and cell.model.sizes.d_head > 1
    return Operations(divisions=int(divides), cells=1)


def _row_sum(cell: _Cell) -> Operations:
    return Operations(additions=cell.seen() - 1, cells=1)


def _attention(cell: _Cell) -> Operations:
    return given_products(cell.table(f"{cell.parts['path']}.W_O")[:, cell.index[1]])


def _mean(cell: _Cell) -> Operations:
    return Operations(additions=cell.d - 1, divisions=1, cells=1)


def _variance(cell: _Cell) -> Operations:
    """Subtract the mean, square, add, divide."""
    return Operations(multiplications=cell.d, additions=2 * cell.d - 1, divisions=1, cells=1)


def _normalised(cell: _Cell) -> Operations:
    at = f"{cell.parts['path']}.norm{cell.parts['number']}."
    gamma, beta = cell.table(at + "gamma")[cell.index[1]], cell.table(at + "beta")[cell.index[1]]
    return Operations(
        multiplications=int(abs(gamma) not in (0.0, 1.0)), additions=1 + int(beta != 0), divisions=1, cells=1
    )


def _layer(W: str, b: str) -> Callable[[_Cell], Operations]:
    def count(cell: _Cell) -> Operations:
        at, column = f"{cell.parts['path']}.ffn.", cell.index[1]
        return given_products(cell.table(at + W)[:, column], float(cell.table(at + b)[column]))

    return count


def _logit(cell: _Cell) -> Operations:
    (word,) = cell.index
    if word == cell.words():  # the end token, whose vector the model does not know
        return products(cell.d)
    return given_products(cell.model.vocabulary_embedding[word])


def _cooled(cell: _Cell) -> Operations:
    return Operations(divisions=int(cell.parts["path"] != "temperature1"), cells=1)


def _word_sum(cell: _Cell) -> Operations:
    return Operations(additions=cell.words() - 1, cells=1)


def _word_length(cell: _Cell) -> Operations:
    vector = cell.model.vocabulary_embedding[cell.index[0]]  # (d_model,)
    return given_products(vector) + Operations(roots=1)


def _word_product(cell: _Cell) -> Operations:
    first, second = (cell.model.vocabulary_embedding[i] for i in cell.index)
    present = (first != 0) & (second != 0)  # (d_model,)
    to_multiply = present & (np.abs(first) != 1) & (np.abs(second) != 1)
    return Operations(
        multiplications=int(to_multiply.sum()), additions=max(0, int(present.sum()) - 1), cells=1
    )


def _length(cell: _Cell) -> Operations:
    return products(cell.d) + Operations(roots=1)


_HEAD: Final = r"(?P<path>block\d+\.head\d+|unmasked\.head1)"
_LOOK: Final = r"(?P<path>block\d+\.head\d+|unmasked\.head1|entry)"
_BLOCK: Final = r"(?P<path>block\d+)"
_NORM: Final = _BLOCK + r"\.norm(?P<number>[12])"
_SOFTMAX: Final = r"(?P<path>temperature[\d.]+|round\d+)"
_ROUND: Final = r"(?P<path>round\d+)"

_RULES: Final[Mapping[str, Callable[[_Cell], Operations]]] = {
    "embedding": _one(),
    "positional_encoding": _angle,
    "input": lambda cell: Operations(additions=int(cell.model.positions), cells=1),
    r"similarity\.norm": _word_length,
    r"similarity\.dot": _word_product,
    r"(?:similarity|context|entry)\.cosine": _one(multiplications=1, divisions=1),
    r"(?:context|entry)\.norm": _length,
    r"(?:context|entry)\.dot": lambda cell: products(cell.d),
    r"(?P<path>entry)\.score": lambda cell: products(cell.d),
    _HEAD + r"\.(?P<end>query|key|value)": _projection,
    _HEAD + r"\.score": _in_row(lambda cell: products(cell.model.sizes.d_head)),
    _HEAD + r"\.scaled": _in_row(_scaled),
    _LOOK + r"\.exp": _in_row(_one(exponentials=1)),
    _LOOK + r"\.exp_sum": _row_sum,
    _LOOK + r"\.weight": _in_row(_one(divisions=1)),
    _LOOK + r"\.output": lambda cell: products(cell.seen()),
    _BLOCK + r"\.concat": _one(),
    _BLOCK + r"\.attention": _attention,
    _BLOCK + r"\.residual[12]": _one(additions=1),
    _NORM + r"\.mean": _mean,
    _NORM + r"\.variance": _variance,
    _NORM + r"\.std": _one(roots=1),
    _NORM + r"\.output": _normalised,
    _BLOCK + r"\.ffn\.hidden": _layer("W_1", "b_1"),
    _BLOCK + r"\.ffn\.activation": _one(),
    _BLOCK + r"\.ffn\.output": _layer("W_2", "b_2"),
    "logit": _logit,
    _ROUND + r"\.logit": _logit,
    _SOFTMAX + r"\.scaled_logit": _cooled,
    _SOFTMAX + r"\.exp": _one(exponentials=1),
    _SOFTMAX + r"\.exp_sum": _word_sum,
    _SOFTMAX + r"\.probability": _one(divisions=1),
    _ROUND + r"\.kept_sum": _word_sum,
    _ROUND + r"\.share": _one(divisions=1),
    _ROUND + r"\.cumulative": _one(additions=1),
}
