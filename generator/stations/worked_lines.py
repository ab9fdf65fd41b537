"""Lines worked out for the pupil, each with = or ≈ at its end; how far an honest sum may be off."""

import math
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Final

import numpy as np

from engine.numbers.arrays import Floats
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


# --- How far an honest pupil's sum may be off a printed check sum, as text ("": not at all).
#
# A sum is off where its terms are rounded (half a unit each) and where the pupil's own earlier numbers, which
# are rounded in another honest way, go into it (two units each).


_OWN_WORK: Final = 2.0  # units by which a number from the pupil's own earlier work may be off
ROUNDED: Final = 0.5
SLIP: Final = 0.1  # a self-check is to notice that a number is so far off


def hidden_probe(desk: Desk, at: str, units: Sequence[int]) -> Parts:
    """What the hidden numbers of these units add up to with the own vector: its places with factors, and what
    is added.

    It sees a wrong product however the vector was rounded: its components times the sums of W_1's rows.
    """

    def total(name: str, value: float) -> str:
        places = _places(desk, at + name)
        return Number(at + name, (), desk.constant(value, places), places).bracketed if value else ""

    rows = [round(float(x), 9) for x in desk.given(at + "W_1")[:, units].sum(1)]
    return parts(
        terms=[(i, total("W_1", x)) for i, x in enumerate(rows, 1) if x],
        added=total("b_1", round(float(desk.given(at + "b_1")[units].sum()), 9)),
        tolerance=hidden_tolerance(desk, at, units),
    )


def hidden_tolerance(desk: Desk, at: str, units: Sequence[int]) -> str:
    """Of the sum of one token's numbers of these units in the network `at`, from the vector as it is."""
    rounded = is_rounded(desk, at + "hidden", _norm_before(at), at + "W_1")
    return in_units(desk, ROUNDED * len(units) if rounded else 0.0)


def output_tolerance(desk: Desk, at: str, own_units: Sequence[int]) -> str | None:
    """Of the sum of one token's output of the network `at`; None: too wide for a slip to be seen.

    own_units: those that the pupil works out from an own vector.
    """
    W_1, W_2 = desk.given(at + "W_1"), desk.given(at + "W_2")  # (d_model, d_ff), (d_ff, d_model)
    reach = _weight_of_rows(W_2)  # (d_ff,)
    own = _OWN_WORK * float((np.abs(W_1).sum(0) * reach)[list(own_units)].sum())
    if is_rounded(desk, at + "hidden", _norm_before(at), at + "W_1"):
        own += ROUNDED * float(reach.sum())
    rounded = is_rounded(desk, at + "output", at + "activation", at + "W_2")
    units = own + (ROUNDED * W_2.shape[1] if rounded else 0.0)
    return in_units(desk, units) if units < SLIP * 10**desk.options.nachkommastellen else None


def mixed_tolerance(desk: Desk, block: str, heads: int | None = None) -> str:
    """Of the sum of one token's attention, where the pupil worked out so many heads, or every one."""
    W_O = desk.given(block + "W_O")  # (d_model, d_model)
    worked = None if heads is None else heads * desk.sizes.d_head
    own = _OWN_WORK * float(_weight_of_rows(W_O)[:worked].sum())
    rounded = is_rounded(desk, block + "attention", block + "concat", block + "W_O")
    return in_units(desk, own + (ROUNDED * len(W_O) if rounded else 0.0))


def logit_tolerance(desk: Desk, copied: bool) -> str:
    """Of the sum of all logits. copied: whether the last vector is the pupil's own."""
    words = desk.calculation.model.input_embedding  # (V, d_model)
    own = _OWN_WORK * float(np.abs(words.sum(0)).sum()) if copied else 0.0
    return in_units(desk, max(1.0, ROUNDED * len(words) + own))


def _weight_of_rows(matrix: Floats) -> Floats:
    """By how much the sum of a product x·W changes with each component of x."""
    return np.asarray(np.abs(matrix.sum(1)))  # (rows,)


def _norm_before(at: str) -> str:
    return at.replace("ffn.", "norm1.output")


def is_rounded(desk: Desk, name: str, left: str, right: str) -> bool:
    """Whether products of two tables have more places than are written."""
    return _places(desk, left) + _places(desk, right) > (desk.quantity(name).places or 0)


def _places(desk: Desk, name: str) -> int:
    if desk.has(name):
        return desk.quantity(name).places or 0
    return desk.weight(name, *(0,) * desk.given(name).ndim).places


def in_units(desk: Desk, units: float) -> str:
    n = desk.options.nachkommastellen
    return desk.constant(math.ceil(units - 1e-9) / 10**n, n) if units else ""


def honest_sum(
    desk: Desk, name: str, cells: Sequence[tuple[int, ...]], written: CellAddress | None = None
) -> Parts:
    """The sum of cells of a quantity, and how far an honest one may be off: as the ranges of the key say.

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
    return parts(sum=desk.check_sum(quantity.name, cells), off=desk.constant(float(size.sum()), places))
