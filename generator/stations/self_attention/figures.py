"""Station 4a: a head as a plan of boxes, and the notice board with a note for every word."""

from __future__ import annotations

import math
from typing import Final

from generator.figures.drawing import Canvas, shortened, text_width
from generator.figures.parts import SMALL, Grid, quoted, shape
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH
from generator.sheet.sheet import Drawing, Figure

_LANE: Final = 12.5  # mm from one of Q, K, V to the next
_TOP: Final = 5.0
_HIGH: Final = 9.0  # of a grid in a lane
_NOTES: Final = (("Q", "Suche"), ("K", "Biete"), ("V", "gebe weiter"))
_NOTE: Final = 11.0  # mm, a note
_BETWEEN_NOTES: Final = 2.2
_SEEKER: Final = 38.0
_MOST_COMPONENTS: Final = 2  # that stand on a note
_MOST_NOTES: Final = 8


def attention_flow(desk: Desk, masked: bool) -> Figure:
    """One head: three matrices make the notes of all words, the weights mix the values."""
    n, d, d_k = desk.n, desk.sizes.d_model, desk.sizes.d_head
    row = _HIGH / n
    X = Grid((3.0, _TOP + _LANE + 0.5), n, d, (min(2.6, 18.0 / d), row))
    canvas = Canvas()
    X.draw(canvas)
    X.label(canvas, "X")
    middle = X.middle[1]
    turn, made = 27.0, 49.0
    notes = []
    for lane, (letter, note) in enumerate(_NOTES):
        grid = Grid((made, _TOP + lane * _LANE + 0.5), n, d_k, (min(2.6, 12.0 / d_k), row))
        y = grid.middle[1]
        canvas.arrow([(X.right + 1.0, middle), (turn, middle), (turn, y), (made - 1.0, y)])
        canvas.text(((turn + made) / 2, y - 1.0), "· W", SMALL, "end")
        canvas.text(((turn + made) / 2 + 0.1, y - 0.4), letter, 2.0)
        grid.draw(canvas)
        canvas.text((grid.right + 1.4, y - 0.2), letter, 3.2, bold=True)
        canvas.text((grid.right + 4.6, y - 0.2), f"„{note}“", SMALL)
        canvas.text((grid.right + 1.4, y + 3.0), shape(n, d_k), SMALL)
        notes.append(grid)
    weights = Grid((106.0, _TOP + _LANE / 2 + 0.5), n, n, (min(2.6, 14.0 / n), row))
    y = weights.middle[1]
    for grid in notes[:2]:
        from_x = grid.right + (18.0 if grid is notes[0] else 17.0)
        canvas.path([(from_x, grid.middle[1]), (85.0, grid.middle[1]), (85.0, y)], 0.35)
    canvas.arrow([(85.0, y), (weights.corner[0] - 1.0, y)])
    canvas.text((95.0, y - 1.2), "Softmax", SMALL, "middle")
    canvas.text((95.0, y + 3.4), "mit Maske" if masked else "", SMALL, "middle")
    weights.draw(canvas)
    weights.label(canvas, "Gewichte")
    out = Grid((146.0, _TOP + _LANE * 1.35), n, d_k, (min(2.6, 12.0 / d_k), row))
    down = notes[2].middle[1]
    canvas.arrow(
        [(weights.right + 1.0, y), (134.0, y), (134.0, out.middle[1]), (out.corner[0] - 1.0, out.middle[1])]
    )
    canvas.path([(notes[2].right + 23.0, down), (134.0, down), (134.0, out.middle[1])], 0.35)
    canvas.text((140.0, out.middle[1] - 1.2), "mischen", SMALL, "middle")
    out.draw(canvas)
    out.label(canvas, "o")
    said = (
        f"Aus X ({shape(n, d)}) machen drei Matrizen die Queries Q (was ich suche), die Keys K "
        f"(was ich biete) und die Values V (was ich weitergebe), jede {shape(n, d_k)}. Q und K ergeben "
        f"über Softmax die Gewichte ({shape(n, n)}); sie mischen die Values "
        f"zu den neuen Vektoren o ({shape(n, d_k)})."
    )
    return Figure("Ein Head als Plan", TEXT_WIDTH, _TOP + 3 * _LANE + 0.5, Drawing(canvas.shapes, said))


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
    most = max(1, int((TEXT_WIDTH - _SEEKER - 3.0) / (wide + _BETWEEN_NOTES)))
    rows = math.ceil(desk.n / most)
    per_row = math.ceil(desk.n / rows)
    canvas = Canvas()
    board = (_SEEKER, 0.6)
    size = (TEXT_WIDTH - _SEEKER - 0.6, rows * (_NOTE + _BETWEEN_NOTES) + _BETWEEN_NOTES)
    canvas.rectangle(board, size, width=0.9)
    for j, word in enumerate(desk.words):
        x = board[0] + _BETWEEN_NOTES + j % per_row * (wide + _BETWEEN_NOTES)
        y = board[1] + _BETWEEN_NOTES + j // per_row * (_NOTE + _BETWEEN_NOTES)
        canvas.rectangle((x, y), (wide, _NOTE), width=0.3)
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
