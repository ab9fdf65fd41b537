"""The line from 0 to 1 of which every word has a piece: a random number is a point thrown on it."""

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

from generator.basics.numbers import NumberFormat
from generator.figures.drawing import Canvas, text_width
from generator.figures.labels import BETWEEN, spread
from generator.sheet.fields import TEXT_WIDTH
from generator.sheet.sheet import Drawing, Figure

_LEFT: Final = 3.0
_LINE: Final = TEXT_WIDTH - 2 * _LEFT
_TOP: Final = 9.0  # mm above the pieces, for the point's number and the scale
_HIGH: Final = 8.6
_BELOW: Final = 6.0  # for words that their pieces have no room for, and the lines to them
_SIZE, _SMALL = 3.2, 2.8
_CLEAR: Final = 3.6  # mm between the point and a number of the scale
_SEEN: Final = 0.8  # mm of a piece that is named in the picture


def strip(
    words: Sequence[str],
    ends: Sequence[float],
    random: float,
    numbers: NumberFormat,
    *,
    left: str = "",
    cut: float | None = None,
) -> Figure:
    """Pieces from the most probable word on, each up to its sum in `ends`, and the random number's point.

    left: what the worksheet leaves to the pupil: the "point", or the "pieces" too, or only the "cut": where
    Top-p stops.
    """
    listed = (f"{word} bis {numbers.text(end, 3)}" for word, end in zip(words, ends, strict=True))
    said = f"Von 0 bis 1: {', '.join(listed)}."
    point = f" Der Punkt liegt bei {numbers.text(random, 2)}."
    empty = {
        "": None,
        "point": Drawing(_drawn(words, ends, None, numbers), said),
        "pieces": Drawing(_drawn((), (), None, numbers), "Von 0 bis 1, leer."),
        "cut": Drawing(_drawn(words, ends, random, numbers), said + point),
    }[left]
    drawn = _drawn(words, ends, random, numbers, cut)
    whole = Drawing(
        drawn, said + point + (f" Der Strich p steht bei {numbers.text(cut, None)}." if cut else "")
    )
    height = _TOP + _HIGH + _BELOW
    return Figure("Die Strecke von 0 bis 1", TEXT_WIDTH, height, whole, empty, later=left == "cut")


def _drawn(
    words: Sequence[str],
    ends: Sequence[float],
    random: float | None,
    numbers: NumberFormat,
    cut: float | None = None,
) -> Markup:
    canvas = Canvas()
    bottom = _TOP + _HIGH
    canvas.rectangle((_LEFT, _TOP), (_LINE, _HIGH), width=0.45)
    point, stop = (None if at is None else _LEFT + _LINE * at for at in (random, cut))
    marks = [x for x in (point, stop) if x is not None]
    for tick in range(101):
        x, length = _LEFT + _LINE * tick / 100, 2.2 if tick % 10 == 0 else 1.6 if tick % 5 == 0 else 0.9
        canvas.line((x, _TOP), (x, _TOP - length), 0.25 if tick % 5 else 0.35)
        if tick % 10 == 0 and all(abs(x - mark) > _CLEAR for mark in marks):
            canvas.text((x, _TOP - 2.9), numbers.text(tick / 100, 1), 2.8, "middle")
    begin, small = 0.0, list[tuple[float, str]]()
    for word, end in zip(words, ends, strict=True):
        left, right = (_LEFT + _LINE * min(float(at), 1.0) for at in (begin, end))
        begin = end
        if right < _LEFT + _LINE - 0.1:
            canvas.line((right, _TOP), (right, bottom), 0.35)
        if text_width(word, _SIZE) + 1.6 <= right - left:
            canvas.text(((left + right) / 2, _TOP + _HIGH / 2 + 1.1), word, _SIZE, "middle")
        elif right - left >= _SEEN:
            small.append(((left + right) / 2, word))
    while sum(text_width(word, _SMALL) + BETWEEN for _, word in small) > TEXT_WIDTH:
        small.pop()
    widths = [text_width(word, _SMALL) for _, word in small]
    places = spread([x for x, _ in small], widths, (0.0, TEXT_WIDTH))
    for (x, word), place in zip(small, places, strict=True):
        canvas.leader((x, bottom - 2.0), (place, bottom + _BELOW - 3.4))
        canvas.text((place, bottom + _BELOW - 0.8), word, _SMALL, "middle")
    if random is not None and point is not None:
        canvas.disc((point, bottom - 1.6), 1.2)
        canvas.text((point, 2.9), numbers.text(random, 2), 3.0, "middle", bold=True)
        canvas.line((point, 3.6), (point, bottom - 1.6), 0.35)
    if stop is not None:
        beside = point is not None and abs(stop - point) < _CLEAR
        canvas.text((stop + (_CLEAR if beside else 0.0), 2.9), "p", 3.0, "middle", bold=True)
        canvas.line((stop, 3.6), (stop, bottom), 0.9)
    return canvas.shapes
