"""What a LayerNorm is worked out with goes in; what pupils write between its steps, and its ranges, come out.

The sheet has columns for r − μ and its square and a row of sums. They are no quantities of a trace, for the
next step needs none of them, but they are written down: by the same class, and accepted as all else is.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np

from engine.judging.ranges import Range, Spread, range_of, rounded_outward
from engine.model.rules import NORM
from engine.numbers.arrays import GUARD, Floats, half_up
from engine.numbers.decimals import Decimals
from engine.trace import Quantity

_RESIDUAL: Final = re.compile(r"(block\d+\.)residual([12])")
FIRST: Final = NORM.steps[0]
_NORM: Final = re.compile(rf"(block\d+\.)norm([12])\.{FIRST}")
DEVIATION, SQUARE = "deviation", "square"
SUM, SUM_OF_DEVIATIONS, SUM_OF_SQUARES = "sum", "sum_of_deviations", "sum_of_squares"

_TERM: Final = {SUM_OF_DEVIATIONS: DEVIATION, SUM_OF_SQUARES: SQUARE}


def is_residual(name: str) -> bool:
    return _RESIDUAL.fullmatch(name) is not None


def residual_of(name: str) -> str | None:
    """The quantity r of which a norm writes `name` first; None for all others."""
    found = _NORM.fullmatch(name)
    return found and found[1] + "residual" + found[2]


def working(hand: Mapping[str, Quantity]) -> dict[str, Quantity]:
    """By name (block1.norm1.square) what stands between the mean and the variance by the sheet's rule."""
    found: dict[str, Quantity] = {}
    for name, mean in hand.items():
        residual = hand.get(residual_of(name) or "")
        if residual is None or mean.places is None:
            continue
        r = Decimals.from_floats(residual.values)  # (n, d_model)
        deviation = r - Decimals.from_floats(mean.values[:, None])
        square = deviation * deviation
        at, token, places = name.removesuffix(FIRST), mean.axes, mean.places
        for ending, axes, digits, values in (
            (DEVIATION, residual.axes, places, deviation),
            (SQUARE, residual.axes, 2 * places, square),
            (SUM, token, residual.places, r.sum(-1)),
            (SUM_OF_DEVIATIONS, token, places, deviation.sum(-1)),
            (SUM_OF_SQUARES, token, 2 * places, square.sum(-1)),
        ):
            found[at + ending] = Quantity(at + ending, axes, digits, values.to_floats(), inside=True)
    return found


def written(r: Floats, mean: Floats, places: int) -> Iterator[tuple[str, Floats]]:
    """What a class gets before it rounds, by ending; some more than once, for there are two ways.

    r: (…, n, d_model); mean: (…, n), as the pupils go on with them. Differences are squared and added as they
    are, or as they stand on the paper.
    """
    full = r - mean[..., None]
    yield SUM, r.sum(-1)
    yield DEVIATION, full
    for deviation in (full, half_up(full, places)):
        yield SQUARE, deviation**2
        yield SUM_OF_DEVIATIONS, deviation.sum(-1)
        yield SUM_OF_SQUARES, (deviation**2).sum(-1)


def ranges_of_working(
    hand: Mapping[str, Quantity], spreads: Mapping[str, Spread], in_hand: bool
) -> dict[str, Range]:
    """The accepted ranges of those that the class wrote; a square's is that of the accepted r − μ."""
    found: dict[str, Range] = {}
    for name, quantity in working(hand).items():
        if name not in spreads:
            continue
        at, _, ending = name.rpartition(".")
        if ending == SQUARE:
            found[name] = _of_squares(found[f"{at}.{DEVIATION}"], spreads[name], quantity.places or 0)
            continue
        low, high = spreads[name].bounds()
        if ending in _TERM:  # a larger class's sum goes no further than its terms do
            terms, half = found[f"{at}.{_TERM[ending]}"], 0.5 * 10.0 ** -(quantity.places or 0)
            room = half * terms.low.shape[-1]  # each of them was rounded
            low = np.maximum(low, terms.low.sum(-1) - room)
            high = np.minimum(high, terms.high.sum(-1) + room)
        found[name] = range_of(quantity, low, high, in_hand)
    return found


def _of_squares(deviation: Range, spread: Spread, places: int) -> Range:
    """Ends are the squares of the ends of r − μ; where some of the class went on with more places and wrote
    a square beyond, they are those of all that is written as an accepted r − μ.
    """
    half = 0.5 * 10.0 ** -(places // 2)
    least, most = squared(deviation.low, deviation.high)
    all_least, all_most = squared(deviation.low - half, deviation.high + half)
    honest = rounded_outward(spread.middle + spread.low, spread.middle + spread.high, places)
    further = rounded_outward(all_least, all_most, places)
    return Range(
        np.where(honest.low < least - GUARD, np.maximum(further.low, 0.0), half_up(least, places)),
        np.where(honest.high > most + GUARD, further.high, half_up(most, places)),
    )


def squared(low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Between what the squares of numbers from low to high lie."""
    one, other = low * low, high * high
    return np.where((low <= 0) & (high >= 0), 0.0, np.minimum(one, other)), np.maximum(one, other)
