"""Station 4a: a head as a plan of boxes."""

from typing import Final

from generator.figures.drawing import Canvas
from generator.figures.parts import SMALL, Grid, shape
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH
from generator.sheet.sheet import Drawing, Figure

_LANE: Final = 10.5  # mm from one of Q, K, V to the next
_TOP: Final = 5.0
_HIGH: Final = 8.0  # of a grid in a lane
_NOTES: Final = (("Q", "Suche"), ("K", "Biete"), ("V", "gebe weiter"))


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
