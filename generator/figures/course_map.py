"""The map of the course, with the stations that are printed and where one stands."""

from collections.abc import Collection
from typing import Final

from generator.figures.drawing import Canvas, Point
from generator.options.course import BY_ID, COURSE, FORMULAS, STATIONS, Stop
from generator.sheet.fields import TEXT_WIDTH
from generator.sheet.sheet import Drawing, Figure

_BOX: Final = (28.0, 13.0)
_PITCH: Final = 31.9
_LEFT: Final = 7.4
_HEAD: Final = 1.3  # mm, an arrow's head
_DASH: Final = "1.2 0.9"
_HERE: Final = "Du bist hier"
_SMALL_BOX: Final = (6.4, 4.4)
_SMALL_GAP: Final = 1.8


_ROWS: Final = (5.0, 24.5, 46.5, 69.5)  # the top of each row's boxes
_ROW_NAMES: Final = ("", "Eingabe", "Block", "Ausgabe")
_TURN_BELOW: Final = {2: 2.2, 3: 5.2}  # mm; the arrow into a row bends so far below the row before
_BY_PLACE: Final = sorted(COURSE, key=lambda stop: stop.place[::-1])


def course_map(stations: Collection[str], here: str) -> Figure:
    """All stations of the course with „Du bist hier“; dashed where a booklet leaves a station out."""
    canvas = Canvas()
    for name, top in zip(_ROW_NAMES, _ROWS, strict=True):
        canvas.text((4.8, top + _BOX[1] / 2), name, 3.0, "middle", turned=True)
    top, width = _ROWS[2] - 4.8, 4 * _PITCH + _BOX[0]
    canvas.rectangle((_LEFT - 1.2, top), (width + 2.4, _BOX[1] + 6.2), width=0.2)
    for stop in COURSE:
        if stop.after and _same_row(stop):
            (x1, y1), (x2, _) = _corner(BY_ID[stop.after]), _corner(stop)
            _arrow(canvas, [(x1 + _BOX[0], y1 + _BOX[1] / 2), (x2, y1 + _BOX[1] / 2)])
    _turns(canvas)
    out = _left_out(stations)
    for stop in _BY_PLACE:
        _box(canvas, stop, here=stop.id == here, dashed=stop.id in out)
    height = _ROWS[-1] + _BOX[1] + 7.6
    if out:
        canvas.line((_LEFT, height + 1.6), (_LEFT + 8.0, height + 1.6), 0.3, _DASH)
        canvas.text((_LEFT + 9.5, height + 2.6), "gestrichelt: nicht in diesem Heft")
        height += 5.0
    return Figure("Karte der Stationen", TEXT_WIDTH, height, Drawing(canvas.shapes, _in_words(here, out)))


def course_strip(stations: Collection[str], here: str) -> Figure:
    """The map in one line, for the head of a station: signs only, the rows of the map in groups."""
    canvas, out = Canvas(), _left_out(stations)
    (width, height), x = _SMALL_BOX, 0.5
    for stop, following in zip(COURSE, [*COURSE[1:], None], strict=True):
        is_here = stop.id == here
        _frame(canvas, (x, 0.5), _SMALL_BOX, 0.9 if is_here else 0.2, _DASH if stop.id in out else "")
        canvas.text((x + width / 2, 0.5 + height * 0.73), stop.sign, 2.7, "middle", bold=is_here)
        together = following is not None and following.after == stop.id and _same_row(following)
        if together:
            canvas.line((x + width, 0.5 + height / 2), (x + width + _SMALL_GAP, 0.5 + height / 2), 0.2)
        x += width + (_SMALL_GAP if together else 2 * _SMALL_GAP)
    stop = BY_ID[here]
    first, *_, last = (each for each in STATIONS if each != FORMULAS)
    where = f"{_HERE}: Station {stop.sign}, {stop.title}, auf dem Weg von Station {first} bis Station {last}."
    return Figure("Weg durch die Stationen", x, height + 1.0, Drawing(canvas.shapes, where))


def _left_out(stations: Collection[str]) -> set[str]:
    """A station printed alone is a sheet, not a booklet with gaps."""
    return set(STATIONS) - set(stations) if len(stations) > 1 else set()


def _corner(stop: Stop) -> Point:
    column, row = stop.place
    return _LEFT + column * _PITCH, _ROWS[row]


def _same_row(stop: Stop) -> bool:
    return stop.place[1] == BY_ID[stop.after].place[1]


def _box(canvas: Canvas, stop: Stop, *, here: bool, dashed: bool) -> None:
    x, y = _corner(stop)
    _frame(canvas, (x, y), _BOX, 0.9 if here else 0.3, _DASH if dashed else "")
    canvas.text((x + 1.6, y + 4.9), stop.sign, 4.0, bold=not dashed)
    for k, line in enumerate(stop.lines):
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


def _turns(canvas: Canvas) -> None:
    """From the end of a row to the start of the next, and from the last word back to the first station."""
    x0 = _LEFT + 4.0
    for stop in COURSE:
        if not stop.after or _same_row(stop):
            continue
        (x, y), (_, top) = _corner(BY_ID[stop.after]), _corner(stop)
        middle = x + _BOX[0] / 2
        turn = y + _BOX[1] + _TURN_BELOW[stop.place[1]]
        _arrow(canvas, [(middle, y + _BOX[1]), (middle, turn), (x0 + 10.0, turn), (x0 + 10.0, top)])
    x, y = _corner(BY_ID["9"])
    foot = y + _BOX[1] + 3.4
    canvas.text((x + _BOX[0] / 2 + 2.0, foot + 3.4), "neues Wort anhängen und von vorn", 3.0)
    edge = 1.0
    first_x, first_y = _corner(BY_ID["1"])
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
        listed = ", ".join(f"{stop.sign} {stop.title}" for stop in _BY_PLACE if stop.place[1] == number)
        rows.append(f"{name}: {listed}" if name else listed)
    where = f" {_HERE}: Station {BY_ID[here].sign}, {BY_ID[here].title}." if here in BY_ID else ""
    signs = ", ".join(stop.sign for stop in _BY_PLACE if stop.id in out)
    missing = f" Nicht in diesem Heft: {signs}." if out else ""
    return "; ".join(rows) + ". Nach Station 9 geht es mit dem neuen Wort wieder bei 1 los." + where + missing
