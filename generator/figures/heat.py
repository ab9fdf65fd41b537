"""A matrix of attention weights goes in; a grid hatched by the weights, or to hatch by hand, comes out."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from generator.figures.drawing import Canvas, Point, shortened, widest
from generator.figures.parts import (
    WordRow,
    figure_of,
    legend,
    legend_height,
    quoted,
    seen,
    share_step,
    step_labels,
    step_pattern,
    value,
)
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH
from generator.sheet.sheet import Drawing, Figure

_LABELS: Final = 30.0
_WIDEST_CELL: Final = 16.0
_HIGHEST_CELL: Final = 9.0


def heat_map(desk: Desk, name: str, withheld: Collection[int] = ()) -> Figure:
    """Rows: who attends; columns: to whom. The rows of `withheld` are left to the pupil to hatch."""
    labels = min(_LABELS, widest(desk.words) + 1.5)
    wide = min(_WIDEST_CELL, (TEXT_WIDTH - labels) / desk.n)
    high = min(_HIGHEST_CELL, wide)
    columns = [labels + (j + 0.5) * wide for j in range(desk.n)]
    words = WordRow(desk.words, wide)
    top, bottom = words.height, words.height + high * desk.n

    def draw(tokens: Collection[int]) -> Drawing:
        canvas = Canvas()
        words.draw(canvas, 0.0, columns, upwards=True)
        for i in range(desk.n):
            y = top + i * high
            word = shortened(desk.words[i], labels - 1.5)
            canvas.text((labels - 1.5, y + high / 2 + 1), word, anchor="end", bold=i in withheld)
            for j in range(desk.n):
                corner = (labels + j * wide, y)
                if not seen(desk, name, i, j):
                    canvas.rectangle(corner, (wide, high))
                    middle = y + high / 2
                    canvas.line((corner[0] + 0.35 * wide, middle), (corner[0] + 0.65 * wide, middle), 0.35)
                elif i in tokens:
                    step = share_step(desk, value(desk, name, i, j))
                    canvas.rectangle(corner, (wide, high), *step_pattern(step))
                else:
                    canvas.rectangle(corner, (wide, high), width=0.5)
        legend(canvas, (0, bottom + 2.5), step_labels(desk), _sample, TEXT_WIDTH)
        return Drawing(canvas.shapes, _in_words(desk, name, tokens))

    height = bottom + 2.5 + legend_height(step_labels(desk), TEXT_WIDTH)
    return figure_of("Attention-Matrix mit Schraffuren", height, draw, withheld, desk.n)


def _sample(canvas: Canvas, step: int, at: Point) -> None:
    canvas.rectangle((at[0], at[1] - 1.7), (8.0, 3.4), *step_pattern(step))


def _in_words(desk: Desk, name: str, tokens: Collection[int]) -> str:
    rows = []
    for i in tokens:
        columns = [j for j in range(desk.n) if seen(desk, name, i, j)]
        cells = (f"{quoted(desk.words[j])} {desk.number(name, i, j).text}" for j in columns)
        rows.append(f"{quoted(desk.words[i])} achtet auf " + ", ".join(cells))
    return "; ".join(rows) + "."
