"""Accepted ranges and exercises go in; ranges where words that change places are accepted come out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.judging.places import joined, places
from engine.judging.ranges import Range
from engine.trace.trace import Trace
from generator.document.exercises import Exercise


def in_any_order(
    ranges: Mapping[str, Range], hand: Trace, exact: Trace, exercises: Iterable[Exercise]
) -> Mapping[str, Range]:
    """What is written at a place of an order may be the number of all that can stand there."""
    found = dict(ranges)
    for exercise in exercises:
        names = {name for name, _ in exercise.cells}
        if not exercise.ordered or len(names) != 1:
            continue
        (name,) = names
        quantity = hand.get(name)
        order = [index[0] for _, index in exercise.cells if len(index) == 1]
        if quantity is not None and quantity.values.ndim == 1 and max(order) < quantity.values.size:
            found[name] = joined(ranges[name], places(ranges[name], exact[name].values, order))
    return found
