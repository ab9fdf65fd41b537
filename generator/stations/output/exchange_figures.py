"""Station 8: a sentence with the last word's ribbons of two heads, and what the model says comes next."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from generator.basics.fonts import printable
from generator.figures.drawing import Canvas, shortened, text_width
from generator.figures.parts import WordRow, columns, middles, quoted
from generator.figures.weights import Ribbons
from generator.sheet.fields import TEXT_WIDTH
from generator.sheet.sheet import Drawing, Figure

_WORDS: Final = 112.0  # mm
_WIDEST: Final = 6.0  # mm, the ribbon of the weight 1: four sentences and their tasks share a page
_BARS: Final = 120.0  # mm from the left
_LONGEST: Final = 18.0
_BAR, _BETWEEN = 4.0, 2.2
_NAMES: Final = 2.8
_LETTERS: Final = 3.8
_NUMBER: Final = 7.0


@dataclass(frozen=True)
class Sentence:
    """swapped: places of exchanged words. weights: of each head drawn; texts: the same as written.

    bars: word, share, the share as written.
    """

    words: tuple[str, ...]
    swapped: tuple[int, ...]
    weights: list[list[float]]
    texts: list[list[str]]
    bars: list[tuple[str, float, str]]


def sentence_columns(sentences: Sequence[Sequence[str]]) -> list[float]:
    """Of words that stand below each other in all sentences."""
    return columns([[*map(printable, words)] for words in sentences], _WORDS, _LETTERS, _NUMBER)


def ribbon_unit(widths: Sequence[float]) -> int:
    """mm, of the weight 1: whole, so that a hand can measure it."""
    return max(1, int(Ribbons(middles(widths), len(widths) - 1, _WIDEST).unit))


def sentence_figure(
    of: Sentence,
    widths: Sequence[float],
    open_heads: Sequence[bool],
    *,
    bars_open: bool = False,
    numbers: bool = False,
) -> Figure:
    """Head 1 black and above, head 2 white and below. open_heads: whose ribbons the pupil draws.

    numbers: the pupil has their weights.
    """
    n = len(of.words)
    centres = middles(widths)
    band = Ribbons(centres, n - 1, ribbon_unit(widths))
    words = WordRow(of.words, widths, _LETTERS)
    rows = [WordRow(row, widths, 2.6) for row in of.texts]
    top = band.sky
    word_top = top + rows[0].height
    foot = word_top + words.height + 0.8
    end = foot + rows[1].height + band.sky if len(rows) > 1 else foot

    def draw(filled: bool) -> Drawing:
        canvas, said = Canvas(), []
        words.draw(canvas, word_top, centres, upwards=words.turned, bold=n - 1)
        for place in of.swapped:
            word = words.size + 1.4 if words.turned else text_width(of.words[place], _LETTERS) + 2.0
            wide = min(widths[place], word)
            canvas.frame((centres[place] - wide / 2, word_top - 0.2), (wide, words.height + 0.6), 0.4)
        for k, (row, texts) in enumerate(zip(of.weights, of.texts, strict=True)):
            to_draw = not filled and open_heads[k]
            if to_draw and not numbers:
                said.append(f"Head {k + 1} zum Zeichnen")
                continue
            edge = top - 0.3 if k == 0 else foot + rows[1].height + 0.3
            if not to_draw:
                band.draw(canvas, edge, dict(enumerate(row)), up=k == 0, white=k > 0)
            rows[k].draw(canvas, top if k == 0 else foot, centres, upwards=k == 0)
            weights = (f"{quoted(word)} {text}" for word, text in zip(of.words, texts, strict=True))
            said.append(f"Head {k + 1}: " + ", ".join(weights))
        middle = word_top + words.height / 2
        canvas.arrow([(_WORDS + 1.5, middle), (_BARS - 1.5, middle)], 0.6, 1.8)
        shown = filled or not bars_open
        _bars(canvas, of, middle, shown)
        said.append(
            "danach " + ", ".join(f"{quoted(w)} {t}" for w, _, t in of.bars)
            if shown
            else "danach zum Zeichnen"
        )
        return Drawing(canvas.shapes, "; ".join(said) + ".")

    is_open = bars_open or any(open_heads[: len(rows)])
    title = f"„{' '.join(of.words)} …“: wem das letzte Wort zuhört und was folgt"
    return Figure(title, TEXT_WIDTH, round(end + 0.4, 1), draw(True), draw(False) if is_open else None)


def _bars(canvas: Canvas, of: Sentence, middle: float, shown: bool) -> None:
    room = TEXT_WIDTH - _BARS - _LONGEST - text_width("0,000", _NAMES) - 2.0
    top = middle - (len(of.bars) * (_BAR + _BETWEEN) - _BETWEEN) / 2
    canvas.line((_BARS, top - 1.0), (_BARS, top + len(of.bars) * (_BAR + _BETWEEN)), 0.4)
    for k, (word, share, text) in enumerate(of.bars):
        y = top + k * (_BAR + _BETWEEN)
        if not shown:
            canvas.line((_BARS + room + 1.0, y + _BAR), (TEXT_WIDTH - 1.0, y + _BAR), 0.2)
            continue
        canvas.rectangle(
            (_BARS, y), (max(0.2, room * share), _BAR), "black" if k == 0 else "white", width=0.25
        )
        label = f"{shortened(word, _LONGEST, _NAMES)} {text}"
        canvas.text((_BARS + room * share + 1.0, y + _BAR - 1.0), label, _NAMES, bold=k == 0)
