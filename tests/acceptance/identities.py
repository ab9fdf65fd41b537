"""Ranges of a calculation go in; where cells that are one number have two ranges comes out.

What must agree follows from the numbers themselves: columns of a matrix with a single 1 copy a component,
heads side by side keep theirs, a column of zeros adds nothing, ReLU(u) is u or 0, e^x has the range of x.
"""

from collections.abc import Iterator, Mapping

import numpy as np

from engine.judging.ranges import Range, at_least_a_unit, working
from engine.numbers.arrays import half_up

NEARLY = 1e-9
Address = tuple[str, tuple[int, ...]]


def same(ranges: Mapping[str, Range], cell: Address, source: Address, sign: int = 1) -> bool:
    """Whether two cells have one range; a unit to either side where the source is printed: only itself."""
    (name, index), (other, place) = cell, source
    ends = sorted(sign * float(bound[place]) for bound in (ranges[other].low, ranges[other].high))
    own = [float(ranges[name].low[index]), float(ranges[name].high[index])]
    return np.allclose(ends, own, atol=NEARLY) or (ends[0] == ends[1] and abs(sum(own) - sum(ends)) < NEARLY)


def calculated(allowed: Range, quantity) -> tuple[np.ndarray, np.ndarray]:
    """The ends that calculations reach: a unit beside the value is accepted even where none of them does."""
    unit = 10.0**-quantity.places + NEARLY
    low = np.where(quantity.values - allowed.low > unit, allowed.low, quantity.values)
    return low, np.where(allowed.high - quantity.values > unit, allowed.high, quantity.values)


def columns(weights, bias=0.0) -> Iterator[tuple[int, int]]:
    """Of a product x · W + b: for each result the component that it copies, where it is one."""
    bias = np.broadcast_to(bias, weights.shape[1])
    for j, column in enumerate(weights.T):
        chosen = np.flatnonzero(column)
        if len(chosen) == 1 and column[chosen[0]] == 1 and bias[j] == 0:
            yield int(chosen[0]), j


def products(model) -> Iterator[tuple[str, str, str | None, str]]:
    """Every product of a vector and a matrix in one sentence: source, matrix, bias, result."""
    source = "input"
    for block in range(1, model.sizes.n_blocks + 1):
        at = f"block{block}."
        for head in range(1, model.sizes.n_heads + 1):
            for letter, result in (("Q", "query"), ("K", "key"), ("V", "value")):
                yield source, f"{at}head{head}.W_{letter}", None, f"{at}head{head}.{result}"
        yield at + "concat", at + "W_O", None, at + "attention"
        yield at + "norm1.output", at + "ffn.W_1", at + "ffn.b_1", at + "ffn.hidden"
        yield at + "ffn.activation", at + "ffn.W_2", at + "ffn.b_2", at + "ffn.output"
        source = at + "norm2.output"


def copied(calculation) -> Iterator[tuple[Address, Address]]:
    """Pairs of a copy and its source."""
    model, hand = calculation.model, calculation.hand
    tokens = range(model.n_tokens)
    for source, matrix, bias, name in products(model):
        if name not in hand or source not in hand:
            continue
        for i, j in columns(model.weights[matrix], model.weights.get(bias, 0.0)):
            yield from (((name, (token, j)), (source, (token, i))) for token in tokens)
    for block in range(1, model.sizes.n_blocks + 1):
        at, d_head = f"block{block}.", model.sizes.d_head
        for token, j in hand[at + "concat"].cells():
            yield (at + "concat", (token, j)), (f"{at}head{j // d_head + 1}.output", (token, j % d_head))
        before = "input" if block == 1 else f"block{block - 1}.norm2.output"
        for j, column in enumerate(model.weights[at + "W_O"].T):
            if not column.any():
                yield from (((at + "residual1", (token, j)), (before, (token, j))) for token in tokens)


def disagreements(each, ranges, printed, of_sentence=True) -> tuple[int, list[str]]:
    """How many pairs were looked at, and those of two ranges.

    printed: cells that are given are only themselves. of_sentence: whether the pass is one sentence's, whose
    matrices are known by their names.
    """
    count, wrong = 0, []
    for (name, index), source in copied(each) if of_sentence else ():
        if name in printed and printed[name][index]:
            continue
        count += 1
        if not same(ranges, (name, index), source):
            wrong.append(f"range: {name}{list(index)} is {source[0]}{list(source[1])} once more")
    for name, quantity in each.hand.items():  # a ReLU has exactly what is left of its sum's range
        sums = name.removesuffix("activation") + "hidden"
        if not name.endswith(".activation") or name.startswith(("gradient", "step")) or sums not in ranges:
            continue
        cells = ~printed.get(name, np.zeros(quantity.values.shape, bool))
        ends = Range(np.maximum(ranges[sums].low, 0), np.maximum(ranges[sums].high, 0))
        wider, found = at_least_a_unit(ends, quantity), ranges[name]
        count += int(cells.sum())
        agree = (np.abs(wider.low - found.low) < NEARLY) & (np.abs(wider.high - found.high) < NEARLY)
        wrong += told(name, cells & ~agree, "has another than what it follows from")
    return count, wrong


def told(name, where, fault) -> list[str]:
    return [f"range: {name}{index} {fault}" for index in np.argwhere(where).tolist()]


def squares(each) -> Iterator[tuple]:
    """Names, quantities and the names of their deviations."""
    steps = working(each.hand)
    for name, quantity in steps.items():
        if name.endswith(".square"):
            deviation = name.removesuffix("square") + "deviation"
            yield name, quantity, deviation, steps[deviation]


def squares_cut(each, ranges) -> list[str]:
    """Cells (r − μ)² whose range leaves out the square of an end of the range of r − μ."""
    wrong: list[str] = []
    for name, quantity, deviation, own in squares(each):
        of_deviation, allowed = ranges[deviation], ranges[name]
        for bound in calculated(of_deviation, own):
            wrong += told(name, ~allowed.contains(half_up(bound**2, quantity.places)), "leaves a square out")
        through = (of_deviation.low <= 0) & (of_deviation.high >= 0)  # r − μ may be 0 as well
        wrong += told(name, through & (allowed.low > 0), "leaves 0 out")
    return wrong


def squares_beyond(each, ranges) -> tuple[int, list[str]]:
    """How many ends of ranges of (r − μ)² are squares of accepted r − μ; and those that are too far out.

    Who goes on with more places squares what is up to half a unit further out than is written.
    """
    at_ends, wrong = 0, []
    for name, quantity, deviation, _ in squares(each):
        of_deviation, allowed = ranges[deviation], ranges[name]
        half, unit = 0.5 * 10.0 ** (-quantity.places // 2), 10.0**-quantity.places
        least, most = _squared(of_deviation.low, of_deviation.high)
        further_least, further_most = _squared(of_deviation.low - half, of_deviation.high + half)
        for end, found, further in (
            (least, allowed.low, np.minimum(allowed.low - further_least, 0)),
            (most, allowed.high, np.maximum(allowed.high - further_most, 0)),
        ):
            at_ends += int((np.abs(found - half_up(end, quantity.places)) < NEARLY).sum())
            wrong += told(name, np.abs(further) > unit + NEARLY, "holds what no r − μ gives")
    return at_ends, wrong


def _squared(low, high):
    one, other = low**2, high**2
    return np.where((low <= 0) & (high >= 0), 0.0, np.minimum(one, other)), np.maximum(one, other)


def sums_apart(each, ranges) -> list[str]:
    """Sums that no squares within their ranges give: a sum lies between those of the ends."""
    wrong: list[str] = []
    for name, quantity in working(each.hand).items():
        if name.endswith(".sum_of_squares"):
            found, terms = ranges[name], ranges[name.removesuffix("sum_of_squares") + "square"]
            room = 10.0**-quantity.places * (1 + terms.low.shape[-1] / 2)  # terms were rounded, and the sum
            below, above = terms.low.sum(-1) - room, terms.high.sum(-1) + room
            wrong += told(name, (found.low < below) | (found.high > above), "is wider than its terms allow")
    return wrong


def exponentials_cut(each, ranges, printed) -> list[str]:
    """Cells whose range leaves out e to the power of an end of the exponent's range."""
    wrong: list[str] = []
    for name, quantity in each.hand.items():
        before, _, ending = name.rpartition(".")
        if ending != "exp" or "round" in name or name.startswith(("gradient", "step")):
            continue
        exponents = (f"{before}.{x}" for x in ("scaled", "scaled_logit", "score"))
        exponent = next((x for x in exponents if x in ranges), None)
        if exponent is None or name not in ranges:
            continue  # of a pass that another one holds
        free = np.ones(quantity.values.shape, bool) if quantity.visible is None else quantity.visible
        free = free & ~np.asarray(printed.get(name, False))
        for bound in calculated(ranges[exponent], each.hand[exponent]):
            outside = free & ~ranges[name].contains(half_up(np.exp(bound), quantity.places))
            wrong += told(name, outside, f"leaves e^{exponent} out")
    return wrong
