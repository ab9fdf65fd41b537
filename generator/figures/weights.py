"""Attention weights as ribbons between words, and as a matrix of black squares.

Ribbons are as wide as the weight, together as wide as 1 at their word. Of squares the area is the weight, so
that a pupil can draw the own rows.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from generator.figures.drawing import COPIED_TWICE, Canvas, Point, shortened, text_width
from generator.figures.parts import WordRow, columns, middles, quoted, seen, value
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH, WORD_WIDTH
from generator.sheet.sheet import Drawing, Figure

_WIDEST: Final = 12.0  # mm for the weight 1
_WIDEST_OF_TWO: Final = 8.0  # above and below the words
_OF_PITCH: Final = 0.6  # and at most so much of a word's room
_NEAREST: Final = 4.0  # mm that the inner edge of the first ribbon rises
_APART: Final = (0.6, 2.4)  # mm between ribbons, at least and at most
_THINNEST: Final = 0.1
_OUTLINED: Final = 0.5  # mm; a thinner white ribbon would be all outline, wider than its weight, and is black
_NOTE: Final = 5.0
_CELL, _SMALLER = 11.0, 9.0  # mm; the smaller one so that the task has room beside seven columns
_TALLEST: Final = 212.0  # mm, of all rows
_LEAST_WITH_NUMBERS: Final = 9.0
_NUMBER: Final = 2.8
_MARGIN: Final = 0.5
_EDGE: Final = 0.4  # mm that the outer line takes
_LARGE: Final = 6.2  # mm, of words to draw arcs over
_BOX: Final = (32.0, 12.0)  # mm, to write a word into
_LOWEST, _HIGHEST = 10.0, 46.0  # mm, of the arc from the nearest word and of one across the whole row
_LINE: Final = 2.8  # mm below a square for its number: white digits in a black one are lost on a copy


class Ribbons:
    """The ribbons of one word among words with these middles."""

    def __init__(self, centres: Sequence[float], token: int, widest: float = _WIDEST) -> None:
        self.centres, self.token = centres, token
        apart = [b - a for a, b in pairwise(centres)] or [2 * widest]
        self.unit = min(widest, _OF_PITCH * sum(apart) / len(apart), min(apart))
        self._apart = max(_APART[0], min(_APART[1], 0.75 * widest / len(centres)))

    @property
    def sky(self) -> float:
        """mm that they rise, whatever the weights are."""
        return self.rise(max(self.token, len(self.centres) - 1 - self.token))

    def rise(self, farthest: int) -> float:
        """The same of those from words up to so many places away."""
        return _NEAREST + self.unit + self._apart * max(0, farthest - 1) + 1.0

    def draw(
        self,
        canvas: Canvas,
        edge: float,
        weights: Mapping[int, float],
        *,
        up: bool = True,
        white: bool = False,
    ) -> None:
        """From the line at `edge`; weights: by the place of the word. white: an outline only."""
        before = [j for j in range(self.token - 1, -1, -1) if j in weights]  # the nearest first
        after = [j for j in range(self.token + 1, len(self.centres)) if j in weights]
        x = self.centres[self.token] - sum(weights.values()) * self.unit / 2
        lands: dict[int, float] = {}
        for j in (*before, *([self.token] if self.token in weights else ()), *reversed(after)):
            lands[j], x = x, x + weights[j] * self.unit
        for side in (before, after):
            drawn, rise = [], _NEAREST
            for j in side:
                drawn.append((j, rise))
                rise += self._apart + weights[j] * self.unit
            for j, inner in reversed(drawn):
                if weights[j] > 0:
                    self._ribbon(canvas, edge, j, lands[j], weights[j], inner if up else -inner, white)
        own = weights.get(self.token, 0.0)
        if own > 0:
            wide = max(_THINNEST, own * self.unit)
            high = _NEAREST + wide  # as the ribbon of a neighbour with this weight
            corner = (lands[self.token], edge - high if up else edge)
            outlined = white and wide >= _OUTLINED
            canvas.rectangle(
                corner, (wide, high), "white" if outlined else "black", width=0.2 if outlined else 0.0
            )

    def _ribbon(
        self, canvas: Canvas, edge: float, j: int, land: float, weight: float, inner: float, white: bool
    ) -> None:
        wide = max(_THINNEST, weight * self.unit)
        source = self.centres[j] - wide / 2
        outer = inner + (wide if inner > 0 else -wide)
        if j < self.token:
            feet = (source, land + wide, land, source + wide)
        else:
            feet = (source + wide, land, land + wide, source)
        canvas.ribbon(edge, feet, (outer, inner), white=white and wide >= _OUTLINED)


def ribbons(
    desk: Desk,
    name: str,
    token: int,
    *,
    below: str = "",
    notes: Sequence[str] = ("", ""),
    blank: bool = False,
) -> Figure:
    """How strongly one token attends to each token it sees, with the weights at the words.

    name, below: quantities of weights, drawn above and (where given) below the words; notes: what each is.
    blank: the worksheet has the words alone, and the weight 1 is `whole_unit` wide.
    """
    names = (name, below) if below else (name,)
    widths = _columns(desk)
    centres = middles(widths)
    band = Ribbons(centres, token, whole_unit(desk) if blank else _WIDEST_OF_TWO if below else _WIDEST)
    words = WordRow(desk.words, widths, 4.2)
    shares = [
        {j: value(desk, each, token, j) for j in range(desk.n) if seen(desk, each, token, j)}
        for each in names
    ]
    texts = [[desk.number(each, token, j).text if j in share else "–" for j in range(desk.n)]
             for each, share in zip(names, shares, strict=True)]  # fmt: skip
    rows = [WordRow(row, widths) for row in texts]
    note = _NOTE if any(notes) else 0.0
    top = note + band.sky
    first = rows[0].height if below else 0.0  # above the words where others stand below them
    foot = top + first + words.height + rows[-1].height + 0.6
    hangs = band.rise(max((abs(token - j) for j in shares[-1]), default=0))
    beside = bool(below) and max(shares[-1]) < desk.n - 1  # the mask hides words: below them hangs no ribbon
    height = foot + (hangs + (0.0 if beside else note) if below else 0.0)

    def draw(filled: bool) -> Drawing:
        canvas = Canvas()
        word_top = top + first
        if filled:
            band.draw(canvas, top - 0.3, shares[0])
            if below:
                rows[0].draw(canvas, top, centres, upwards=True)
                band.draw(canvas, foot + 0.3, shares[1], up=False, white=True)
            rows[-1].draw(canvas, word_top + words.height + 0.3, centres)
        words.draw(canvas, word_top, centres, upwards=not words.turned or bool(below), bold=token)
        canvas.text((0, 3.0), notes[0], bold=True)
        if beside:
            canvas.text((TEXT_WIDTH, foot + 5.0), notes[1], anchor="end", bold=True)
        elif below:
            canvas.text((0, height - 1.0), notes[1], bold=True)
        lines = [
            (f"{said}: " if said else "") + ", ".join(f"{quoted(desk.words[j])} {row[j]}" for j in share)
            for said, share, row in zip(notes or ("",), shares, texts, strict=False)
        ]
        return Drawing(canvas.shapes, "; ".join(lines) + "." if filled else "Noch kein Band.")

    title = f"Gewichte von {quoted(desk.words[token])} als Bänder, so breit wie das Gewicht"
    return Figure(title, TEXT_WIDTH, round(height, 1), draw(True), draw(False) if blank else None)


def _columns(desk: Desk) -> list[float]:
    number = text_width("0," + "0" * desk.options.nachkommastellen) + 1.0
    return columns([desk.words], TEXT_WIDTH, 4.2, number)


def whole_unit(desk: Desk) -> int:
    """mm, of the weight 1 where a hand draws the ribbons of the last word."""
    return max(1, int(Ribbons(middles(_columns(desk)), desk.n - 1).unit))


def guess_arcs(
    desk: Desk, following: str | None = "", telling: Collection[int] = (), highest: float = _HIGHEST
) -> Figure:
    """Thin arcs from the words to the last one, to draw a guess over, and a box for the next word.

    following, telling: the word that comes next and the words that decide it, for the key alone; no box
    without one. highest: mm, of an arc across the whole row.
    """
    last, room = desk.n - 1, TEXT_WIDTH - (0.0 if following is None else _BOX[0] + 4.0)
    widths = columns([desk.words], room, _LARGE, _LARGE)
    centres = middles(widths)
    words = WordRow(desk.words, widths, _LARGE)
    feet = [(x, centres[last]) for x in centres[:last]]
    top = highest + 1.5 if feet else 1.0
    middle = top + words.height / 2

    def draw(filled: bool) -> Drawing:
        canvas = Canvas()
        for j, (start, end) in enumerate(feet):
            rise = min(highest, _LOWEST + (end - start) * (highest - _LOWEST) / room)
            if filled and j in telling:
                canvas.arch((start, end), top - 0.6, rise, 1.6)
            else:
                canvas.arch((start, end), top - 0.6, rise, 0.25, "1.4 1.1")
        words.draw(canvas, top, centres, upwards=words.turned, bold=last)
        corner = (TEXT_WIDTH - _BOX[0] - 0.5, middle - _BOX[1] / 2)
        if following is None:
            return Drawing(
                canvas.shapes, f"Ein Bogen von jedem Wort zu {quoted(desk.words[last])}, zum Zeichnen."
            )
        canvas.frame(corner, _BOX, 0.45)
        if filled:
            word = shortened(following, _BOX[0] - 2.0, 4.2)
            canvas.text((corner[0] + _BOX[0] / 2, middle + 1.5), word, 4.2, "middle", bold=True)
        wide = ", ".join(quoted(desk.words[j]) for j in telling)
        said = f"; breit: {wide or 'keiner'}; im Kasten {quoted(following)}" if filled else ", zum Zeichnen"
        return Drawing(canvas.shapes, f"Ein Bogen von jedem Wort zu {quoted(desk.words[last])}{said}.")

    height = max(top + words.height, middle + _BOX[1] / 2) + 0.6
    title = f"„{' '.join(desk.words)} …“: Bögen zum letzten Wort" + (
        "" if following is None else " und ein Kasten für das nächste"
    )
    return Figure(title, TEXT_WIDTH, round(height, 1), draw(True), draw(False))


def cell_of(rows: int, columns: int) -> float:
    """The side of a field, mm."""
    wide = (TEXT_WIDTH - WORD_WIDTH - _EDGE) / columns
    return min(_CELL if columns < 7 else _SMALLER, wide, _TALLEST / rows)


def full_side(rows: int, columns: int) -> int:
    """The side in mm of the square for the weight 1: whole, so that a hand can measure it."""
    return max(3, int(cell_of(rows, columns) - 2 * _MARGIN))


def weight_squares(desk: Desk, name: str, left_open: Collection[int] = ()) -> Figure:
    """Of all weights; left_open: rows that the pupil draws, beside those that the sheet asks for."""
    rows, columns = desk.words_of(name), desk.words_of(name, 1)
    open_rows = {*left_open, *(i for i in range(len(rows)) if desk.asks(name, i))}
    cell, full = cell_of(len(rows), len(columns)), full_side(len(rows), len(columns))
    centres = [WORD_WIDTH + (j + 0.5) * cell for j in range(len(columns))]
    heads = WordRow(columns, [cell] * len(columns), 2.6)
    top = heads.height + 1.0
    longest = max(
        text_width(desk.number(name, *at).text, _NUMBER) for at in np.ndindex(len(rows), len(columns))
    )
    low = len(rows) * (cell + _LINE) <= _TALLEST
    numbered = low and cell >= _LEAST_WITH_NUMBERS and longest < cell - 1.0
    high = cell + _LINE if numbered else cell

    def draw(filled: bool) -> Drawing:
        canvas = Canvas()
        heads.draw(canvas, 0.0, centres, upwards=True)
        canvas.text((0.0, top - 1.6), "achtet auf →", 2.6)
        for i, word in enumerate(rows):
            y = top + i * high
            text = shortened(word, WORD_WIDTH - 2.0)
            canvas.text((0.0, y + high / 2 + 1.0), text)
            for j in range(len(columns)):
                corner = (WORD_WIDTH + j * cell, y)
                canvas.rectangle(corner, (cell, high), width=COPIED_TWICE)
                if not seen(desk, name, i, j):
                    canvas.text((corner[0] + cell / 2, y + high / 2 + 1.0), "×", anchor="middle")
                elif i not in open_rows:
                    _square(canvas, corner, cell, value(desk, name, i, j), full)
                    if numbered:
                        place = corner[0] + cell / 2, y + high - 0.9
                        canvas.text(place, desk.number(name, i, j).text, _NUMBER, "middle")
                elif filled:
                    _square(canvas, corner, cell, value(desk, name, i, j), full)
                else:
                    _ruled(canvas, corner, cell)
            if i in open_rows:
                canvas.frame((WORD_WIDTH, y), (len(columns) * cell, high), 0.45)
        return Drawing(canvas.shapes, _in_words(desk, name, rows, columns, () if filled else open_rows))

    height = top + len(rows) * high + _EDGE
    drawing = draw(True)
    return Figure(
        "Attention-Matrix aus Quadraten: die Fläche ist das Gewicht",
        round(WORD_WIDTH + len(columns) * cell + _EDGE, 1),
        round(height, 1),
        drawing,
        draw(False) if open_rows else None,
        sum(seen(desk, name, i, j) for i in open_rows for j in range(len(columns))),
    )


def _square(canvas: Canvas, corner: Point, cell: float, weight: float, full: float) -> None:
    """A square in the middle of its field, whose area is the weight."""
    side, (x, y) = full * math.sqrt(max(0.0, weight)), corner
    if side > 0:
        canvas.rectangle((x + (cell - side) / 2, y + (cell - side) / 2), (side, side), "black", width=0.0)


def _ruled(canvas: Canvas, corner: Point, cell: float) -> None:
    """A mark for each millimetre from the field's middle, to draw a square by."""
    (x, y), reach = (corner[0] + cell / 2, corner[1] + cell / 2), int(cell / 2)
    marks = [k for k in range(-reach, reach + 1) if k]
    canvas.lines((((x + k, y - 0.3), (x + k, y + 0.3)) for k in marks), 0.2)
    canvas.lines((((x - 0.3, y + k), (x + 0.3, y + k)) for k in marks), 0.2)
    canvas.lines((((x - 0.6, y), (x + 0.6, y)), ((x, y - 0.6), (x, y + 0.6))), 0.2)


def _in_words(
    desk: Desk, name: str, rows: Sequence[str], columns: Sequence[str], left_out: Collection[int]
) -> str:
    lines = []
    for i, word in enumerate(rows):
        weights = (
            f"{quoted(columns[j])} {desk.number(name, i, j).text}"
            for j in range(len(columns))
            if seen(desk, name, i, j)
        )
        lines.append(f"{quoted(word)}: " + ("zum Zeichnen" if i in left_out else ", ".join(weights)))
    return "; ".join(lines) + "."
