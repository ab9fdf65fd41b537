"""Station 4b: the heads' vectors of one token side by side, and mixed by W_O."""

from __future__ import annotations

from typing import Final

from generator.figures.drawing import SERIES, Canvas, Pattern, text_width
from generator.figures.parts import quoted
from generator.sheet.desk import Desk
from generator.sheet.sheet import Drawing, Figure, Number

_PATTERNS: Final[tuple[Pattern, ...]] = tuple(p for p in SERIES if p != "black")
_HIGH: Final = 5.0
_NUMBERS_UP_TO: Final = 8  # components
_ROOM: Final = 104.0
_GAP: Final = 3.0  # between two heads
_EDGE: Final = 0.9  # mm below the numbers, and clear of their commas


def joined_heads(desk: Desk, token: int) -> Figure:
    """The token's vectors o of all heads, each with its own edge, then side by side, then times W_O."""
    d, heads = desk.sizes.d_model, desk.sizes.n_heads
    numbers = desk.numbers("block1.concat", token)
    shown = d <= _NUMBERS_UP_TO and not any(number.blank for number in numbers)
    usual = "−0," + "0" * numbers[0].places  # with it, other small numbers leave the figure as wide as it is
    texts = (usual, *(number.text for number in numbers))
    widest = max(text_width(text, 2.8) for text in texts) + 1.6 if shown else 0.0
    cell = max(widest, min(6.0, (_ROOM - heads * _GAP) / d))
    per_head = d // heads * cell
    canvas, left = Canvas(), 12.0
    for head in range(heads):
        x = left + head * (per_head + _GAP)
        canvas.text(
            (x + per_head / 2, 3.0), f"Head {head + 1}" if per_head > 10 else f"{head + 1}", 2.8, "middle"
        )
        _row(canvas, numbers, head, (x, 4.4), cell, shown, d // heads)
        joined = left + (heads - 1) * _GAP / 2 + head * per_head
        canvas.arrow([(x + per_head / 2, 9.8), (joined + per_head / 2, 14.4)])
        _row(canvas, numbers, head, (joined, 15.0), cell, shown, d // heads)
    canvas.text((0.0, 8.0), "o", 3.2, bold=True)
    canvas.text((0.0, 18.6), "c", 3.2, bold=True)
    end = left + (heads - 1) * _GAP / 2 + d * cell
    canvas.arrow([(end + 1.2, 17.5), (end + 16.0, 17.5)])
    canvas.text((end + 8.4, 16.2), "· W", 2.8, "end")
    canvas.text((end + 8.5, 16.8), "O", 2.1)
    canvas.text((end + 17.6, 18.6), "a", 3.2, bold=True)
    values = f" mit den Zahlen {' | '.join(number.text for number in numbers)}" if shown else ""
    said = (
        f"Die Vektoren o der {heads} Heads von {quoted(desk.words[token])} stehen nebeneinander in "
        f"c{values}; "
        "c mal W_O ergibt a."
    )
    return Figure("Heads nebeneinander", round(end + 22.0, 1), 21.0, Drawing(canvas.shapes, said))


def _row(
    canvas: Canvas, numbers: tuple[Number, ...], head: int, corner: tuple[float, float], cell: float,
    shown: bool, width: int,
) -> None:  # fmt: skip
    """One head's components; its edge below tells it from the others."""
    x, y = corner
    for c in range(width):
        canvas.rectangle((x + c * cell, y), (cell, _HIGH), width=0.25)
        if shown:
            text = numbers[head * width + c].text
            canvas.text((x + (c + 0.5) * cell, y + 3.1), text, 2.8, "middle")
    canvas.rectangle((x, y + _HIGH - _EDGE), (width * cell, _EDGE), _PATTERNS[head % len(_PATTERNS)], 0.7)
