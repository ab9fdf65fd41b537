"""Lines worked out for the pupil, each with = or ≈ at its end, and heads worked through with them."""

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

from generator.basics.numbers import parse_number
from generator.sheet.desk import Desk
from generator.sheet.sheet import Line, Number, Parts, Table, parts
from generator.stations.attention import key_name, query_name, seen_by, steps_table, value_name, weighted_sum


def products_line(desk: Desk, left: Sequence[Number], right: Sequence[Number], result: Number) -> Line:
    """0,8 · 1,1 + 0,1 · 0,3 ≈: every product of two rows of numbers."""
    return desk.products(left, right) + f" {products_relation(left, right, result)}"


def worked_head(
    desk: Desk, at: str, token: int, sums: int = 1, *, scaled: bool = True, bars: bool = True
) -> Parts:
    """A head worked through for one token: from scores to weights, the first line of scores, its vector.

    sums: how many of its components are worked out in a line.
    """
    steps = steps_table(desk, at, token, blank=False, scaled=scaled, bars=bars)
    output = desk.vector(at + "output", token)
    return parts(
        steps=steps,
        scores=score_lines(desk, at, token, steps),
        sums=[(weighted_sum_line(desk, at, token, c), n) for c, n in enumerate(output.numbers[:sums])],
        output=output,
    )


def weighted_sum_line(desk: Desk, at: str, token: int, component: int) -> Line:
    """0,46 · 1,1 + 0,54 · 1,4 ≈: how one component of an output comes about."""
    seen = seen_by(desk, at + "weight", token)
    weights = [desk.number(at + "weight", token, j) for j in seen]
    values = [desk.number(value_name(at), j, component) for j in seen]
    result = desk.number(at + "output", token, component)
    return weighted_sum(desk, at, token, component) + f" {products_relation(weights, values, result)}"


def rounded_singly(desk: Desk, at: str, token: int) -> Parts | None:
    """A weighted sum that comes out otherwise when every product is rounded by itself.

    Of the first component of a token's output where that is so, of numbers that the sheet prints.
    """
    seen, places = seen_by(desk, at + "weight", token), desk.quantity(at + "output").places or 0
    unit = Decimal(1).scaleb(-places)
    for component in range(desk.quantity(at + "output").values.shape[-1]):
        line = weighted_sum(desk, at, token, component)
        result = desk.number(at + "output", token, component)
        if line.blank or result.blank:
            continue
        products = [
            parse_number(desk.number(at + "weight", token, j).text)
            * parse_number(desk.number(value_name(at), j, component).text)
            for j in seen
        ]
        wrong = sum((product.quantize(unit, ROUND_HALF_UP) for product in products), Decimal(0))
        if wrong != parse_number(result.text):
            return parts(line=line.text, right=result.text, wrong=desk.constant(float(wrong), places))
    return None


def score_lines(desk: Desk, at: str, token: int, steps: Sequence[Table]) -> list[tuple[str, Line, Number]]:
    """Word, products and score of a token's first score, where its table has no room for products."""
    if "products" in steps[0].columns:
        return []
    j = seen_by(desk, at + "score", token)[0]
    query, score = desk.numbers(query_name(at), token), desk.number(at + "score", token, j)
    line = products_line(desk, query, desk.numbers(key_name(at), j), score)
    return [(desk.words_of(at + "score", 1)[j], line, score)]


def products_relation(left: Sequence[Number], right: Sequence[Number], result: Number) -> str:
    """= where the sum of the products is the result, else ≈."""
    pairs = zip(left, right, strict=True)
    total = sum((parse_number(a.text) * parse_number(b.text) for a, b in pairs), Decimal(0))
    return relation(total, result)


def relation(exact: Decimal, result: Number) -> str:
    """= where nothing was rounded, else ≈."""
    return "=" if exact == parse_number(result.text) else "≈"
