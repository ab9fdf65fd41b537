"""A calculation goes in; rechnung.json, all that is needed to compute it again, comes out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from engine.acceptance import Range, accepted
from engine.calculation import Calculation
from engine.drawing import Calculated
from engine.encoder_decoder import EncoderDecoderCalculation
from engine.gradient_step import Learning
from engine.trace import Quantity
from generator.build import Built, build
from generator.build_learning import names_of_two
from generator.options import Options
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
        ranges = ranges_of(built.calculation)
    contents = {
        "papierformer": VERSION,
        "satz": built.options.satz,
        "optionen": built.options.resolved(),
        "tokens": list(model.tokens),
        "vocabulary": list(model.vocabulary),
        "token_ids": list(model.token_ids),
        "weights": {name: _numbers(model.weights[name]) for name in model.weights}
        | {"vocabulary_embedding": _numbers(model.vocabulary_embedding)},
        "quantities": _quantities(built.calculation, ranges),
    }
    if built.two is not None:
        contents = _with_target(contents, built.two.calculation)
    if built.learning is not None:
        contents = _with_learning(contents, built.learning)
    return (
        contents if built.learning_of_two is None else _with_learning_of_two(contents, built.learning_of_two)
    )


def _with_target(contents: Mapping[str, Any], two: EncoderDecoderCalculation) -> dict[str, Any]:
    """The contents with the target sentence, and weights and quantities of the encoder–decoder."""
    model = two.model
    new = {"zieltokens": list(model.tokens), "zielvokabular": list(model.vocabulary)}
    weights = {name: _numbers(model.weights[name]) for name in model.weights}
    weights["decoder.vocabulary_embedding"] = _numbers(model.vocabulary_embedding)
    merged: dict[str, Any] = {}
    for key, value in contents.items():
        if key == "weights":
            merged |= new
        merged[key] = value
    merged["weights"] = contents["weights"] | weights
    merged["quantities"] = contents["quantities"] | _quantities(two, {})
    return merged


def _with_learning(contents: Mapping[str, Any], learning: Learning) -> dict[str, Any]:
    """The contents with all that learning adds, and with the lesson as it was: path, right word, rate."""
    lesson = learning.lesson
    used = {
        "lernen": lesson.path,
        "richtig": learning.model.vocabulary[lesson.word],
        "lernrate": float(lesson.rate),
    }
    quantities = contents["quantities"]
    new = {name: quantity for name, quantity in _quantities(learning, {}).items() if name not in quantities}
    return {**contents, "optionen": contents["optionen"] | used, "quantities": quantities | new}


def _with_learning_of_two(contents: Mapping[str, Any], learning: Learning) -> dict[str, Any]:
    """The contents with the way back through decoder and encoder."""
    found = _quantities(learning, {})
    return {
        **contents,
        "quantities": contents["quantities"] | {name: found[name] for name in names_of_two(learning)},
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


def ranges_of(calculation: Calculation) -> Ranges:
    """The accepted range of every quantity; none of a calculation too large for paper by far."""
    cells = sum(quantity.values.size for quantity in calculation.hand.values())
    return accepted(calculation) if cells <= _MOST_CELLS_WITH_RANGES else {}


def _quantities(calculation: Calculated, ranges: Ranges) -> dict[str, Any]:
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
