"""The weights of a head go in; the sentence, each word with an arc to the one it attends to most, out."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from generator.figures.arcs import STROKES
from generator.figures.drawing import Canvas
from generator.figures.parts import (
    WordRow,
    figure_of,
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

_HIGHEST: Final = 14.0
_LOWEST: Final = 5.0


def sentence_arcs(desk: Desk, name: str, withheld: Collection[int]) -> Figure:
    """Arcs above the words lead to later words, below them to earlier ones, of equals to each.

    withheld: the words whose arcs are left to the pupil.
    """
    pitch = TEXT_WIDTH / desk.n
    centres = [(i + 0.5) * pitch for i in range(desk.n)]
    words = WordRow(desk.words, pitch, 4.2)
    reach = max(1, desk.n - 1)
    later = any(seen(desk, name, i, j) for i in range(desk.n) for j in range(i + 1, desk.n))
    skies = [_HIGHEST if later else 1.0, _HIGHEST if desk.n > 1 else 1.0]
    labels = step_labels(desk)

    def draw(tokens: Collection[int]) -> Drawing:
        canvas, said = Canvas(), []
        words.draw(canvas, skies[0], centres, upwards=True)
        for i, j in ((token, other) for token in tokens for other in _strongest(desk, name, token)):
            forward = i < j
            edge = skies[0] - 0.4 if forward else skies[0] + words.height + 1.0
            rise = max(_LOWEST, (_HIGHEST - 1.0) * abs(i - j) / reach) * (1 if forward else -1)
            width, dash = STROKES[share_step(desk, value(desk, name, i, j))]
            start = centres[i] + (0.8 if forward else -0.8)
            canvas.arc((start, edge), (centres[j], edge), rise, width, dash)
            said.append(f"{quoted(desk.words[i])} auf {quoted(desk.words[j])} {desk.number(name, i, j).text}")
        legend(canvas, (0, sum(skies) + words.height + 2.0), labels, _sample, TEXT_WIDTH)
        return Drawing(
            canvas.shapes, ("Am meisten achten " + ", ".join(said) if said else "Noch kein Bogen") + "."
        )

    height = sum(skies) + words.height + 2.0 + legend_height(labels, TEXT_WIDTH)
    return figure_of("Wer achtet am meisten auf wen?", height, draw, withheld, desk.n)


def _strongest(desk: Desk, name: str, i: int) -> list[int]:
    """The other words that a word attends to most, as written."""
    weights = {j: value(desk, name, i, j) for j in range(desk.n) if j != i and seen(desk, name, i, j)}
    return [j for j, weight in weights.items() if weight == max(weights.values())]


def _sample(canvas: Canvas, step: int, at: tuple[float, float]) -> None:
    width, dash = STROKES[step]
    canvas.line(at, (at[0] + 8, at[1]), width, dash)
