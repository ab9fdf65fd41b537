"""Numbers of the desk go in; lines worked out for the pupil, each with = or ≈ at its end, come out."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from generator.desk import Desk
from generator.numbers import parse_number
from generator.sheet import Number, Table
from generator.stations.common import key_name, query_name, seen_by, value_name, weighted_sum


def products_line(desk: Desk, left: Sequence[Number], right: Sequence[Number], result: Number) -> str:
    """0,8 · 1,1 + 0,1 · 0,3 ≈: every product of two rows of numbers."""
    return f"{desk.products(left, right)} {_relation(left, right, result)}"


def weighted_sum_line(desk: Desk, at: str, token: int, component: int) -> str:
    """0,46 · 1,1 + 0,54 · 1,4 ≈: how one component of an output comes about."""
    seen = seen_by(desk, at + "weight", token)
    weights = [desk.number(at + "weight", token, j) for j in seen]
    values = [desk.number(value_name(at), j, component) for j in seen]
    result = desk.number(at + "output", token, component)
    return f"{weighted_sum(desk, at, token, component)} {_relation(weights, values, result)}"


def score_lines(
    desk: Desk, at: str, token: int, steps: Sequence[Table], count: int
) -> list[tuple[str, str, Number]]:
    """Word, products and score of a token's first scores, where its table has no room for products."""
    if "products" in steps[0].columns:
        return []
    query = desk.numbers(query_name(at), token)
    return [
        (desk.words[j], products_line(desk, query, desk.numbers(key_name(at), j), score), score)
        for j in seen_by(desk, at + "score", token)[:count]
        for score in [desk.number(at + "score", token, j)]
    ]


def _relation(left: Sequence[Number], right: Sequence[Number], result: Number) -> str:
    """= where nothing was rounded, else ≈."""
    pairs = zip(left, right, strict=True)
    total = sum((parse_number(a.text) * parse_number(b.text) for a, b in pairs), Decimal(0))
    return "=" if total == parse_number(result.text) else "≈"
