"""A variant's sheet goes in, its questions for a learning platform come out; those of all become one file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from generator.calculation.document import Ranges
from generator.options.further_formats import FORMATS
from generator.output.formats.export import SHEET, export, merged
from generator.output.formulas.typeset import Typesetter
from generator.output.sheet_documents import worksheet_and_key
from generator.sheet.desk import Desk
from generator.sheet.sheet import Sheet
from generator.teacher.expected_numbers import expected_numbers
from generator.teacher.review import review

ALL: Final = "arbeitsblaetter"
FILES: Final = tuple(ALL + each.ending for each in FORMATS.values() if each.whole)


def banks_of(names: Sequence[str], sheet: Sheet, desk: Desk, ranges: Ranges) -> dict[str, bytes]:
    """File name -> a bank of one variant, whose questions bear the sheet's code."""
    if not names:
        return {}
    made = worksheet_and_key(sheet, desk, Typesetter("screen", with_source=True), "screen")
    expected = expected_numbers(sheet, desk, ranges, review(sheet, desk, ranges))
    return export(names, made, expected, sheet.code)


def of_class(formats: Sequence[str], parts: Callable[[str], Iterable[bytes]]) -> dict[str, bytes]:
    """File name -> a bank of all variants. parts: the file of that name of each variant."""
    made = (merged(name, parts(SHEET + FORMATS[name].ending)) for name in formats)
    return dict(zip(names_of(formats), made, strict=True))


def names_of(formats: Iterable[str]) -> tuple[str, ...]:
    """The files of the whole class."""
    return tuple(ALL + FORMATS[name].ending for name in formats)
