"""The probabilities of the next word go in; bars for each word, one for each temperature, come out."""

from __future__ import annotations

import math
from typing import Final

from engine.layers.output import temperature_name
from generator.figures.drawing import SERIES, Canvas, Point, shortened, text_width, widest
from generator.figures.parts import legend, legend_height, quoted, value
from generator.sheet.desk import Desk
from generator.sheet.measures import TEXT_WIDTH
from generator.sheet.sheet import Drawing, Figure

_MOST_IN_A_COLUMN: Final = 8
_HIGHEST: Final = 200.0  # mm, all words of a column
_BETWEEN: Final = 2.2
_GAP: Final = 8.0  # mm between two columns


def probability_bars(desk: Desk, *, blank: bool = False) -> Figure:
    """Every word of the vocabulary, in its order.

    blank: the worksheet gets frames as long as a probability of 1.
    """
    temperatures = desk.calculation.model.rules.temperatures
    names = [temperature_name(t) + ".probability" for t in temperatures]
    entries = [f"T = {desk.constant(t)}" for t in temperatures]
    places = desk.quantity(names[0]).places or 0
    columns = 1 if len(desk.vocabulary) <= _MOST_IN_A_COLUMN else 2
    per_column = math.ceil(len(desk.vocabulary) / columns)
    room = (TEXT_WIDTH - _GAP * (columns - 1)) / columns
    labels = min(room / 3, widest(desk.vocabulary) + 2.0)
    bar = min(max(2.4, 5.0 - len(names) * 0.6), (_HIGHEST / per_column - _BETWEEN) / len(names))
    group = bar * len(names) + _BETWEEN
    numbers = text_width(desk.constant(1, places), 2.6) + 1.5
    longest = room - labels - numbers
    top = legend_height(entries, TEXT_WIDTH) + 2.0
    foot = top + per_column * group - 1.0

    def draw(filled: bool) -> Drawing:
        canvas = Canvas()
        legend(canvas, (0, 0), entries, _sample, TEXT_WIDTH)
        for w, word in enumerate(desk.vocabulary):
            left = w // per_column * (room + _GAP) + labels
            y = top + w % per_column * group
            middle = y + bar * len(names) / 2 + 1.0
            canvas.text((left - 1.5, middle), shortened(word, labels - 2.0), anchor="end")
            canvas.line((left, y - 0.6), (left, y + group - 1.6), 0.3)
            for k, name in enumerate(names):
                at = (left, y + k * bar)
                share = value(desk, name, w)
                if not filled:
                    canvas.rectangle(at, (longest, bar - 0.3), width=0.15)
                    continue
                if share > 0:
                    canvas.rectangle(at, (share * longest, bar - 0.3), SERIES[k], 0.9)
                text = desk.number(name, w).text
                canvas.text((left + share * longest + 1.0, at[1] + bar / 2 + 0.8), text, min(2.6, bar))
        return Drawing(
            canvas.shapes, _in_words(desk, names, entries) if filled else "Die Balken fehlen noch."
        )

    title = "Wahrscheinlichkeiten des nächsten Wortes"
    empty = draw(False) if blank else None
    return Figure(title, TEXT_WIDTH, round(foot + 4.6, 1), draw(True), empty)


def _sample(canvas: Canvas, k: int, at: Point) -> None:
    canvas.rectangle((at[0], at[1] - 1.5), (8.0, 3.0), SERIES[k], 0.9)


def _in_words(desk: Desk, names: list[str], entries: list[str]) -> str:
    lines = []
    for name, entry in zip(names, entries, strict=True):
        words = (f"{quoted(word)} {desk.number(name, w).text}" for w, word in enumerate(desk.vocabulary))
        lines.append(f"{entry}: " + ", ".join(words))
    return "; ".join(lines) + "."
