"""Station 9: the line from 0 to 1 in pieces, with a needle at the random number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.basics.numbers import NumberFormat
from generator.figures.drawing import Canvas, Pattern, shortened, text_width
from generator.figures.parts import quoted
from generator.sheet.fields import TEXT_WIDTH
from generator.sheet.sheet import Drawing, Figure

_LEFT: Final = 3.0
_LINE: Final = TEXT_WIDTH - 2 * _LEFT
_TOP: Final = 7.5
_HIGH: Final = 7.0
_PATTERNS: Final[tuple[Pattern, ...]] = ("white", "/", "white", "-")


def pieces_with_needle(
    words: Sequence[str], ends: Sequence[float], random: float, numbers: NumberFormat, blank: bool = False
) -> Figure:
    """Pieces from the most probable word on, each up to its sum in `ends`; the needle is the random number.

    blank: the worksheet gets the empty line with its scale, to be cut by hand.
    """

    def empty() -> Canvas:
        canvas = Canvas()
        canvas.rectangle((_LEFT, _TOP), (_LINE, _HIGH), width=0.4)
        for tick in range(11):
            x = _LEFT + _LINE * tick / 10
            canvas.line((x, _TOP + _HIGH), (x, _TOP + _HIGH + (1.6 if tick % 5 == 0 else 1.0)), 0.3)
            if tick % 5 == 0:
                canvas.text((x, _TOP + _HIGH + 4.6), numbers.text(tick / 10, 1), 2.6, "middle")
        return canvas

    canvas = empty()
    for k, (word, end) in enumerate(zip(words, ends, strict=True)):
        begin = float(ends[k - 1]) if k else 0.0
        left, wide = _LEFT + _LINE * min(begin, 1.0), _LINE * (min(end, 1.0) - min(begin, 1.0))
        if wide < 0.3:
            continue
        canvas.rectangle((left, _TOP), (wide, _HIGH), _PATTERNS[k % len(_PATTERNS)], 1.6, 0.3)
        if wide > 7.0:
            text = shortened(word, wide - 2.0, 2.8)
            room = text_width(text, 2.8) + 1.2
            canvas.rectangle((left + (wide - room) / 2, _TOP + 1.4), (room, _HIGH - 2.8), width=0.0)
            canvas.text((left + wide / 2, _TOP + _HIGH / 2 + 1.0), text, 2.8, "middle")
    x = _LEFT + _LINE * random
    canvas.arrow([(x, 2.4), (x, _TOP)], 0.8, 2.2)
    right = x < TEXT_WIDTH - 40.0
    canvas.text(
        (x + (1.6 if right else -1.6), 4.2),
        f"Zufallszahl {numbers.text(random, 2)}",
        2.8,
        "start" if right else "end",
    )
    listed = (f"{quoted(word)} bis {numbers.text(end, 3)}" for word, end in zip(words, ends, strict=True))
    said = f"Von 0 bis 1: {', '.join(listed)}. Die Nadel zeigt auf {numbers.text(random, 2)}."
    left_open = Drawing(empty().shapes, "Die Strecke ist noch nicht geteilt.") if blank else None
    return Figure(
        "Die Strecke von 0 bis 1 in Stücken",
        TEXT_WIDTH,
        _TOP + _HIGH + 5.2,
        Drawing(canvas.shapes, said),
        left_open,
    )
