"""A sentence to hang up, read from three metres: whom its last word listens to, and what follows."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from markupsafe import Markup

from engine.trace import place_of
from generator.figures.drawing import Canvas, shortened, text_width
from generator.figures.parts import WordRow, columns, middles, quoted, seen, value
from generator.figures.weights import Ribbons
from generator.sheet.desk import Desk
from generator.sheet.sheet import Drawing, Figure
from generator.stations.next_word import at_temperature

HALF: Final = 186.0  # mm: half a poster, as wide as A4 between its margins, less the edge to glue
EDGE: Final = 8.0
HEIGHT: Final = 258.0
_SCALE: Final = (
    2.4  # everything is drawn so many times smaller than it is printed, and so are the measures below
)
_WIDE, _HIGH = 2 * HALF / _SCALE, HEIGHT / _SCALE
_TITLE: Final = 7.0
_SIZES: Final = (6.4, 5.6, 4.8, 4.0, 3.2)  # of the words: the largest in which none has to be turned
_NUMBER: Final = 3.2
_FRAME: Final = (8.6, 4.6)  # to write a weight into
_HEAD: Final = 4.2
_BOX: Final = (36.0, 17.0)  # for the word that follows
_WORD: Final = 8.0
_LIKELIEST: Final = 3
_LINE: Final = 5.6
_STEPS: Final = (
    ("1 Suchen", "Query mal Key"),
    ("2 Verstärken", "e hoch Score"),
    ("3 Teilen", "Anteil an der Summe"),
    ("4 Mischen", "Gewicht mal Value"),
)
_STEP: Final = 12.5
_HEADS: Final = 2  # one above the words, one below them


def poster(desk: Desk) -> Figure:
    """Ribbons that the sheet gives are outlines to colour; those that it asks for are left to draw."""

    def drawing(filled: bool) -> Drawing:
        canvas = Canvas()
        said = _draw(canvas, desk, filled)
        shapes = Markup('<g transform="scale({})">{}</g>').format(_SCALE, canvas.shapes)
        return Drawing(shapes, said)

    return Figure(f"Plakat: {_question(desk)}", 2 * HALF, HEIGHT, drawing(True), drawing(False))


def halves(desk: Desk) -> tuple[Figure, Figure]:
    """The same as two figures side by side; the first has the edge to glue the second one on."""
    whole = poster(desk)
    glue = Canvas()
    glue.rectangle((HALF, 0.0), (EDGE, HEIGHT), width=0.0)
    glue.line((HALF, 0.0), (HALF, HEIGHT), 0.25, "2 1.5")
    words = "Klebekante: hier das rechte Blatt auflegen"
    glue.text((HALF + 5.0, HEIGHT / 2), words, 3.0, "middle", turned=True)

    def cut(drawing: Drawing | None, right: bool) -> Drawing | None:
        if drawing is None:
            return None
        shapes = Markup('<g transform="translate({} 0)">{}</g>').format(-HALF if right else 0, drawing.shapes)
        return replace(drawing, shapes=shapes if right else shapes + glue.shapes)

    figures = []
    for part, width in (("linke", HALF + EDGE), ("rechte", HALF)):
        filled, empty = (cut(each, part == "rechte") for each in (whole.drawing, whole.empty))
        assert filled is not None
        title = f"{whole.title}, {part} Hälfte"
        figures.append(replace(whole, title=title, width=width, drawing=filled, empty=empty))
    return figures[0], figures[1]


def _question(desk: Desk) -> str:
    return f"Wem hört {quoted(desk.words[-1])} zu?"


def _draw(canvas: Canvas, desk: Desk, filled: bool) -> str:
    """Draws all of it; what it shows, in words."""
    title = _question(desk)
    canvas.text(
        (0.0, _TITLE), title, min(_TITLE, _TITLE * _WIDE / (1.06 * text_width(title, _TITLE))), bold=True
    )
    room = _WIDE - _BOX[0] - 8.0
    size = next((each for each in _SIZES if not _turned(desk.words, room, each)), _SIZES[-1])
    widths = columns([desk.words], room, size, min(_FRAME[0] + 0.4, room / desk.n))
    centres, words = middles(widths), WordRow(desk.words, widths, size)
    heads = [f"block1.head{k}.weight" for k in range(1, min(_HEADS, desk.sizes.n_heads) + 1)]
    end = _HIGH - _STEP - 2.0  # of what hangs below the words
    below = _FRAME[1] + 1.6
    middle = (_TITLE + 3.0 + end) / 2 if len(heads) > 1 else end - _BOX[1] / 2 - _LIKELIEST * _LINE - 2.0
    top = middle - words.height / 2
    words.draw(canvas, top, centres, upwards=words.turned, bold=desk.n - 1)
    said = []
    for k, name in enumerate(heads):
        up = k == 0
        edge = top - below if up else top + words.height + below
        high = edge - _TITLE - 4.0 if up else end - edge
        said.append(_head(canvas, desk, name, centres, (edge, high), up=up, filled=filled))
        base = _TITLE + 8.0 if up else end
        label = f"Head {k + 1} hört auf"
        canvas.text((0.0, base), label, _HEAD, bold=True)
        left = 1.06 * text_width(label, _HEAD) + 2.0
        canvas.line((left, base + 0.6), (left + 42.0, base + 0.6), 0.25)
        if not filled and _asked(desk, name):
            unit = round(Ribbons(centres, desk.n - 1).unit * _SCALE)
            canvas.text((left + 46.0, base), f"Bögen: {unit} mm · Gewicht breit", 3.0)
    said.append(_following(canvas, desk, middle, filled))
    wide = (_WIDE - 3 * 3.0) / len(_STEPS)
    for k, (step, how) in enumerate(_STEPS):
        left = k * (wide + 3.0)
        canvas.frame((left, _HIGH - _STEP), (wide, _STEP - 0.3), 0.3)
        canvas.text((left + 2.0, _HIGH - _STEP + 5.4), step, 4.2, bold=True)
        canvas.text((left + 2.0, _HIGH - _STEP + 10.2), how, 3.1)
    return " ".join(said)


def _turned(words: Sequence[str], room: float, size: float) -> bool:
    return WordRow(words, columns([words], room, size, size), size).turned


def _asked(desk: Desk, name: str) -> bool:
    return any(desk.asks(name, desk.n - 1, j) for j in range(desk.n))


def _head(
    canvas: Canvas,
    desk: Desk,
    name: str,
    centres: Sequence[float],
    at: tuple[float, float],
    *,
    up: bool,
    filled: bool,
) -> str:
    """The last word's ribbons from the line at `at[0]`, at most `at[1]` high; the weights at the words."""
    last, (edge, high) = desk.n - 1, at
    sees = [j for j in range(desk.n) if seen(desk, name, last, j)]
    is_open = not filled and _asked(desk, name)
    band = Ribbons(centres, last)
    if not is_open:
        band.draw(canvas, edge, {j: value(desk, name, last, j) for j in sees}, up=up, white=True)
    frame = min(_FRAME[0], *(b - a - 0.6 for a, b in pairwise(centres)))
    top = edge + 0.8 if up else edge - _FRAME[1] - 0.8
    for j in sees:
        text = desk.number(name, last, j).text
        if is_open:
            canvas.frame((centres[j] - frame / 2, top), (frame, _FRAME[1]), 0.3)
            span = (centres[last] - centres[j]) / max(1.0, centres[last] - centres[0])
            rise = (0.3 + 0.6 * span) * min(high, band.sky * 1.4)
            if j < last:
                canvas.arch((centres[j], centres[last]), edge, rise if up else -rise, 0.25, "1.4 1.1")
        else:
            letters = min(_NUMBER, _NUMBER * frame / text_width(text, _NUMBER))
            canvas.text((centres[j], top + 3.5), text, letters, "middle", bold=True)
    number = place_of(name).head
    if is_open:
        return f"Head {number} zum Zeichnen."
    told = ", ".join(f"{quoted(desk.words[j])} {desk.number(name, last, j).text}" for j in sees)
    return f"Head {number}: {told}."


def _following(canvas: Canvas, desk: Desk, middle: float, filled: bool) -> str:
    """The word in its box, and below it the three likeliest at T = 1 or the sheet's first temperature."""
    temperatures = desk.options.temperatur
    name = at_temperature(1.0 if 1.0 in temperatures else temperatures[0]) + "probability"
    shares = desk.quantity(name).values
    best = sorted(range(len(shares)), key=lambda word: (-shares[word], word))[:_LIKELIEST]
    left, top = _WIDE - _BOX[0], middle - _BOX[1] / 2
    canvas.arrow([(left - 7.0, middle), (left - 1.5, middle)], 0.7, 2.2)
    canvas.frame((left, top), (_BOX[0] - 0.3, _BOX[1]), 0.6)
    word = desk.vocabulary[best[0]]
    size = min(_WORD, _WORD * (_BOX[0] - 3.0) / (1.06 * text_width(word, _WORD)))
    if filled:
        canvas.text((left + _BOX[0] / 2, middle + 0.36 * size), word, size, "middle", bold=True)
    else:
        canvas.text((left + 1.6, top + 5.0), "?", 4.6, bold=True)
    for k, place in enumerate(best):
        base = top + _BOX[1] + (k + 1) * _LINE
        canvas.line((left, base + 0.8), (left + 21.0, base + 0.8), 0.25)
        canvas.frame((left + 23.0, base - 3.6), (_BOX[0] - 23.3, _FRAME[1]), 0.3)
        if filled:
            canvas.text((left, base), shortened(desk.vocabulary[place], 20.0, 3.4), 3.4, bold=k == 0)
            number = desk.number(name, place).text
            canvas.text(
                (left + 23.0 + (_BOX[0] - 23.3) / 2, base - 0.1), number, _NUMBER, "middle", bold=k == 0
            )
    said = (f"{quoted(desk.vocabulary[place])} {desk.number(name, place).text}" for place in best)
    return f"Danach: {', '.join(said)}." if filled else "Danach ein Wort zum Eintragen."
