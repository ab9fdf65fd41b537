"""Attention weights as arcs between words, thick for a large weight: of one token, or of a sentence."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from generator.figures.drawing import Canvas, Point, text_width
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

STROKES: Final = (
    (0.25, "0.3 1.3"), (0.3, "1.7 1.2"), (0.5, ""), (0.9, ""), (1.4, ""), (2.0, ""), (2.8, ""),
)  # fmt: skip
_MOST_EQUAL: Final = 2  # arcs of one word; more tell nothing
_HIGHEST: Final = 20.0  # mm, of an arc
_LOWEST: Final = 4.0
_NOTE: Final = 5.0
_HIGHEST_OF_ALL: Final = 14.0
_LOWEST_OF_ALL: Final = 5.0


def attention_arcs(
    desk: Desk, name: str, token: int, *, below: str = "", notes: Sequence[str] = ("", "")
) -> Figure:
    """How strongly one token attends to each token it sees; the weights stand beside the words.

    name, below: quantities of weights, drawn above and (where given) below the words; notes: what each is.
    """
    names = (name, below) if below else (name,)
    notes = notes[: len(names)]
    pitch, labels = TEXT_WIDTH / desk.n, step_labels(desk)
    centres = [(i + 0.5) * pitch for i in range(desk.n)]
    visible = [[j for j in range(desk.n) if seen(desk, each, token, j)] for each in names]
    texts = [
        [desk.number(each, token, j).text if j in shown else "–" for j in range(desk.n)]
        for each, shown in zip(names, visible, strict=True)
    ]
    words, weights = WordRow(desk.words, pitch), [WordRow(row, pitch) for row in texts]
    farthest = max(abs(j - token) for shown in visible for j in shown)
    steepness = min(0.4 * pitch, _HIGHEST / max(1, farthest))  # mm of height for each word that an arc passes

    def rise(j: int) -> float:
        return max(_LOWEST, steepness * abs(j - token))

    note = _NOTE if any(notes) else 0.0
    skies = [max(map(rise, shown)) + 2.0 + note for shown in visible]  # the room above the words, and below
    band = words.height + sum(row.height for row in weights) + 2.0
    bottom = sum(skies) + band
    canvas, top = Canvas(), skies[0] + weights[0].height + 0.5
    words.draw(canvas, top, centres, upwards=True)
    wide = words.size + 1.4 if words.turned else text_width(words.words[token]) + 2.0
    half, x, foot = min(pitch, wide) / 2, centres[token], top + words.height
    canvas.path([(x - half, top), (x + half, top), (x + half, foot), (x - half, foot), (x - half, top)], 0.5)
    weights[0].draw(canvas, skies[0], centres, upwards=True)
    if below:
        weights[1].draw(canvas, top + words.height + 1.0, centres)
    edges = (skies[0] - 0.5, skies[0] + band + 0.5)
    for each, shown, edge, up in zip(names, visible, edges, (1, -1), strict=False):
        shares = {j: value(desk, each, token, j) for j in shown}
        for j in sorted(shares, key=shares.__getitem__):  # the strongest arcs are drawn last
            width, dash = STROKES[share_step(desk, shares[j])]
            apart = 1.8 if j == token else 0.0
            canvas.arc((x - apart, edge), (centres[j] + apart, edge), rise(j) * up, width, dash)
    for said, y in zip(notes, (3.0, bottom - 1.0), strict=False):
        canvas.text((0, y), said, bold=True)
    legend(canvas, (0, bottom + 2.0), labels, _sample, TEXT_WIDTH)
    lines = [
        (f"{said}: " if said else "") + ", ".join(f"{quoted(desk.words[j])} {row[j]}" for j in shown)
        for said, shown, row in zip(notes, visible, texts, strict=True)
    ]
    return Figure(
        f"Gewichte von {quoted(desk.words[token])} als Bögen",
        TEXT_WIDTH,
        round(bottom + 2.0 + legend_height(labels, TEXT_WIDTH), 1),
        Drawing(canvas.shapes, "; ".join(lines) + "."),
    )


def _sample(canvas: Canvas, step: int, at: Point) -> None:
    width, dash = STROKES[step]
    canvas.line(at, (at[0] + 8, at[1]), width, dash)


def sentence_arcs(desk: Desk, name: str, withheld: Collection[int]) -> Figure:
    """Arcs above the words lead to later words, below them to earlier ones, of two equals to both.

    withheld: the words whose arcs are left to the pupil.
    """
    pitch = TEXT_WIDTH / desk.n
    centres = [(i + 0.5) * pitch for i in range(desk.n)]
    words = WordRow(desk.words, pitch, 4.2)
    reach = max(1, desk.n - 1)
    later = any(seen(desk, name, i, j) for i in range(desk.n) for j in range(i + 1, desk.n))
    skies = [_HIGHEST_OF_ALL if later else 1.0, _HIGHEST_OF_ALL if desk.n > 1 else 1.0]
    labels = step_labels(desk)

    def draw(tokens: Collection[int]) -> Drawing:
        canvas, said = Canvas(), []
        words.draw(canvas, skies[0], centres, upwards=True)
        for i, j in ((token, other) for token in tokens for other in _strongest(desk, name, token)):
            forward = i < j
            edge = skies[0] - 0.4 if forward else skies[0] + words.height + 1.0
            rise = max(_LOWEST_OF_ALL, (_HIGHEST_OF_ALL - 1.0) * abs(i - j) / reach) * (1 if forward else -1)
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
    """The other words that a word attends to most, as written; none where more than two have as much."""
    weights = {j: value(desk, name, i, j) for j in range(desk.n) if j != i and seen(desk, name, i, j)}
    best = [j for j, weight in weights.items() if weight == max(weights.values())]
    return best if len(best) <= _MOST_EQUAL else []


def has_strongest(desk: Desk, name: str, i: int) -> bool:
    return bool(_strongest(desk, name, i))
