"""In: a rechnung.json document. Out: every quantity calculated anew, and the list of what differs."""

from __future__ import annotations

import math
from decimal import localcontext
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


def same(arithmetic: str, value, wanted) -> bool:
    """By hand the float nearest to the decimal, and zero without a sign."""
    if wanted is None or not isinstance(value, int | float) or isinstance(value, bool):
        return value is wanted
    if arithmetic == "exact":
        return math.isclose(value, wanted, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return value == float(wanted) and (value != 0 or math.copysign(1, value) > 0)


def _cells_that_differ(name: str, arithmetic: str, found, expected) -> list[Difference]:
    own, wanted = dict(cells(found)), dict(cells(expected))
    if list(own) != list(wanted):
        return [Difference(name, (), f"{arithmetic} shape", list(own), list(wanted))]
    pairs = ((index, value, wanted[index]) for index, value in own.items())
    return [Difference(name, i, arithmetic, v, w) for i, v, w in pairs if not same(arithmetic, v, w)]


def _outside_accepted(name: str, quantity: dict) -> list[Difference]:
    """The hand value itself must be inside the range that honest work can give."""
    accepted = quantity.get("accepted") or {}
    if accepted.get("low") is None:
        return []
    low, high = dict(cells(accepted["low"])), dict(cells(accepted["high"]))
    return [
        Difference(name, index, "accepted", (low[index], high[index]), value)
        for index, value in cells(quantity["hand"])
        if not (low[index] is high[index] is None if value is None else low[index] <= value <= high[index])
    ]


def _vocabulary_differences(document: dict, task: Task) -> list[Difference]:
    tokens, vocabulary, ids = (document[key] for key in ("tokens", "vocabulary", "token_ids"))
    appeared = list(dict.fromkeys(ids))
    whole = len(appeared) == len(vocabulary) or "texte" in document  # words of other texts follow
    unique = len(task.entering) == len(vocabulary) == len(set(vocabulary))
    if not (whole and unique and appeared == list(range(len(appeared)))):
        return [Difference("token_ids", (), "order of appearance", ids, appeared)]
    words = [vocabulary[i].casefold() for i in ids], [token.casefold() for token in tokens]
    vectors = [[float(x) for x in task.entering[i]] for i in ids], [list(row) for row in task.embedding]
    both = (("token_ids", "word", words), ("embedding", "vocabulary_embedding", vectors))
    return [Difference(name, (), said, own, other) for name, said, (other, own) in both if own != other]


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
            found.append(Difference(name, (), "places", quantity["places"], form.allowed))
        if tuple(quantity["axes"]) != form.axes:
            found.append(Difference(name, (), "axes", quantity["axes"], list(form.axes)))
        for arithmetic in ("exact", "hand"):
            found += _cells_that_differ(name, arithmetic, quantity[arithmetic], reference[name][arithmetic])
        found += _outside_accepted(name, quantity)
    if document["optionen"].get("lernen"):  # what a lesson writes is judged by a calculation of its own
        return found
    found += [Difference(name, (), "unknown", name, None) for name in task.quantities if name not in by_rule]
    known = [name for name in task.quantities if name in by_rule]
    wanted = [name for name in by_rule if name in task.quantities]
    moved = ((one, other) for one, other in zip(known, wanted, strict=True) if one != other)
    return found + [Difference(one, (), "order", one, other) for one, other in moved][:1]
