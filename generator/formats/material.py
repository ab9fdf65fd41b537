"""What a writer of questions is given: the pages of a sheet, and what is right in each of their blanks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from generator.formats.tree import (
    Answer,
    Blank,
    Block,
    Figure,
    Heading,
    Page,
    Runs,
    Station,
    Task,
    Words,
    walk,
)

Address = tuple[str, str]  # quantity and index, as a blank has them


@dataclass(frozen=True)
class Expected:
    """What is right in a blank. hints: a wrong number and what it tells of how it came about."""

    value: Decimal
    low: Decimal
    high: Decimal
    hints: tuple[tuple[Decimal, str], ...] = ()


@dataclass(frozen=True)
class Material:
    """One sheet: its worksheet, its key, what is expected. variant: tells several sheets apart, or ""."""

    sheet: Page
    key: Page
    expected: Mapping[Address, Expected]
    variant: str = ""

    @cached_property
    def answers(self) -> Mapping[Address, Expected]:
        """What is right in every blank of the key; exactly that, where no range is known."""
        blanks = {(blank.name, blank.index): number_of(blank.text) for blank in walk(self.key.blocks, Blank)}
        return {at: Expected(value, value, value) for at, value in blanks.items()} | dict(self.expected)


@dataclass(frozen=True)
class Exercise:
    """A task with what belongs to it, as the worksheet has it; given: what its part says before it.

    station: its title. missing: why it holds no number to write, "" where it does.
    """

    station: str
    number: str
    points: str
    blocks: tuple[Block, ...]
    given: tuple[Block, ...]
    missing: str = ""


def exercises(sheet: Page) -> Iterator[Exercise]:
    """Every task of a worksheet, in order."""
    for station in walk(sheet.blocks, Station):
        blocks = station.blocks
        title = next((said(block.runs) for block in blocks if isinstance(block, Heading)), "")
        section, at = 0, 0
        while at < len(blocks):
            block = blocks[at]
            if isinstance(block, Heading) and block.level <= 2:
                section = at + 1
            if isinstance(block, Task):
                end = _end(blocks, at)
                mine, given = (*block.blocks, *blocks[at + 1 : end]), _given(blocks, section, at)
                yield Exercise(title, block.number, block.points, mine, given, _missing(mine))
                at = end
            else:
                at += 1


def _end(blocks: tuple[Block, ...], task: int) -> int:
    """Where the next task or part begins."""
    later = range(task + 1, len(blocks))
    return next((n for n in later if isinstance(blocks[n], Task | Heading)), len(blocks))


def _given(sheet: tuple[Block, ...], section: int, task: int) -> tuple[Block, ...]:
    """What the part of the sheet says before a task, without other tasks and their answers."""
    given: list[Block] = []
    at = section
    while at < task:
        if isinstance(sheet[at], Task):
            at = _end(sheet, at)
        else:
            given.append(sheet[at])
            at += 1
    return tuple(given)


def _missing(blocks: tuple[Block, ...]) -> str:
    if next(walk(blocks, Blank), None) is not None:
        return ""
    if next(walk(blocks, Answer), None) is not None:
        return "Antwort in Worten"
    return "Zeichnung" if next(walk(blocks, Figure), None) is not None else "keine Zahl zum Eintragen"


def number_of(text: str) -> Decimal:
    """A number as our pages print it."""
    for sign, plain in (("\N{MINUS SIGN}", "-"), (",", "."), ("\N{NARROW NO-BREAK SPACE}", "")):
        text = text.replace(sign, plain)
    return Decimal(text)


def said(runs: Runs) -> str:
    """The words of a heading."""
    return "".join(run.text for run in runs if isinstance(run, Words))
