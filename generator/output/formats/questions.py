"""What writers of questions share: what a sheet asks and expects, and the Moodle XML they write.

The record says which exercises there are, what each asks for and what is right; the page how it looks.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from generator.basics.numbers import read_number
from generator.output.formats.tree import Blank, Block, Heading, Page, Station, Task, walk
from generator.sheet import record

Address = tuple[str, str]  # quantity and index, as a blank has them


@dataclass(frozen=True)
class Expected:
    """What is right in a blank. hints: a wrong number and what it tells of how it came about."""

    value: Decimal
    low: Decimal
    high: Decimal
    hints: tuple[tuple[Decimal, str], ...] = ()


@dataclass(frozen=True)
class Asked:
    """stations: the record of the key. expected: ranges and hints by blank. variant: tells sheets apart."""

    stations: tuple[record.RecordedStation, ...] = ()
    expected: Mapping[Address, Expected] = field(default_factory=dict)
    variant: str = ""


@dataclass(frozen=True)
class Exercise:
    """A task with what belongs to it, as the worksheet has it.

    station: its title. asked: the blanks that it asks for. before: what the page says since the last task.
    given: what its part of the page says before it, without other tasks. only_on_paper: what it also asks
    for that is no number.
    """

    station: str
    number: str
    points: int
    asked: tuple[Address, ...]
    blocks: tuple[Block, ...]
    before: tuple[Block, ...]
    given: tuple[Block, ...]
    only_on_paper: str = ""


@dataclass(frozen=True)
class Material:
    """One sheet: its worksheet, its key, the record of its exercises."""

    sheet: Page
    key: Page
    record: Asked

    @cached_property
    def answers(self) -> Mapping[Address, Expected]:
        """What is right in every blank that is asked for; exactly that, where no range is known."""
        exercises = (exercise for station in self.record.stations for exercise in station.exercises)
        numbers = (asked.number for exercise in exercises for asked in exercise.numbers)
        values = {(number.name, number.address): read_number(number.text) for number in numbers}
        return {at: Expected(value, value, value) for at, value in values.items()} | {**self.record.expected}

    @cached_property
    def exercises(self) -> tuple[Exercise, ...]:
        """Every exercise of the record, in order, with its place on the worksheet."""
        pages = walk(self.sheet.blocks, Station)
        return tuple(
            exercise
            for page, station in zip(pages, self.record.stations, strict=True)
            for exercise in _of_station(page.blocks, station)
        )


def _of_station(blocks: tuple[Block, ...], station: record.RecordedStation) -> Iterator[Exercise]:
    tasks = [(place, block) for place, block in enumerate(blocks) if isinstance(block, Task)]
    given: tuple[Block, ...] = ()
    end = 0
    for (place, task), recorded in zip(tasks, station.exercises, strict=True):
        asked = tuple((each.number.name, each.number.address) for each in recorded.numbers)
        before = blocks[end:place]
        given = (*given, *before)
        heads = [n for n, block in enumerate(given, 1) if isinstance(block, Heading) and block.level <= 2]
        given = given[max(heads, default=0) :]
        end = _end(blocks, place, asked)
        mine = (*task.blocks, *blocks[place + 1 : end])
        number, points = str(recorded.task.number), recorded.task.points
        yield Exercise(station.title, number, points, asked, mine, before, given, _on_paper(recorded))


def _end(blocks: tuple[Block, ...], task: int, asked: tuple[Address, ...]) -> int:
    """Where the next task or part begins, but after all that is asked for."""
    last = next((n for n in range(task + 1, len(blocks)) if isinstance(blocks[n], Task)), len(blocks))
    heading = next((n for n in range(task + 1, last) if isinstance(blocks[n], Heading)), last)
    for n in range(last, heading, -1):
        if any((blank.name, blank.index) in asked for blank in walk(blocks[n - 1], Blank)):
            return n
    return heading


def _on_paper(exercise: record.Exercise) -> str:
    """What no program marks: words, a drawing; lines of working beside numbers are no answer of their own."""
    if exercise.answers or (exercise.solutions and not exercise.numbers):
        return "Antwort in Worten"
    return "Zeichnung" if exercise.figures else ""


def new_bank() -> Element:
    return Element("quiz")


def add_category(bank: Element, *names: str) -> None:
    """The questions that follow belong here; names: from the outermost to the innermost."""
    inner = "/".join(name.replace("\N{NO-BREAK SPACE}", " ").replace("/", "//") for name in names)
    add_text(SubElement(bank, "question", type="category"), "category", f"$course$/top/Papierformer/{inner}")


def add_question(
    bank: Element, kind: str, name: str, html: str, pictures: Mapping[str, bytes] | None = None
) -> Element:
    """A question with its text; pictures: file name -> PNG. What else its kind needs is added to it."""
    question = SubElement(bank, "question", type=kind)
    add_text(question, "name", name)
    text = add_text(question, "questiontext", html, format="html")
    for file_name, data in (pictures or {}).items():
        file = SubElement(text, "file", name=file_name, path="/", encoding="base64")
        file.text = base64.b64encode(data).decode()
    add_text(question, "generalfeedback", "", format="html")
    return question


def add_note(bank: Element, name: str, html: str) -> None:
    """Something to read that asks for nothing."""
    note = add_question(bank, "description", name, html)
    add_values(note, defaultgrade="0", penalty="0", hidden="0")


def add_values(parent: Element, **values: str) -> None:
    for tag, value in values.items():
        SubElement(parent, tag).text = value


def add_text(parent: Element, tag: str, text: str, **attributes: str) -> Element:
    element = SubElement(parent, tag, attributes)
    SubElement(element, "text").text = text
    return element


def written(bank: Element) -> bytes:
    ElementTree.indent(bank)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(bank, "unicode")}\n'.encode()


def merged(files: Iterable[bytes]) -> bytes:
    """One file of all: each category once, with the questions of all files; what is the same stands once."""
    categories: dict[str, tuple[Element, dict[str, Element]]] = {}
    for file in files:
        questions: dict[str, Element] = {}
        for question in ElementTree.fromstring(file):
            if question.get("type") == "category":
                path = question.findtext("category/text", "")
                questions = categories.setdefault(path, (question, {}))[1]
            else:
                questions.setdefault(_content(question), question)
    bank = new_bank()
    for category, questions in categories.values():
        bank.append(category)
        bank.extend(questions.values())
    return written(bank)


def _content(question: Element) -> str:
    """All of a question but its name."""
    return "".join(ElementTree.tostring(part, "unicode") for part in question if part.tag != "name")
