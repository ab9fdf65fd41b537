"""Attention weights of one token go in; arcs to the words it sees, thick for a large weight, come out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from generator.figures.drawing import Canvas, Point, text_width
from generator.figures.parts import (
    WordRow,
    legend,
    legend_height,
    quoted,
    seen,
    share_step,
    step_labels,
    value,
)
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH
from generator.sheet.sheet import Drawing, Figure

STROKES: Final = (
    (0.25, "0.3 1.3"), (0.3, "1.7 1.2"), (0.5, ""), (0.9, ""), (1.4, ""), (2.0, ""), (2.8, ""),
)  # fmt: skip
_HIGHEST: Final = 20.0  # mm, of an arc
_LOWEST: Final = 4.0
_NOTE: Final = 5.0


@dataclass(frozen=True)
class _Arcs:
    """Words in a row; above them, and below where there are two quantities, weights and arcs."""

    desk: Desk
    token: int
    names: tuple[str, ...]
    notes: tuple[str, ...]

    @cached_property
    def pitch(self) -> float:
        return TEXT_WIDTH / self.desk.n

    @cached_property
    def centres(self) -> list[float]:
        return [(i + 0.5) * self.pitch for i in range(self.desk.n)]

    @cached_property
    def words(self) -> WordRow:
        return WordRow(self.desk.words, self.pitch)

    @cached_property
    def weights(self) -> tuple[WordRow, ...]:
        return tuple(
            WordRow([self._weight(name, j) for j in range(self.desk.n)], self.pitch) for name in self.names
        )

    def _weight(self, name: str, j: int) -> str:
        visible = seen(self.desk, name, self.token, j)
        return self.desk.number(name, self.token, j).text if visible else "–"

    def _seen(self, name: str) -> list[int]:
        return [j for j in range(self.desk.n) if seen(self.desk, name, self.token, j)]

    @cached_property
    def steepness(self) -> float:
        """mm of height for each word that an arc passes."""
        farthest = max(abs(j - self.token) for name in self.names for j in self._seen(name))
        return min(0.4 * self.pitch, _HIGHEST / max(1, farthest))

    def _rise(self, j: int) -> float:
        return max(_LOWEST, self.steepness * abs(j - self.token))

    @cached_property
    def skies(self) -> list[float]:
        """The room above the words, and below them."""
        note = _NOTE if any(self.notes) else 0.0
        return [max(self._rise(j) for j in self._seen(name)) + 2.0 + note for name in self.names]

    @cached_property
    def band(self) -> float:
        return self.words.height + sum(row.height for row in self.weights) + 2.0

    @cached_property
    def bottom(self) -> float:
        return sum(self.skies) + self.band

    @cached_property
    def height(self) -> float:
        return self.bottom + 2.0 + legend_height(step_labels(self.desk), TEXT_WIDTH)

    def draw(self, filled: bool) -> Drawing:
        canvas = Canvas()
        top = self.skies[0] + self.weights[0].height + 0.5
        self._draw_words(canvas, top)
        if filled:
            self.weights[0].draw(canvas, self.skies[0], self.centres, upwards=True)
            if len(self.names) > 1:
                self.weights[1].draw(canvas, top + self.words.height + 1.0, self.centres)
            for k, name in enumerate(self.names):
                self._draw_arcs(canvas, name, k)
        for note, y in zip(self.notes, (3.0, self.bottom - 1.0), strict=False):
            canvas.text((0, y), note, bold=True)
        legend(canvas, (0, self.bottom + 2.0), step_labels(self.desk), _sample, TEXT_WIDTH)
        return Drawing(canvas.shapes, self._in_words() if filled else "Die Bögen fehlen noch.")

    def _draw_words(self, canvas: Canvas, top: float) -> None:
        self.words.draw(canvas, top, self.centres, upwards=True)
        word = self.words.words[self.token]
        wide = self.words.size + 1.4 if self.words.turned else text_width(word) + 2.0
        half = min(self.pitch, wide) / 2
        x = self.centres[self.token]
        corners = [(x - half, top), (x + half, top), (x + half, top + self.words.height)]
        canvas.path([*corners, (x - half, top + self.words.height), (x - half, top)], 0.5)

    def _draw_arcs(self, canvas: Canvas, name: str, side: int) -> None:
        """side: 0 above, 1 below the words. The strongest arcs are drawn last."""
        edge = self.skies[0] + (-0.5 if side == 0 else self.band + 0.5)
        for j in sorted(self._seen(name), key=lambda j: value(self.desk, name, self.token, j)):
            width, dash = STROKES[share_step(self.desk, value(self.desk, name, self.token, j))]
            start, end = self.centres[self.token], self.centres[j]
            if j == self.token:
                start, end = start - 1.8, end + 1.8
            canvas.arc((start, edge), (end, edge), self._rise(j) * (1 if side == 0 else -1), width, dash)

    def _in_words(self) -> str:
        lines = []
        for name, note in zip(self.names, self.notes, strict=True):
            weights = (f"{quoted(self.desk.words[j])} {self._weight(name, j)}" for j in self._seen(name))
            lines.append((f"{note}: " if note else "") + ", ".join(weights))
        return "; ".join(lines) + "."


def attention_arcs(
    desk: Desk,
    name: str,
    token: int,
    *,
    below: str = "",
    notes: Sequence[str] = ("", ""),
    blank: bool = False,
) -> Figure:
    """How strongly one token attends to each token it sees; the weights stand beside the words.

    name, below: quantities of weights, drawn above and (where given) below the words; notes: what each is.
    blank: the worksheet gets the words alone.
    """
    names = (name, below) if below else (name,)
    arcs = _Arcs(desk, token, names, tuple(notes[: len(names)]))
    title = f"Gewichte von {quoted(desk.words[token])} als Bögen"
    return Figure(
        title, TEXT_WIDTH, round(arcs.height, 1), arcs.draw(True), arcs.draw(False) if blank else None
    )


def _sample(canvas: Canvas, step: int, at: Point) -> None:
    width, dash = STROKES[step]
    canvas.line(at, (at[0] + 8, at[1]), width, dash)
