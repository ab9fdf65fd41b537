"""The blanks of a page as fields to fill in on the screen: what they are named, what they are called aloud.

A field for a number is named as its cell is (`block1.head1.weight[2,1]`), one for an answer in words begins
with `words.`. A number that is put in order has on paper a field of its own, `temperature1.probability[2]@9`:
a field has one label. Where nothing is to be filled in on the screen, `Fields` prints nothing.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from generator.options.table import Side
from generator.sheet.sheet import Given, Number

# --- The page and what a hand needs on it, in mm: read by stations, figures, formats and the style sheets.

PAGE: Final = (210.0, 297.0)  # A4
TOP, RIGHT, BOTTOM, LEFT = 15.0, 20.0, 18.0, 25.0  # margins; holes at the left
TEXT_WIDTH: Final = PAGE[0] - LEFT - RIGHT
MARGIN: Final = 27.5  # beside paragraphs: points, rounding
TABLE_WIDTH: Final = TEXT_WIDTH - 1.0  # for the columns of a table, less its rules
WORD_WIDTH: Final = 27.0  # the column of the words
TEXT_SIZE: Final = 11.0  # pt, of running text
BLANK_WIDTHS: Final = (16, 16, 16, 19, 22, 25, 28, 31, 34)  # of a blank in a line, by places

LEAST_BLANK: Final = 16.0


def blank_width(places: int) -> float:
    """The column that a hand needs for a number with its sign: −0,00 takes 18."""
    return max(LEAST_BLANK, 12.0 + 3.0 * places)


_WIDER: Final = 8.0  # mm that a wider margin takes from the other, of which so much stays:
_NEAR_A_MARK: Final = 19.9  # mm
_LEAST_MARGIN: Final = 12.0  # inside the marks


@dataclass(frozen=True)
class PageFormat:
    """A sheet of A4 and how much larger all is printed than it is laid out; the text is TEXT_WIDTH wide then.

    width, height, left and right are as printed.
    """

    width: float
    height: float
    left: float
    right: float
    zoom: float = 1.0

    @property
    def top(self) -> float:
        """The margin, wider where the text would come near the code in the corner."""
        return TOP + (2.5 if self.right < _NEAR_A_MARK else 0.0)

    @property
    def css(self) -> str:
        """The page of the print style sheet, in the measures of the layout."""
        lengths = (self.width, self.height, self.top, self.right, BOTTOM, self.left)
        width, height, top, right, bottom, left = (
            f"{length / self.zoom:.4f}".rstrip("0").rstrip(".") + "mm" for length in lengths
        )
        # Where the text comes near the mark in the corner, the number of the page keeps away from it.
        foot = "@bottom-right { padding-right: 3mm } " if self.right < _NEAR_A_MARK else ""
        return f"@page {{ size: {width} {height}; margin: {top} {right} {bottom} {left}; {foot}}}"


def page_format(text_size: int | None = None, wider: Side | None = None) -> PageFormat:
    """text_size: pt, on a sheet turned to landscape, so that tables and figures grow with the text.

    wider: the side of the wider margin, for holes or a hand.
    """
    zoom = (text_size or TEXT_SIZE) / TEXT_SIZE
    width, height = PAGE if text_size is None else PAGE[::-1]
    both = width - zoom * TEXT_WIDTH
    left, right = both * LEFT / (LEFT + RIGHT), both * RIGHT / (LEFT + RIGHT)
    if wider is not None:
        shift = max(0.0, min(_WIDER, right - _LEAST_MARGIN))
        left, right = left + shift, right - shift
    if wider == "rechts":
        left, right = right, left
    return PageFormat(width, height, left, right, zoom)


def blanks_css() -> str:
    """The widths of blanks outside tables."""
    return "\n".join(f".p{places}.blank {{ width: {width}mm; }}" for places, width in enumerate(BLANK_WIDTHS))


IN_WORDS: Final = "words."
ORDERED: Final = "@"  # after the name of a cell: its field where numbers are put in order, and the station
LONGEST_NUMBER: Final = 20  # signs that a field takes
LONGEST_ANSWER: Final = 2000


@dataclass(frozen=True)
class Field:
    """attributes: of the blank's element, on paper. control: what is typed into, on the screen."""

    attributes: str = ""
    control: str = ""


NO_FIELD: Final = Field()


class Fields:
    """No fields: a page for the pen."""

    def number(self, number: Number, station: str, task: int, row: str = "") -> Field:
        """For the blank of a number, which belongs to a task of a station; row: of a table."""
        return NO_FIELD

    def words(self, station: str, task: int, row: str = "") -> Field:
        """For an answer in words to a task of a station; row: of a table or a label, where it has one."""
        return NO_FIELD


class FieldsToFill(Fields):
    """Fields in the PDF (`on_screen` false: elements with a name and a title) or in the browser.

    title: what a cell is called; "" where it is none of the calculation's.
    """

    def __init__(self, title: Callable[[str, tuple[int, ...]], str], on_screen: bool) -> None:
        self._title, self._on_screen = title, on_screen
        self._answers: Counter[tuple[str, int]] = Counter()
        self._others: Counter[tuple[str, int]] = Counter()

    def number(self, number: Number, station: str, task: int, row: str = "") -> Field:
        name = f"{number.name}[{number.address}]"
        ordered = number.given is Given.READ_OFF and number.index and row
        control = '<input class="fill" data-field="{}" aria-label="{}" maxlength="{}" autocomplete="off">'
        title = self._title(number.name, () if ordered else number.index)
        if not title:
            self._others[station, task] += 1
            title = f"{_place(station, task, row)}: Zahl {self._others[station, task]}"
        elif ordered:  # its word is what is asked for
            title = f"{row}: {title}"
            name += "" if self._on_screen else f"{ORDERED}{station}"
        return self._field(control, name, title, LONGEST_NUMBER)

    def words(self, station: str, task: int, row: str = "") -> Field:
        self._answers[station, task] += 1
        count = self._answers[station, task]
        control = '<textarea class="fill" data-field="{}" aria-label="{}" maxlength="{}"></textarea>'
        title = f"{_place(station, task, row)}: Antwort {count}"
        return self._field(control, f"{IN_WORDS}{station}.{task}.{count}", title, LONGEST_ANSWER)

    def _field(self, control: str, name: str, title: str, longest: int) -> Field:
        if self._on_screen:
            return Field(control=Markup(control).format(name, title, longest))
        return Field(attributes=Markup(' data-field="{}" title="{}"').format(name, title))


def _place(station: str, task: int, row: str) -> str:
    return f"Station {station}, Aufgabe {task}" + (f", {row}" if row else "")
