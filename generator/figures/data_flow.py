"""The sizes of a model go in; its way from the words to the next word, shape by shape, comes out."""

from __future__ import annotations

from typing import Final

from generator.figures.drawing import Canvas, shortened
from generator.figures.grids import SMALL, Grid
from generator.figures.parts import quoted
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH
from generator.sheet.sheet import Drawing, Figure

_TOP: Final = 5.5
_HIGH: Final = 20.0  # mm, of every grid
_WIDEST_CELL: Final = 4.0
_LEGIBLE: Final = 3.0  # mm of a row with a word
_WORDS: Final = 20.0
_BLOCK: Final = 24.0


def data_flow(desk: Desk) -> Figure:
    """Words, IDs, X, the blocks, Y and the probabilities, with the stations on the way."""
    n, d, words = desk.n, desk.sizes.d_model, len(desk.vocabulary)
    row = _HIGH / n
    wide = min(_WIDEST_CELL, 16.0 / d)
    middle = _TOP + _HIGH / 2
    ids = Grid((33.0, _TOP), n, 1, (4.0, row))
    X = Grid((51.0, _TOP), n, d, (wide, row))
    block = X.right + 9.0
    Y = Grid((block + _BLOCK + 8.0, _TOP), n, d, (wide, row))
    odds = Grid((Y.right + 13.0, _TOP), words, 1, (4.0, _HIGH / words))
    canvas = Canvas()
    _words(canvas, desk, row)
    for grid, name, below in (
        (ids, "IDs", f"{n} Zahlen"), (X, "X", ""), (Y, "Y", ""), (odds, "p", f"{words} Zahlen"),
    ):  # fmt: skip
        grid.draw(canvas, {n - 1: "/"} if grid is Y else None)
        grid.label(canvas, name, below)
    canvas.rectangle((block, _TOP + 2.0), (_BLOCK, _HIGH - 4.0), width=0.6)
    blocks = "1 Block" if desk.sizes.n_blocks == 1 else f"{desk.sizes.n_blocks} Blöcke"
    for line, words_in in enumerate((blocks, "Attention und", "Feed-Forward")):
        canvas.text(
            (block + _BLOCK / 2, middle - 2.6 + 3.6 * line), words_in, SMALL, "middle", bold=line == 0
        )
    positions = "2, 3" if desk.has("positional_encoding") else "2"
    ways = (
        (_WORDS + 2.0, ids.corner[0], middle, "1"), (ids.right, X.corner[0], middle, positions),
        (X.right, block, middle, ""), (block + _BLOCK, Y.corner[0], middle, ""),
        (Y.right, odds.corner[0], Y.bottom - row / 2, "8"),
    )  # fmt: skip
    for start, end, y, stations in ways:
        canvas.arrow([(start + 1.2, y), (end - 1.2, y)])
        canvas.text(((start + end) / 2, y - 1.2), stations, SMALL, "middle", bold=True)
    canvas.text((block + _BLOCK / 2, _TOP + 0.6), "4a bis 7", SMALL, "middle", bold=True)
    canvas.arrow([(odds.right + 1.2, middle), (odds.right + 6.0, middle)])
    canvas.text((odds.right + 7.2, middle - 0.6), "nächstes", SMALL)
    canvas.text((odds.right + 7.2, middle + 2.8), "Wort: ?", SMALL, bold=True)
    return Figure(
        "Vom Satz zum nächsten Wort", TEXT_WIDTH, _TOP + _HIGH + 5.0, Drawing(canvas.shapes, _said(desk))
    )


def _words(canvas: Canvas, desk: Desk, row: float) -> None:
    if row < _LEGIBLE:
        canvas.text((_WORDS, _TOP + _HIGH / 2 + 1.0), f"{desk.n} Wörter", 3.0, "end", bold=True)
        return
    for i, word in enumerate(desk.words):
        at = (_WORDS, _TOP + (i + 0.5) * row + 1.0)
        canvas.text(at, shortened(word, _WORDS), anchor="end", bold=i == desk.n - 1)


def _said(desk: Desk) -> str:
    n, d = desk.n, desk.sizes.d_model
    return (
        f"{n} Wörter werden in Station 1 zu {n} IDs, dann zur Tabelle X mit {n} Zeilen und {d} Spalten. "
        f"Die Blöcke (Stationen 4a bis 7) machen daraus Y mit gleich vielen Zeilen und Spalten. "
        "Aus der letzten Zeile, "
        f"{quoted(desk.words[-1])}, werden in Station 8 {len(desk.vocabulary)} Wahrscheinlichkeiten "
        "und daraus das nächste Wort."
    )
