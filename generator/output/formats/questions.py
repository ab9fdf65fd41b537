"""What writers of questions share: what a sheet asks and expects, and the Moodle XML they write.

The record says which exercises there are, what each asks for and what is right; the page how it looks. A
question stands alone: what it needs from elsewhere, or would copy from there, it gives.
"""

import base64
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Final
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from engine.trace import CellAddress
from generator.basics.numbers import DecimalSign, read_number
from generator.output.formats import tree
from generator.output.formats.html import PAGE, height
from generator.sheet import record
from generator.sheet.sheet import Given, walk

_AS_ELSEWHERE: Final = re.compile(r"\bRund[^.:]*\bwie in Station\s(\w+)", re.IGNORECASE)
_ROUNDING: Final = re.compile(r"(So )?rund", re.IGNORECASE)


@dataclass(frozen=True)
class Expected:
    """What is right in a blank. hints: a wrong number and what it tells of how it came about.

    here: those of them that come from a mistake in this very blank.
    """

    value: Decimal
    low: Decimal
    high: Decimal
    hints: tuple[tuple[Decimal, str], ...] = ()
    here: frozenset[Decimal] = frozenset()


@dataclass(frozen=True)
class Asked:
    """What is to be known of a sheet beside its pages.

    stations: the record of the key. expected: ranges and hints by blank. bank: the code that tells this bank
    from others, of the sheet or of its class set. variant: tells the sheets of a set apart, "" for a single
    one. alike: blanks that are the same number. sign: the decimal sign. words: what the rows of a quantity
    stand for.
    """

    stations: tuple[record.RecordedStation, ...] = ()
    expected: Mapping[CellAddress, Expected] = field(default_factory=dict)
    bank: str = ""
    variant: str = ""
    alike: Mapping[CellAddress, Collection[CellAddress]] = field(default_factory=dict)
    sign: DecimalSign = "komma"
    words: Callable[[str, int], Sequence[str]] = lambda name, axis: ()


@dataclass(frozen=True)
class Exercise:
    """A task with what belongs to it, as the worksheet has it.

    station: its title. asked: the blanks that it asks for, without those to copy. before: what the page says
    since the last task. given: all that its station says before it, with the tables of earlier tasks.
    only_on_paper: what it also asks for that is no number. recalled: what another station worked out and is
    to be read off for it.
    """

    station: str
    number: str
    points: int
    asked: tuple[CellAddress, ...]
    blocks: tuple[tree.Block, ...]
    before: tuple[tree.Block, ...]
    given: tuple[tree.Block, ...]
    only_on_paper: str = ""
    recalled: tuple[tree.Block, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.station}, Aufgabe {self.number}"


@dataclass(frozen=True)
class Material:
    """One sheet: its worksheet, its key, the record of its exercises."""

    sheet: tree.Page
    key: tree.Page
    record: Asked

    @property
    def title(self) -> str:
        """The name of the bank of questions, which no other bank has."""
        return f"{self.sheet.title} ({self.record.bank})" if self.record.bank else self.sheet.title

    @cached_property
    def numbers(self) -> Mapping[CellAddress, str]:
        """What stands in every blank of the key."""
        blanks = walk(self.key.blocks, tree.Blank)
        return {blank.cell: blank.text.strip("()") for blank in blanks}

    def given(self, asked: Iterable[CellAddress]) -> Callable[[tree.Blank], str]:
        """What stands in a blank that a question does not ask for: its number, unless it is one of those."""
        hidden = {same for at in asked for same in (at, *self.record.alike.get(at, ()))}
        return lambda blank: "" if blank.cell in hidden else self.numbers.get(blank.cell, "")

    @cached_property
    def answers(self) -> Mapping[CellAddress, Expected]:
        """What is right in every blank that is asked for; exactly that, where no range is known."""
        exercises = (exercise for station in self.record.stations for exercise in station.exercises)
        numbers = (number for exercise in exercises for number in exercise.numbers)
        values = {number.cell: read_number(number.text) for number in numbers}
        return {at: Expected(value, value, value) for at, value in values.items()} | {**self.record.expected}

    @cached_property
    def exercises(self) -> tuple[Exercise, ...]:
        """Every exercise of the record, in order, with its place on the worksheet."""
        pages = list(walk(self.sheet.blocks, tree.Station))
        found: list[Exercise] = []
        for page, station in zip(pages, self.record.stations, strict=True):
            blocks = (*_rules(page, pages), *page.blocks)
            found += _of_station(blocks, station, self.record.alike, found)
        return tuple(found)


def _rules(page: tree.Station, pages: Iterable[tree.Station]) -> Iterator[tree.Block]:
    """Formulas and rounding of the stations that a page points to instead of saying them again."""
    said = "".join(words.text for words in walk(page.blocks, tree.Words))
    named = set(_AS_ELSEWHERE.findall(said)) - {page.label}
    for block in (block for other in pages if other.label in named for block in other.blocks):
        if _is_formula(block):
            yield block
        else:
            yield from filter(_rounds, walk(block, tree.Paragraph))  # on paper they stand in the margin
    last = max((n for n, block in enumerate(page.blocks) if isinstance(block, tree.Task)), default=0)
    yield from filter(_is_formula, page.blocks[last:])  # on paper they come last


def _rounds(paragraph: tree.Paragraph) -> bool:
    return bool(_ROUNDING.match("".join(words.text for words in walk(paragraph, tree.Words))))


def _is_formula(block: tree.Block) -> bool:
    return isinstance(block, tree.Box) and block.kind == "formula-box"


def _of_station(
    blocks: tuple[tree.Block, ...],
    station: record.RecordedStation,
    alike: Mapping[CellAddress, Collection[CellAddress]],
    earlier: Sequence[Exercise],
) -> list[Exercise]:
    """earlier: the exercises of the stations before."""
    tasks = [(place, block) for place, block in enumerate(blocks) if isinstance(block, tree.Task)]
    found: list[Exercise] = []
    given: tuple[tree.Block, ...] = ()
    end = 0
    for (place, task), recorded in zip(tasks, station.exercises, strict=True):
        asked = _asked(recorded, alike, (*earlier, *found))
        before = tuple(filter(_is_needed, blocks[end:place]))
        given = (*given, *before)
        end = _end(blocks, place, asked)
        mine = (*task.blocks, *blocks[place + 1 : end])
        number, points = str(recorded.task.number), recorded.task.points
        recalled = _recalled(recorded, earlier)
        paper = _on_paper(recorded)
        found.append(Exercise(station.title, number, points, asked, mine, before, given, paper, recalled))
        given = (*given, *_done(number, task, mine, blocks[place + 1 : end]))
    return found


def _done(
    number: str, task: tree.Task, mine: Iterable[tree.Block], after: Iterable[tree.Block]
) -> Iterator[tree.Block]:
    """What an exercise leaves to those after it: what it fills in, named, and what is told beside it."""
    results = {id(block) for block in _results(mine)}
    if results:
        asked = next((each.runs for each in task.blocks if isinstance(each, tree.Paragraph)), ())
        yield tree.Paragraph((tree.Words(f"Schon gelöst, Aufgabe {number}: ", bold=True), *asked))
    yield from (each for each in task.blocks[1:] if id(each) in results)
    yield from (each for each in after if id(each) in results or (_is_needed(each) and not _is_check(each)))


def _is_check(block: tree.Block) -> bool:
    return isinstance(block, tree.Box) and block.kind in ("check", "summary")


def _asked(
    exercise: record.Exercise,
    alike: Mapping[CellAddress, Collection[CellAddress]],
    earlier: Iterable[Exercise],
) -> tuple[CellAddress, ...]:
    """What it asks for, each number once: neither what is copied nor what is the same number again."""
    worked_out = {at for each in earlier for at in each.asked}
    found: dict[CellAddress, None] = {}
    for number in (number for number in exercise.numbers if not number.copied):
        if number.cell not in worked_out and found.keys().isdisjoint(alike.get(number.cell, ())):
            found[number.cell] = None
    return tuple(found)


def _results(blocks: Iterable[tree.Block]) -> Iterator[tree.Block]:
    """The tables and lines that an exercise fills in."""
    return (block for block in blocks if any(walk(block, tree.Blank)))


def _recalled(exercise: record.Exercise, earlier: Sequence[Exercise]) -> tuple[tree.Block, ...]:
    """What another station has worked out up to the exercise from which numbers are read off here."""
    wanted = {n.cell for n in exercise.numbers if n.given is Given.READ_OFF}
    last = next((n for n, each in enumerate(earlier) if not wanted.isdisjoint(each.asked)), None)
    if last is None:
        return ()
    of_station = (each for each in earlier[: last + 1] if each.station == earlier[last].station)
    return tuple(block for each in of_station for block in _results(each.blocks))


def _is_needed(block: tree.Block) -> bool:
    """Whether a question needs it: not the story, the way of the course or the station's own title."""
    match block:
        case tree.Box("board") | tree.Paragraph(_, "sheet-head" | "turn") | tree.Figure(role="strip"):
            return False
    return not (isinstance(block, tree.Heading) and block.level <= 1)


def _end(blocks: tuple[tree.Block, ...], task: int, asked: tuple[CellAddress, ...]) -> int:
    """Where the next task or part begins, but after all that is asked for.

    To a task that asks for no number belongs only where it is answered: the next may need what follows.
    The same holds for what makes a question longer than a page.
    """
    last = next((n for n in range(task + 1, len(blocks)) if isinstance(blocks[n], tree.Task)), len(blocks))
    if not asked:
        return next(
            (n for n in range(task + 1, last) if not isinstance(blocks[n], tree.Answer | tree.Figure)), last
        )
    heading = next((n for n in range(task + 1, last) if isinstance(blocks[n], tree.Heading)), last)
    asking = next(n for n in range(last, task, -1) if any(at in asked for at in _blanks(blocks[n - 1])))
    whole = max(heading, asking)
    return whole if height(blocks[task:whole]) <= PAGE else asking


def _blanks(block: tree.Block) -> Iterator[CellAddress]:
    return (blank.cell for blank in walk(block, tree.Blank))


def _on_paper(exercise: record.Exercise) -> str:
    """What no program marks: words, a drawing; lines of working beside numbers are no answer of their own."""
    if exercise.answers or (exercise.solutions and not exercise.numbers):
        return "Antwort in Worten"
    return "Zeichnung" if exercise.figures else ""


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
    bank = Element("quiz")
    for category, questions in categories.values():
        bank.append(category)
        bank.extend(questions.values())
    return written(bank)


def _content(question: Element) -> str:
    """The XML of a question without its name."""
    return "".join(ElementTree.tostring(part, "unicode") for part in question if part.tag != "name")
