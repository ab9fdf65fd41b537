"""rechnung.json as it is written: all that is needed to compute the calculation again (see rebuild.py)."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from engine.forward.calculation import Calculation
from engine.judging.ranges import Ranges
from engine.model.model import Model
from engine.numbers.arrays import Floats
from engine.trace import Quantity
from generator.calculation.build import Built
from generator.calculation.contents import WIDTH_FOUND
from generator.version import VERSION

_BY_LINES: Final = ("weights", "quantities")


def document_of(built: Built, ranges: Ranges | None = None) -> dict[str, Any]:
    """The contents of rechnung.json. UserError where numbers are too large.

    ranges: what honest work can give, if it is known already.
    """
    model, given, whole = built.calculation.model, _given(built), built.passes
    allowed = built.ranges() if ranges is None else ranges
    return {
        "papierformer": VERSION,
        "satz": built.options.satz,
        "optionen": built.options.resolved() | _lesson(built),
        "tokens": list(model.tokens),
        "vocabulary": list(model.vocabulary),
        "token_ids": list(model.token_ids),
        **_learnt(built),
        **_target(built),
        "weights": {name: _numbers(table) for name, table in given.items()},
        "quantities": {name: _quantity(whole, allowed, name) for name in whole.hand},
    }


def _target(built: Built) -> dict[str, Any]:
    """The words of the target sentence, where there is one, and what the encoder reads if that is more."""
    model = built.two_model
    if model is None:
        return {}
    source = {"quelltokens": list(model.source_tokens)} if built.options.learns else {}
    return {**source, "zieltokens": list(model.tokens), "zielvokabular": list(model.vocabulary)}


def _learnt(built: Built) -> dict[str, Any]:
    """The texts that a trained model has read, the word that it is to find, whether its width was found."""
    if built.learnt is None:
        return {}
    found = {WIDTH_FOUND: True} if built.options.living else {}
    return {"texte": list(built.learnt.lines), "weiter": built.learnt.expected, **found}


def _given(built: Built) -> dict[str, Floats]:
    """Weights and vocabularies of one sentence, and of two where there are two."""
    model, two = built.calculation.model, built.two_model
    given = {**model.weights, "vocabulary_embedding": model.vocabulary_embedding}
    if model.known is not None:
        given["input_embedding"] = model.input_embedding
    given |= _earlier(built)
    if two is not None:
        given |= {**two.weights, "decoder.vocabulary_embedding": two.vocabulary_embedding}
        if two.entering is not None:
            given["decoder.input_embedding"] = two.entering
    return given


def _earlier(built: Built) -> dict[str, Floats]:
    """The weights from which the lesson takes its step, where they are not the sheet's."""
    if built.learning is None or not (before := built.learning.lesson.before):
        return {}
    model = built.learning.model
    tables = {**model.weights, "vocabulary_embedding": model.vocabulary_embedding}
    if isinstance(model, Model):
        tables["input_embedding"] = model.input_embedding
    return {before + name: table for name, table in tables.items()}


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
    parts = (
        f" {_dumped(key)}: {_by_lines(value) if key in _BY_LINES else _dumped(value)}"
        for key, value in contents.items()
    )
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _by_lines(tables: Mapping[str, Any]) -> str:
    return "{\n" + ",\n".join(f"  {_dumped(key)}: {_dumped(value)}" for key, value in tables.items()) + "\n }"


def _quantity(calculation: Calculation, ranges: Ranges, name: str) -> dict[str, Any]:
    quantity = calculation.hand[name]
    found = {
        "axes": list(quantity.axes),
        "places": quantity.places,
        "exact": _cells(calculation.exact[name]),
        "hand": _cells(quantity),
    }
    if name in ranges:
        low, high = (replace(quantity, values=bound) for bound in (ranges[name].low, ranges[name].high))
        found["accepted"] = {"low": _cells(low), "high": _cells(high)}
    return found


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
