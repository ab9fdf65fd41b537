"""Which typical mistakes explain a pupil's wrong numbers.

Each mistake is made from the pupil's own numbers before a cell, so that a slip and a mistake are not
confused. A mistake is named for cells of a table if it gives what is written there, and not too often
something that is not written there.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.forward.calculation import Calculation
from engine.forward.forward import Forward
from engine.judging.mistakes import MISTAKES, mistaken_numbers, numbers_of_variant
from engine.judging.own_range import Source, range_from
from engine.judging.ranges import Range
from engine.numbers.arrays import GUARD, Floats, cut, half_up
from engine.trace import CellAddress, Cells

_NEARLY_AS_NEAR: Final = 0.2  # units of the tolerance, on the average of the cells
_NEARLY: Final = 0.1  # of what the mistake changes
_CLEARLY: Final = 1.5  # units
_FEWEST_IN_ROW: Final = 3
_FEWEST_CUT: Final = 4
_SHARE_CUT: Final = 0.9


@dataclass(frozen=True)
class Finding:
    """Cells that one mistake explains, in the order of the calculation.

    ids: more than one where several mistakes give the same numbers.
    """

    ids: tuple[str, ...]
    cells: tuple[CellAddress, ...]

    @property
    def first(self) -> CellAddress:
        return self.cells[0]


@dataclass(frozen=True)
class Paper:
    """What a pupil wrote, in the places of the sheet, and what is known of it.

    readings: what the next steps may have read from, each with what follows from it; tolerance: how far
    honest work may be from a told value.
    """

    numbers: Source
    written: Mapping[str, Floats]
    readings: Sequence[tuple[Source, Mapping[str, Floats]]]
    tolerance: Mapping[str, Floats]
    units: Mapping[str, float]


def paper_of(
    calculation: Calculation,
    ranges: Mapping[str, Range],
    numbers: Source,
    readings: Sequence[tuple[Source, Mapping[str, Floats]]],
) -> Paper:
    units = {name: 10.0 ** -(calculation.hand[name].places or 0) for name in numbers}
    return Paper(
        numbers,
        {name: half_up(own.values, calculation.hand[name].places or 0) for name, own in numbers.items()},
        readings,
        {
            name: np.maximum(units[name], (ranges[name].high - ranges[name].low) / 2) + GUARD
            for name in numbers
        },
        units,
    )


def diagnose(
    calculation: Calculation, paper: Paper, wrong: Cells, asked: Iterable[str] | None
) -> list[Finding]:
    """The mistakes that explain the cells marked in `wrong`, the first divergent cell first.

    asked: the quantities that the sheet asks for, if it is known: who is given the positions cannot have
    worked them out in degrees. What no mistake explains is in no finding. Cutting instead of rounding is
    found in right cells too.
    """
    remaining = {name: cells.copy() for name, cells in wrong.items() if cells.any()}
    findings: list[Finding] = []
    names = calculation.hand if asked is None else {*asked, *paper.numbers}
    hypotheses = _hypotheses(calculation, paper, names) if remaining else []
    while remaining and (best := _best(paper, hypotheses, remaining)):
        chosen = best[0].cells
        for name, cells in _likewise(paper, best[0].hypothesis, chosen, remaining).items():
            chosen[name] = chosen.get(name, np.zeros_like(cells)) | cells
        findings.append(
            Finding(tuple(dict.fromkeys(e.hypothesis.id for e in best)), _in_order(calculation, chosen))
        )
        remaining = {n: c & ~chosen[n] if n in chosen else c for n, c in remaining.items()}
        remaining = {name: cells for name, cells in remaining.items() if cells.any()}
    findings += _cutting(calculation, paper)
    order = {name: place for place, name in enumerate(calculation.hand)}
    return sorted(findings, key=lambda finding: (order[finding.first[0]], finding.first[1]))


@dataclass(frozen=True)
class _Hypothesis:
    """One way to make one mistake, and what it gives from one reading instead of what is right there."""

    id: str
    variant: type[Forward]
    reading: Source
    right: Mapping[str, Floats]
    mistaken: Mapping[str, Floats]
    calculation: Calculation

    @cached_property
    def honest(self) -> Mapping[str, Range]:
        """What someone writes who makes the mistake and rounds as they like."""
        return range_from(self.calculation, self.right, self.reading, self.variant)


@dataclass(frozen=True)
class _Explanation:
    """Cells that a hypothesis explains; far: their distances, in tolerances, added up; denied: cells of the
    whole paper where it would have given something that is not written."""

    hypothesis: _Hypothesis
    cells: dict[str, NDArray[np.bool_]]
    far: float
    denied: int

    @property
    def count(self) -> int:
        return sum(int(cells.sum()) for cells in self.cells.values())


def _hypotheses(calculation: Calculation, paper: Paper, names: Iterable[str]) -> list[_Hypothesis]:
    return [
        _Hypothesis(mistake.id, variant, reading, right, mistaken, calculation)
        for mistake in MISTAKES
        if mistake.possible(calculation.model, names) and mistake.id != "cut"
        for reading, right in paper.readings
        for variant, mistaken in zip(
            mistake.variants, mistaken_numbers(calculation, mistake, reading), strict=True
        )
    ]


def _best(paper: Paper, hypotheses: Sequence[_Hypothesis], wrong: Cells) -> list[_Explanation]:
    """The explanation of most of the wrong cells, with those that explain the same as well; or none."""
    explanations = [_explained(paper, hypothesis, wrong) for hypothesis in hypotheses]
    most = max((e.count for e in explanations), default=0)
    if most == 0:
        return []
    best = [e for e in explanations if e.count == most]
    nearest = min(e.far for e in best)
    best = [e for e in best if e.far <= nearest + _NEARLY_AS_NEAR * most]
    fewest = min(e.denied for e in best)
    best = [e for e in best if e.denied == fewest]
    return [e for e in best if _listed(e.cells) == _listed(best[0].cells)]


def _explained(paper: Paper, hypothesis: _Hypothesis, wrong: Cells) -> _Explanation:
    cells: dict[str, NDArray[np.bool_]] = {}
    denied, far = 0, 0.0
    for name, own in paper.numbers.items():
        tolerance = paper.tolerance[name]
        distance = np.abs(paper.written[name] - hypothesis.mistaken[name])
        effect = np.abs(hypothesis.mistaken[name] - hypothesis.right[name])
        differs = own.given & (effect > paper.units[name] * _CLEARLY)
        fits = distance <= tolerance
        if name in wrong:
            near = wrong[name] & differs & ~fits & (distance <= _NEARLY * effect)
            if near.any():
                fits |= near & hypothesis.honest[name].contains(paper.written[name])
        against = differs & ~fits
        denied += int(against.sum())
        if name not in wrong:
            continue
        credible = _credible(wrong[name] & differs & fits, against)
        if credible.any():
            cells[name] = credible
            far += float((distance / tolerance)[credible].sum())
    return _Explanation(hypothesis, cells, far, denied)


def _likewise(
    paper: Paper, hypothesis: _Hypothesis, found: Cells, wrong: Cells
) -> dict[str, NDArray[np.bool_]]:
    """Further wrong cells that the mistake gives to someone who carries more places than are written."""
    others = {name: cells & ~found[name] if name in found else cells for name, cells in wrong.items()}
    return {
        name: cells & hypothesis.honest[name].contains(paper.written[name])
        for name, cells in others.items()
        if cells.any()
    }


def _credible(matches: NDArray[np.bool_], against: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Matches of a table that speaks for the mistake; or else of those of its rows that do."""
    fits, fails = int(matches.sum()), int(against.sum())
    if fails == 0 or (fits >= 2 and fits >= fails):
        return matches
    if matches.ndim < 2:
        return np.zeros_like(matches)
    rest = tuple(range(1, matches.ndim))
    rows = (matches.sum(rest) >= _FEWEST_IN_ROW) & (against.sum(rest) == 0)
    return np.asarray(matches & rows.reshape(-1, *(1,) * len(rest)))


def _cutting(calculation: Calculation, paper: Paper) -> list[Finding]:
    """Digits dropped again and again: almost everywhere where that differs from rounding."""
    reading, _ = paper.readings[0]
    mistake = next(m for m in MISTAKES if m.id == "cut")
    short, full = (
        numbers_of_variant(calculation, reading, mistake.variants[0], rounding) for rounding in (cut, half_up)
    )
    dropped: dict[str, NDArray[np.bool_]] = {}
    both = 0
    for name, own in paper.numbers.items():
        differ = own.given & (np.abs(short[name] - full[name]) > paper.units[name] / 2)
        hits = differ & (np.abs(paper.written[name] - short[name]) < paper.units[name] / 2)
        both += int(differ.sum())
        if hits.any():
            dropped[name] = hits
    count = sum(int(cells.sum()) for cells in dropped.values())
    if count < _FEWEST_CUT or count < _SHARE_CUT * both:
        return []
    return [Finding((mistake.id,), _in_order(calculation, dropped))]


def _listed(cells: Cells) -> list[tuple[str, bytes]]:
    return [(name, where.tobytes()) for name, where in sorted(cells.items())]


def _in_order(calculation: Calculation, cells: Cells) -> tuple[CellAddress, ...]:
    return tuple(
        (name, tuple(int(i) for i in index))
        for name in calculation.hand
        if name in cells
        for index in np.argwhere(cells[name])
    )
