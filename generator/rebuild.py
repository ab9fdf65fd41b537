"""The contents of rechnung.json go in; the model it describes, computed anew, comes out."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.acceptance import Range, accepted
from engine.calculation import Calculation, calculate
from engine.errors import CalculationError
from engine.model import Floats, Model, Sizes, weight_shapes
from generator.accepted_ranges import ranges_of_document
from generator.cell_names import SheetWords
from generator.document_values import broken, mapping, switch, table, temperatures, whole_number
from generator.errors import UserError, quoted
from generator.exercises import (
    EXERCISES,
    PRINTED,
    Cell,
    Exercise,
    from_document,
    printed_from_document,
    where_of,
)
from generator.reading import read_text
from generator.rebuild_further import with_further

_LARGEST_FILE: Final = 200_000_000
_MOST_TOKENS: Final = 1000
_LARGEST_SIZE: Final = 100_000
_Read = TypeVar("_Read")


@dataclass(frozen=True)
class Rebuilt:
    """A sheet's calculation as its file describes it.

    options: `optionen` of the file. words: all that its quantities speak of. changed: names whose hand values
    in the file are not those computed here (a file made by another version, or changed by hand). ranges: the
    accepted ranges, from the file if it holds them all. exercises, printed_cells: of the sheet, none in a
    file that `papierformer rechne` wrote.
    """

    sentence: str
    options: Mapping[str, Any]
    calculation: Calculation
    words: SheetWords
    changed: tuple[str, ...]
    ranges: Mapping[str, Range]
    exercises: tuple[Exercise, ...] = ()
    printed_cells: tuple[Cell, ...] = ()

    def asked(self) -> frozenset[str] | None:
        """The quantities that the sheet asks for; None where the file tells of no sheet."""
        return frozenset(name for each in self.exercises for name, _ in each.cells) or None

    def printed(self) -> dict[str, NDArray[np.bool_]]:
        """Where the sheet prints cells of the calculation; cells that it does not have are left out."""
        return where_of(self.printed_cells, self.calculation.hand)


def read_document(path: Path) -> Rebuilt:
    """Read rechnung.json. UserError where it is none."""
    text = read_text(path, "Die Rechnung", _LARGEST_FILE)
    try:
        contents = json.loads(text)
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


def rebuild(document: Any) -> Rebuilt:
    """Model and calculation from weights, embedding and options. UserError where something is missing."""
    contents = mapping(document, "Die Datei")
    options = mapping(contents.get("optionen"), "optionen")
    sizes = _sizes(options)
    tokens = contents.get("tokens")
    if not isinstance(tokens, list) or not all(isinstance(token, str) for token in tokens):
        raise broken("tokens", "keine Liste von Wörtern")
    if not 1 <= len(tokens) <= _MOST_TOKENS:
        raise broken("tokens", f"{len(tokens)} Token; möglich sind 1 bis {_MOST_TOKENS}")
    quantities = mapping(contents.get("quantities"), "quantities")
    given = mapping(quantities.get("embedding"), "quantities.embedding")
    weights = mapping(contents.get("weights"), "weights")
    model = _model(contents, options, sizes, tokens, given, weights)
    try:
        sentence_alone = calculate(model)
    except CalculationError as error:
        raise broken(error.name, "lässt sich mit diesen Zahlen nicht rechnen") from error
    calculation, words = with_further(contents, sentence_alone)
    sentence = str(contents.get("satz", " ".join(tokens)))
    changed = _changed(calculation, quantities)
    ranges = None if changed else ranges_of_document(calculation, quantities)
    exercises = _of_sheet(EXERCISES, from_document, contents)
    printed = _of_sheet(PRINTED, printed_from_document, contents)
    return Rebuilt(
        sentence, options, calculation, words, changed, ranges or accepted(calculation), exercises, printed
    )


def _of_sheet(key: str, read: Callable[[Mapping[str, Any]], _Read], contents: Mapping[str, Any]) -> _Read:
    try:
        return read(contents)
    except ValueError as error:
        raise broken(key, str(error)) from error


def _model(
    contents: Mapping[str, Any],
    options: Mapping[str, Any],
    sizes: Sizes,
    tokens: list[str],
    given: Mapping[str, Any],
    weights: Mapping[str, Any],
) -> Model:
    try:
        return Model(
            sizes=sizes,
            tokens=tuple(tokens),
            embedding=table(given.get("hand", given.get("exact")), (len(tokens), sizes.d_model), "embedding"),
            weights={
                name: table(weights.get(name), shape, f"weights.{name}")
                for name, shape in weight_shapes(sizes).items()
            },
            causal_mask=switch(options, "maske"),
            scaling=switch(options, "skalierung"),
            positions=switch(options, "positionen"),
            temperatures=temperatures(options.get("temperatur")),
            places=whole_number(options, "nachkommastellen", 1, 6),
        )
    except CalculationError as error:
        raise broken(error.name, "zwei gleiche Wörter haben verschiedene Vektoren") from error


def _sizes(options: Mapping[str, Any]) -> Sizes:
    dimension, heads = (whole_number(options, key, 1, _LARGEST_SIZE) for key in ("dimension", "heads"))
    if dimension % heads:
        raise broken("optionen.heads", f"{heads} teilt dimension {dimension} nicht")
    hidden = (
        2 * dimension if options.get("ffn") is None else whole_number(options, "ffn", 1, 4 * _LARGEST_SIZE)
    )
    return Sizes(dimension, heads, hidden, whole_number(options, "bloecke", 1, 1000))


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
    except (KeyError, TypeError, ValueError):
        return False
