"""The whole computation on one sheet: a lane for each word, stations as columns, attention as threads."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from generator.figures.drawing import Canvas, Point, shortened, text_width
from generator.figures.parts import quoted, seen, value
from generator.sheet.desk import Desk
from generator.sheet.sheet import Drawing, Figure
from generator.stations.common import block_input
from generator.stations.next_word import at_temperature

HALF: Final = 186.0  # mm: half a poster, as wide as A4 between its margins, less the edge to glue
EDGE: Final = 8.0
HEIGHT: Final = 258.0
_HEAD: Final = 24.0  # mm above the lanes
_WORD: Final = 34.0
_OUTPUT: Final = 52.0
_THREADS: Final = 40.0
_PER_LINE: Final = 4  # numbers
_HEADS: Final = 2  # whose threads are drawn
_RIGHT: Final = 3  # columns of vectors in the right half
_LIKELIEST: Final = 3
_WIDEST: Final = 9.0  # mm, the thread of the weight 1


@dataclass(frozen=True)
class Column:
    """One station: its title and sign, and for a vector its quantity, "" for threads of the head `at`."""

    title: str
    sign: str
    name: str = ""
    at: str = ""


def poster(desk: Desk) -> Figure:
    """The last word's lane is the pupil's, and every cell that the sheet asks for."""

    def draw(canvas: Canvas, filled: bool) -> list[str]:
        return _left(canvas, desk, filled) + _right(canvas, desk, HALF, filled)

    return _figure(desk, "", 2 * HALF, draw)


def halves(desk: Desk) -> tuple[Figure, Figure]:
    """The same as two figures side by side; the first has the edge to glue the second one on."""

    def left(canvas: Canvas, filled: bool) -> list[str]:
        said = _left(canvas, desk, filled)
        canvas.line((HALF, 0.0), (HALF, HEIGHT), 0.2, "2 1.5")
        words = "Klebekante: hier das rechte Blatt auflegen"
        canvas.text((HALF + 5.0, HEIGHT / 2), words, 3.0, "middle", turned=True)
        return said

    def right(canvas: Canvas, filled: bool) -> list[str]:
        return _right(canvas, desk, 0.0, filled)

    first = _figure(desk, ", linke Hälfte", HALF + EDGE, left)
    return first, _figure(desk, ", rechte Hälfte", HALF, right)


def _figure(desk: Desk, part: str, width: float, draw: Callable[[Canvas, bool], list[str]]) -> Figure:
    """draw: draws and says in words what it has drawn."""

    def drawing(filled: bool) -> Drawing:
        canvas = Canvas()
        said = draw(canvas, filled)
        return Drawing(canvas.shapes, " ".join(said))

    title = f"Plakat der ganzen Rechnung zu {_shown(desk)}{part}"
    return Figure(title, width, HEIGHT, drawing(True), drawing(False))


def _lanes(desk: Desk) -> tuple[float, list[float]]:
    """The height of a lane, and the middles of all."""
    lane = (HEIGHT - _HEAD) / desk.n
    return lane, [_HEAD + (i + 0.5) * lane for i in range(desk.n)]


def _left(canvas: Canvas, desk: Desk, filled: bool) -> list[str]:
    """The words, what goes into the block and its attention; what they show, in words."""
    columns = _columns(desk)[:-_RIGHT]
    threads = sum(not column.name for column in columns)
    vector = (HALF - _WORD - threads * _THREADS) / (len(columns) - threads)
    lane, middles = _lanes(desk)
    canvas.text((0.0, 7.0), f"Die ganze Rechnung: {_shown(desk)}", 6.0, bold=True)
    for i, (word, y) in enumerate(zip(desk.words, middles, strict=True)):
        last = i == desk.n - 1
        canvas.text((1.5, y + 1.8), shortened(word, _WORD - 3.5, 5.0), 5.0, bold=last)
    _rules(canvas, desk, 0.0)
    x, said = _WORD, []
    for column in columns:
        _heading(canvas, column, x)
        if column.name:
            said.append(_vectors(canvas, desk, column, x, vector, filled))
            x += vector
        else:
            _threads(canvas, desk, column.at + "weight", (x, x + _THREADS), middles, lane, filled)
            said.append(f"{column.title} {_threads_in_words(desk, column.at + 'weight', filled)}.")
            x += _THREADS
    return said


def _right(canvas: Canvas, desk: Desk, x: float, filled: bool) -> list[str]:
    """What the block makes of it, and the next word, from `x` on."""
    said, wide = [], (HALF - _OUTPUT) / _RIGHT
    _rules(canvas, desk, x)
    for column in _columns(desk)[-_RIGHT:]:
        _heading(canvas, column, x)
        said.append(_vectors(canvas, desk, column, x, wide, filled))
        x += wide
    _heading(canvas, Column("Ausgabe", "8"), x)
    said.append(_output(canvas, desk, (x, _lanes(desk)[1][-1]), filled))
    return said


def _rules(canvas: Canvas, desk: Desk, left: float) -> None:
    """Between the lanes of one half; the last one is framed."""
    lane, middles = _lanes(desk)
    for y in middles:
        canvas.line((left, y - lane / 2), (left + HALF, y - lane / 2), 0.6 if y == middles[-1] else 0.2)
    canvas.line((left, HEIGHT - 0.4), (left + HALF, HEIGHT - 0.4), 0.6)


def _heading(canvas: Canvas, column: Column, x: float) -> None:
    canvas.text((x + 1.0, 14.5), column.title, 3.4, bold=True)
    canvas.text((x + 1.0, 19.0), f"Station {column.sign}", 3.0)


def _vectors(canvas: Canvas, desk: Desk, column: Column, x: float, wide: float, filled: bool) -> str:
    lane, middles = _lanes(desk)
    for i, y in enumerate(middles):
        _cell(canvas, desk, column.name, i, (x, y), (wide, lane), filled)

    def told(i: int) -> str:
        return f"({' | '.join(number.text for number in desk.numbers(column.name, i))})"

    return f"{column.title}: {_in_words(desk, column.name, filled, 'zum Ausfüllen', told)}."


def _shown(desk: Desk) -> str:
    return quoted(" ".join(desk.calculation.model.tokens) + (" …" if desk.options.learns else ""))


def _columns(desk: Desk) -> list[Column]:
    block = "block1."
    heads = range(1, min(_HEADS, desk.sizes.n_heads) + 1)
    return [
        Column("Eingabe x", "3" if desk.has("positional_encoding") else "2", block_input(1)),
        *(Column(f"Head {k}", "4a" if k == 1 else "4b", at=f"{block}head{k}.") for k in heads),
        Column("Attention a", "4b", block + "attention"),
        Column("Add & Norm z", "5", block + "norm1.output"),
        Column("Feed-Forward f", "6", block + "ffn.output"),
        Column("Add & Norm y", "7", block + "norm2.output"),
    ]


def _is_open(desk: Desk, name: str, token: int) -> bool:
    return token == desk.n - 1 or desk.asks(name, token)


def _cell(canvas: Canvas, desk: Desk, name: str, token: int, at: Point, size: Point, filled: bool) -> None:
    """A vector in lines of four numbers; frames to write in where it is the pupil's."""
    numbers = [number.text for number in desk.numbers(name, token)]
    rows = [numbers[k : k + _PER_LINE] for k in range(0, len(numbers), _PER_LINE)]
    (x, y), (wide, lane) = at, size
    step, cell = min(11.0, (lane - 3.0) / len(rows)), (wide - 3.0) / _PER_LINE
    open_ = _is_open(desk, name, token)
    letters = min(4.2, step * 0.75, *((cell - 0.8) / text_width(text, 1.0) for text in ("−0,00", *numbers)))
    for r, row in enumerate(rows):
        middle = y + (r - (len(rows) - 1) / 2) * step
        for c, text in enumerate(row):
            left = x + 1.0 + c * cell
            if open_:
                canvas.rectangle((left, middle - step / 2 + 0.4), (cell, step - 0.8), width=0.4)
            if filled or not open_:
                canvas.text((left + cell / 2, middle + letters * 0.36), text, letters, "middle", bold=open_)


def _threads(
    canvas: Canvas,
    desk: Desk,
    name: str,
    ends: Point,
    middles: list[float],
    lane: float,
    filled: bool,
) -> None:
    """From the lanes a word listens to into its own, as wide as the weight, together as wide as 1."""
    left, right = ends[0] + 2.0, ends[1] - 3.0
    unit = min(_WIDEST, 0.6 * lane)
    for i, y in enumerate(middles):
        sees = [j for j in range(desk.n) if seen(desk, name, i, j)]
        land = y - unit * sum(value(desk, name, i, j) for j in sees) / 2
        if _is_open(desk, name, i) and not filled:
            canvas.rectangle((right, y - unit / 2), (1.2, unit), width=0.4)
            continue
        for j in sees:
            wide = unit * value(desk, name, i, j)
            if wide > 0:
                canvas.thread((left, middles[j] - wide / 2), (right, land), wide)
            land += wide


def _output(canvas: Canvas, desk: Desk, at: Point, filled: bool) -> str:
    """The three likeliest words at the first temperature that the sheet has, 1 where it has it; in words."""
    (x, y), temperatures = at, desk.options.temperatur
    name = at_temperature(1.0 if 1.0 in temperatures else temperatures[0]) + "probability"
    shares = desk.quantity(name).values
    best = sorted(range(len(shares)), key=lambda word: (-shares[word], word))[:_LIKELIEST]
    for k, word in enumerate(best):
        top = y + (k - 1) * 8.0 - 2.6
        if filled:
            canvas.rectangle(
                (x + 1.0, top), (max(0.2, 18.0 * float(shares[word])), 5.0), "black" if k == 0 else "white"
            )
            text = f"{shortened(desk.vocabulary[word], 18.0, 3.0)} {desk.number(name, word).text}"
            canvas.text((x + 2.0 + 18.0 * float(shares[word]), top + 3.6), text, 3.0, bold=k == 0)
        else:
            canvas.line((x + 2.0, top + 5.0), (x + _OUTPUT - 2.0, top + 5.0), 0.25)
    said = (f"{quoted(desk.vocabulary[word])} {desk.number(name, word).text}" for word in best)
    return f"Ausgabe: {', '.join(said)}." if filled else "Ausgabe zum Ausfüllen."


def _threads_in_words(desk: Desk, name: str, filled: bool) -> str:
    def told(i: int) -> str:
        sees = [j for j in range(desk.n) if seen(desk, name, i, j)]
        return "hört " + ", ".join(f"{quoted(desk.words[j])} {desk.number(name, i, j).text}" for j in sees)

    return _in_words(desk, name, filled, "zum Zeichnen", told)


def _in_words(desk: Desk, name: str, filled: bool, left_open: str, told: Callable[[int], str]) -> str:
    """What is told of every word's lane, or that it is left open."""
    opened = [not filled and _is_open(desk, name, i) for i in range(desk.n)]
    said = (left_open if its else told(i) for i, its in enumerate(opened))
    return "; ".join(f"{quoted(word)} {its}" for word, its in zip(desk.words, said, strict=True))
