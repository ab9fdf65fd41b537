"""The ids of the printed stations and where one stands go in; a map of the course as a figure comes out."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from generator.drawing import Canvas, Point
from generator.sheet import Drawing, Figure

_WIDTH: Final = 165.0  # mm
_BOX: Final = (28.0, 13.0)
_PITCH: Final = 31.9
_LEFT: Final = 7.4
_HEAD: Final = 1.3  # mm, an arrow's head
_DASH: Final = "1.2 0.9"
_HERE: Final = "Du bist hier"
_SMALL_BOX: Final = (6.4, 4.4)
_SMALL_GAP: Final = 1.8


@dataclass(frozen=True)
class Place:
    """A station on the map: its sign, its name in lines, and its column and row."""

    sign: str
    lines: tuple[str, ...]
    column: int
    row: int

    @property
    def name(self) -> str:
        return " ".join(self.lines)


PLACES: Final[dict[str, Place]] = {
    "0": Place("0", ("Modell und", "Wegweiser"), 0, 0),
    "S": Place("Σ", ("Formelsammlung",), 4, 0),
    "1": Place("1", ("Tokenizer",), 0, 1),
    "2": Place("2", ("Embedding",), 1, 1),
    "3": Place("3", ("Positional", "Encoding"), 2, 1),
    "4a": Place("4a", ("Self-Attention",), 0, 2),
    "4b": Place("4b", ("Multi-Head", "Attention"), 1, 2),
    "5": Place("5", ("Add & LayerNorm",), 2, 2),
    "6": Place("6", ("Feed-Forward",), 3, 2),
    "7": Place("7", ("Add & LayerNorm",), 4, 2),
    "8": Place("8", ("Ausgabe",), 0, 3),
    "9": Place("9", ("Generieren",), 1, 3),
    "10": Place("10", ("Cross-Attention",), 3, 3),
    "11": Place("11", ("Lernen",), 4, 3),
}
_ROWS: Final = (5.0, 24.5, 46.5, 69.5)  # the top of each row's boxes
_ROW_NAMES: Final = ("", "Eingabe", "Block", "Ausgabe")
_STEPS: Final = (("1", "2"), ("2", "3"), ("4a", "4b"), ("4b", "5"), ("5", "6"), ("6", "7"), ("8", "9"))


def course_map(stations: Collection[str], here: str) -> Figure:
    """All stations of the course with „Du bist hier“; dashed where a booklet leaves a station out."""
    canvas = Canvas()
    _frames(canvas)
    for start, end in _STEPS:
        (x1, y1), (x2, _) = _corner(start), _corner(end)
        _arrow(canvas, [(x1 + _BOX[0], y1 + _BOX[1] / 2), (x2, y1 + _BOX[1] / 2)])
    _turns(canvas)
    out = _left_out(stations)
    for id_ in PLACES:
        _box(canvas, id_, here=id_ == here, dashed=id_ in out)
    height = _ROWS[-1] + _BOX[1] + 7.6
    if out:
        canvas.line((_LEFT, height + 1.6), (_LEFT + 8.0, height + 1.6), 0.3, _DASH)
        canvas.text((_LEFT + 9.5, height + 2.6), "gestrichelt: nicht in diesem Heft")
        height += 5.0
    return Figure("Karte der Stationen", _WIDTH, height, Drawing(canvas.shapes, _in_words(here, out)))


def course_strip(stations: Collection[str], here: str) -> Figure:
    """The map in one line, for the head of a station: signs only, the rows of the map in groups.

    here: the sign of a station on the map.
    """
    canvas, out = Canvas(), _left_out(stations)
    order = sorted(PLACES, key=lambda id_: (id_ == "S", list(PLACES).index(id_)))
    (width, height), x = _SMALL_BOX, 0.5
    for id_, following in zip(order, [*order[1:], None], strict=True):
        sign = PLACES[id_].sign
        _frame(canvas, (x, 0.5), _SMALL_BOX, 0.9 if sign == here else 0.2, _DASH if id_ in out else "")
        canvas.text((x + width / 2, 0.5 + height * 0.73), sign, 2.7, "middle", bold=sign == here)
        together = (id_, following) in _STEPS
        if together:
            canvas.line((x + width, 0.5 + height / 2), (x + width + _SMALL_GAP, 0.5 + height / 2), 0.2)
        x += width + (_SMALL_GAP if together else 2 * _SMALL_GAP)
    place = next(place for place in PLACES.values() if place.sign == here)
    where = f"{_HERE}: Station {here}, {place.name}, auf dem Weg von Station 0 bis Station 11."
    return Figure("Weg durch die Stationen", x, height + 1.0, Drawing(canvas.shapes, where))


def _left_out(stations: Collection[str]) -> set[str]:
    """A station printed alone is a sheet, not a booklet with gaps."""
    return set(PLACES) - set(stations) if len(stations) > 1 else set()


def _corner(id_: str) -> Point:
    place = PLACES[id_]
    return _LEFT + place.column * _PITCH, _ROWS[place.row]


def _box(canvas: Canvas, id_: str, *, here: bool, dashed: bool) -> None:
    place, (x, y) = PLACES[id_], _corner(id_)
    _frame(canvas, (x, y), _BOX, 0.9 if here else 0.3, _DASH if dashed else "")
    canvas.text((x + 1.6, y + 4.9), place.sign, 4.0, bold=True)
    for k, line in enumerate(place.lines):
        canvas.text((x + 1.6, y + 8.4 + 3.3 * k), line, 3.0, bold=here)
    if here:
        canvas.text((x + 3.6, y - 1.4), _HERE, 3.2, bold=True)
        canvas.path([(x + 0.6, y - 3.6), (x + 2.8, y - 3.6), (x + 1.7, y - 1.2), (x + 0.6, y - 3.6)], 0.5)


def _frame(canvas: Canvas, corner: Point, size: Point, width: float, dash: str) -> None:
    (x, y), (w, h) = corner, size
    if dash:
        canvas.path([(x, y), (x + w, y), (x + w, y + h), (x, y + h), (x, y)], width, dash)
    else:
        canvas.rectangle(corner, size, width=width)


def _frames(canvas: Canvas) -> None:
    """The block's frame, and the names of the rows."""
    for name, top in zip(_ROW_NAMES, _ROWS, strict=True):
        canvas.text((4.8, top + _BOX[1] / 2), name, 3.0, "middle", turned=True)
    top, width = _ROWS[2] - 4.8, 4 * _PITCH + _BOX[0]
    canvas.rectangle((_LEFT - 1.2, top), (width + 2.4, _BOX[1] + 6.2), width=0.2)


def _turns(canvas: Canvas) -> None:
    """From the end of a row to the start of the next, and from the last word back to the first station."""
    x0 = _LEFT + 4.0
    for end, start, low in (("3", "4a", 2.2), ("7", "8", 5.2)):
        (x, y), (_, top) = _corner(end), _corner(start)
        middle = x + _BOX[0] / 2
        turn = y + _BOX[1] + low
        _arrow(canvas, [(middle, y + _BOX[1]), (middle, turn), (x0 + 10.0, turn), (x0 + 10.0, top)])
    x, y = _corner("9")
    foot = y + _BOX[1] + 3.4
    canvas.text((x + _BOX[0] / 2 + 2.0, foot + 3.4), "neues Wort anhängen und von vorn", 3.0)
    edge = 1.0
    first_x, first_y = _corner("1")
    back = first_y - 2.4
    _arrow(
        canvas,
        [(x + _BOX[0] / 2, y + _BOX[1]), (x + _BOX[0] / 2, foot), (edge, foot), (edge, back),
         (first_x + 22.0, back), (first_x + 22.0, first_y)],
    )  # fmt: skip


def _arrow(canvas: Canvas, points: list[Point]) -> None:
    canvas.path(points, 0.35)
    (x1, y1), (x2, y2) = points[-2:]
    along_x = (x2 > x1) - (x2 < x1)
    along_y = (y2 > y1) - (y2 < y1)
    back_x, back_y = x2 - _HEAD * along_x, y2 - _HEAD * along_y
    side = _HEAD * 0.7
    canvas.path(
        [(back_x - side * along_y, back_y - side * along_x), (x2, y2),
         (back_x + side * along_y, back_y + side * along_x)],
        0.35,
    )  # fmt: skip


def _in_words(here: str, out: Collection[str]) -> str:
    rows = []
    for number, name in enumerate(_ROW_NAMES):
        listed = ", ".join(f"{p.sign} {p.name}" for p in PLACES.values() if p.row == number)
        rows.append(f"{name}: {listed}" if name else listed)
    where = f" {_HERE}: Station {PLACES[here].sign}, {PLACES[here].name}." if here in PLACES else ""
    missing = (
        f" Nicht in diesem Heft: {', '.join(PLACES[i].sign for i in PLACES if i in out)}." if out else ""
    )
    return "; ".join(rows) + ". Nach Station 9 geht es mit dem neuen Wort wieder bei 1 los." + where + missing
