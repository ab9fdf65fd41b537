"""What typical mistakes give goes in; what the teacher's pages print of it, row by row, comes out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.calculation.calculation import Calculation
from engine.judging.expectation import Expectation, ExpectedMistake
from engine.trace.trace import CellAddress
from generator.basics.cell_names import cell_title, place_part, quantity_title
from generator.basics.numbers import NumberFormat
from generator.check.mistake_texts import mistake_texts


@dataclass(frozen=True)
class MistakeNumbers:
    """What one mistake gives in the cells of a row, "" where that is accepted.

    title: of the mistake, in short; of several that give the same. here: it is made in this step of the
    model, before which all is right; else it was made earlier on the sheet and runs on.
    """

    title: str
    here: bool
    numbers: tuple[str, ...]


@dataclass(frozen=True)
class MistakeRow:
    """The blanks of one row of a table: what is right, and what each mistake gives."""

    title: str
    expected: tuple[str, ...]
    mistakes: tuple[MistakeNumbers, ...]


@dataclass(frozen=True)
class ShownMistake:
    """A mistake that shows on the sheet: its name, the cell where it shows first, what stands there, advice.

    sentence: „Steht dort 0,71, wurde nicht durch √2 geteilt.“
    """

    short: str
    place: str
    sentence: str
    help: str


def mistake_rows(
    calculation: Calculation, expectation: Expectation, blanks: Iterable[CellAddress], numbers: NumberFormat
) -> list[MistakeRow]:
    """The rows in which a mistake shows, in the order of the blanks."""
    rows: dict[CellAddress, list[CellAddress]] = {}
    for cell in dict.fromkeys(blanks):
        if cell[0] in calculation.hand:
            rows.setdefault(_row(calculation, cell), []).append(cell)
    found = []
    for (name, row), cells in rows.items():
        cells = sorted(cells)
        mistakes = _mistakes(calculation, expectation, cells, numbers)
        if mistakes:
            hand, places = calculation.hand[name].values, calculation.hand[name].places
            expected = tuple(numbers.text(float(hand[index]), places) for _, index in cells)
            title = quantity_title(name, calculation.model, numbers.decimal_sign)
            where = f" {place_part(calculation[name], 0, row[0], calculation.model)}" if row else ""
            found.append(MistakeRow(title + where, expected, mistakes))
    return found


def shown_mistakes(
    calculation: Calculation, expectation: Expectation, blanks: Iterable[CellAddress], numbers: NumberFormat
) -> list[ShownMistake]:
    """Every mistake that shows, at the blank where it shows first, made there if it can be."""
    first: dict[str, tuple[CellAddress, ExpectedMistake]] = {}
    for cell in dict.fromkeys(blanks):
        for expected in expectation.numbers.get(cell, ()):
            for mistake in expected.ids:
                if mistake not in first or (expected.here and not first[mistake][1].here):
                    first[mistake] = cell, expected
    return [
        _worded(calculation, mistake, *first[mistake], numbers)
        for mistake in mistake_texts()
        if mistake in first
    ]


def _worded(
    calculation: Calculation,
    mistake: str,
    cell: CellAddress,
    expected: ExpectedMistake,
    numbers: NumberFormat,
) -> ShownMistake:
    texts = mistake_texts()[mistake]
    value = numbers.text(expected.value, calculation.hand[cell[0]].places)
    sentence = texts["expected"].format(value=value, dk=calculation.model.sizes.d_head)
    place = cell_title(calculation[cell[0]], cell[1], calculation.model, numbers.decimal_sign)
    return ShownMistake(texts["short"], place, sentence, texts["help"])


def _row(calculation: Calculation, cell: CellAddress) -> CellAddress:
    """Name and first index of the row of a table that a cell stands in; () for a table of one row."""
    name, index = cell
    axes = calculation.hand[name].axes
    return name, index[:1] if len(axes) > 1 or axes == ("token",) else ()


def _mistakes(
    calculation: Calculation, expectation: Expectation, cells: Sequence[CellAddress], numbers: NumberFormat
) -> tuple[MistakeNumbers, ...]:
    """A line for each way that a mistake shows in these cells; one for several that give the same."""
    places = calculation.hand[cells[0][0]].places
    lines: dict[tuple[bool, tuple[str, ...]], list[str]] = {}
    for here in (True, False):
        for mistake, text in mistake_texts().items():
            numbers_in_cells = [_numbers_in_cell(expectation, cell, mistake, here) for cell in cells]
            for way in range(max(map(len, numbers_in_cells))):
                values = tuple(
                    numbers.text(several[min(way, len(several) - 1)], places) if several else ""
                    for several in numbers_in_cells
                )
                titles = lines.setdefault((here, values), [])
                if text["short"] not in titles:
                    titles.append(text["short"])
    return tuple(
        MistakeNumbers(" oder ".join(titles), here, values) for (here, values), titles in lines.items()
    )


def _numbers_in_cell(expectation: Expectation, cell: CellAddress, mistake: str, here: bool) -> list[float]:
    """What a mistake gives in a cell, made in this step of the model or before it."""
    return [
        expected.value
        for expected in expectation.numbers.get(cell, ())
        if mistake in expected.ids and (expected.here or expected.follows) == here
    ]
