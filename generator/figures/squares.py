"""An attention matrix as black squares: the area is the weight, so that a pupil can draw the own rows."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Final

from generator.figures.drawing import Canvas, Point, shortened, text_width
from generator.figures.parts import WordRow, quoted, seen, value
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH, WORD_WIDTH
from generator.sheet.sheet import Drawing, Figure

_CELL, _SMALLER = 11.0, 10.0  # mm; the smaller one so that the task has room beside seven columns
_LEAST_WITH_NUMBERS: Final = 9.0
_NUMBER: Final = 2.5
_MARGIN: Final = 0.5
_EDGE: Final = 0.4  # mm that the outer line takes
_BELOW: Final = 0.62  # of a cell: a smaller square leaves room for its number below it


def cell_of(columns: int) -> float:
    """The side of a field, mm."""
    return min(_CELL if columns < 7 else _SMALLER, (TEXT_WIDTH - WORD_WIDTH - _EDGE) / columns)


def full_side(columns: int) -> int:
    """The side in mm of the square for the weight 1: whole, so that a hand can measure it."""
    return max(3, int(cell_of(columns) - 2 * _MARGIN))


def weight_squares(desk: Desk, name: str, left_open: Collection[int] = ()) -> Figure:
    """Of all weights; left_open: rows that the pupil draws, beside those that the sheet asks for."""
    rows, columns = desk.words_of(name), desk.words_of(name, 1)
    open_rows = {*left_open, *(i for i in range(len(rows)) if desk.asks(name, i))}
    cell = cell_of(len(columns))
    centres = [WORD_WIDTH + (j + 0.5) * cell for j in range(len(columns))]
    heads = WordRow(columns, [cell] * len(columns), 2.6)
    top = heads.height + 1.0

    def draw(filled: bool) -> Drawing:
        canvas = Canvas()
        heads.draw(canvas, 0.0, centres, upwards=True)
        canvas.text((0.0, top - 1.6), "achtet auf →", 2.6)
        for i, word in enumerate(rows):
            y = top + i * cell
            text = shortened(word, WORD_WIDTH - 2.0)
            canvas.text((0.0, y + cell / 2 + 1.0), text)
            for j in range(len(columns)):
                corner = (WORD_WIDTH + j * cell, y)
                canvas.rectangle(corner, (cell, cell), width=0.15)
                if not seen(desk, name, i, j):
                    canvas.text((corner[0] + cell / 2, y + cell / 2 + 1.0), "×", anchor="middle")
                elif i not in open_rows:
                    _square(canvas, corner, cell, value(desk, name, i, j), full_side(len(columns)),
                            desk.number(name, i, j).text)  # fmt: skip
                elif filled:
                    _square(canvas, corner, cell, value(desk, name, i, j), full_side(len(columns)), "")
                else:
                    _ruled(canvas, corner, cell)
            if i in open_rows:
                canvas.frame((WORD_WIDTH, y), (len(columns) * cell, cell), 0.45)
        return Drawing(canvas.shapes, _in_words(desk, name, rows, columns, () if filled else open_rows))

    height = top + len(rows) * cell + _EDGE
    drawing = draw(True)
    return Figure(
        "Attention-Matrix aus Quadraten: die Fläche ist das Gewicht",
        round(WORD_WIDTH + len(columns) * cell + _EDGE, 1),
        round(height, 1),
        drawing,
        draw(False) if open_rows else None,
    )


def _square(canvas: Canvas, corner: Point, cell: float, weight: float, full: float, number: str) -> None:
    """In the middle of its field; with a number in it or below it, where there is room for one."""
    side, (x, y) = full * math.sqrt(max(0.0, weight)), corner
    number = number if cell >= _LEAST_WITH_NUMBERS and text_width(number, _NUMBER) < cell - 1.0 else ""
    below = bool(number) and side <= _BELOW * full
    top = y + _MARGIN + (_BELOW * full - side) / 2 if below else y + (cell - side) / 2
    if side > 0:
        canvas.rectangle((x + (cell - side) / 2, top), (side, side), "black", width=0.0)
    if number:
        base = y + cell - 0.9 if below else y + cell / 2 + 0.9
        canvas.text((x + cell / 2, base), number, _NUMBER, "middle", white=not below)


def _ruled(canvas: Canvas, corner: Point, cell: float) -> None:
    """A line for each millimetre from the field's middle, to draw a square by."""
    (x, y), reach = corner, int(cell / 2)
    for k in range(-reach, reach + 1):
        canvas.line((x + cell / 2 + k, y), (x + cell / 2 + k, y + cell), 0.06)
        canvas.line((x, y + cell / 2 + k), (x + cell, y + cell / 2 + k), 0.06)


def _in_words(
    desk: Desk, name: str, rows: Sequence[str], columns: Sequence[str], left_out: Collection[int]
) -> str:
    lines = []
    for i, word in enumerate(rows):
        weights = (
            f"{quoted(columns[j])} {desk.number(name, i, j).text}"
            for j in range(len(columns))
            if seen(desk, name, i, j)
        )
        lines.append(f"{quoted(word)}: " + ("zum Zeichnen" if i in left_out else ", ".join(weights)))
    return "; ".join(lines) + "."
