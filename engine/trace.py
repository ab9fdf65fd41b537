"""The ordered table of all that a calculation wrote down: name, axes, places and values of each quantity."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

# --- What is to be known of a quantity beside its numbers, said where it is written: N.over(TOKEN, DIM).

TOKEN, DIM, HEAD_DIM, HIDDEN, WORD, ROUND = "token", "dim", "head_dim", "hidden", "word", "round"
SOURCE: Final = "source"  # the tokens that attention looks at: its own, or in cross-attention the other's
SOURCE_TOKEN, TARGET_TOKEN = "source_token", "target_token"  # for TOKEN where there are two sentences


class Printed(Enum):
    """Whether the sheet gives a quantity to all, so that everyone reads the same numbers on."""

    NO = "each works it out"
    ALSO = "printed for all who go on; who works it out too may be a unit beside it"
    GIVEN = "printed, and nothing to be worked out"


class Places(Enum):
    """How many places the hand arithmetic writes; N is the sheet's number of places."""

    AS_GIVEN = "as given"
    NATURAL = "natural, at most N"
    NATURAL_PLUS_1 = "natural, at most N + 1"
    N = "N"
    N_PLUS_1 = "N + 1"
    N_PLUS_2 = "N + 2"
    ONE = "1"
    THREE = "3"

    @cache  # asked for at every step of every run
    def over(
        self, *axes: str, printed: Printed = Printed.NO, divisor: bool = False, ranked: bool = False
    ) -> Kind:
        """A quantity with these places and axes."""
        return Kind(axes, self, printed, divisor, ranked=ranked)

    @cache
    def intermediate(self, *axes: str, divisor: bool = False, ranked: bool = False) -> Kind:
        """The same for a number on the way to a result (of a head, a LayerNorm) that the next step reads."""
        return Kind(axes, self, divisor=divisor, intermediate=True, ranked=ranked)


class Operation(Enum):
    """What a quantity is worked out by, where somebody who judges it has to know."""

    LENGTH = "|a|"
    SCALED = "score / √d_k"
    EXP = "e^x"
    SUM = "what each row adds up to"
    RESIDUAL = "x + what a layer adds, which a norm takes"
    NORM = "the first step of a norm"
    NORM_DIVISOR = "what a norm divides by"
    RELU = "ReLU(u)"
    NETWORK = "products with the numbers of a ReLU"
    GATE = "the gradient that a ReLU lets through"


@dataclass(frozen=True)
class Kind:
    """divisor: something is divided by it, or its logarithm taken; who would write 0 takes more places.

    ranked: someone is asked for the largest of a row. of: the x of an e^x, the u of a ReLU(u), what a sum
    adds up, by the last part of its name; of a norm's first step, the norm.
    """

    axes: tuple[str, ...]
    places: Places
    printed: Printed = Printed.NO
    divisor: bool = False
    intermediate: bool = False
    ranked: bool = False
    operation: Operation | None = None
    of: str = ""

    @cache  # noqa: B019 – there are only a few kinds
    def by(self, operation: Operation, of: str = "") -> Kind:
        """The kind, with the operation that the quantity is worked out by."""
        return replace(self, operation=operation, of=of)

    @cache  # noqa: B019
    def renamed(self, axes: tuple[tuple[str, str], ...]) -> Kind:
        """The kind with other names of its axes: (old, new)."""
        new = dict(axes)
        return replace(self, axes=tuple(new.get(axis, axis) for axis in self.axes))


AS_GIVEN, NATURAL, NATURAL_PLUS_1 = Places.AS_GIVEN, Places.NATURAL, Places.NATURAL_PLUS_1
N, N_PLUS_1, N_PLUS_2, ONE, THREE = Places.N, Places.N_PLUS_1, Places.N_PLUS_2, Places.ONE, Places.THREE


# --- Where a quantity or a weight stands in the model. Its name is made of this, and told apart here alone.

ENCODER, DECODER = "encoder.", "decoder."
_NAME: Final = re.compile(
    r"(.*?)((?:encoder|decoder)\.)?(?:block(\d+)\.)?(?:(self|cross|ffn|norm\d|heads)\.)?(?:head(\d+)\.)?"
    r"(?:temperature([\d.]+)\.)?([^.]*)"
)


class Place(NamedTuple):
    """The parts of a dotted name, or of its beginning; "" and 0 where it has none.

    way: what stands before the model's own names, with its point: „gradient.“, „after.“, „unmasked.“.
    side: ENCODER or DECODER, of two sentences. layer: of a block, „ffn“; "" is the attention to itself.
    """

    way: str
    side: str
    block: int
    layer: str
    head: int
    temperature: str
    last: str

    @property
    def prefix(self) -> str:
        """What all names of this place begin with, the point at the end."""
        numbered = (("block", self.block), ("head", self.head), ("temperature", self.temperature))
        block, head, temperature = (f"{word}{number}." if number else "" for word, number in numbered)
        return self.way + self.side + block + (self.layer and self.layer + ".") + head + temperature

    @property
    def name(self) -> str:
        return self.prefix + self.last

    @property
    def of_norm(self) -> bool:
        return self.layer in ("norm1", "norm2", "norm3")


@cache  # asked for at every step of a training
def place_of(name: str) -> Place:
    """decoder.block2.cross.head1.weight -> side decoder., block 2, layer cross, head 1, last weight."""
    found = _NAME.fullmatch(name)
    way, side, block, layer, head, temperature, last = (found[k] or "" for k in range(1, 8))  # type: ignore[index]
    return Place(way, side, int(block or 0), layer, int(head or 0), temperature, last)


CellAddress = tuple[str, tuple[int, ...]]  # a quantity's name, and the indices of one of its cells
Cells = Mapping[str, NDArray[np.bool_]]  # some cells of each quantity, in its shape


@dataclass(frozen=True)
class Quantity:
    """One table of numbers under its dotted name, e.g. block1.head2.weight.

    kind: what is known of it beside its numbers.
    places: decimal places that are written in the hand arithmetic, None in the exact one.
    values: as many axes as `axes` names (runs of many pupils carry leading axes before them).
    visible: False in the cells that the mask hides; None where nothing is hidden.
    """

    name: str
    kind: Kind
    places: int | None
    values: NDArray[np.float64]
    visible: NDArray[np.bool_] | None = None

    @property
    def axes(self) -> tuple[str, ...]:
        return self.kind.axes

    @property
    def place(self) -> Place:
        return place_of(self.name)

    @property
    def printed(self) -> Printed:
        """Whether the sheet gives it to all."""
        return self.kind.printed

    @property
    def of(self) -> str:
        """The quantity that an e^x, a sum or a ReLU(u) is worked out from."""
        return beside(self.name, self.kind.of)

    def holding(self, values: NDArray[np.float64]) -> Quantity:
        """The same with other numbers: quicker than `replace`."""
        return Quantity(self.name, self.kind, self.places, values, self.visible)

    @property
    def shown(self) -> NDArray[np.bool_]:
        """True in the visible cells."""
        shape = self.values.shape[self.values.ndim - len(self.axes) :]
        return np.ones(shape, np.bool_) if self.visible is None else self.visible

    def cells(self) -> Iterator[tuple[int, ...]]:
        """The indices of the visible cells, in reading order."""
        shown = self.shown
        return (index for index in np.ndindex(*shown.shape) if shown[index])


def beside(name: str, last: str) -> str:
    """The name of another quantity of the same step: its last part is another."""
    return name[: name.rfind(".") + 1] + last


class Trace(Mapping[str, Quantity]):
    """Quantities by name, in the order in which they were written."""

    def __init__(self) -> None:
        self._quantities: dict[str, Quantity] = {}

    def note(self, quantity: Quantity) -> None:
        if quantity.name in self._quantities:
            raise ValueError(f"{quantity.name} was written twice")
        self._quantities[quantity.name] = quantity

    def by(self, operation: Operation) -> Iterator[Quantity]:
        """All quantities that an operation gives, in order."""
        return (quantity for quantity in self.values() if quantity.kind.operation is operation)

    def where(self, cells: Iterable[CellAddress]) -> dict[str, NDArray[np.bool_]]:
        """Where the quantities have these cells; cells that they do not have are left out."""
        found: dict[str, NDArray[np.bool_]] = {}
        for name, index in cells:
            if name not in self:
                continue
            shape = self[name].values.shape
            if len(index) == len(shape) and all(i < n for i, n in zip(index, shape, strict=True)):
                found.setdefault(name, np.zeros(shape, np.bool_))[index] = True
        return found

    def __getitem__(self, name: str) -> Quantity:
        return self._quantities[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._quantities)

    def __len__(self) -> int:
        return len(self._quantities)
