"""A question can be solved where it stands: all that its numbers are made of is printed in it.

What a question shows is found by name, not by value: every number of the sheet is replaced by its address
before the question is written. Then the calculation runs twice with those numbers and two guesses of all that
it does not show: what is asked for and comes out otherwise cannot be worked out.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any
from unittest.mock import patch
from xml.etree import ElementTree

import numpy as np
import pytest
from cases import made, thorough_but
from sources import material

from engine.numbers.arrays import Array
from engine.pens.pens import FloatPen, Visible
from engine.trace import CellAddress, Kind, Trace
from generator.output.formats.moodle import questions as plan
from generator.output.formats.moodle import write
from generator.output.formats.questions import Material
from generator.output.formats.tree import Blank, Box, Printed, Station, Task
from generator.sheet.sheet import walk

EVERY = thorough_but(("example", "two_sentences"), ("example", "all_tokens", "two_sentences"))
NEAR, SAME = 1e-4, 1e-12  # how far a guess may be off, and what is no difference
ADDRESS = re.compile(r"⟦([^\[⟧]+)\[([\d,]*)\]⟧")


class AlonePen(FloatPen):
    """Goes on with the numbers of these cells and guesses others; what no sheet shows is worked out."""

    def __init__(
        self, printed: Trace, known: Collection[CellAddress], on_sheet: Collection[str], seed: int
    ) -> None:
        super().__init__(printed, {})
        self.known, self.on_sheet = known, on_sheet
        self.random = np.random.default_rng(seed)

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        printed = self.printed[name].values
        full = np.array(np.broadcast_to(np.asarray(value, dtype=np.float64), printed.shape))
        if visible is not None:
            full = np.where(visible, full, 0.0)
        self.right[name] = full
        if name not in self.on_sheet:
            return full
        known = [(name, index) in self.known for index in np.ndindex(printed.shape)]
        shown = np.array(known, np.bool_).reshape(printed.shape)
        hidden = np.zeros_like(shown) if visible is None else ~np.broadcast_to(visible, shown.shape)
        told = (printed == 0) & name.startswith("gradient.")  # „In allen anderen Zeilen steht 0“
        guessed = np.where(told, 0.0, printed + NEAR * self.random.random(printed.shape))
        return np.where(hidden, 0.0, np.where(shown, printed, guessed))


def address(cell: CellAddress) -> str:
    name, index = cell
    return f"⟦{name}[{','.join(map(str, index))}]⟧"


def by_address(part: Any) -> Any:
    """The same part of a page with addresses for numbers."""
    if isinstance(part, Printed):
        return replace(part, text=address(part.cell))
    if isinstance(part, tuple):
        return tuple(map(by_address, part))
    if is_dataclass(part) and not isinstance(part, type):
        return replace(part, **{f.name: by_address(getattr(part, f.name)) for f in fields(part)})
    return part


@cache
def questions(case: str, variant: str) -> list[tuple[str, set[CellAddress], set[CellAddress]]]:
    """Name, what is shown, what is asked for, of every question of a variant, or of a sheet alone (“”)."""
    m = material(case)
    told = Material(by_address(m.sheet), by_address(m.key), replace(m.record, bank="SET", variant=variant))
    told.__dict__["numbers"] = {at: address(at) for at in m.numbers}
    found = []
    with patch("generator.output.formats.html.png", lambda *_: None):  # what pictures say is enough
        bank = ElementTree.fromstring(write(told))
    for each, planned in zip(bank.findall("question[@type='cloze']"), plan(told), strict=True):
        name = each.findtext("name/text", "")
        assert name.startswith(planned.name)
        numbers = ADDRESS.findall(each.findtext("questiontext/text", ""))
        shown = {(quantity, tuple(map(int, filter(None, at.split(","))))) for quantity, at in numbers}
        asked = {at for exercise in planned.exercises for at in exercise.asked}
        recalled = {b.cell for e in planned.exercises if e.asked for b in walk(e.recalled, Blank)}
        hidden = {same for at in asked - recalled for same in (at, *m.record.alike.get(at, ()))}
        assert shown & hidden == set(), f"{name} prints what it asks for"
        found.append((name, shown, asked))
    return found


@pytest.mark.parametrize("case", EVERY)
def test_no_number_that_a_station_prints_is_lost(case):
    """But for the story, and what belongs to a task in words."""
    m = material(case)
    shown_in: dict[str, set[CellAddress]] = {}
    for name, shown, _ in questions(case, "A"):
        shown_in.setdefault(re.split(r", Teil \d| \(Blatt", name)[0], set()).update(shown)
    for page, station in zip(walk(m.sheet.blocks, Station), m.record.stations, strict=True):
        places = [n for n, block in enumerate(page.blocks) if isinstance(block, Task)]
        asking = [
            n for n, e in zip(places, station.exercises, strict=True) if any(not a.copied for a in e.numbers)
        ]
        for block in page.blocks[: asking[-1]] if station.title in shown_in else ():
            if not (isinstance(block, Box) and block.kind in ("board", "summary")):
                told = {each.cell for each in walk(block, Printed)}
                assert told - shown_in[station.title] == set(), station.title


@pytest.mark.parametrize("variant", ["", "A"])
@pytest.mark.parametrize("case", EVERY)
def test_every_number_can_be_worked_out_of_its_question(case, variant):
    calculation, m = made(case).built.passes, material(case)
    on_sheet = {each.cell[0] for kind in (Printed, Blank) for each in walk(m.sheet.blocks, kind)}
    every = questions(case, variant)
    assert every
    for name, shown, asked in every:
        known = {same for at in shown | asked for same in (at, *m.record.alike.get(at, ()))}
        one, other = ({}, {})
        for right, seed in ((one, 1), (other, 2)):
            for each, names in calculation.parts():
                pen = AlonePen(each.hand, known, on_sheet, seed)
                each.write(pen)
                right |= {n: pen.right[n] for n in names}
        guesses = {at: [each[at[0]][at[1]] for each in (one, other)] for at in asked if at[0] in one}
        assert [at for at, (a, b) in guesses.items() if not np.isclose(a, b, 0, SAME)] == [], name
