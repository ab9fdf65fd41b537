"""A calculation goes in; rechnung.json, all that is needed to compute it again, comes out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from engine.calculation.calculation import Calculation
from engine.judging.acceptance import accepted
from engine.judging.ranges import Range
from engine.judging.readings import Cells
from engine.numbers.arrays import Floats
from engine.trace.trace import Quantity
from generator.basics.errors import UserError
from generator.calculation.build import Built, build
from generator.options.options import Options
from generator.version import VERSION

Ranges = Mapping[str, Range]
_MOST_CELLS_WITH_RANGES: Final = 2_000_000  # beyond, nobody calculates by hand and the file is large enough


def document(options: Options | Mapping[str, Any]) -> dict[str, Any]:
    """The contents of rechnung.json. UserError where the options do not go together."""
    return document_of(build(options if isinstance(options, Options) else Options.from_mapping(options)))


def document_of(built: Built, ranges: Ranges | None = None) -> dict[str, Any]:
    """The contents of rechnung.json for what is computed already.

    ranges: what honest work can give, if it is known already; left out of very large calculations.
    """
    model = built.calculation.model
    if ranges is None:
        ranges = ranges_of(built.whole)
    return {
        "papierformer": VERSION,
        "satz": built.options.satz,
        "optionen": built.options.resolved() | _lesson(built),
        "tokens": list(model.tokens),
        "vocabulary": list(model.vocabulary),
        "token_ids": list(model.token_ids),
        **_learnt(built),
        **_target(built),
        "weights": {name: _numbers(values) for name, values in _given(built).items()},
        "quantities": _quantities(built.whole, ranges),
    }


def _target(built: Built) -> dict[str, Any]:
    """The words of the target sentence, where there is one."""
    model = built.two_model
    if model is None:
        return {}
    return {"zieltokens": list(model.tokens), "zielvokabular": list(model.vocabulary)}


def _learnt(built: Built) -> dict[str, Any]:
    """The texts that a trained model has read, and the word that it is to find."""
    if built.learnt is None:
        return {}
    return {"texte": list(built.learnt.lines), "weiter": built.learnt.expected}


def _given(built: Built) -> dict[str, Floats]:
    """Weights and vocabularies of one sentence, and of two where there are two."""
    model, two = built.calculation.model, built.two_model
    given = {**model.weights, "vocabulary_embedding": model.vocabulary_embedding}
    if model.known is not None:
        given["input_embedding"] = model.input_embedding
    if two is not None:
        given |= {**two.weights, "decoder.vocabulary_embedding": two.vocabulary_embedding}
        if two.entering is not None:
            given["decoder.input_embedding"] = two.entering
    return given


def _lesson(built: Built) -> dict[str, Any]:
    """The lesson as it was: path, right word, rate."""
    if built.learning is None:
        return {}
    lesson = built.learning.lesson
    return {
        "lernen": lesson.path,
        "richtig": built.learning.model.vocabulary[lesson.word],
        "lernrate": float(lesson.rate),
    }


def to_json(contents: Mapping[str, Any]) -> str:
    """JSON text, one quantity or weight a line: a person can read it, a program too."""

    def lines(mapping: Mapping[str, Any]) -> str:
        inner = ",\n".join(f"  {_dumped(key)}: {_dumped(value)}" for key, value in mapping.items())
        return "{\n" + inner + "\n }"

    parts = [
        f" {_dumped(key)}: {lines(value) if key in ('weights', 'quantities') else _dumped(value)}"
        for key, value in contents.items()
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def ranges_of(calculation: Calculation, printed: Cells | None = None) -> Ranges:
    """The accepted range of every quantity; none of a calculation too large for paper by far.

    printed: the cells that a sheet gives, if there is a sheet.
    """
    cells = sum(quantity.values.size for quantity in calculation.hand.values())
    return finite(accepted(calculation, printed)) if cells <= _MOST_CELLS_WITH_RANGES else {}


def finite(ranges: Ranges) -> Ranges:
    """The same ranges. UserError where numbers are so large that one has no end."""
    for name, each in ranges.items():
        if not (np.isfinite(each.low).all() and np.isfinite(each.high).all()):
            raise UserError(
                f"{name} wird zu groß; es geht mit kleineren Zahlen (--gewichte, --embeddings) oder höheren "
                "Temperaturen."
            )
    return ranges


def _quantities(calculation: Calculation, ranges: Ranges) -> dict[str, Any]:
    quantities: dict[str, Any] = {}
    for name, quantity in calculation.hand.items():
        quantities[name] = {
            "axes": list(quantity.axes),
            "places": quantity.places,
            "exact": _cells(calculation.exact[name]),
            "hand": _cells(quantity),
        }
        if name in ranges:
            low, high = (replace(quantity, values=bound) for bound in (ranges[name].low, ranges[name].high))
            quantities[name]["accepted"] = {"low": _cells(low), "high": _cells(high)}
    return quantities


def _cells(quantity: Quantity) -> Any:
    if quantity.visible is None:
        return _numbers(quantity.values)
    cells = quantity.values.astype(object)
    cells[~quantity.visible] = None
    return cells.tolist()


def _numbers(values: np.ndarray[Any, Any]) -> Any:
    return (values + 0.0).tolist()  # + 0.0: no negative zero in the file


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
