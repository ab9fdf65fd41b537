"""Lines worked out for the pupil, each with = or ≈ at its end; how far an honest sum may be off."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

import numpy as np

from engine.trace import CellAddress
from generator.basics.numbers import parse_number
from generator.figures.parts import seen
from generator.sheet.desk import Desk
from generator.sheet.sheet import Line, Number, Parts, parts


def products_line(desk: Desk, left: Sequence[Number], right: Sequence[Number], result: Number) -> Line:
    """0,8 · 1,1 + 0,1 · 0,3 ≈: every product of two rows of numbers."""
    return desk.products(left, right) + f" {products_relation(left, right, result)}"


def mixed(desk: Desk, at: str, token: int, component: int) -> tuple[list[Number], list[Number]]:
    """The weights of a token, and the component of each value that they mix."""
    tokens, value = seen_by(desk, at + "weight", token), read_name(at, "value")
    weights = [desk.number(at + "weight", token, j) for j in tokens]
    return weights, [desk.number(value, j, component) for j in tokens]


def weighted_sum_line(desk: Desk, at: str, token: int, component: int) -> Line:
    """0,46 · 1,1 + 0,54 · 1,4 ≈: how one component of an output comes about."""
    result = desk.number(at + "output", token, component)
    return products_line(desk, *mixed(desk, at, token, component), result)


def products_relation(left: Sequence[Number], right: Sequence[Number], result: Number) -> str:
    """= where the sum of the products is the result, else ≈."""
    pairs = zip(left, right, strict=True)
    total = sum((parse_number(a.text) * parse_number(b.text) for a, b in pairs), Decimal(0))
    return relation(total, result)


def relation(exact: Decimal, result: Number) -> str:
    """= where nothing was rounded, else ≈."""
    return "=" if exact == parse_number(result.text) else "≈"


def read_name(at: str, kind: str) -> str:
    """The name of a head's queries, keys or values; in the entry step all are the input."""
    return "input" if at == "entry." else at + kind


def seen_by(desk: Desk, name: str, token: int) -> list[int]:
    return [j for j in range(len(desk.words_of(name, 1))) if seen(desk, name, token, j)]


def hidden_probe(desk: Desk, at: str, units: Sequence[int]) -> Parts:
    """What the hidden numbers of these units add up to with the own vector: its places with factors, and what
    is added.

    It sees a wrong product however the vector was rounded: its components times the sums of W_1's rows.
    """

    def total(name: str, value: float) -> str:
        places = _places(desk, at + name)
        return Number(at + name, (), desk.constant(value, places), places).bracketed if value else ""

    rounded = _places(desk, at.replace("ffn.", "norm1.output")) + _places(desk, at + "W_1") > _places(
        desk, at + "hidden"
    )
    rows = [round(float(x), 9) for x in desk.given(at + "W_1")[:, units].sum(1)]
    return parts(
        terms=[(i, total("W_1", x)) for i, x in enumerate(rows, 1) if x],
        added=total("b_1", round(float(desk.given(at + "b_1")[units].sum()), 9)),
        tolerance=desk.tolerance(len(units)) if rounded else "",
    )


def _places(desk: Desk, name: str) -> int:
    """Of a quantity or a weight."""
    if desk.has(name):
        return desk.quantity(name).places or 0
    return desk.weight(name, *(0,) * desk.given(name).ndim).places


SLIP: Final = 0.1  # a self-check is to notice that a number is so far off


@dataclass(frozen=True)
class CheckSum:
    """A sum to check with, and how far an honest one may be off it, as text too ("": not at all)."""

    sum: str
    off: str
    reach: float


def honest_sum(
    desk: Desk, name: str, cells: Sequence[tuple[int, ...]], written: CellAddress | None = None
) -> CheckSum:
    """The sum of cells of a quantity, and how far an honest one may be off, as the ranges of the key say.

    written: where the sum itself is asked for, and has a range of its own.
    """
    quantity = desk.quantity(name)
    places = quantity.places or 0
    where: Any = tuple(np.array(cells).T)

    values, least = quantity.values[where], 10.0**-places
    if written and written[0] in desk.ranges:
        (name, where), values = written, values.sum()
    size = np.full(np.shape(values), least)
    if name in desk.ranges:
        allowed = desk.ranges[name]
        size = np.maximum(np.maximum(allowed.high[where] - values, values - allowed.low[where]), least)
        size = size if allowed.exact is None else np.where(allowed.exact[where], 0.0, size)
    reach = float(size.sum())
    off = desk.constant(reach, places) if reach else ""
    return CheckSum(desk.check_sum(quantity.name, cells), off, reach)
