"""In: the published German sheets (tests/data/katze-published.json). Out: a verdict for every printed cell.

    right        at most one unit of the last printed place from the truth
    follows      further off, but within one unit of what the sheet's own earlier printed numbers give
    first_error  further off, and not what the sheet's own earlier numbers give either

How many of the 370 cells are more than one unit off depends on two readings, counted here by far_from():

    places of the masked weights        2 (contract, N = 2)    3 (as the sheets print them)
    last place of the single number     144                    140
    last place of its table             150                    146
"""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

from .arithmetics import Hand, places_needed, unit, written
from .recomputation import calculate, cells
from .task import Task
from .transformer import Pen

Cell = tuple[str, tuple[int, ...]]
DATA = Path(__file__).resolve().parents[1] / "data/katze-published.json"
PICKED = {  # which components each matrix takes, column by column
    "head1.W_Q": "d1 d2",
    "head1.W_K": "d3 d4",
    "head1.W_V": "d2 d4",
    "head2.W_Q": "d3 d4",
    "head2.W_K": "d1 d2",
    "head2.W_V": "d1 d3",
    "W_O": "d1 d2 d3 d4",
    "ffn.W_1": "d1 d2 d3-d1 d4-d2 d1 d2 d3-d4 d4-d1",
    "ffn.W_2": "d1 d2 d5 d6",
}
NORMS = {"gamma": 1, "beta": 0}


def katze(**options) -> dict:
    """„Die Katze sitzt auf der Matte“ with the matrices of the course: what is given, no results."""
    tokens, embedding = ["Die", "Katze", "sitzt", "auf", "der", "Matte"], sheet()["embedding"]
    weights: dict = {"vocabulary_embedding": embedding, "block1.ffn.b_1": [0] * 8, "block1.ffn.b_2": [0] * 4}
    weights |= {f"block1.norm{k}.{part}": [value] * 4 for k in (1, 2) for part, value in NORMS.items()}
    for name, columns in PICKED.items():
        rows = [f"d{i}" for i in range(1, 9 if name == "ffn.W_2" else 5)]
        taken = [column.split("-") for column in columns.split()]
        weights["block1." + name] = [[(d in each[:1]) - (d in each[1:]) for each in taken] for d in rows]
    given = {"axes": ["token", "dim"], "places": 1, "exact": embedding, "hand": embedding}
    plain = {"dimension": 4, "heads": 2, "bloecke": 1, "nachkommastellen": 2, "temperatur": [0.5, 1, 2]}
    plain |= {"maske": True, "skalierung": True, "positionen": True}
    return {
        "satz": " ".join(tokens),
        "optionen": plain | options,
        "tokens": tokens,
        "vocabulary": tokens,
        "token_ids": list(range(6)),
        "weights": weights,
        "quantities": {"embedding": given},
    }


class CopyingPen(Pen):
    """Writes what the step before gives, but passes on the sheet's numbers wherever it prints one."""

    def __init__(self, arithmetic, places, sheet: dict) -> None:
        super().__init__(arithmetic, places)
        self.sheet = sheet
        self.honest: dict = {}

    def passed_on(self, name: str):
        self.honest[name] = self.page[name]
        return self._printed_over(self.sheet.get(name), self.honest[name])

    def _printed_over(self, printed, honest):
        if printed is None:  # not printed, or a whole row not printed
            return honest
        if isinstance(printed, list):
            return [self._printed_over(p, h) for p, h in zip(printed, honest, strict=True)]
        return written(printed)


def sheet() -> dict:
    return json.loads(DATA.read_text(encoding="utf-8"))


def sheet_places(masked_weight_places: int) -> tuple[Task, dict[str, int]]:
    """The contract's places at N = 2, with another choice for the masked attention weights."""
    return Task(katze()), {f"block1.head{k}.weight": masked_weight_places for k in (1, 2)}


def truth(masked_weight_places: int = 2) -> dict:
    """Every quantity in school arithmetic, from the given numbers alone."""
    task, places = sheet_places(masked_weight_places)
    return calculate(task, Hand, places)


def from_own_numbers(masked_weight_places: int = 2) -> dict:
    """What honest work gives for each cell when it starts from the numbers that the sheets print."""
    task, places = sheet_places(masked_weight_places)
    pen = CopyingPen(Hand, places, sheet())
    calculate(task, Hand, places, pen)
    return pen.honest


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


def published_verdicts() -> dict[Cell, str]:
    """(name, index) to verdict, for every cell the sheets print.

    The sheets print masked weights with three places, the contract at N = 2 has two; which of them the
    sheets went on with cannot be seen, so a cell counts as wrong only if it is wrong for both.
    """
    wrong = far_from(truth(2), "table") & far_from(truth(3), "table")
    dishonest = far_from(from_own_numbers(2), "table") & far_from(from_own_numbers(3), "table")

    def verdict(cell: Cell) -> str:
        if cell not in wrong:
            return "right"
        return "first_error" if cell in dishonest else "follows"

    return {cell: verdict(cell) for cell in printed_cells()}
