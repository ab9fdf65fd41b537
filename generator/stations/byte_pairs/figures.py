"""Stations 1 and 1b: the tree of a word's merges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.figures.drawing import Canvas
from generator.sheet.sheet import Drawing, Figure

_PITCH: Final = 12.0
_WIDEST: Final = 160.0
_LEVEL: Final = 5.6
_LEAST_LEVELS: Final = 3

Merge = tuple[int, str, int]
"""Which part is merged with the next one (counted from 0), what comes out, and by which rule."""


def merge_tree(letters: Sequence[str], merges: Sequence[Merge]) -> Figure:
    """The letters below, each merge as a fork above; the worksheet has the letters alone.

    As high for any number of merges, so that the room does not tell how many there are.
    """
    pitch = min(_PITCH, _WIDEST / len(letters))
    levels = max(_LEAST_LEVELS, len(letters) - 1)
    foot = min(levels, 6) * _LEVEL + 4.0

    def leaves() -> Canvas:
        canvas = Canvas()
        for k, letter in enumerate(letters):
            canvas.text(((k + 0.5) * pitch, foot + 1.0), letter, 3.6, "middle", bold=True)
        return canvas

    filled = leaves()
    tops = [((k + 0.5) * pitch, foot - 3.0) for k in range(len(letters))]
    for level, (place, part, rule) in enumerate(merges, 1):
        (x1, y1), (x2, y2) = tops[place], tops[place + 1]
        top = ((x1 + x2) / 2, foot - 3.0 - level * (foot - 6.0) / max(len(merges), _LEAST_LEVELS))
        filled.path([(x1, y1), (top[0], top[1] + 1.0), (x2, y2)], 0.4)
        filled.text((top[0], top[1]), f"{part} (Regel {rule})", 2.8, "middle")
        tops[place : place + 2] = [(top[0], top[1] - 3.4)]
    said = "; ".join(f"Regel {rule} macht {part}" for _, part, rule in merges) or "Keine Regel passt"
    return Figure(
        "Baum der Teile",
        round(max(60.0, len(letters) * pitch), 1),
        foot + 2.0,
        Drawing(filled.shapes, said + "."),
        Drawing(leaves().shapes, "Der Baum fehlt noch; unten stehen " + ", ".join(letters) + "."),
    )
