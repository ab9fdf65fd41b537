"""What the exercises of a page ask and expect, noted as its blocks are printed.

`blocks.py` and the macros of blocks.html.j2 tell a `Recorder`, which templates know as `record`.
Methods that templates call give back what is to be printed there. From the key comes what is right, from the
worksheet the same exercises with nothing filled in. The signs of its formulas are noted too.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from html import unescape
from typing import Final, TypeVar

from markupsafe import Markup, escape

from generator.sheet.sheet import CellContent, Figure, Number, Solution, Station, Task, Words

T = TypeVar("T")
_NUMBERS: Final = re.compile(r"\\begin\{pmatrix\}.*?\\end\{pmatrix\}", re.DOTALL)
_WHOLE: Final = {  # what is read as one sign
    r"^{\mathsf{T}}": r"\transposed ",
    r"_{\mathrm{ff}}": "_ff",
    r"_{\mathrm{model}}": "",
    r"_{\mathrm{neu}}": "",
    r"\mathit{pos}": r"\pos ",
    r"\tilde{s}": r"\tilde ",
    r"\hat{x}": r"\hat ",
    r"\bar{a}": "a",
    "e^": r"\exp ",
}
_FUNCTION: Final = re.compile(r"\\(?:mathrm|text)\{[^}]*\}")
_LETTER: Final = re.compile(r"(\\?[a-z]{2,}|[A-Za-z])\s*(?:_\{?(\w+))?")
_NAMED_BY_INDEX: Final = {"W_Q", "W_K", "W_V", "W_O", "W_1", "W_2", "d_k", "d_ff", "p_r"}
_PLACES: Final = "ijm"  # indices that are signs of their own
_COMMAND: Final = re.compile(r"\\(?:transposed|pos|tilde|hat|exp|partial|sum|beta|gamma|delta|eta|mu|sigma)")
_IN_HEADING: Final = re.compile("<i>([A-Za-z])</i>")


@dataclass(frozen=True)
class Asked:
    """A number that the pupil writes, and the head of its row; `number.copied` if it is only transferred."""

    number: Number
    row: str = ""


@dataclass
class Grid:
    """A table as it is printed: the heads of its columns, the first one's too, and its rows with theirs."""

    columns: list[Markup]
    rows: list[tuple[Markup, list[CellContent]]] = field(default_factory=list)

    @property
    def asks(self) -> bool:
        """Whether a number is to be written in it."""
        return any(isinstance(cell, Number) and cell.blank for _, cells in self.rows for cell in cells)


@dataclass
class Exercise:
    """An exercise in the order of the page.

    task: number, operator, AFB, points and cells. wording, answers (in words) and checks (the self-checks
    that follow) are markup without ids. solutions: what each is the solution of, "" where nothing says it,
    and its text. figures: to draw into. grids: the tables to write in.
    """

    task: Task
    wording: Markup = field(default_factory=Markup)
    numbers: list[Asked] = field(default_factory=list)
    answers: list[Markup] = field(default_factory=list)
    solutions: list[tuple[str, str]] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    checks: list[Markup] = field(default_factory=list)
    grids: list[Grid] = field(default_factory=list)

    @property
    def cells(self) -> list[tuple[str, tuple[int, ...]]]:
        """The quantity and index of every number, also of those that are only copied."""
        return [(asked.number.name, asked.number.index) for asked in self.numbers]


@dataclass
class RecordedStation:
    """A station with its heading as on the page."""

    id: str
    badge: str = ""
    title: str = ""
    exercises: list[Exercise] = field(default_factory=list)


class Recorder:
    """Listens while one page is rendered; `stations` is what it heard."""

    def __init__(self) -> None:
        self.stations: list[RecordedStation] = []
        self._said: set[str] = set()
        self._signs: dict[str, set[str]] = {}  # by station; of what stands on the worksheet too
        self._key_alone = False
        self._columns: list[str] = []  # heads of the table that is open, the first column's first
        self._column = 0
        self._row = ""
        self._grid = Grid([])
        self._aside = 0  # inside so many boxes whose numbers no exercise counts
        self._later: Task | None = None  # the exercise that the open table's solutions belong to
        self._ahead: dict[int, list[tuple[str, str]]] = {}  # solutions of exercises to come, by number

    def first(self, what: str) -> bool:
        """Whether a page says this for the first time."""
        new = what not in self._said
        self._said.add(what)
        return new

    # --- signs ----------------------------------------------------------------------------------------------

    def noting(self, typeset: Callable[..., Markup]) -> Callable[..., Markup]:
        """The same; the signs of what is set are noted."""

        def noted(latex: str, alt: str | None = None) -> Markup:
            self._note(latex)
            return typeset(latex, alt)

        return noted

    def _note(self, formula: str) -> None:
        if self.stations and not self._key_alone:
            self._signs.setdefault(self.stations[-1].id, set()).update(signs_in(formula))

    def stations_with(self, signs: Iterable[str]) -> list[str]:
        """The stations so far that use one of these signs."""
        return [station for station, used in self._signs.items() if not used.isdisjoint(signs)]

    # --- stations and exercises -----------------------------------------------------------------------------

    def station(self, station: Station) -> None:
        self.stations.append(RecordedStation(station.id))
        self._ahead = {}

    def heading(self, badge: str, title: str) -> None:
        if self.stations:
            self.stations[-1].badge, self.stations[-1].title = badge, plain(title)

    def task(self, task: Task, wording: Callable[[], Markup]) -> Markup:
        """The wording; from here on all belongs to this exercise."""
        exercise = Exercise(task, solutions=self._ahead.pop(task.number, []))
        self.stations[-1].exercises.append(exercise)
        self._row = ""
        printed = wording()
        exercise.wording = _elsewhere(printed)
        return printed

    def answer(self, words: Callable[[], Markup]) -> Markup:
        self._key_alone = True
        printed = words()
        self._key_alone = False
        for exercise in self._current():
            exercise.answers.append(_elsewhere(printed))
        return printed

    def check(self, words: Callable[[], Markup]) -> Markup:
        printed = words()
        for exercise in self._current():
            exercise.checks.append(_elsewhere(printed))
        return printed

    def aside(self, macro: Callable[..., T], *arguments: object) -> T:
        """What is only carried over from before: its blanks are copied, no exercise counts them."""
        self._aside += 1
        printed = macro(*arguments)
        self._aside -= 1
        return printed

    def _current(self) -> list[Exercise]:
        """The exercise to which things belong now; none before a station's first, or aside."""
        return [] if self._aside or not self.stations else self.stations[-1].exercises[-1:]

    def where(self) -> tuple[str, int]:
        """The station, and the task to which things belong now; 0 before the first."""
        if not self.stations:
            return "", 0
        station = self.stations[-1]
        return station.id, station.exercises[-1].task.number if station.exercises else 0

    def head_of_row(self) -> str:
        """The head of the row that is open; "" outside of tables."""
        return self._row if self._columns else ""

    # --- what is written ------------------------------------------------------------------------------------

    def number(self, number: Number) -> None:
        for exercise in self._current():
            exercise.numbers.append(Asked(number, self._row))

    def solution(self, solution: Solution, label: str | None = None) -> None:
        """A text to write; label: what it is the solution of, by default its place in the open table."""
        if not solution.blank or not solution.text:
            return
        said = self._place() if label is None else plain(label).rstrip(":")
        if self._later is not None:
            self._ahead.setdefault(self._later.number, []).append((said, solution.text))
            return
        for exercise in self._current():
            exercise.solutions.append((said, solution.text))

    def figure(self, figure: Figure) -> None:
        for exercise in self._current():
            if figure.blank:
                exercise.figures.append(figure)

    # --- tables ---------------------------------------------------------------------------------------------

    def table(self, first: str, later: Task | None) -> None:
        """A table begins; later: the exercise that asks for its solutions, where that comes after it."""
        said, shown = _head(first)
        self._columns, self._column, self._row, self._later = [said], 0, "", later
        self._grid = Grid([shown])

    def column(self, head: str) -> None:
        if isinstance(head, Markup):
            self._note(head)
        said, shown = _head(head)
        self._columns.append(said)
        self._grid.columns.append(shown)

    def row(self, head: str) -> None:
        said, shown = _head(head)
        self._row, self._column = said.rstrip(":"), 0
        self._grid.rows.append((shown, []))

    def cell(self, cell: CellContent) -> None:
        """The next cell of the row; where the rows only have numbers, the word beside it is their name."""
        self._column += 1
        if self._grid.rows:
            self._grid.rows[-1][1].append(cell)
        if (
            self._column == 1
            and self._row.isdigit()
            and (isinstance(cell, Words) or (isinstance(cell, Number) and not cell.blank))
        ):
            self._row = cell.text or self._row
        if isinstance(cell, Solution):
            self.solution(cell)

    def end_table(self) -> None:
        for exercise in self._current() if self._grid.asks else ():
            exercise.grids.append(self._grid)
        self._columns, self._column, self._row, self._later = [], 0, "", None
        self._grid = Grid([])

    def _place(self) -> str:
        """The row's head; with the column's where one of them is a number."""
        head = self._columns[self._column] if 0 < self._column < len(self._columns) else ""
        if self._row.isdigit():
            return ", ".join(filter(None, [f"{self._columns[0]} {self._row}".strip(), head]))
        return f"{self._row} {head}" if head.isdigit() else self._row


def plain(markup: str) -> str:
    """The text of what a page prints, without tags."""
    return (unescape(re.sub(r"<[^>]*>", "", markup)) if isinstance(markup, Markup) else markup).strip()


def _elsewhere(markup: Markup) -> Markup:
    """Markup that may stand in another document too: without ids, and with no name that XML does not know."""
    return Markup(re.sub(r' id="[^"]*"', "", markup).replace("&nbsp;", "\N{NO-BREAK SPACE}").strip())


@lru_cache(maxsize=500, typed=True)
def _head(markup: str) -> tuple[str, Markup]:
    """The head of a row or column as text, and as markup that may stand elsewhere."""
    return plain(markup), _elsewhere(escape(markup))


@lru_cache(maxsize=500, typed=True)
def signs_in(formula: str) -> set[str]:
    """The signs of LaTeX, or of a heading in which letters are <i>: of e_i the e and the i, W_Q as it is."""
    if isinstance(formula, Markup):
        return set(_IN_HEADING.findall(formula))
    formula = _NUMBERS.sub("", formula)
    for name, sign in _WHOLE.items():
        formula = formula.replace(name, sign)
    signs: set[str] = set()
    for letter, index in _LETTER.findall(_FUNCTION.sub("", formula)):
        if len(letter) > 1 and not _COMMAND.fullmatch(letter):
            continue
        whole = f"{letter}_{index}"
        signs |= {whole} if whole in _NAMED_BY_INDEX else {letter, *(set(index) & set(_PLACES))}
    return signs
