"""What rechnung.json holds of a sheet: its exercises and the cells that it prints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.judging.ranges import Range, joined, places
from engine.trace import CellAddress, Quantity, Trace

EXERCISES: Final = "aufgaben"
PRINTED: Final = "gegeben"
ORDERED: Final = "geordnet"
_MOST_POINTS: Final = 10_000


@dataclass(frozen=True)
class Exercise:
    """One task of a station: its number there, its points (BE), the cells that it asks for.

    ordered: it is to put them in order, the largest first, as the cells stand here.
    """

    station: str
    number: int
    points: int
    cells: tuple[CellAddress, ...]
    ordered: bool = False


def where_of(cells: Iterable[CellAddress], hand: Mapping[str, Quantity]) -> dict[str, NDArray[np.bool_]]:
    """Where the quantities have these cells; cells that they do not have are left out."""
    found: dict[str, NDArray[np.bool_]] = {}
    for name, index in cells:
        if name not in hand:
            continue
        shape = hand[name].values.shape
        if len(index) == len(shape) and all(i < n for i, n in zip(index, shape, strict=True)):
            found.setdefault(name, np.zeros(shape, np.bool_))[index] = True
    return found


def as_document(exercises: Sequence[Exercise]) -> list[dict[str, Any]]:
    return [
        {
            "station": exercise.station,
            "nummer": exercise.number,
            "be": exercise.points,
            "luecken": by_name(exercise.cells),
        }
        | ({ORDERED: True} if exercise.ordered else {})
        for exercise in exercises
    ]


def from_document(contents: Mapping[str, Any]) -> tuple[Exercise, ...]:
    """The exercises that rechnung.json holds, none where it has none. ValueError for what is none of ours."""
    listed = contents.get(EXERCISES, [])
    if not isinstance(listed, list):
        raise ValueError("keine Liste von Aufgaben")
    return tuple(map(_exercise, listed))


def printed_from_document(contents: Mapping[str, Any]) -> tuple[CellAddress, ...]:
    """The printed cells that rechnung.json names. ValueError for what is none of ours."""
    listed = contents.get(PRINTED, {})
    if not isinstance(listed, dict):
        raise ValueError("keine Sammlung von Namen")
    return _cells(listed)


def _exercise(entry: Any) -> Exercise:
    match entry:
        case {"station": str(station), "nummer": int(number), "be": int(points), "luecken": dict(blanks)} if (
            0 <= points <= _MOST_POINTS and number > 0
        ):
            return Exercise(station, number, points, _cells(blanks), entry.get(ORDERED) is True)
    raise ValueError("eine Aufgabe ohne Station, Nummer, BE oder Lücken")


def by_name(cells: Iterable[CellAddress]) -> dict[str, list[list[int]]]:
    found: dict[str, list[list[int]]] = {}
    for name, index in cells:
        found.setdefault(name, []).append(list(index))
    return found


def _cells(blanks: Mapping[str, Any]) -> tuple[CellAddress, ...]:
    cells = []
    for name, given_places in blanks.items():
        if not isinstance(given_places, list):
            raise ValueError("die Plätze einer Tabelle sind keine Liste")
        for place in given_places:
            if not isinstance(place, list) or not all(isinstance(i, int) and i >= 0 for i in place):
                raise ValueError("ein Platz besteht nicht aus ganzen Zahlen ab 0")
            cells.append((name, tuple(place)))
    return tuple(dict.fromkeys(cells))


def in_any_order(
    ranges: Mapping[str, Range], hand: Trace, exact: Trace, exercises: Iterable[Exercise]
) -> Mapping[str, Range]:
    """What is written at a place of an order may be the number of all that can stand there."""
    found = dict(ranges)
    for exercise in exercises:
        names = {name for name, _ in exercise.cells}
        if not exercise.ordered or len(names) != 1:
            continue
        (name,) = names
        quantity = hand.get(name)
        order = [index[0] for _, index in exercise.cells if len(index) == 1]
        if quantity is not None and quantity.values.ndim == 1 and max(order) < quantity.values.size:
            found[name] = joined(ranges[name], places(ranges[name], exact[name].values, order))
    return found
