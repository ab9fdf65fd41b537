"""In: the published German sheets (tests/data/katze-published.json). Out: a verdict for every printed cell.

right        at most one unit of the last place of its table from the truth
follows      further off, but within one unit of what the sheet's own earlier printed numbers give
first_error  further off, and not what the sheet's own earlier numbers give either
"""

from __future__ import annotations

import json
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


def katze() -> dict:
    """„Die Katze sitzt auf der Matte“ with the matrices of the course: what is given, no results."""
    tokens, embedding = ["Die", "Katze", "sitzt", "auf", "der", "Matte"], sheet()["embedding"]
    weights: dict = {"vocabulary_embedding": embedding, "block1.ffn.b_1": [0] * 8, "block1.ffn.b_2": [0] * 4}
    weights |= {f"block1.norm{k}.{part}": [value] * 4 for k in (1, 2) for part, value in NORMS.items()}
    for name, columns in PICKED.items():
        rows = [f"d{i}" for i in range(1, 9 if name == "ffn.W_2" else 5)]
        taken = [column.split("-") for column in columns.split()]
        weights["block1." + name] = [[(d in each[:1]) - (d in each[1:]) for each in taken] for d in rows]
    options = {"dimension": 4, "heads": 2, "bloecke": 1, "nachkommastellen": 2, "temperatur": [0.5, 1, 2]}
    options |= {"maske": True, "skalierung": True, "positionen": True}
    given = {"axes": ["token", "dim"], "places": 1, "exact": embedding, "hand": embedding}
    words = {"tokens": tokens, "vocabulary": tokens, "token_ids": list(range(6))}
    return {"optionen": options, **words, "weights": weights, "quantities": {"embedding": given}}


class CopyingPen(Pen):
    """Writes what the step before gives, but passes on the sheet's numbers wherever it prints one."""

    def __init__(self, arithmetic, places, sheet: dict) -> None:
        super().__init__(arithmetic, places)
        self.sheet = sheet

    def passed_on(self, name: str):
        return self._printed_over(self.sheet.get(name), self.page[name])

    def _printed_over(self, printed, honest):
        if printed is None:  # not printed, or a whole row not printed
            return honest
        if isinstance(printed, list):
            return [self._printed_over(p, h) for p, h in zip(printed, honest, strict=True)]
        return written(printed)


def sheet() -> dict:
    return json.loads(DATA.read_text(encoding="utf-8"))


def published_verdicts() -> dict[Cell, str]:
    """(name, index) to verdict, for every cell the sheets print.

    The sheets print masked weights with three places, the contract at N = 2 has two; which of them the
    sheets went on with cannot be seen, so a cell counts as wrong only if it is wrong for both.
    """
    tables = sheet()
    printed = {(name, i): written(v) for name, t in tables.items() for i, v in cells(t) if v is not None}

    def far_off(read: dict) -> set[Cell]:
        """read: the printed numbers from which one goes on."""
        wrong = set(printed)
        for masked_weights in (2, 3):
            places = {f"block1.head{k}.weight": masked_weights for k in (1, 2)}
            page = calculate(Task(katze()), Hand, places, CopyingPen(Hand, places, read))
            wanted = {(name, index): v for name in tables for index, v in cells(page[name])}
            units = {name: unit(places_needed(table)) for name, table in tables.items()}
            wrong &= {cell for cell, v in printed.items() if abs(v - wanted[cell]) > units[cell[0]]}
        return wrong

    wrong, dishonest = far_off({}), far_off(tables)
    return {
        cell: "right" if cell not in wrong else "first_error" if cell in dishonest else "follows"
        for cell in printed
    }
