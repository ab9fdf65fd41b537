"""The probabilities of the next word go in; bars for each word, one for each temperature, come out."""

from __future__ import annotations

import math
from typing import Final

from engine.forward.forward import temperature_name
from generator.figures.drawing import SERIES, Canvas, Point, shortened, text_width, widest
from generator.figures.parts import legend, legend_height, quoted, value
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH
from generator.sheet.sheet import Drawing, Figure

_MOST_WORDS: Final = 6  # whose bars are drawn
_COLUMNS_FROM: Final = 4  # words
_BAR: Final = 4.4  # mm
_BETWEEN: Final = 2.4
_GAP: Final = 8.0  # mm between two columns
_AXIS: Final = 6.0
_TICKS: Final = 5


def shown_words(desk: Desk) -> list[int]:
    """The most probable words, in the vocabulary's order."""
    logits = desk.quantity("logit").values
    return sorted(sorted(range(len(logits)), key=lambda word: (-logits[word], word))[:_MOST_WORDS])


def probability_bars(desk: Desk, *, blank: bool = False) -> Figure:
    """A bar for each of the most probable words and each temperature, above an axis from 0 to 1.

    blank: the worksheet gets the axis alone.
    """
    temperatures = desk.calculation.model.rules.temperatures
    names = [temperature_name(t) + ".probability" for t in temperatures]
    entries = [f"T = {desk.constant(t)}" for t in temperatures]
    words = shown_words(desk)
    places = desk.quantity(names[0]).places or 0
    columns = 2 if len(words) >= _COLUMNS_FROM else 1
    per_column = math.ceil(len(words) / columns)
    room = (TEXT_WIDTH - _GAP * (columns - 1)) / columns
    labels = min(room / 3, widest([desk.vocabulary[word] for word in words]) + 2.0)
    bar = min(_BAR, 26.0 / len(names))
    group = bar * len(names) + _BETWEEN
    longest = room - labels - text_width(desk.constant(1, places), 2.6) - 1.5
    top = legend_height(entries, TEXT_WIDTH) + 2.0
    foot = top + per_column * group

    def draw(filled: bool) -> Drawing:
        canvas = Canvas()
        legend(canvas, (0, 0), entries, _sample, TEXT_WIDTH)
        for column in range(columns):
            _axis(canvas, desk, (column * (room + _GAP) + labels, top - 1.0), foot, longest)
        for place, word in enumerate(words):
            left = place // per_column * (room + _GAP) + labels
            y = top + place % per_column * group
            name = shortened(desk.vocabulary[word], labels - 2.0)
            canvas.text((left - 1.5, y + bar * len(names) / 2 + 1.0), name, anchor="end")
            for k, name in enumerate(names if filled else ()):
                at, share = (left, y + k * bar), value(desk, name, word)
                if share > 0:
                    canvas.rectangle(at, (share * longest, bar - 0.5), SERIES[k], 0.9)
                text, size = desk.number(name, word).text, min(2.6, bar)
                end = left + share * longest + 1.0
                if end + text_width(text, size) > left + longest:  # the line at 1 would cross it
                    end = left + longest + 1.0
                canvas.text((end, at[1] + bar / 2 + 0.7), text, size)
        return Drawing(
            canvas.shapes, _in_words(desk, words, names, entries) if filled else "Die Balken fehlen noch."
        )

    title = "Wahrscheinlichkeiten des nächsten Wortes"
    empty = draw(False) if blank else None
    return Figure(title, TEXT_WIDTH, round(foot + _AXIS, 1), draw(True), empty)


def _axis(canvas: Canvas, desk: Desk, corner: Point, foot: float, longest: float) -> None:
    """From 0 at the corner to 1, with a hairline up from every tick."""
    left, top = corner
    canvas.line((left, foot), (left + longest, foot), 0.3)
    for tick in range(_TICKS + 1):
        x = left + longest * tick / _TICKS
        canvas.line(
            (x, top if tick in (0, _TICKS) else foot - 1.2), (x, foot + 1.0), 0.3 if tick == 0 else 0.15
        )
        canvas.text((x, foot + 4.2), desk.constant(tick / _TICKS, 1), 2.6, anchor="middle")


def _sample(canvas: Canvas, k: int, at: Point) -> None:
    canvas.rectangle((at[0], at[1] - 1.5), (8.0, 3.0), SERIES[k], 0.9)


def _in_words(desk: Desk, shown: list[int], names: list[str], entries: list[str]) -> str:
    lines = []
    for name, entry in zip(names, entries, strict=True):
        words = (f"{quoted(desk.vocabulary[w])} {desk.number(name, w).text}" for w in shown)
        lines.append(f"{entry}: " + ", ".join(words))
    return "; ".join(lines) + "."
