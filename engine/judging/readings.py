"""A pupil's own numbers and the cells that a sheet prints go in; what the next steps read from comes out.

Someone who fills in a sheet goes on from their own numbers, and from printed ones where those stand in the
same table. Someone else computes all of it. Either way is honest, and each is a reading of the sheet.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.calculation.calculation import Calculation
from engine.pens.pupil import Numbers
from engine.trace.trace import Quantity

Cells = Mapping[str, NDArray[np.bool_]]
Reading = Mapping[str, Numbers]
# The first look at head 1 and its masked attention share these tables, which a sheet asks for only once.
_SHARED: Final = tuple(
    ("unmasked.head1." + ending, "block1.head1." + ending)
    for ending in ("query", "key", "value", "score", "scaled", "exp")
)


def readings(calculation: Calculation, own: Reading, printed: Cells) -> tuple[Reading, ...]:
    """The likeliest first: own numbers before printed ones; then, where something is printed, own ones alone.

    A number that was written under one of two names of the same table is read under both.
    """
    hand = calculation.hand
    alone = _under_both_names(hand, own)
    given = {
        name: Numbers(hand[name].values, cells)
        for name, cells in printed.items()
        if name in hand and cells.any()
    }
    if not given:
        return (alone,)
    on_sheet = {name: _before(own.get(name), given.get(name)) for name in {**own, **given}}
    return _under_both_names(hand, on_sheet), alone


def shared(hand: Mapping[str, Quantity], printed: Cells) -> Cells:
    """Where the sheet prints a number that is read on, under either name of a table that has two."""
    numbers = {name: Numbers(hand[name].values, cells) for name, cells in printed.items() if name in hand}
    return {name: own.given for name, own in _under_both_names(hand, numbers).items()}


def _under_both_names(hand: Mapping[str, Quantity], numbers: Reading) -> Reading:
    found = dict(numbers)
    for first, second in _SHARED:
        for name, other in ((first, second), (second, first)):
            if other in numbers and name in hand:
                visible = hand[name].visible
                same = numbers[other]
                seen = same.given if visible is None else same.given & visible
                found[name] = _before(numbers.get(name), Numbers(same.values, seen))
    return found


def _before(first: Numbers | None, second: Numbers | None) -> Numbers:
    """The numbers of the first, and of the second where the first has none."""
    if first is None or second is None:
        numbers = first or second
        assert numbers is not None
        return numbers
    return Numbers(np.where(first.given, first.values, second.values), first.given | second.given)
