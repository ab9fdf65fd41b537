"""In: the published German sheets (tests/data/katze-published.json). Out: which printed cells are wrong.

How many of the 370 cells are more than one unit off depends on two readings, counted here by far_from():

    places of the masked weights        2 (contract, N = 2)    3 (as the sheets print them)
    last place of the single number     144                    140
    last place of its table             150                    146
"""

from __future__ import annotations

from decimal import Decimal

from .arithmetics import Hand, places_needed, unit, written
from .examples import katze, load
from .recomputation import calculate, cells
from .task import Task

Cell = tuple[str, tuple[int, ...]]


def sheet() -> dict:
    return load("katze-published.json")


def sheet_places(masked_weight_places: int) -> tuple[Task, dict[str, int]]:
    """The contract's places at N = 2, with another choice for the masked attention weights."""
    return Task(katze()), {f"block1.head{k}.weight": masked_weight_places for k in (1, 2)}


def truth(masked_weight_places: int = 2) -> dict:
    """Every quantity in school arithmetic, from the given numbers alone."""
    task, places = sheet_places(masked_weight_places)
    return calculate(task, Hand, places)


def printed_cells() -> dict[Cell, Decimal]:
    """The 370 cells that the sheets print, in the order of the calculation."""
    tables = sheet().items()
    return {(name, i): written(v) for name, values in tables for i, v in cells(values) if v is not None}


def far_from(expected: dict, by: str = "cell") -> set[Cell]:
    """Printed cells off by more than one unit of the last printed place.

    by = "cell": the last place of the single number, as the JSON file has it (0.190 stands there as 0.19);
    by = "table": the last place of the table it stands in.
    """
    tables = {name: places_needed(values) for name, values in sheet().items()}
    wanted = {(name, index): value for name in tables for index, value in cells(expected[name])}
    units = {
        cell: unit(places_needed(value) if by == "cell" else tables[cell[0]])
        for cell, value in printed_cells().items()
    }
    return {cell for cell, value in printed_cells().items() if abs(value - wanted[cell]) > units[cell]}
