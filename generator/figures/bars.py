"""The components of a vector as bars on an upright scale; a level scale."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from generator.figures.drawing import Canvas, Pattern, text_width
from generator.figures.parts import SMALL

_MARK: Final = 0.8  # mm, half of it
_WIDE: Final = 0.64  # of a component's room
_MOST_WITH_NUMBERS: Final = 4
Marks: TypeAlias = Mapping[int, str] | Mapping[float, str]


@dataclass(frozen=True)
class VectorBars:
    """left: of the scale. zero: where a bar of 0 ends. unit: mm of 1. pitch: mm of a component."""

    left: float
    zero: float
    unit: float
    pitch: float
    count: int

    def scale(self, canvas: Canvas, ends: tuple[float, float], marks: Marks, foot: float) -> None:
        """marks: what stands at each of them. foot: where the components are counted."""
        low, high = (self.zero - self.unit * end for end in ends)
        canvas.line((self.left, high), (self.left, low), 0.25)
        for mark, text in marks.items():
            y = self.zero - self.unit * mark
            right = _MARK if mark else self.count * self.pitch
            canvas.line((self.left - _MARK, y), (self.left + right, y), 0.25)
            if text:
                canvas.text((self.left - 1.3, y + 0.9), text, SMALL, "end")
        for c in range(self.count):
            canvas.text((self._middle(c), foot), str(c + 1), min(SMALL, 0.8 * self.pitch), "middle")

    def bar(self, canvas: Canvas, c: int, number: float, text: str, pattern: Pattern) -> None:
        """One component's bar; where there are few, with its number at the end."""
        middle, wide, amount = self._middle(c), _WIDE * self.pitch, number * self.unit
        if amount:
            corner = middle - wide / 2, self.zero - max(0.0, amount)
            canvas.rectangle(corner, (wide, abs(amount)), pattern, 0.8)
        if self.count <= _MOST_WITH_NUMBERS:
            end = self.zero - amount + (SMALL if amount < 0 else -0.8)
            canvas.text((middle, end), text, SMALL, "middle")

    def _middle(self, c: int) -> float:
        return self.left + (c + 0.5) * self.pitch


def level_scale(canvas: Canvas, y: float, ends: tuple[float, float], marks: Marks) -> None:
    """A level line with a mark and a number at each place, over whatever crosses it."""
    canvas.line((ends[0], y), (ends[1], y), 0.3)
    for x, text in marks.items():
        canvas.line((x, y - 0.9), (x, y + 0.9), 0.3)
        wide = text_width(text, SMALL)
        canvas.blank((x - wide / 2, y + 1.4), (wide, 2.4))
        canvas.text((x, y + 3.7), text, SMALL, "middle")
