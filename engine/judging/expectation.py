"""Which wrong number each typical mistake leads to, for the key and the question banks."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.forward.calculation import Calculation
from engine.judging.mistakes import MISTAKES, Mistake, mistaken_numbers
from engine.judging.own_range import following_accepted
from engine.judging.ranges import Range
from engine.numbers.arrays import GUARD, Floats
from engine.pens.pens import Numbers, numbers_of
from engine.trace import CellAddress, Cells, beside, place_of

_MOST_UNITS: Final = 1e6  # a number this far off is of no help to anyone
_HERE, _FOLLOWS = 0, 1
_WHOLE_COLUMNS: Final = {"softmax_over_columns": "exp"}  # what a mistake adds up from top to bottom


@dataclass(frozen=True)
class ExpectedMistake:
    """A number outside the accepted range, and the mistakes that give it.

    here: the mistake is made in this cell (all before is right). follows: it was made in an earlier cell of
    the same step of the model (a head, a LayerNorm, a temperature), before which all is right, and is made
    consistently since. Otherwise it was made still earlier on the sheet and runs on. doubtful: the number
    also follows honestly, from accepted numbers before the cell.
    """

    ids: tuple[str, ...]
    value: float
    here: bool
    follows: bool = False
    doubtful: bool = False


@dataclass(frozen=True)
class Expectation:
    """What is to be expected on one sheet.

    numbers: for each cell, made here first, then what follows. unseen: mistakes that stay within the
    accepted ranges everywhere. confusable: sets of mistakes whose numbers cannot be told apart
    anywhere. possible: how many mistakes can be made on this sheet; told_apart: how many of them are seen
    and not confused with another.
    """

    numbers: Mapping[CellAddress, tuple[ExpectedMistake, ...]]
    unseen: tuple[str, ...]
    confusable: tuple[tuple[str, ...], ...]
    possible: int

    @property
    def told_apart(self) -> int:
        return self.possible - len(self.unseen) - sum(len(ids) for ids in self.confusable)


def expect(
    calculation: Calculation,
    ranges: Mapping[str, Range],
    blanks: Collection[CellAddress] | None = None,
    printed: Cells | None = None,
    mistakes: Sequence[Mistake] = MISTAKES,
) -> Expectation:
    """The mistakes' numbers in the blanks; None: in every visible cell of the calculation.

    printed: the cells that the sheet gives, which pupils read as they stand there. Where they leave no room
    for a mistake it is not made.
    """
    asked, printed = _where(calculation, blanks), printed or {}
    there = _there(calculation, asked, printed)
    key = numbers_of(calculation.hand)
    widths = _widths(calculation, ranges, asked)
    numbers: dict[CellAddress, dict[tuple[float, int], list[str]]] = {}
    seen: dict[str, list[Floats]] = {}
    possible: list[Mistake] = []
    for mistake in mistakes:
        kept = _KEPT[mistake.id](printed, there) if printed and mistake.id in _KEPT else {}
        where = {name: cells & ~kept[name] if name in kept else cells for name, cells in asked.items()}
        where = {name: cells for name, cells in where.items() if cells.any()}
        if not mistake.possible(calculation.model, where):
            continue
        sheet = {
            name: Numbers(own.values, cells)
            for name, cells in {**printed, **kept}.items()
            if (own := key.get(name))
        }
        ends = sheet | {
            name: own for name, own in key.items() if not calculation.hand[name].kind.intermediate
        }
        throughout = mistaken_numbers(calculation, mistake, sheet)
        if sheet and _lacks_columns(calculation, mistake, there):
            continue
        if (
            sheet
            and not _changes(calculation, where, throughout)
            and _changes(calculation, where, mistaken_numbers(calculation, mistake, {}))
        ):
            continue  # the sheet prints all that it would change
        possible.append(mistake)
        runs = (mistaken_numbers(calculation, mistake, given) for given in (key, ends))
        for here, inside, onwards in zip(*runs, throughout, strict=True):
            beyond = False
            for name, cells in where.items():
                half = 0.5 * 10.0 ** -(calculation.hand[name].places or 0)
                near = cells & _refused(ranges[name], inside[name])
                first = near & (np.abs(inside[name] - here[name]) < half)
                later = cells & _refused(ranges[name], onwards[name]) & ~near
                beyond |= bool(near.any() or later.any())
                kinds = ((first, inside[name]), (near & ~first, inside[name]), (later, onwards[name]))
                for kind, (chosen, values) in enumerate(kinds):
                    for index in map(tuple, np.argwhere(chosen)):
                        value = float(values[index])
                        if abs(value - calculation.hand[name].values[index]) < _MOST_UNITS:
                            ids = numbers.setdefault((name, index), {}).setdefault((value, kind), [])
                            known = [m for k in range(kind) for m in numbers[name, index].get((value, k), [])]
                            ids += [mistake.id] * (mistake.id not in {*ids, *known})
            if beyond:
                right = {name: np.where(kept[name], key[name].values, onwards[name]) for name in kept}
                told = _flat(asked, {**onwards, **right})
                seen.setdefault(mistake.id, []).append(_fingerprint(told, widths))
    order, following = list(calculation.hand), following_accepted(calculation, ranges)
    return Expectation(
        {
            cell: tuple(
                ExpectedMistake(
                    tuple(ids),
                    value,
                    kind == _HERE,
                    kind == _FOLLOWS,
                    _within(following[cell[0]], cell[1], value),
                )
                for (value, kind), ids in sorted(found.items(), key=lambda item: item[0][1])
                if ids
            )
            for cell, found in sorted(numbers.items(), key=lambda item: (order.index(item[0][0]), item[0][1]))
        },
        tuple(mistake.id for mistake in possible if mistake.id not in seen),
        _alike(seen),
        len(possible),
    )


def _begun_rows(printed: Cells, there: Cells) -> Cells:
    """Rows of joined heads of which a part is printed, and with it the order."""
    joined = [name for name in printed if place_of(name).last in ("concat", "attention")]
    return {name: printed[name] | printed[name].any(-1, keepdims=True) for name in joined}


def _lonely_heads(printed: Cells, there: Cells) -> Cells:
    """What heads give beside which no other head's values stand."""
    values = [place for place in map(place_of, there) if place.head and place.last == "value"]
    kept = {}
    for name, cells in there.items():
        place = place_of(name)
        beside_it = (each._replace(head=place.head) for each in values if each.head != place.head)
        if place.head and place.last == "output" and place._replace(last="value") not in beside_it:
            kept[name] = np.ones_like(cells)
    return kept


def _unseen_queries(printed: Cells, there: Cells) -> Cells:
    """Scores of words whose own queries stand nowhere: nobody exchanges those."""
    kept = {}
    for name, cells in there.items():
        if place_of(name).last == "score":
            queries = there.get(beside(name, "query"))
            seen = np.zeros(cells.shape[1:], np.bool_) if queries is None else np.asarray(queries.all(-1))
            if seen.shape == cells.shape[1:]:  # else queries and keys are of two sentences
                kept[name] = np.broadcast_to(~seen, cells.shape)
    return kept


# The cells in which a sheet leaves a mistake no room.
def _last_rows(printed: Cells, there: Cells) -> Cells:
    """What follows from the last word's scores: it sees all words, so no mask changes it."""
    kept = {}
    for name, cells in there.items():
        place = place_of(name)
        if place.block and place.head and not place.layer and place.last in ("exp", "exp_sum", "weight"):
            kept[name] = np.zeros_like(cells)
            kept[name][-1] = True
    return kept


_KEPT: Final = {
    "mask_forgotten": _last_rows,
    "mask_as_zero": _last_rows,
    "heads_in_wrong_order": _begun_rows,
    "values_of_other_head": _lonely_heads,
    "query_key_exchanged": _unseen_queries,
}


def _there(calculation: Calculation, where: Cells, printed: Cells) -> Cells:
    """What stands on the sheet, printed or asked for."""
    names = {**where, **printed}
    cells = {name: np.logical_or(where.get(name, False), printed.get(name, False)) for name in names}
    return calculation.under_both_names(cells)


def _lacks_columns(calculation: Calculation, mistake: Mistake, there: Cells) -> bool:
    """Whether the mistake adds up columns, and no table of the sheet has a whole one of several numbers."""
    ending = _WHOLE_COLUMNS.get(mistake.id)
    if ending is None:
        return False
    for name, cells in there.items():
        if place_of(name).last == ending and cells.ndim > 1:
            seen = calculation.hand[name].shown
            if ((cells | ~seen).all(0) & (seen.sum(0) > 1)).any():
                return False
    return True


def _changes(calculation: Calculation, where: Cells, mistaken: Sequence[Mapping[str, Floats]]) -> bool:
    return any(
        bool((cells & (np.abs(numbers[name] - calculation.hand[name].values) > GUARD)).any())
        for numbers in mistaken
        for name, cells in where.items()
    )


def confused(calculation: Calculation) -> int:
    """How many mistakes cannot be seen or told apart in any cell.

    Quick enough to choose among draws: two units to either side stand for the accepted range.
    """
    where = _where(calculation, None)
    ranges = {}
    for name in where:
        values, wide = calculation.hand[name].values, 2 * 10.0 ** -(calculation.hand[name].places or 0)
        ranges[name] = Range(values - wide, values + wide)
    widths = _widths(calculation, ranges, where)
    low = _flat(where, {name: allowed.low for name, allowed in ranges.items()})
    high = _flat(where, {name: allowed.high for name, allowed in ranges.items()})
    seen: dict[str, list[Floats]] = {}
    possible = [mistake for mistake in MISTAKES if mistake.applies(calculation.model)]
    for mistake in possible:
        for mistaken in mistaken_numbers(calculation, mistake, {}):
            values = _flat(where, mistaken)
            if _refused(Range(low, high), values).any():
                seen.setdefault(mistake.id, []).append(_fingerprint(values, widths))
    return len(possible) - len(seen) + sum(map(len, _alike(seen)))


def _where(calculation: Calculation, blanks: Collection[CellAddress] | None) -> Cells:
    where = {name: quantity.shown for name, quantity in calculation.hand.items() if name != "embedding"}
    if blanks is None:
        return where
    asked = calculation.hand.where(blanks)
    chosen = {name: cells & asked[name] for name, cells in where.items() if name in asked}
    return {name: cells for name, cells in chosen.items() if cells.any()}


def _refused(allowed: Range, values: Floats) -> NDArray[np.bool_]:
    return ~allowed.contains(values) & np.isfinite(values)


def _within(allowed: Range, index: tuple[int, ...], value: float) -> bool:
    return bool(Range(allowed.low[index], allowed.high[index]).contains(np.asarray(value)))


def _flat(where: Mapping[str, NDArray[np.bool_]], values: Mapping[str, Floats]) -> Floats:
    """The numbers of all these cells, one after the other."""
    return np.concatenate([np.zeros(0), *(values[name][cells] for name, cells in where.items())])


def _widths(calculation: Calculation, ranges: Mapping[str, Range], where: Cells) -> Floats:
    """Half the width of each cell's range, at least a unit of its last place."""
    half = {
        name: np.maximum(
            (ranges[name].high - ranges[name].low) / 2, 10.0 ** -(calculation.hand[name].places or 0)
        )
        for name in where
    }
    return _flat(where, half)


def _fingerprint(values: Floats, widths: Floats) -> Floats:
    """All numbers of the sheet in widths of their ranges, so that a distance below 1 cannot be seen."""
    return np.nan_to_num(values / widths, nan=1e15)


def _alike(seen: Mapping[str, list[Floats]]) -> tuple[tuple[str, ...], ...]:
    """Sets of mistakes of which one way is nowhere further than a width from a way of another."""
    sets: list[set[str]] = []
    for mistake, prints in seen.items():
        near = {
            other
            for other, others in seen.items()
            if other == mistake or any(np.max(np.abs(a - b)) <= 1 for a in prints for b in others)
        }
        touching = [group for group in sets if group & near]
        sets = [group for group in sets if not group & near] + [near.union(*touching)]
    return tuple(tuple(m for m in seen if m in group) for group in sets if len(group) > 1)
