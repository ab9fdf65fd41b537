"""The whole computation on one sheet: a lane for each word, stations as columns, attention as threads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
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
_WIDTH: Final = 2 * HALF
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
    columns = _columns(desk)
    left = len(columns) - _RIGHT  # of the columns, which end where a poster of two parts is glued
    threads = sum(not column.name for column in columns)
    widths = [(HALF - _WORD - threads * _THREADS) / (left - threads)] * left + [
        (HALF - _OUTPUT) / _RIGHT
    ] * _RIGHT
    lane = (HEIGHT - _HEAD) / desk.n
    middles = [_HEAD + (i + 0.5) * lane for i in range(desk.n)]

    def draw(filled: bool) -> Drawing:
        canvas = Canvas()
        canvas.text((0.0, 7.0), f"Die ganze Rechnung: {_shown(desk)}", 6.0, bold=True)
        for i, (word, y) in enumerate(zip(desk.words, middles, strict=True)):
            last = i == desk.n - 1
            canvas.line((0.0, y - lane / 2), (_WIDTH, y - lane / 2), 0.2)
            canvas.text((1.5, y + 1.8), shortened(word, _WORD - 3.5, 5.0), 5.0, bold=last)
        x, said = _WORD, []
        for column, vector in zip(columns, widths, strict=True):
            wide = vector if column.name else _THREADS
            canvas.text((x + 1.0, 14.5), column.title, 3.4, bold=True)
            canvas.text((x + 1.0, 19.0), f"Station {column.sign}", 3.0)
            if column.name:
                for i, y in enumerate(middles):
                    _cell(canvas, desk, column.name, i, (x, y), (vector, lane), filled)
                said.append(_vector_in_words(desk, column, filled))
            else:
                _threads(canvas, desk, column.at + "weight", (x, x + wide), middles, lane, filled)
                said.append(_threads_in_words(desk, column, filled))
            x += wide
        _output(canvas, desk, (x, middles[-1]), filled)
        canvas.text((x + 1.0, 14.5), "Ausgabe", 3.4, bold=True)
        canvas.text((x + 1.0, 19.0), "Station 8", 3.0)
        canvas.frame((0.0, HEIGHT - lane), (_WIDTH, lane - 0.3), 0.6)
        return Drawing(canvas.shapes, " ".join(said))

    title = f"Plakat der ganzen Rechnung zu {_shown(desk)}"
    return Figure(title, _WIDTH, HEIGHT, draw(True), draw(False))


def halves(figure: Figure) -> tuple[Figure, Figure]:
    """The same as two figures side by side; the first has the edge to glue the second one on."""

    def part(drawing: Drawing | None, left: bool) -> Drawing | None:
        if drawing is None:
            return None
        canvas = Canvas()
        if left:
            canvas.blank((HALF, 0.0), (_WIDTH, HEIGHT))
            canvas.line((HALF, 0.0), (HALF, HEIGHT), 0.2, "2 1.5")
            canvas.text(
                (HALF + 5.0, HEIGHT / 2),
                "Klebekante: hier das rechte Blatt auflegen",
                3.0,
                "middle",
                turned=True,
            )
            return replace(drawing, shapes=drawing.shapes + canvas.shapes)
        return replace(
            drawing, shapes=Canvas.moved(drawing.shapes, -HALF), text="Rechte Hälfte: " + drawing.text
        )

    def half(left: bool) -> Figure:
        side = "linke" if left else "rechte"
        drawing = part(figure.drawing, left)
        assert drawing is not None
        wide = HALF + EDGE if left else HALF
        return Figure(f"{figure.title}, {side} Hälfte", wide, HEIGHT, drawing, part(figure.empty, left))

    return half(True), half(False)


def _shown(desk: Desk) -> str:
    return quoted(" ".join(desk.calculation.model.tokens) + (" …" if desk.options.learns else ""))


def _columns(desk: Desk) -> list[Column]:
    block = "block1."
    heads = range(1, min(_HEADS, desk.sizes.n_heads) + 1)
    found = [Column("Eingabe x", "3" if desk.has("positional_encoding") else "2", block_input(1))]
    for k in heads:
        found.append(Column(f"Head {k}", "4a" if k == 1 else "4b", at=f"{block}head{k}."))
    found += [
        Column("Attention a", "4b", block + "attention"),
        Column("Add & Norm z", "5", block + "norm1.output"),
        Column("Feed-Forward f", "6", block + "ffn.output"),
        Column("Add & Norm y", "7", block + "norm2.output"),
    ]
    return found


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


def _output(canvas: Canvas, desk: Desk, at: Point, filled: bool) -> None:
    """The three likeliest words at the first temperature that the sheet has, 1 where it has it."""
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


def _vector_in_words(desk: Desk, column: Column, filled: bool) -> str:
    def one(i: int) -> str:
        if _is_open(desk, column.name, i) and not filled:
            return f"{quoted(desk.words[i])} zum Ausfüllen"
        return (
            f"{quoted(desk.words[i])} ({' | '.join(number.text for number in desk.numbers(column.name, i))})"
        )

    return f"{column.title}: {_listed(desk, one)}."


def _threads_in_words(desk: Desk, column: Column, filled: bool) -> str:
    name = column.at + "weight"

    def one(i: int) -> str:
        if _is_open(desk, name, i) and not filled:
            return f"{quoted(desk.words[i])} zum Zeichnen"
        parts = (
            f"{quoted(desk.words[j])} {desk.number(name, i, j).text}"
            for j in range(desk.n)
            if seen(desk, name, i, j)
        )
        return f"{quoted(desk.words[i])} hört " + ", ".join(parts)

    return f"{column.title} {_listed(desk, one)}."


def _listed(desk: Desk, one: Callable[[int], str]) -> str:
    return "; ".join(map(one, range(desk.n)))
