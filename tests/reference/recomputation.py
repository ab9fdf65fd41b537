"""In: a rechnung.json document. Out: every quantity calculated anew, and the list of what differs."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from typing import NamedTuple

from .arithmetics import CONTEXT, Exact, Hand
from .task import Task
from .texts import has_texts, text_forms, texts
from .transformer import Pen, Transformer, forms

TOLERANCE = 1e-9  # of exact values, relative and absolute


class Difference(NamedTuple):
    """`arithmetic` is exact or hand for a cell; otherwise what differs (places, axes, shape, …)."""

    name: str
    index: tuple[int, ...]
    arithmetic: str
    document: object
    reference: object


def used_places(task: Task) -> dict[str, int]:
    """The document's places, where it has some; elsewhere the contract's are used."""
    return {name: each["places"] for name, each in task.quantities.items() if "places" in each}


def calculate(task: Task, arithmetic, places: dict[str, int], pen: Pen | None = None) -> dict:
    with localcontext(CONTEXT):
        return Transformer(task, arithmetic, pen or Pen(arithmetic, places)).run()


def recompute(document: dict) -> dict[str, dict]:
    """Name to {"exact": nested floats, "hand": nested Decimals}, masked cells None.

    Raises NotPlayableError where a step divides by zero.
    """
    task = Task(document)
    places = used_places(task)
    exact, hand = (calculate(task, arithmetic, places) for arithmetic in (Exact, Hand))
    found = {name: {"exact": exact[name], "hand": hand[name]} for name in hand}
    return found | texts(document) if has_texts(document) else found


def cells(values, index: tuple[int, ...] = ()):
    """Every cell of a nested list with its index, masked ones included."""
    if isinstance(values, list):
        for i, value in enumerate(values):
            yield from cells(value, (*index, i))
    else:
        yield index, values


def shape(values) -> tuple:
    """(rows, columns); a ragged list shows as a list of its rows' shapes."""
    if not isinstance(values, list):
        return ()
    inner = [shape(value) for value in values]
    return (len(values), *inner[0]) if inner and len(set(inner)) == 1 else (len(values), *map(str, inner))


def same_exact(document, reference: float) -> bool:
    return math.isclose(document, reference, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def same_hand(document, reference: Decimal) -> bool:
    """The float nearest to the decimal, and zero without a sign."""
    return document == float(reference) and (document != 0 or math.copysign(1, document) > 0)


SAME = {"exact": same_exact, "hand": same_hand}


def is_number(value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _cells_that_differ(name: str, arithmetic: str, found, expected) -> list[Difference]:
    if shape(found) != shape(expected):
        return [Difference(name, (), f"{arithmetic} shape", shape(found), shape(expected))]
    pairs = zip(cells(found), cells(expected), strict=True)
    same = SAME[arithmetic]
    return [
        Difference(name, index, arithmetic, value, wanted)
        for (index, value), (_, wanted) in pairs
        if not (value is None if wanted is None else is_number(value) and same(value, wanted))
    ]


def _outside_accepted(name: str, quantity: dict) -> list[Difference]:
    """The hand value itself must be inside the range that honest work can give."""
    accepted = quantity.get("accepted")
    if accepted is None or accepted.get("low") is None:
        return []
    found = []
    bounds = zip(cells(quantity["hand"]), cells(accepted["low"]), cells(accepted["high"]), strict=False)
    for (index, value), (_, low), (_, high) in bounds:
        inside = low is high is None if value is None else None not in (low, high) and low <= value <= high
        if not inside:
            found.append(Difference(name, index, "accepted", (low, high), value))
    return found


def _vocabulary_differences(document: dict, task: Task) -> list[Difference]:
    tokens, vocabulary, ids = (document[key] for key in ("tokens", "vocabulary", "token_ids"))
    rows, appeared, found = task.entering, list(dict.fromkeys(ids)), []
    whole = len(appeared) == len(vocabulary) or "texte" in document  # words of other texts follow
    fitting = len(tokens) == len(ids) == task.tokens and len(rows) == len(vocabulary) == len(set(vocabulary))
    if not (whole and fitting and appeared == list(range(len(appeared)))):
        return [Difference("token_ids", (), "order of appearance", ids, appeared)]
    for i, (token, token_id) in enumerate(zip(tokens, ids, strict=True)):
        if token.casefold() != vocabulary[token_id].casefold():
            found.append(Difference("token_ids", (i,), "word", vocabulary[token_id], token))
        own, entered = task.embedding[i], rows[token_id]
        if [float(v) for v in own] != [float(v) for v in entered]:
            found.append(Difference("embedding", (i,), "vocabulary_embedding", own, entered))
    return found


def differences(document: dict, reference: dict[str, dict] | None = None) -> list[Difference]:
    """All that differs between the document and this calculation, in the order of the calculation."""
    task = Task(document)
    by_rule = forms(task)
    reference = recompute(document) if reference is None else reference
    found = _vocabulary_differences(document, task)
    if has_texts(document):
        by_rule |= text_forms(document, [name for name in reference if name not in by_rule])
    for name, form in by_rule.items():
        quantity = task.quantities.get(name)
        if quantity is None:
            found.append(Difference(name, (), "missing", None, form))
            continue
        if quantity["places"] not in form.allowed:
            found.append(Difference(name, (), "places", quantity["places"], form.places))
        if tuple(quantity["axes"]) != form.axes:
            found.append(Difference(name, (), "axes", quantity["axes"], list(form.axes)))
        for arithmetic in SAME:
            found += _cells_that_differ(name, arithmetic, quantity[arithmetic], reference[name][arithmetic])
        found += _outside_accepted(name, quantity)
    if document["optionen"].get("lernen"):  # what a lesson writes is judged by a calculation of its own
        return found
    return found + _names_that_differ(list(task.quantities), list(by_rule))


def _names_that_differ(found: list[str], expected: list[str]) -> list[Difference]:
    """What the document calls by a name of its own, and where it has another order."""
    unknown = [Difference(name, (), "unknown", name, None) for name in found if name not in set(expected)]
    known = [name for name in found if name in set(expected)]
    wanted = [name for name in expected if name in set(found)]
    moved = ((one, other) for one, other in zip(known, wanted, strict=True) if one != other)
    return unknown + [Difference(one, (), "order", one, other) for one, other in moved][:1]
