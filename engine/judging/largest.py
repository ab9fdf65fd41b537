"""Numbers of a row go in; the places that honest rounding allows as the largest come out."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.numbers.arrays import Floats
from engine.pens.pens import Visible

_NOISE: Final = 1e-9


def largest(written: Floats, unrounded: Floats, among: Sequence[int] | None = None) -> tuple[int, ...]:
    """The largest as written, then the largest with all digits, if that is another; of equals all.

    among: the places that are compared; None: all.
    """
    places = np.arange(len(written)) if among is None else np.asarray(among, dtype=np.int64)
    found: list[int] = []
    for numbers in (written[places], unrounded[places]):
        found += [int(place) for place in places[numbers >= numbers.max() - _NOISE]]
    return tuple(dict.fromkeys(found))


class Leaders:
    """The places of each row that were the largest on some pupil's paper.

    shape: of the quantity, a row lies along its last axis. Where it has as many rows as columns, the largest
    beside the row's own place is kept too.
    """

    def __init__(self, shape: tuple[int, ...], visible: Visible = None) -> None:
        self.seen = np.ones(shape, np.bool_) if visible is None else visible
        self.all = np.zeros(shape, np.bool_)
        self.others = np.zeros(shape, np.bool_)
        square = len(shape) > 1 and shape[-2] == shape[-1]
        self._apart = self.seen & ~np.eye(shape[-1], dtype=np.bool_) if square else None

    def add(self, on_paper: Floats) -> None:
        """on_paper: (pupils, …), or without that axis where all write the same."""
        papers = on_paper.reshape(-1, *self.all.shape)
        self.all |= _leads(papers, self.seen)
        if self._apart is not None:
            self.others |= _leads(papers, self._apart)

    def of(self, row: tuple[int, ...], others: bool = False) -> tuple[int, ...]:
        """others: of the places that are not the row's own."""
        return tuple(map(int, np.flatnonzero((self.others if others else self.all)[row])))


def _leads(papers: Floats, among: NDArray[np.bool_]) -> NDArray[np.bool_]:
    compared = np.where(among, papers, -np.inf)
    most = compared.max(axis=-1, keepdims=True)
    return np.asarray((among & (compared >= most - _NOISE)).any(axis=0))
