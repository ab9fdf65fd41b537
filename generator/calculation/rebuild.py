"""rechnung.json read back: the calculation that it describes, computed anew."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.forward.calculation import Calculation
from engine.judging.ranges import Range
from engine.numbers.arrays import Floats
from engine.trace import CellAddress
from generator.basics.cell_names import SheetWords
from generator.basics.errors import UserError, quoted
from generator.basics.reading import read_text
from generator.calculation.build import Built, build
from generator.calculation.contents import (
    Exercise,
    broken,
    from_document,
    given_of_file,
    in_any_order,
    mapping,
    options_of_file,
    printed_from_document,
)
from generator.options.limits import for_memory
from generator.options.sentence import unprintable_sign

_LARGEST_FILE: Final = 75_000_000


@dataclass(frozen=True)
class Rebuilt:
    """A sheet's calculation as its file describes it.

    options: `optionen` of the file. words: all that its quantities speak of. changed: names whose hand values
    in the file are not those computed here (a file made by another version, or changed by hand). ranges: the
    accepted ranges, computed here too. exercises, printed_cells: of the sheet, none in a
    file that `papierformer rechne` wrote.
    """

    sentence: str
    options: Mapping[str, Any]
    calculation: Calculation
    words: SheetWords
    changed: tuple[str, ...]
    ranges: Mapping[str, Range]
    exercises: tuple[Exercise, ...]
    printed_cells: tuple[CellAddress, ...]

    def asked(self) -> frozenset[str] | None:
        """The quantities that the sheet asks for; None where the file tells of no sheet."""
        return frozenset(name for each in self.exercises for name, _ in each.cells) or None

    def copies(self) -> dict[CellAddress, list[CellAddress]]:
        """Cells that no exercise asks for but which are the number of cells that one does: with those."""
        asked = {cell for each in self.exercises for cell in each.cells}
        found: dict[CellAddress, list[CellAddress]] = {}
        for cell in asked:
            for copy in self.calculation.aliases.get(cell, ()):
                if copy not in asked:
                    found.setdefault(copy, []).append(cell)
        return found

    @property
    def axes(self) -> dict[str, int]:
        """How many indices a cell of each quantity has, for reading answers."""
        return {name: len(quantity.axes) for name, quantity in self.calculation.hand.items()}

    def printed(self) -> dict[str, NDArray[np.bool_]]:
        """Where the sheet prints cells of the calculation; cells that it does not have are left out."""
        return self.calculation.hand.where(self.printed_cells)


def read_document(path: Path) -> Rebuilt:
    """Read rechnung.json. UserError where it is none."""
    text = read_text(path, "Die Rechnung", _LARGEST_FILE)
    try:
        contents = json.loads(text, parse_int=_whole)
        _refuse_signs(contents)
    except RecursionError as error:
        raise UserError(f"Die Rechnung {quoted(path.name)} ist zu tief verschachtelt.") from error
    except ValueError as error:
        line = getattr(error, "lineno", None)
        where = f" (Zeile {line})" if line else ""
        raise UserError(
            f"Die Rechnung {quoted(path.name)} ist kein gültiges JSON{where}; erwartet wird die Datei "
            "rechnung.json, die „papierformer blatt“ schreibt."
        ) from error
    return rebuild(contents)


def _whole(digits: str) -> int | float:
    """A whole number; a monstrous one is none that could be meant."""
    return int(digits) if len(digits) < 20 else float("inf")


def _refuse_signs(contents: Any) -> None:
    """No sentence of ours holds control characters or halves of characters; they would reach a terminal."""
    parts = (contents, contents.get("optionen")) if isinstance(contents, dict) else ()
    for value in (value for part in parts if isinstance(part, dict) for value in part.values()):
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str) and any(sign in "\n\r\t\v\f" or unprintable_sign(sign) for sign in text):
                raise broken("satz", f"{quoted(text)} enthält Zeichen, die sich nicht drucken lassen")


def rebuild(document: Any) -> Rebuilt:
    """The calculation of the file's options and numbers. UserError where something is missing."""
    contents = mapping(document, "Die Datei")
    quantities = mapping(contents.get("quantities"), "quantities")
    options = options_of_file(contents)
    for_memory(options)
    given = given_of_file(contents, options)
    try:
        built = build(options, given)
    except (UserError, ValueError) as error:
        raise broken("quantities", "lassen sich mit diesen Zahlen nicht rechnen") from error
    if "greedy.round1.logit" not in quantities:
        built = replace(built, texts=None)
    _agree(contents, quantities, built)
    printed = built.passes.hand.where(printed_from_document(contents))
    ranges = built.ranges(printed)
    return rebuilt_of(built, ranges, contents)


def rebuilt_of(built: Built, ranges: Mapping[str, Range], contents: Mapping[str, Any]) -> Rebuilt:
    """contents: of rechnung.json, which describes this calculation."""
    calculation = built.passes
    exercises = from_document(contents)
    return Rebuilt(
        built.options.satz,
        mapping(contents["optionen"], "optionen"),
        calculation,
        words_of(built),
        _changed(calculation, mapping(contents["quantities"], "quantities")),
        in_any_order(ranges, calculation.hand, calculation.exact, exercises),
        exercises,
        printed_from_document(contents),
    )


def _agree(contents: Mapping[str, Any], quantities: Mapping[str, Any], built: Built) -> None:
    """Raises where words or sizes in the file are not those that its options give."""
    model, two = built.calculation.model, built.two_model
    for key, words in (
        ("tokens", model.tokens),
        ("quelltokens", two and built.options.learns and two.source_tokens),
        ("zieltokens", two and two.tokens),
        ("zielvokabular", two and two.vocabulary),
    ):
        if contents.get(key) != (list(words) if words else None):
            raise broken(key, "nicht die Wörter der Sätze")
    if ("loss" in quantities) != (built.learning is not None):
        raise broken("optionen.lernen", "passt nicht zu den Größen der Datei")


def words_of(built: Built) -> SheetWords:
    model, two, texts = built.calculation.model, built.two_model, built.texts
    nothing: tuple[tuple[str, ...], ...] = ((), (), ())
    source, target, vocabulary = (two.source_tokens, two.tokens, two.vocabulary) if two else nothing
    end = texts.end.word if texts and texts.end else ""
    return SheetWords(model.sizes, model.tokens, model.vocabulary, source, target, vocabulary, end)


def _changed(calculation: Calculation, quantities: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(
        name
        for name, quantity in calculation.hand.items()
        if name in quantities and not _same(quantity.values, quantities[name])
    )


def _same(values: Floats, written: Any) -> bool:
    try:
        hand = np.array(written["hand"], dtype=object)
        numbers = np.where(hand == None, 0.0, hand).astype(np.float64)  # noqa: E711 (cell by cell)
        return numbers.shape == values.shape and bool(np.all(np.abs(numbers - values) < 1e-9))
    except (KeyError, TypeError, ValueError, OverflowError):
        return False
