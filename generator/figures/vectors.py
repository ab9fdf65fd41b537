"""Word vectors go in; a small bar chart for each word, all to one scale, comes out."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable

from generator.figures.drawing import Canvas, shortened
from generator.figures.parts import figure_of, quoted, value
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH
from generator.sheet.sheet import Drawing, Figure

_COLUMNS = 4
_PITCH = TEXT_WIDTH / _COLUMNS
_BARS = 22.0  # mm, the height of all bars of a word
_PANEL = _BARS + 13.0
_INSIDE = _PITCH - 9.0
_MOST_WITH_NUMBERS = 4


def word_bars(
    desk: Desk,
    title: str = "Wortvektoren als Balken",
    name: str = "embedding",
    tokens: Iterable[int] | None = None,
    withheld: Collection[int] = (),
) -> Figure:
    """The vectors of some tokens (of every different word where `tokens` is not given).

    A word is withheld wherever it stands: it has the same vector everywhere.
    """
    shown = list(_different(desk) if tokens is None else tokens)
    low, high = _scale(desk, name)
    width = desk.quantity(name).values.shape[-1]
    pitch = _INSIDE / width
    rows = math.ceil(len(shown) / _COLUMNS)

    def draw(filled: Collection[int]) -> Drawing:
        canvas = Canvas()
        for k, token in enumerate(shown):
            left, top = k % _COLUMNS * _PITCH + 7.0, k // _COLUMNS * _PANEL
            _panel(canvas, desk, (left, top + 7.5), (low, high), pitch, width)
            canvas.text((left, top + 3.5), shortened(desk.words[token], _INSIDE), bold=True)
            if token in filled:
                _bars(canvas, desk, name, token, (left, top + 7.5), (low, high), pitch)
        return Drawing(canvas.shapes, _in_words(desk, name, [token for token in shown if token in filled]))

    words = desk.calculation.model.token_ids
    hidden = {i for i in range(desk.n) if any(words[i] == words[token] for token in withheld)}
    return figure_of(title, rows * _PANEL, draw, hidden, desk.n)


def _different(desk: Desk) -> list[int]:
    tokens = desk.calculation.model.tokens
    return [tokens.index(word) for word in dict.fromkeys(tokens)]


def _scale(desk: Desk, name: str) -> tuple[float, float]:
    """Whole numbers below and above all values."""
    values = desk.quantity(name).values
    return min(0.0, math.floor(values.min())), max(1.0, math.ceil(values.max()))


def _panel(
    canvas: Canvas,
    desk: Desk,
    at: tuple[float, float],
    scale: tuple[float, float],
    pitch: float,
    width: int,
) -> None:
    """The empty chart of a word: its scale, and the numbers of its components."""
    (left, top), (low, high) = at, scale
    canvas.line((left, top), (left, top + _BARS), 0.25)
    for tick in dict.fromkeys((low, 0.0, high)):
        y = top + (high - tick) / (high - low) * _BARS
        canvas.line((left - 0.8, y), (left + (_INSIDE if tick == 0 else 0.8), y), 0.25)
        canvas.text((left - 1.3, y + 0.9), desk.constant(tick, 0), 2.6, "end")
    for c in range(width):
        at_bar = (left + (c + 0.5) * pitch, top + _BARS + 3.4)
        canvas.text(at_bar, str(c + 1), min(2.6, pitch * 0.8), "middle")


def _bars(
    canvas: Canvas,
    desk: Desk,
    name: str,
    token: int,
    at: tuple[float, float],
    scale: tuple[float, float],
    pitch: float,
) -> None:
    (left, top), (low, high) = at, scale
    unit = _BARS / (high - low)
    zero = top + high * unit
    numbers = desk.numbers(name, token)
    for c, number in enumerate(numbers):
        amount = value(desk, name, token, c)
        x, length = left + (c + 0.18) * pitch, abs(amount) * unit
        if length > 0:
            canvas.rectangle((x, zero - max(0.0, amount) * unit), (0.64 * pitch, length), "/", 0.8)
        if len(numbers) <= _MOST_WITH_NUMBERS:
            y = zero - length - 0.8 if amount >= 0 else zero + length + 2.6
            canvas.text((x + 0.32 * pitch, y), number.text, 2.6, "middle")


def _in_words(desk: Desk, name: str, tokens: Iterable[int]) -> str:
    places = desk.quantity(name).places
    vectors = (
        f"{quoted(desk.words[i])} {desk.format.vector(desk.quantity(name).values[i], places)}" for i in tokens
    )
    return "; ".join(vectors) + "."
