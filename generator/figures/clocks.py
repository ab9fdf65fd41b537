"""The positional encoding goes in; each pair of sine and cosine as the hand of a clock comes out."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Final

from generator.figures.drawing import Canvas
from generator.figures.parts import WordRow, figure_of, quoted, subscript, value
from generator.figures.positions import NAME
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH
from generator.sheet.sheet import Drawing, Figure

_LEFT: Final = 22.0
_LARGEST: Final = 6.0  # mm, radius
_ROWS: Final = 2  # pairs that are drawn: the first and the last


def position_clocks(desk: Desk, withheld: Collection[int] = ()) -> Figure:
    """A clock for each word, once for the first and once for the last pair; its hand begins at 12 o'clock.

    The sine is how far the hand points to the right, the cosine how far up.
    """
    d = desk.sizes.d_model // 2 * 2
    shown = [0, d - 2][: min(_ROWS, d // 2)]
    pitch = (TEXT_WIDTH - _LEFT) / desk.n
    radius = min(_LARGEST, pitch / 2 - 0.6)
    centres = [_LEFT + (i + 0.5) * pitch for i in range(desk.n)]
    words = WordRow(desk.words, pitch)
    step = 2 * radius + 2.4

    def draw(tokens: Collection[int]) -> Drawing:
        canvas, said = Canvas(), []
        for row, first in enumerate(shown):
            y = radius + 0.6 + row * step
            pair = f"p{subscript(first + 1)}, p{subscript(first + 2)}"
            canvas.text((_LEFT - 2.0, y + 1.0), pair, 2.8, "end")
            for token, x in enumerate(centres):
                canvas.circle((x, y), radius, 0.3)
                canvas.line((x, y - radius), (x, y - 0.8 * radius), 0.3)
                if token in tokens:
                    sine, cosine = (value(desk, NAME, token, c) for c in (first, first + 1))
                    canvas.arrow(
                        [(x, y), (x + 0.92 * radius * sine, y - 0.92 * radius * cosine)], 0.6, radius / 4
                    )
            said.append(f"{pair}: " + ", ".join(_turn(desk, token, first) for token in tokens))
        words.draw(canvas, len(shown) * step, centres)
        return Drawing(canvas.shapes, "; ".join(said) + ".")

    return figure_of("Zeiger zu jedem Platz", len(shown) * step + words.height, draw, withheld, desk.n)


def _turn(desk: Desk, token: int, first: int) -> str:
    sine, cosine = (value(desk, NAME, token, c) for c in (first, first + 1))
    return f"{quoted(desk.words[token])} {math.degrees(math.atan2(sine, cosine)) % 360:.0f}°"
