"""Station 0: the map of the stations, the way through the model, sizes beside GPT-2 Small, the loss."""

import math
from collections.abc import Sequence
from typing import Final

from engine.model.model import Sizes
from engine.model.weights import GPT2_SMALL
from generator.basics.errors import how_many
from generator.basics.fonts import printable
from generator.basics.numbers import NumberFormat
from generator.figures.course_map import course_map
from generator.figures.drawing import Canvas, shortened, text_width
from generator.figures.parts import SMALL, Grid, quoted
from generator.sheet.columns import Column
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH
from generator.sheet.sheet import Drawing, Figure, Parts, Row, Solution, Table, Words, parts
from generator.stations.common import Tasks, whole_number
from generator.stations.output.station import spoken_words

_HERE: Final = "0"
_TOP: Final = 5.5
_HIGH: Final = 20.0  # mm, of every grid
_WIDEST_CELL: Final = 4.0
_LEGIBLE: Final = 3.0  # mm of a row with a word
_WORDS: Final = 20.0
_BLOCK: Final = 24.0
_CURVE_WIDTH: Final = 84.0  # mm
_CURVE_HIGH: Final = 30.0
_CURVE_LEFT, _CURVE_TOP, _CURVE_FOOT = 14.0, 3.0, 11.0
_MOST_TICKS: Final = 5  # beside that of 0


def station(desk: Desk, tasks: Tasks) -> Parts:
    ours = _named(desk.n, len(desk.vocabulary), desk.sizes)
    table = _size_table(desk, ours)
    tasks.add("d_k", "Berechne", "I", table)
    tasks.add("largest", "Bestimme", "II", points=2)
    return parts(
        map=course_map(desk.stations, _HERE),
        flow=data_flow(desk),
        sizes=table,
        largest=_largest(desk, ours),
        trained=read_texts(desk),
    )


def _named(n: int, words: int, sizes: Sizes) -> dict[str, int]:
    inside = {"d_model": sizes.d_model, "h": sizes.n_heads, "d_k": sizes.d_head, "d_ff": sizes.d_ff}
    return {"n": n, "V": words, **inside, "B": sizes.n_blocks}


_LIKELY: Final = (0.5, 0.01)  # what the loss counts for a word of this probability
_OF_GPT2: Final = _named(GPT2_SMALL.context, GPT2_SMALL.vocabulary, GPT2_SMALL.sizes)


def _size_table(desk: Desk, ours: dict[str, int]) -> Table:
    """A row for each size; the length of a head's vectors is left to the pupil, for both models."""

    def row(name: str) -> Row:
        both = enumerate((ours[name], _OF_GPT2[name]))
        numbers = (whole_number(desk, f"sizes.{name}", size, k, blank=name == "d_k") for k, size in both)
        return Row(name, (Words(name), *numbers))

    return Table(
        ("meaning", "ours", "gpt2"),
        tuple(map(row, ours)),
        (Column.LONG_LABEL, Column.REST, Column.EXP, Column.EXP),
    )


def _largest(desk: Desk, ours: dict[str, int]) -> Parts:
    name = max(ours, key=lambda size: _OF_GPT2[size] / ours[size])
    factor = _OF_GPT2[name] / ours[name]
    texts = [desk.constant(number, 0) for number in (_OF_GPT2[name], ours[name], factor)]
    division = f"{texts[0]} : {texts[1]} ≈ {texts[2]}"
    return parts(name=Solution(name), division=Solution(division))


def read_texts(desk: Desk) -> Parts | None:
    """What the model has read, and how its loss fell; None where it has not learnt."""
    learnt = desk.built.learnt
    if learnt is None:
        return None
    return parts(
        texts=tuple(map(printable, learnt.lines)),
        beginning=spoken_words(learnt.model.tokens),
        steps=desk.format.text(learnt.steps, 0),
        forks=any(len(words) > 1 for words in learnt.corpus.followers.values()),
        curve=loss_curve(learnt.curve, desk.format),
        losses=[(desk.constant(p), desk.format.text(-math.log(p), 1)) for p in _LIKELY],
    )


def data_flow(desk: Desk) -> Figure:
    """Words, IDs, X, the blocks, Y and the probabilities, with the stations on the way."""
    n, d, words = desk.n, desk.sizes.d_model, len(desk.vocabulary)
    row = _HIGH / n
    wide = min(_WIDEST_CELL, 16.0 / d)
    middle = _TOP + _HIGH / 2
    ids = Grid((33.0, _TOP), n, 1, (4.0, row))
    X = Grid((51.0, _TOP), n, d, (wide, row))
    block = X.right + 9.0
    Y = Grid((block + _BLOCK + 8.0, _TOP), n, d, (wide, row))
    odds = Grid((Y.right + 13.0, _TOP), words, 1, (4.0, _HIGH / words))
    canvas = Canvas()
    _words(canvas, desk, row)
    for grid, name, below in (
        (ids, "IDs", f"{n} Zahlen"), (X, "X", ""), (Y, "Y", ""), (odds, "p", f"{words} Zahlen"),
    ):  # fmt: skip
        grid.draw(canvas, {n - 1: "/"} if grid is Y else None)
        grid.label(canvas, name, below)
    canvas.rectangle((block, _TOP + 2.0), (_BLOCK, _HIGH - 4.0), width=0.6)
    blocks = how_many(desk.sizes.n_blocks, "Block", "Blöcke")
    for line, words_in in enumerate((blocks, "Attention und", "Feed-Forward")):
        canvas.text(
            (block + _BLOCK / 2, middle - 2.6 + 3.6 * line), words_in, SMALL, "middle", bold=line == 0
        )
    positions = "2, 3" if desk.has("positional_encoding") else "2"
    ways = (
        (_WORDS + 2.0, ids.corner[0], middle, "1"), (ids.right, X.corner[0], middle, positions),
        (X.right, block, middle, ""), (block + _BLOCK, Y.corner[0], middle, ""),
        (Y.right, odds.corner[0], Y.bottom - row / 2, "8"),
    )  # fmt: skip
    for start, end, y, stations in ways:
        canvas.arrow([(start + 1.2, y), (end - 1.2, y)])
        canvas.text(((start + end) / 2, y - 1.2), stations, SMALL, "middle", bold=True)
    canvas.text((block + _BLOCK / 2, _TOP + 0.6), "4a bis 7", SMALL, "middle", bold=True)
    canvas.arrow([(odds.right + 1.2, middle), (odds.right + 6.0, middle)])
    canvas.text((odds.right + 7.2, middle - 0.6), "nächstes", SMALL)
    canvas.text((odds.right + 7.2, middle + 2.8), "Wort: ?", SMALL, bold=True)
    return Figure(
        "Vom Satz zum nächsten Wort", TEXT_WIDTH, _TOP + _HIGH + 5.0, Drawing(canvas.shapes, _in_words(desk))
    )


def _words(canvas: Canvas, desk: Desk, row: float) -> None:
    if row < _LEGIBLE:
        canvas.text((_WORDS, _TOP + _HIGH / 2 + 1.0), f"{desk.n} Wörter", 3.0, "end", bold=True)
        return
    for i, word in enumerate(desk.words):
        at = (_WORDS, _TOP + (i + 0.5) * row + 1.0)
        canvas.text(at, shortened(word, _WORDS), anchor="end", bold=i == desk.n - 1)


def _in_words(desk: Desk) -> str:
    n, d = desk.n, desk.sizes.d_model
    return (
        f"{n} Wörter werden in Station 1 zu {n} IDs, dann zur Tabelle X mit {n} Zeilen und {d} Spalten. "
        f"Die Blöcke (Stationen 4a bis 7) machen daraus Y mit gleich vielen Zeilen und Spalten. "
        "Aus der letzten Zeile, "
        f"{quoted(desk.words[-1])}, werden in Station 8 {len(desk.vocabulary)} Wahrscheinlichkeiten "
        "und daraus das nächste Wort."
    )


def loss_curve(curve: Sequence[tuple[int, float]], numbers: NumberFormat) -> Figure:
    """curve: step and loss, from the first step to the last."""
    last, highest = curve[-1][0], max(loss for _, loss in curve)
    right, bottom = _CURVE_WIDTH - 6.0, _CURVE_TOP + _CURVE_HIGH

    def at(step: float, loss: float) -> tuple[float, float]:
        return _CURVE_LEFT + (right - _CURVE_LEFT) * step / last, bottom - _CURVE_HIGH * loss / highest

    canvas = Canvas()
    canvas.line(at(0, 0), at(last, 0), 0.3)
    canvas.line(at(0, 0), at(0, highest), 0.3)
    for step in _ticks(last):
        x, _ = at(step, 0)
        canvas.line((x, bottom), (x, bottom + 1.2), 0.2)
        canvas.text((x, bottom + 4.6), numbers.text(step, 0), anchor="middle")
    for loss in _ticks(highest):
        _, y = at(0, loss)
        canvas.line((_CURVE_LEFT - 1.2, y), (_CURVE_LEFT, y), 0.2)
        canvas.text((_CURVE_LEFT - 2.0, y + 1.0), numbers.text(loss, 0), anchor="end")
    canvas.path([at(step, loss) for step, loss in curve], 0.5)
    canvas.text((right - text_width("Schritte"), bottom + 8.8), "Schritte")
    canvas.text((_CURVE_LEFT + 2.0, _CURVE_TOP + 1.5), "Loss")
    first, end = (numbers.text(loss, 1) for loss in (curve[0][1], curve[-1][1]))
    steps = numbers.text(last, 0)
    said = f"Der Loss fällt von {first} vor dem ersten Schritt auf {end} nach {steps} Schritten."
    return Figure(
        "Loss während des Trainings", _CURVE_WIDTH, bottom + _CURVE_FOOT, Drawing(canvas.shapes, said)
    )


def _ticks(highest: float) -> range:
    """Whole numbers from 0 on, 1, 2 or 5 times a power of ten apart."""
    apart = next(
        digit * 10**power
        for power in range(12)
        for digit in (1, 2, 5)
        if highest / (digit * 10**power) <= _MOST_TICKS
    )
    return range(0, math.floor(highest) + 1, apart)
