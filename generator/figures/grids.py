"""Shapes of matrices go in; small grids with their name and size, and the way between them, come out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from generator.figures.drawing import Canvas, Pattern, Point

SMALL: Final = 2.6  # mm, the text under a grid
_MOST_LINES: Final = 24  # rows or columns that are drawn one by one


@dataclass(frozen=True)
class Grid:
    """A matrix of rows × columns with its top left corner; cell: mm."""

    corner: Point
    rows: int
    columns: int
    cell: Point

    @property
    def size(self) -> Point:
        return self.columns * self.cell[0], self.rows * self.cell[1]

    @property
    def right(self) -> float:
        return self.corner[0] + self.size[0]

    @property
    def bottom(self) -> float:
        return self.corner[1] + self.size[1]

    @property
    def middle(self) -> Point:
        return self.corner[0] + self.size[0] / 2, self.corner[1] + self.size[1] / 2

    def draw(self, canvas: Canvas, patterns: dict[int, Pattern] | None = None) -> None:
        """The cells; patterns: of whole rows."""
        (left, top), (wide, high) = self.corner, self.size
        canvas.rectangle(self.corner, self.size, width=0.35)
        for row, pattern in (patterns or {}).items():
            canvas.rectangle((left, top + row * self.cell[1]), (wide, self.cell[1]), pattern, 0.9)
        for row in range(1, self.rows if self.rows <= _MOST_LINES else 1):
            canvas.line((left, top + row * self.cell[1]), (left + wide, top + row * self.cell[1]), 0.2)
        for column in range(1, self.columns if self.columns <= _MOST_LINES else 1):
            canvas.line((left + column * self.cell[0], top), (left + column * self.cell[0], top + high), 0.2)

    def label(self, canvas: Canvas, name: str, below: str = "") -> None:
        """The name above, the shape below."""
        x = self.middle[0]
        canvas.text((x, self.corner[1] - 1.2), name, 3.0, "middle", bold=True)
        canvas.text((x, self.bottom + 3.2), below or shape(self.rows, self.columns), SMALL, "middle")


def shape(rows: int, columns: int) -> str:
    return f"{rows}\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}{columns}"
