"""What several figures share: rows of words, legends, small grids for matrices."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

import segno
from markupsafe import Markup

from generator.basics.fonts import printable
from generator.figures.drawing import TEXT_SIZE, Canvas, Pattern, Point, shortened, text_width, widest
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH
from generator.sheet.sheet import Drawing, Figure

Draw = Callable[[Collection[int]], Drawing]
_LONGEST_TURNED: Final = 26.0
_GAP: Final = 1.0  # mm between words side by side
_BOLDER: Final = 1.06
_SAMPLE: Final = 11.5
_LEGEND_ROW: Final = 5.0
SMALL: Final = 2.6  # mm, the text under a grid
_MOST_LINES: Final = 24  # rows or columns that are drawn one by one


def figure_of(title: str, height: float, draw: Draw, withheld: Collection[int], every: int) -> Figure:
    """A figure that `draw` draws with the values of the tokens it is given; withheld: tokens left out.

    every: the number of tokens.
    """
    shown = [token for token in range(every) if token not in withheld]
    empty = draw(shown) if withheld else None
    return Figure(title, TEXT_WIDTH, round(height, 1), draw(range(every)), empty)


def columns(rows: Sequence[Sequence[str]], room: float, size: float, least: float) -> list[float]:
    """How wide each column of words is: all alike, or as the words need it so that they need not be turned.

    least: mm, of the narrowest one.
    """
    pitch = room / len(rows[0])
    needed = [max(least, widest(words, size * _BOLDER) + _GAP) for words in zip(*rows, strict=True)]
    spare = (room - sum(needed)) / len(needed)
    return [pitch] * len(needed) if max(needed) <= pitch or spare < 0 else [wide + spare for wide in needed]


def middles(widths: Sequence[float]) -> list[float]:
    return [right - wide / 2 for right, wide in zip(accumulate(widths), widths, strict=True)]


class WordRow:
    """Words side by side under or over columns: level where they fit, else turned."""

    def __init__(self, words: Sequence[str], widths: Sequence[float], size: float = TEXT_SIZE) -> None:
        pairs = zip(words, widths, strict=True)
        self.turned = any(text_width(word, size) > wide - _GAP for word, wide in pairs)
        self.size = min(size, min(widths) - 0.6) if self.turned else size
        self.words = [shortened(word, _LONGEST_TURNED, self.size) for word in words] if self.turned else words

    @property
    def height(self) -> float:
        return widest(self.words, self.size) + 1.0 if self.turned else self.size + 1.0

    def draw(
        self,
        canvas: Canvas,
        top: float,
        centres: Sequence[float],
        *,
        upwards: bool = False,
        bold: int | None = None,
    ) -> None:
        """The words below `top`; turned ones end there, or (upwards) begin at the foot of the row.

        bold: the place of the word that all is about.
        """
        foot = top + self.height - 0.5
        for place, (word, x) in enumerate(zip(self.words, centres, strict=True)):
            beside, heavy = x + self.size * 0.36, place == bold
            if not self.turned:
                canvas.text((x, top + self.size), word, self.size, "middle", bold=heavy)
            elif upwards:
                canvas.text((beside, foot), word, self.size, "start", turned=True, bold=heavy)
            else:
                canvas.text((beside, top + 0.5), word, self.size, "end", turned=True, bold=heavy)


def legend(
    canvas: Canvas, at: Point, labels: Sequence[str], draw: Callable[[Canvas, int, Point], None], room: float
) -> None:
    """Samples of 8 mm, which `draw` puts at a point, with their labels, row by row."""
    for k, (label, (x, row)) in enumerate(zip(labels, _legend_places(labels, room), strict=True)):
        left, base = at[0] + x, at[1] + row * _LEGEND_ROW + TEXT_SIZE
        draw(canvas, k, (left, base - 1.1))
        canvas.text((left + 9.3, base), label)


def legend_height(labels: Sequence[str], room: float) -> float:
    return (_legend_places(labels, room)[-1][1] + 1) * _LEGEND_ROW


def _legend_places(labels: Sequence[str], room: float) -> list[tuple[float, int]]:
    x, row, places = 0.0, 0, []
    for label in labels:
        width = text_width(label) + _SAMPLE
        if x > 0 and x + width > room:
            x, row = 0.0, row + 1
        places.append((x, row))
        x += width
    return places


def value(desk: Desk, name: str, *index: int) -> float:
    return float(desk.quantity(name).values[index])


def seen(desk: Desk, name: str, *index: int) -> bool:
    visible = desk.quantity(name).visible
    return visible is None or bool(visible[index])


def named(word: str) -> str:
    """A word as a label; a punctuation mark stands in quotes, since alone it is overlooked."""
    return printable(word) if any(map(str.isalnum, word)) else quoted(printable(word))


def quoted(word: str) -> str:
    return f"„{word}“"


def subscript(number: int) -> str:
    return "".join("₀₁₂₃₄₅₆₇₈₉"[int(digit)] for digit in str(number))


@dataclass(frozen=True)
class Grid:
    """A matrix of rows × columns with its top left corner; cell: mm."""

    corner: Point
    rows: int
    columns: int
    cell: Point

    @property
    def size(self) -> Point:
        return self.columns * self.cell[0], self.rows * self.cell[1]

    @property
    def right(self) -> float:
        return self.corner[0] + self.size[0]

    @property
    def bottom(self) -> float:
        return self.corner[1] + self.size[1]

    @property
    def middle(self) -> Point:
        return self.corner[0] + self.size[0] / 2, self.corner[1] + self.size[1] / 2

    def draw(self, canvas: Canvas, patterns: dict[int, Pattern] | None = None) -> None:
        """The cells; patterns: of whole rows."""
        (left, top), (wide, high) = self.corner, self.size
        canvas.rectangle(self.corner, self.size, width=0.35)
        for row, pattern in (patterns or {}).items():
            canvas.rectangle((left, top + row * self.cell[1]), (wide, self.cell[1]), pattern, 0.9)
        for row in range(1, self.rows if self.rows <= _MOST_LINES else 1):
            canvas.line((left, top + row * self.cell[1]), (left + wide, top + row * self.cell[1]), 0.2)
        for column in range(1, self.columns if self.columns <= _MOST_LINES else 1):
            canvas.line((left + column * self.cell[0], top), (left + column * self.cell[0], top + high), 0.2)

    def label(self, canvas: Canvas, name: str, below: str = "") -> None:
        """The name above, the shape below."""
        x = self.middle[0]
        canvas.text((x, self.corner[1] - 1.2), name, 3.0, "middle", bold=True)
        canvas.text((x, self.bottom + 3.2), below or shape(self.rows, self.columns), SMALL, "middle")


def shape(rows: int, columns: int) -> str:
    return f"{rows}\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}{columns}"


# --- A text as a QR code.


_QUIET: Final = 4  # modules of white that the standard asks for around the code
_MODULE: Final = 0.6  # mm; the smallest that a phone reads from a copied page
_WIDEST: Final = 60.0  # mm
_SMALLEST_MODULE: Final = 0.4  # mm; read from a print at 300 dpi, no longer from a copy of a copy


def qr_code(text: str, title: str) -> Figure | None:
    """The text as a QR code; None where it is too long for one that a phone could read on paper."""
    matrix = _modules_of(text)
    side = len(matrix) + 2 * _QUIET
    if not matrix or side * _MODULE > _WIDEST:
        return None
    return _figure(matrix, _MODULE, _QUIET, title, text)


def small_qr_code(text: str, title: str, side: float) -> Figure | None:
    """The text as a QR code of `side` mm whatever its length; None where its modules would be too small.

    The page around it is white, so the standard's edge is left to the page. Of one size for every text, so
    that sheets of a class have one layout.
    """
    matrix = _modules_of(text)
    if not matrix or side / len(matrix) < _SMALLEST_MODULE:
        return None
    return _figure(matrix, side / len(matrix), 0, title, text)


def _figure(matrix: Sequence[bytearray], module: float, edge: int, title: str, text: str) -> Figure:
    """module: the side of one in mm; edge: white modules around."""
    path = "".join(_dark_runs(line, y, module, edge) for y, line in enumerate(matrix))
    side = (len(matrix) + 2 * edge) * module
    return Figure(
        title, side, side, Drawing(Markup('<path d="{}" fill="#000" stroke="none"/>').format(path), text)
    )


def _modules_of(text: str) -> Sequence[bytearray]:
    """Line by line; none where the text is too long for any code."""
    try:
        return segno.make(text, error="l", micro=False, boost_error=True).matrix
    except segno.DataOverflowError:
        return ()


def _dark_runs(line: bytearray, y: int, module: float, edge: int) -> str:
    """The dark modules of one line, each run as one rectangle."""
    path, start = "", None
    for x, dark in enumerate([*line, 0]):
        if dark and start is None:
            start = x
        elif not dark and start is not None:
            left, right, top, bottom = (f"{(place + edge) * module:.4g}" for place in (start, x, y, y + 1))
            path += f"M{left} {top}H{right}V{bottom}H{left}Z"
            start = None
    return path
