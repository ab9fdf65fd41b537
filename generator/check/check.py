"""Judges a pupil's answers: a verdict for every cell, the typical mistakes, and what is charged.

The verdicts are those of the one rule (generator/basics/numbers.py).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.forward.calculation import Calculation
from engine.judging.diagnosis import Finding, diagnose, paper_of
from engine.judging.own_range import range_from, recompute_from, sources
from engine.judging.ranges import Range
from engine.numbers.arrays import GUARD, Floats, half_up
from engine.pens.pens import Numbers
from engine.trace import CellAddress, Quantity
from generator.basics.cell_names import SheetWords
from generator.basics.numbers import counted, meant
from generator.calculation.rebuild import Rebuilt
from generator.check.answers import Answers
from generator.check.entries import Entry, Index, problem_of

UNREADABLE, RIGHT, ACCEPTED, FOLLOWS, WRONG = "unlesbar", "richtig", "angenommen", "folgefehler", "falsch"
VERDICTS: Final = (RIGHT, ACCEPTED, FOLLOWS, WRONG, UNREADABLE)
_OTHER_SHEET_FROM: Final = 8  # readable cells from which it can be told
_OTHER_SHEET_SHARE: Final = 0.25


@dataclass(frozen=True, slots=True)
class CheckedCell:
    """One written cell.

    entry: what was written. expected: the hand value; accepted: its range; follows: what is right from the
    pupil's own earlier numbers (all None where the cell is none of the sheet's). mistake: ids of the typical
    mistakes that explain it, joined by "|". charged: whether it costs anything; a wrong cell does not where
    it follows from the pupil's numbers with more places than are written. problem: why an entry cannot be
    judged: "number", "name", "index", "masked" or "twice".
    """

    entry: Entry
    verdict: str
    expected: float | None = None
    accepted: tuple[float, float] | None = None
    follows: float | None = None
    mistake: str | None = None
    charged: bool = False
    problem: str = ""

    @property
    def index(self) -> Index:
        return self.entry.index or ()


@dataclass(frozen=True)
class Report:
    """Cells in the order of the calculation, then what is no cell of the sheet.

    findings: typical mistakes, the first divergent cell first. left_out: cells named without a number.
    other_sheet: next to nothing fits, so the answers are probably another sheet's. words: of the sheet, for
    the titles of its cells. in_words: answers that nobody judges here.
    """

    calculation: Calculation
    cells: tuple[CheckedCell, ...]
    findings: tuple[Finding, ...]
    left_out: int
    other_sheet: bool
    words: SheetWords
    in_words: Mapping[str, str]

    def summary(self) -> dict[str, int]:
        count = Counter(cell.verdict for cell in self.cells)
        return {verdict: count[verdict] for verdict in VERDICTS}

    def slips(self) -> list[CheckedCell]:
        """Charged cells that no typical mistake explains."""
        return [cell for cell in self.cells if cell.charged and cell.mistake is None]

    def charges(self) -> int:
        """How often something is charged: once for each typical mistake, once for each slip."""
        charged = {(cell.entry.name, cell.index) for cell in self.cells if cell.charged}
        return sum(not charged.isdisjoint(finding.cells) for finding in self.findings) + len(self.slips())

    def first_wrong(self) -> CheckedCell | None:
        return next((cell for cell in self.cells if cell.charged), None)

    def as_json(self) -> dict[str, Any]:
        """The shape that the contract fixes."""
        return {"cells": [_plain(cell) for cell in self.cells], "summary": self.summary()}


def check(rebuilt: Rebuilt, answers: Answers, *, named: bool = True) -> Report:
    """Judge every entry of the answers to a sheet.

    named: whether typical mistakes are looked for, which takes longest.
    """
    calculation, ranges, printed = rebuilt.calculation, rebuilt.ranges, rebuilt.printed()
    entries, problems = _sorted_out(calculation, answers.entries)
    numbers, written = _numbers(calculation, entries)
    ways = sources(calculation, numbers, printed)
    rights = [recompute_from(calculation, way).right for way in ways]
    right = dict(rights[0])
    right |= {name: _nearest(own.values, [each[name] for each in rights]) for name, own in numbers.items()}
    verdicts = {
        name: _verdicts(calculation.hand[name], written[name], ranges[name], right[name]) for name in numbers
    }
    for name in verdicts.keys() & printed.keys():  # what is given is right only as it stands
        following = printed[name] & (verdicts[name] == FOLLOWS)
        verdicts[name] = np.where(following, np.array(WRONG), verdicts[name])
    _judge_copies(rebuilt.copies(), numbers, written, verdicts, ranges)
    wrong = {name: (verdict == WRONG) & numbers[name].given for name, verdict in verdicts.items()}
    for place, (way, each) in enumerate(zip(ways, rights, strict=True)):
        if _count(wrong):
            honest = range_from(calculation, each, way)
            left = {name: cells & ~honest[name].contains(written[name])
                    for name, cells in wrong.items()}  # fmt: skip
            # Who computes printed numbers anew is beside the sheet in several cells; one alone is a slip.
            if place == 0 or _count(wrong) - _count(left) > 1:
                wrong = left
    paper = paper_of(calculation, ranges, numbers, list(zip(ways, rights, strict=True)))
    findings = diagnose(calculation, paper, wrong, rebuilt.asked()) if named else []
    mistakes = {cell: "|".join(finding.ids) for finding in reversed(findings) for cell in finding.cells}

    follows = {
        name: half_up(right[name], calculation.hand[name].places or 0) for name in {n for n, _ in entries}
    }

    def checked(name: str, index: Index, entry: Entry) -> CheckedCell:
        verdict = UNREADABLE if entry.value is None else str(verdicts[name][index])
        explained = verdict not in (UNREADABLE, RIGHT)
        return CheckedCell(
            entry,
            verdict,
            float(calculation.hand[name].values[index]),
            (float(ranges[name].low[index]), float(ranges[name].high[index])),
            float(follows[name][index]),
            mistakes.get((name, index)) if explained else None,
            verdict == WRONG and bool(wrong[name][index]),
            "number" if entry.value is None else "",
        )

    cells = [
        checked(name, index, entries[name, index])
        for name, quantity in calculation.hand.items()
        for index in quantity.cells()
        if (name, index) in entries
    ]
    fits = sum(cell.verdict in (RIGHT, ACCEPTED, FOLLOWS) for cell in cells)
    readable = sum(entry.value is not None for entry in answers.entries)
    other = readable >= _OTHER_SHEET_FROM and fits < _OTHER_SHEET_SHARE * readable
    told = answers.left_out, other, rebuilt.words, answers.in_words
    return Report(calculation, (*cells, *problems), tuple(findings), *told)


def _sorted_out(
    calculation: Calculation, entries: Sequence[Entry]
) -> tuple[dict[tuple[str, Index], Entry], list[CheckedCell]]:
    """Entries by cell, the last of several for one; and those that are none of the sheet's cells."""
    found: dict[tuple[str, Index], Entry] = {}
    problems: list[CheckedCell] = []
    for entry in entries:
        problem = problem_of(calculation.hand, entry)
        if problem:
            problems.append(CheckedCell(entry, UNREADABLE, problem=problem))
            continue
        cell = (entry.name, entry.index or ())
        if entry.value is not None:
            quantity = calculation.hand[entry.name]
            key = float(quantity.values[cell[1]])
            entry = replace(entry, value=meant(entry.text, entry.value, quantity.places or 0, key))
        earlier = found.pop(cell, None)
        if earlier is not None and (earlier.value != entry.value or entry.value is None):
            problems.append(CheckedCell(earlier, UNREADABLE, problem="twice"))
        found[cell] = entry
    return found, problems


def _numbers(
    calculation: Calculation, entries: Mapping[tuple[str, Index], Entry]
) -> tuple[dict[str, Numbers], dict[str, Floats]]:
    """The numbers as they were written, from which the pupil goes on, and what they count as."""
    numbers: dict[str, Numbers] = {}
    written: dict[str, Floats] = {}
    for (name, index), entry in entries.items():
        if entry.value is None:
            continue
        quantity = calculation.hand[name]
        if name not in numbers:
            shape = quantity.values.shape
            numbers[name] = Numbers(np.zeros(shape), np.zeros(shape, np.bool_))
            written[name] = np.zeros(shape)
        numbers[name].values[index] = float(entry.value)
        numbers[name].given[index] = True
        written[name][index] = float(counted(entry.value, quantity.places or 0))
    return numbers, written


def _count(cells: Mapping[str, NDArray[np.bool_]]) -> int:
    return sum(int(each.sum()) for each in cells.values())


def _nearest(own: Floats, several: Sequence[Floats]) -> Floats:
    """Of several right values the one that is nearest to the pupil's; of equals the first."""
    nearest = several[0]
    for other in several[1:]:
        nearest = np.where(np.abs(other - own) < np.abs(nearest - own), other, nearest)
    return nearest


def _verdicts(quantity: Quantity, written: Floats, allowed: Range, right: Floats) -> NDArray[np.str_]:
    """right: from the pupil's own earlier numbers; it is the key's where none of them differs."""
    places = quantity.places or 0
    following = half_up(right, places)
    differs = np.abs(following - quantity.values) > GUARD
    follows = differs & (np.abs(written - following) <= 10.0**-places + GUARD)
    return np.select(
        [np.abs(written - quantity.values) <= GUARD, allowed.contains(written), follows],
        [np.array(RIGHT), np.array(ACCEPTED), np.array(FOLLOWS)],
        np.array(WRONG),
    )


def _judge_copies(
    copies: Mapping[CellAddress, Sequence[CellAddress]],
    numbers: Mapping[str, Numbers],
    written: Mapping[str, Floats],
    verdicts: Mapping[str, NDArray[np.str_]],
    ranges: Mapping[str, Range],
) -> None:
    """What is copied is right as the key has it, or as the pupil has it where it is copied from."""
    for (name, index), origins in copies.items():
        if name not in numbers or not numbers[name].given[index] or verdicts[name][index] == RIGHT:
            continue
        own = [float(written[n][i]) for n, i in origins if n in numbers and numbers[n].given[i]]
        if not own:
            continue
        here = float(written[name][index])
        follows = ACCEPTED if ranges[name].contains(written[name])[index] else FOLLOWS
        verdicts[name][index] = follows if any(abs(here - each) <= GUARD for each in own) else WRONG


def _plain(cell: CheckedCell) -> dict[str, Any]:
    value = cell.entry.value
    return {
        "name": cell.entry.name,
        "index": list(cell.entry.index) if cell.entry.index is not None else cell.entry.index_text,
        "answer": cell.entry.text if value is None else _number(value),
        "expected": cell.expected,
        "accepted": None if cell.accepted is None else list(cell.accepted),
        "verdict": cell.verdict,
        "mistake": cell.mistake,
        "charged": cell.charged,
    }


def _number(value: Decimal) -> float | int:
    return int(value) if value == value.to_integral_value() else float(value)
