"""What the teacher's pages print of typical mistakes, row by row; called by review.py.

A number that is one unit of the last place off counts as right, so it leads to no mistake, unless the cell
needs no rounding.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase
from typing import Final

from engine.forward.calculation import Calculation
from engine.judging.expectation import Expectation, ExpectedMistake
from engine.trace import CellAddress
from generator.basics.cell_names import Named, cell_title, place_part, quantity_title
from generator.basics.numbers import NumberFormat
from generator.check.in_words import mistake_texts

EXACT: Final = ("input", "embedding")  # quantities in which only the number itself is right


@dataclass(frozen=True)
class WrongNumber:
    """A wrong number of a cell, and the letters of the mistakes that lead to it, made in this very step."""

    text: str
    letters: tuple[str, ...]


@dataclass(frozen=True)
class MistakenCell:
    """A blank: where in its row it stands, what is right, and what mistakes give, by size."""

    place: str
    expected: str
    wrong: tuple[WrongNumber, ...]


@dataclass(frozen=True)
class MistakeRow:
    """The blanks of one row of a table in which a mistake shows."""

    title: str
    cells: tuple[MistakenCell, ...]


@dataclass(frozen=True)
class ShownMistake:
    """A mistake that shows on the sheet: its name, the cell where it shows first, what stands there, advice.

    letter: by which the rows name it. sentence: „Steht dort 0,71, wurde nicht durch √2 geteilt.“ doubts: how
    many reasons there are not to conclude the mistake from that one number. honest: it may also be right.
    here: it was made in this very cell.
    """

    letter: str
    short: str
    place: str
    sentence: str
    help: str
    doubts: int
    honest: bool
    here: bool


def mistake_rows(
    calculation: Calculation,
    expectation: Expectation,
    blanks: Iterable[CellAddress],
    numbers: NumberFormat,
    words: Named | None = None,
) -> list[MistakeRow]:
    """The rows in which a mistake shows, in the order of the blanks. words: None for one sentence."""
    words = words or calculation.model
    letters = letters_of(expectation)
    rows: dict[CellAddress, list[CellAddress]] = {}
    for cell in dict.fromkeys(blanks):
        if cell[0] in calculation.hand:
            rows.setdefault(_row(calculation, cell), []).append(cell)
    found = []
    for (name, row), cells in rows.items():
        mistaken = [
            _mistaken(calculation, expectation, cell, row, numbers, letters, words) for cell in sorted(cells)
        ]
        if shown := tuple(cell for cell in mistaken if cell.wrong):
            title = sized(quantity_title(name, words, numbers.decimal_sign), calculation.model.sizes.d_head)
            where = f" {place_part(calculation[name], 0, row[0], words)}" if row else ""
            found.append(MistakeRow(title + where, shown))
    return found


def shown_mistakes(
    calculation: Calculation,
    expectation: Expectation,
    blanks: Iterable[CellAddress],
    numbers: NumberFormat,
    words: Named | None = None,
) -> list[ShownMistake]:
    """Every mistake that shows, at the first blank of those where it shows best."""
    first: dict[str, tuple[CellAddress, ExpectedMistake]] = {}
    best: dict[str, tuple[bool, ...]] = {}
    for cell in dict.fromkeys(blanks):
        for expected in expectation.numbers.get(cell, ()):
            worse = _worse(calculation, expectation, cell, expected)
            for mistake in expected.ids:
                if mistake not in first or worse < best[mistake]:
                    first[mistake], best[mistake] = (cell, expected), worse
    shown = []
    for mistake, letter in letters_of(expectation).items():
        if mistake in first:
            (cell, expected), worse, texts = first[mistake], best[mistake], mistake_texts()[mistake]
            value = numbers.text(expected.value, calculation.hand[cell[0]].places)
            said = texts["expected"].format(value=value, dk=calculation.model.sizes.d_head)
            if not (expected.here or expected.follows):
                said += " Der Fehler begann weiter vorn."
            place = cell_title(
                calculation[cell[0]], cell[1], words or calculation.model, numbers.decimal_sign
            )
            size = calculation.model.sizes.d_head
            short, where, advice = (sized(each, size) for each in (texts["short"], place, texts["help"]))
            shown.append(
                ShownMistake(letter, short, where, said, advice, sum(worse), any(worse[:2]), expected.here)
            )
    return shown


def sized(text: str, d_head: int) -> str:
    """With the number for d_k, a sign that the sheet of a single lesson does not have."""
    return text.replace("d_k", str(d_head))


def _worse(
    calculation: Calculation, expectation: Expectation, cell: CellAddress, expected: ExpectedMistake
) -> tuple[bool, ...]:
    """What an example lacks: that it counts as wrong, and comes from one mistake alone, best made here."""
    shared = sum(len(each.ids) for each in expectation.numbers[cell] if each.value == expected.value)
    return (
        counts_as_right(calculation, cell, expected.value),
        expected.doubtful,
        shared > 1,
        not expected.here,
        not expected.follows,
    )


def counts_as_right(calculation: Calculation, cell: CellAddress, value: float) -> bool:
    """Whether a teacher lets a number pass that the program refuses: it is only one unit off."""
    name, index = cell
    quantity = calculation.hand[name]
    unit = 10.0 ** -(quantity.places or 0)
    return name not in EXACT and abs(value - float(quantity.values[index])) < 1.5 * unit


def letters_of(expectation: Expectation) -> dict[str, str]:
    """A letter for each mistake that can show, in the order of the course."""
    shown = {mistake for several in expectation.numbers.values() for each in several for mistake in each.ids}
    found = [mistake for mistake in mistake_texts() if mistake in shown]
    return dict(zip(found, ascii_uppercase + ascii_lowercase, strict=False))


def _row(calculation: Calculation, cell: CellAddress) -> CellAddress:
    """Name and first index of the row of a table that a cell stands in; () for a table of one row."""
    name, index = cell
    axes = calculation.hand[name].axes
    return name, index[:1] if len(axes) > 1 or axes == ("token",) else ()


def _mistaken(
    calculation: Calculation,
    expectation: Expectation,
    cell: CellAddress,
    row: tuple[int, ...],
    numbers: NumberFormat,
    letters: Mapping[str, str],
    words: Named,
) -> MistakenCell:
    """A cell of a row with its wrong numbers by size, each once.

    What a mistake made earlier on the sheet gives here is left out, and what may be right all the same.
    """
    name, index = cell
    places = calculation.hand[name].places
    found: dict[str, tuple[float, set[str]]] = {}
    for expected in expectation.numbers.get(cell, ()):
        made_here = (expected.here or expected.follows) and not expected.doubtful
        if made_here and not counts_as_right(calculation, cell, expected.value):
            found.setdefault(numbers.text(expected.value, places), (expected.value, set()))[1].update(
                expected.ids
            )
    wrong = tuple(
        WrongNumber(text, tuple(letter for mistake, letter in letters.items() if mistake in ids))
        for text, (_, ids) in sorted(found.items(), key=lambda entry: entry[1][0])
    )
    places_in_row = range(len(row), len(index))
    where = ", ".join(place_part(calculation[name], i, index[i], words) for i in places_in_row)
    return MistakenCell(where, numbers.text(float(calculation.hand[name].values[index]), places), wrong)
