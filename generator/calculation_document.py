"""A calculation goes in; rechnung.json, all that is needed to compute it again, comes out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.trace import Quantity, Trace
from generator.build import Built, build
from generator.options import Options
from generator.version import VERSION


def document(options: Options | Mapping[str, Any]) -> dict[str, Any]:
    """The contents of rechnung.json. UserError where the options do not go together."""
    return document_of(build(options if isinstance(options, Options) else Options.from_mapping(options)))


def document_of(built: Built) -> dict[str, Any]:
    """The contents of rechnung.json for what is computed already."""
    model = built.calculation.model
    return {
        "papierformer": VERSION,
        "satz": built.options.satz,
        "optionen": built.options.resolved(),
        "tokens": list(model.tokens),
        "vocabulary": list(model.vocabulary),
        "token_ids": list(model.token_ids),
        "weights": {name: _numbers(model.weights[name]) for name in model.weights}
        | {"vocabulary_embedding": _numbers(model.vocabulary_embedding)},
        "quantities": _quantities(built.calculation.exact, built.calculation.hand),
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


def _quantities(exact: Trace, hand: Trace) -> dict[str, Any]:
    return {
        name: {
            "axes": list(quantity.axes),
            "places": quantity.places,
            "exact": _cells(exact[name]),
            "hand": _cells(quantity),
        }
        for name, quantity in hand.items()
    }


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
