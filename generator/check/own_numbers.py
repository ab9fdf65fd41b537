"""The calculation from own numbers onwards ("block1.head1.weight[2,1]=0,48"), for `loesung --mit`."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np

from engine.forward.calculation import Calculation
from engine.judging.own_range import recompute_from
from engine.pens.pens import Numbers
from engine.trace import CellAddress, Quantity, Trace
from generator.basics.errors import UserError, quoted
from generator.check.check import problem_of
from generator.check.entries import Entry, index_of, number_of
from generator.options.declaration import nearest

_LARGEST = 10**6  # what the blanks of a key have room for
_GIVEN = re.compile(r"\s*([\w.]+)\s*(?:\[([^\]]*)\])?\s*=\s*(.+?)\s*")


@dataclass(frozen=True)
class Recomputed:
    """The calculation with another hand trace.

    hands: the same pass by pass; own: the cells that were given; changed: all that differ.
    """

    calculation: Calculation
    hands: tuple[Trace, ...]
    own: frozenset[CellAddress]
    changed: frozenset[CellAddress]


def recomputed(calculation: Calculation, given: Sequence[str]) -> Recomputed:
    """Put the given cells in and compute by hand what follows. UserError for what cannot be placed."""
    numbers: dict[str, Numbers] = {}
    own: set[CellAddress] = set()
    for text in given:
        name, index, value = _read(calculation, text)
        shape = calculation.hand[name].values.shape
        numbers.setdefault(name, Numbers(np.zeros(shape), np.zeros(shape, np.bool_)))
        numbers[name].values[index], numbers[name].given[index] = value, True
        own.add((name, index))
    followed = recompute_from(calculation, numbers)
    changed: set[CellAddress] = set()
    traces = []
    hand = Trace()
    for (each, names), written in zip(calculation.parts(), followed.traces, strict=True):
        traces.append(_with_places(each.hand, written))
        for name in names:
            hand.note(traces[-1][name])
            differs = np.abs(written[name].values - each.hand[name].values) > 1e-9
            changed.update((name, tuple(int(i) for i in index)) for index in np.argwhere(differs))
    return Recomputed(
        replace(calculation, hand=hand),
        tuple(traces),
        frozenset(own),
        frozenset(changed),
    )


def follows_from(calculation: Calculation, cell: CellAddress, value: Decimal) -> frozenset[CellAddress]:
    """The other cells that change where this value stands in a cell."""
    (name, index), most = cell, Decimal(_LARGEST)
    return recomputed(
        calculation, [f"{name}[{','.join(map(str, index))}]={max(-most, min(most, value)):f}"]
    ).changed - {cell}


def _with_places(before: Mapping[str, Quantity], after: Mapping[str, Quantity]) -> Trace:
    """The numbers after, with the places that either has: own numbers may have more."""
    trace = Trace()
    for name, quantity in after.items():
        places = max(before[name].places or 0, quantity.places or 0)
        trace.note(replace(quantity, places=places, visible=before[name].visible))
    return trace


def _read(calculation: Calculation, text: str) -> tuple[str, tuple[int, ...], float]:
    found = _GIVEN.fullmatch(text)
    example = "„block1.head1.weight[2,1]=0,48“"
    if found is None:
        raise UserError(f"--mit {quoted(text)}: So sieht eine eigene Zahl aus: {example}.")
    name, hand = found[1], calculation.hand
    index, value = index_of(found[2] or ""), number_of(found[3])
    problem = problem_of(hand, Entry(name, index, found[3], value))
    if problem == "name":
        raise UserError(f"--mit {quoted(text)}: {quoted(name)} gibt es nicht; {nearest(name, list(hand))}")
    if problem == "index" or index is None:
        size = " × ".join(map(str, hand[name].values.shape)) or "1"
        raise UserError(f"--mit {quoted(text)}: Die Tabelle hat {size} Zellen, gezählt ab 0: {example}.")
    if problem:
        raise UserError(f"--mit {quoted(text)}: Diese Zelle verdeckt die Maske.")
    if value is None or abs(value) > _LARGEST:
        raise UserError(
            f"--mit {quoted(text)}: {quoted(found[3])} ist keine Zahl, mit der man weiterrechnen kann."
        )
    return name, index, float(value)
