"""How well the numbers of a calculation suit the hand, and of several draws the friendliest."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.forward.calculation import (
    LARGEST_SCALED,
    SMALLEST_DIVISOR,
    Calculation,
    SentencePass,
    calculate,
    draw_playable,
    largest_scaled,
)
from engine.forward.forward import Forward, temperature_name
from engine.judging.expectation import confused
from engine.model.model import Model
from engine.numbers.arrays import CalculationError, Floats
from engine.pens.pens import CarelessPen, FloatPen, numbers_of
from engine.trace import CellAddress, Operation, Quantity, Trace

Penalty = tuple[int, float, int]
ATTEMPTS: Final = 24
_HARD: Final = 1000  # teaching faults that one number which is hard to calculate outweighs
_COMPARED: Final = 2  # draws in which typical mistakes are compared
_NEARLY: Final = 0.02  # of the cells
_EDGE: Final = 0.005  # units of the last place between a value and the half where rounding turns
_MARGIN: Final = 0.02
_LARGE_EXP: Final = 200.0


@dataclass(frozen=True)
class Friendliness:
    """What makes a sheet good or bad to calculate by hand; the certificate on the teacher's pages.

    drift: how far, in units of the last place, the hand value is from that of someone who rounds nothing
    (both begin with the printed input). drifting, cells: how many of how many cells are more
    than one unit off. margin: hand probability of the predicted word minus that of the runner-up, at the
    temperature nearest to 1; same_word: whether the full calculation predicts the same word. edges: cells
    that turn on a half (a tie, or as good as one).
    """

    drift: int
    drifting: int
    cells: int
    margin: float
    same_word: bool
    smallest_std: float
    smallest_std_at: CellAddress
    largest_exp: float
    largest_exp_at: CellAddress
    largest_scaled: float
    largest_scaled_at: CellAddress
    edges: tuple[CellAddress, ...]

    @property
    def faults(self) -> tuple[str, ...]:
        """What is unfriendly, by name: margin, word, std, exp, scaled."""
        found = {
            "word": not self.same_word,
            "margin": self.margin < _MARGIN,
            "std": self.smallest_std < SMALLEST_DIVISOR,
            "exp": self.largest_exp > _LARGE_EXP,
            "scaled": self.largest_scaled >= LARGEST_SCALED,
        }
        return tuple(name for name, fault in found.items() if fault)

    def penalty(self) -> Penalty:
        """The smaller the better: faults, then the share of cells that drift, then edges."""
        share = self.drifting / self.cells + len(self.edges) / self.cells / 4
        return len(self.faults), round(share, 6), self.drift


def assess(calculation: Calculation, cells: Collection[CellAddress] | None = None) -> Friendliness:
    """Look at every visible cell of the calculation.

    cells: where deviations, exponentials and scores are looked for, if they are there; None: everywhere.
    """
    hand = calculation.hand
    full = carried_in_full(calculation)
    far = np.concatenate([_units_off(hand[name], values) for name, values in full.items()])
    distance = np.rint(np.nan_to_num(far, nan=0.0))
    margin, same_word = _margin(calculation, full["logit"])
    std, std_at = _extreme(hand, Operation.NORM_DIVISOR, np.argmin, cells)
    exp, exp_at = _extreme(hand, Operation.EXP, np.argmax, cells)
    scaled, scaled_at = _extreme(hand, Operation.SCALED, lambda values: np.argmax(np.abs(values)), cells)
    return Friendliness(
        drift=int(distance.max(initial=0)),
        drifting=int((distance > 1).sum()),
        cells=sum(int(np.count_nonzero(quantity.shown)) for quantity in hand.values()),
        margin=margin,
        same_word=same_word,
        smallest_std=std,
        smallest_std_at=std_at,
        largest_exp=exp,
        largest_exp_at=exp_at,
        largest_scaled=largest_scaled(calculation) if cells is None else abs(scaled),
        largest_scaled_at=scaled_at,
        edges=tuple(_edges(calculation)),
    )


def carried_in_full(calculation: Calculation) -> dict[str, Floats]:
    """What someone writes who begins with the printed input and rounds nothing but what is written."""
    pen = CarelessPen(calculation.hand, 1, np.random.default_rng(0), first=1)
    trace = Forward(calculation.model, pen).run("entry.score" in calculation.hand)
    return {
        name: quantity.values if quantity.values.ndim == len(quantity.axes) else quantity.values[0]
        for name, quantity in trace.items()
    }


def friendliest(
    build: Callable[[int], Model],
    attempts: int = ATTEMPTS,
    keep_first: bool = False,
    teaching: Callable[[SentencePass], int] = lambda calculation: 0,
) -> SentencePass:
    """Of the first so many draws that are playable the friendliest, the earliest of equals.

    That is one of the draws with the least penalty, and of these the one in which typical mistakes are told
    apart best. keep_first: the first draw without faults is taken, so that numbers that are meant stay.
    teaching: how many teaching faults a draw has; of draws that are equally calm the fewest count first. The
    same `build` gives the same result always. Where none is playable, `draw_playable` decides.
    """
    playable: list[tuple[int, int, SentencePass, int]] = []  # with the fewest faults that each can have
    for attempt in range(attempts):
        try:
            calculation = calculate(build(attempt))
        except CalculationError:
            continue
        if largest_scaled(calculation) >= LARGEST_SCALED:
            continue
        taught = fewest = teaching(calculation)
        if keep_first:
            faults = assess(calculation).faults
            if not faults:
                return calculation
            fewest += _HARD * len(faults)
        playable.append((fewest, attempt, calculation, taught))
    if not playable:
        return draw_playable(build, calculate)
    found: list[tuple[Penalty, int, SentencePass]] = []
    for fewest, attempt, calculation, taught in sorted(playable, key=lambda draw: draw[:2]):
        if found and fewest > min(penalty[0] for penalty, _, _ in found):
            break  # assessing takes longest
        hard, drifting, drift = assess(calculation).penalty()
        found.append(((_HARD * hard + taught, drifting, drift), attempt, calculation))
    return told_apart_best(found)


def told_apart_best(found: list[tuple[Penalty, int, SentencePass]]) -> SentencePass:
    """Of draws nearly as friendly as the best the one in which the fewest mistakes look alike."""
    found.sort(key=lambda draw: draw[:2])
    (faults, drifting, _), _, first = found[0]
    near = [
        calculation
        for (others, more, _), _, calculation in found[:_COMPARED]
        if others == faults and more <= drifting + _NEARLY
    ]
    fewest = confused(first) if len(near) > 1 else 0
    for other in near[1:]:
        if fewest and (count := confused(other)) < fewest:
            first, fewest = other, count
    return first


def _edges(calculation: Calculation) -> Iterator[CellAddress]:
    """The cells whose value is, in units of the last place, near the half where rounding turns."""
    pen = FloatPen(calculation.hand, numbers_of(calculation.hand), rounding=lambda values, places: values)
    Forward(calculation.model, pen).run("entry.score" in calculation.hand)
    for name, quantity in calculation.hand.items():
        size = np.abs(pen.right[name]) * 10.0 ** (quantity.places or 0)
        near = np.abs(size - np.floor(size) - 0.5) < _EDGE
        if near.any():
            yield from ((name, tuple(index)) for index in np.argwhere(near & quantity.shown).tolist())


def _units_off(hand: Quantity, values: Floats) -> Floats:
    distance = np.abs(values - hand.values)
    return distance[() if hand.visible is None else hand.visible].reshape(-1) * 10.0 ** (hand.places or 0)


def _margin(calculation: Calculation, logits: Floats) -> tuple[float, bool]:
    nearest = min(calculation.model.rules.temperatures, key=lambda t: (abs(np.log(t)), t))
    hand = calculation.hand[f"{temperature_name(nearest)}.probability"].values
    ordered = np.sort(hand)
    margin = float(ordered[-1] - ordered[-2]) if ordered.size > 1 else 1.0
    return margin, int(np.argmax(logits)) == calculation.predicted()


def _extreme(
    trace: Trace,
    operation: Operation,
    which: Callable[[Floats], np.intp],
    cells: Collection[CellAddress] | None,
) -> tuple[float, CellAddress]:
    """The extreme of all quantities of a kind, of those in `cells` if it has any there."""
    kind = {quantity.name: quantity for quantity in trace.by(operation)}
    found = [(float(kind[name].values[at]), (name, at)) for name, at in cells or () if name in kind]
    for name, quantity in kind.items() if not found else ():
        values = quantity.values
        if quantity.visible is not None:
            values = np.where(quantity.visible, values, np.nan_to_num(np.nanmean(values)))
        place = tuple(int(i) for i in np.unravel_index(which(values), values.shape))
        found.append((float(values[place]), (name, place)))
    if which is np.argmin:
        return min(found, key=lambda item: item[0])
    return max(found, key=lambda item: abs(item[0]))
