"""What can go wrong in a calculation, as data: the kind, the quantity and the cell. No sentences here."""

from typing import Literal

Kind = Literal["zero_divisor", "not_finite", "unplayable", "shape", "vocabulary", "logarithm"]


class CalculationError(Exception):
    """A step that cannot be computed.

    kind: what happened; name: the quantity (or weight) it happened in; index: the cell, counted from 0.
    axes: what the index counts, where it is known.
    """

    def __init__(
        self, kind: Kind, name: str, index: tuple[int, ...] = (), axes: tuple[str, ...] = ()
    ) -> None:
        super().__init__(f"{kind}: {name}{list(index)}")
        self.kind = kind
        self.name = name
        self.index = index
        self.axes = axes
