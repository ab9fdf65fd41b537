"""The queries and keys of a head go in; the notice board with a note for every word comes out."""

from __future__ import annotations

import math
from typing import Final

from generator.figures.drawing import Canvas, shortened, text_width
from generator.figures.parts import quoted
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH
from generator.sheet.sheet import Drawing, Figure

_HIGH: Final = 11.0  # mm, a note
_GAP: Final = 2.2
_SEEKER: Final = 38.0
_MOST_COMPONENTS: Final = 2  # that stand on a note
_MOST_NOTES: Final = 8


def notice_board(desk: Desk, at: str, token: int) -> Figure | None:
    """What the token seeks stands before the board, what every word offers on it; None for long vectors."""
    if (
        desk.n > _MOST_NOTES
        or desk.sizes.d_head > _MOST_COMPONENTS
        or desk.asks(at + "key")
        or desk.asks(at + "query", token)
    ):
        return None
    keys = [" | ".join(number.text for number in desk.numbers(at + "key", j)) for j in range(desk.n)]
    query = " | ".join(number.text for number in desk.numbers(at + "query", token))
    usual = " | ".join(
        [desk.format.text(-8.88, desk.quantity(at + "key").places)] * desk.sizes.d_head
    )  # the same picture for numbers with and without a minus
    wide = (
        max(text_width(text) for text in (usual, *keys, *(shortened(word, 30.0) for word in desk.words)))
        + 2.0
    )
    most = max(1, int((TEXT_WIDTH - _SEEKER - 3.0) / (wide + _GAP)))
    rows = math.ceil(desk.n / most)
    per_row = math.ceil(desk.n / rows)
    canvas = Canvas()
    board = (_SEEKER, 0.6)
    size = (TEXT_WIDTH - _SEEKER - 0.6, rows * (_HIGH + _GAP) + _GAP)
    canvas.rectangle(board, size, width=0.9)
    for j, word in enumerate(desk.words):
        x = board[0] + _GAP + j % per_row * (wide + _GAP)
        y = board[1] + _GAP + j // per_row * (_HIGH + _GAP)
        canvas.rectangle((x, y), (wide, _HIGH), width=0.3)
        canvas.circle((x + wide / 2, y + 0.9), 0.5, filled=True)
        canvas.text((x + wide / 2, y + 4.8), shortened(word, wide - 2.0), anchor="middle", bold=True)
        canvas.text((x + wide / 2, y + 9.0), keys[j], anchor="middle")
    middle = board[1] + size[1] / 2
    canvas.rectangle((0.6, middle - 6.0), (_SEEKER - 10.0, 12.0), width=0.6)
    centre = 0.6 + (_SEEKER - 10.0) / 2
    canvas.text(
        (centre, middle - 1.2),
        shortened(f"{desk.words[token]} sucht", _SEEKER - 11.0),
        anchor="middle",
        bold=True,
    )
    canvas.text((centre, middle + 3.6), query, anchor="middle")
    canvas.arrow([(_SEEKER - 9.0, middle), (_SEEKER - 0.8, middle)], 0.6)
    said = "; ".join(f"{quoted(word)} bietet ({key})" for word, key in zip(desk.words, keys, strict=True))
    title = f"Das Schwarze Brett, {quoted(desk.words[token])} sucht ({query})"
    return Figure(title, TEXT_WIDTH, round(size[1] + 1.2, 1), Drawing(canvas.shapes, said + "."))
