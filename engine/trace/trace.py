"""The ordered table of all that a calculation wrote down: name, axes, places and values of each quantity."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.trace.quantities import Printed

CellAddress = tuple[str, tuple[int, ...]]  # a quantity's name, and the indices of one of its cells


@dataclass(frozen=True)
class Quantity:
    """One table of numbers under its dotted name, e.g. block1.head2.weight.

    values: as many axes as `axes` names (runs of many pupils carry leading axes before them).
    places: decimal places that are written in the hand arithmetic, None in the exact one.
    visible: False in the cells that the mask hides; None where nothing is hidden.
    printed: whether the sheet gives it to all. inside: on the way to a step's result.
    """

    name: str
    axes: tuple[str, ...]
    places: int | None
    values: NDArray[np.float64]
    visible: NDArray[np.bool_] | None = None
    printed: Printed = Printed.NO
    inside: bool = False

    def cells(self) -> Iterator[tuple[int, ...]]:
        """The indices of the visible cells, in reading order."""
        shape = self.values.shape[self.values.ndim - len(self.axes) :]
        for index in np.ndindex(*shape):
            if self.visible is None or self.visible[index]:
                yield index


class Trace(Mapping[str, Quantity]):
    """Quantities by name, in the order in which they were written."""

    def __init__(self) -> None:
        self._quantities: dict[str, Quantity] = {}

    def note(self, quantity: Quantity) -> None:
        if quantity.name in self._quantities:
            raise ValueError(f"{quantity.name} was written twice")
        self._quantities[quantity.name] = quantity

    def __getitem__(self, name: str) -> Quantity:
        return self._quantities[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._quantities)

    def __len__(self) -> int:
        return len(self._quantities)
