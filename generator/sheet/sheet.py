"""What a sheet is made of: stations, tasks, tables, lines and blanks, as a tree without HTML.

The tree is the key; `whole_sheet.withheld` makes the worksheet of it. `walk` finds the parts of a kind, and
`exchanged` puts others in their places: in any tree of frozen records, tuples, lists and mappings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from enum import Enum
from functools import cache, cached_property, lru_cache
from itertools import chain
from operator import attrgetter, is_
from types import SimpleNamespace
from typing import Any, Final, Literal, Self, TypeAlias, TypeVar, cast

from markupsafe import Markup

from engine.trace import CellAddress
from generator.basics.numbers import MINUS

T = TypeVar("T")
_PLAIN = ("str", "int", "bool", "float", "tuple[int, ...]", "tuple[str, ...]", "tuple[float, ...]")
_NO_PARTS: Final = frozenset(
    (*_PLAIN, "float | None", "Given | None", "CellAddress | None", "tuple[tuple[str, tuple[int, ...]], ...]")
)


class Record(SimpleNamespace):
    """A frozen record of whatever it is made with; to make a dataclass of its own would take much longer."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name} stays as it is")

    def but(self, **named: object) -> Self:
        """A copy with other values of these names."""
        return type(self)(**{**vars(self), **named})


def walk(part: Any, kind: type[T]) -> Iterator[T]:
    """All parts of one kind inside a part, in order."""
    waiting = [part]
    while waiting:
        part = waiting.pop()
        if isinstance(part, kind):
            yield part
        kind_of_part: type = type(part)
        if children := _children_of(kind_of_part):
            waiting.extend(reversed(children(part)))


@cache
def parts_of(kind: type) -> tuple[str, ...]:
    """The names of a part's fields that hold parts."""
    return tuple(each.name for each in fields(kind) if each.type not in _NO_PARTS)


@cache
def _children_of(kind: type) -> Callable[[Any], Sequence[Any]] | None:
    """How to come to the parts inside a part of this kind; None: there are none."""
    if issubclass(kind, Mapping):
        return lambda part: list(part.values())
    if issubclass(kind, tuple | list):
        return lambda part: part
    if issubclass(kind, Record):
        return lambda part: list(vars(part).values())
    if is_dataclass(kind) and (names := parts_of(kind)):
        of = attrgetter(*names)
        return of if len(names) > 1 else lambda part: (of(part),)
    return None


def exchanged(part: T, how: Mapping[type, Callable[[Any], Any]]) -> T:
    """The same part, what is inside it exchanged: how, by its kind."""
    return cast(T, _exchanged(part, how))


def _exchanged(part: Any, how: Mapping[type, Callable[[Any], Any]]) -> Any:
    kind = part.__class__
    if kind in how:
        return how[kind](part)
    children = _children_of(kind)
    if children is None:
        return part
    old = children(part)
    new = [_exchanged(child, how) for child in old]
    if all(map(is_, new, old)):
        return part
    if issubclass(kind, Mapping):
        return dict(zip(part, new, strict=True))
    if issubclass(kind, Record):
        return part.but(**dict(zip(vars(part), new, strict=True)))
    if issubclass(kind, tuple | list):
        return new if issubclass(kind, list) else tuple(new)
    return replace(part, **dict(zip(parts_of(kind), new, strict=True)))


Parts: TypeAlias = Any  # what `parts` makes: read by name in a template, whose names a test holds against it


def parts(**named: object) -> Parts:
    """What a template reads of one thing, as a frozen record: parts(word=…, table=…)."""
    return Record(**named)


class Finding(Record):
    """What an answer says: words, numbers as text and, as `case`, the name of the sentence that is said.

    Its template writes the sentences. Only a key has it: on a worksheet nothing of it is left to read.
    """


View = Literal["worksheet", "key"]
Afb = Literal["I", "II", "III"]  # Anforderungsbereich


class Given(Enum):
    """Why a cell is printed although an exercise asks for it, or asked for although it is printed."""

    LOOKED_UP = "a row of the table of all words: the exercise is to find it there"
    READ_OFF = "the exercise is to put in order what is printed or worked out elsewhere"
    LEFT_OPEN = "it stands as □ in a line of products, for the pupil's own number"


@dataclass(frozen=True)
class Number:
    """One number on a page: a cell of a quantity or of a weight.

    text: as printed, "" where it is withheld. places: of the quantity; they and `wide` set a blank's width.
    accepted: the range that the key prints beside the value, "" where it is only one unit to either side.
    copied: a blank because another exercise asks for it; no task counts it. given: kept out of that rule.
    """

    name: str
    index: tuple[int, ...]
    text: str
    places: int
    blank: bool = False
    wide: bool = False
    accepted: str = ""
    changed: bool = False
    copied: bool = False
    given: Given | None = None

    @property
    def cell(self) -> CellAddress:
        return self.name, self.index

    @property
    def address(self) -> str:
        return _address(self.index)

    @property
    def bracketed(self) -> str:
        """As a factor of a line: negative ones stand in brackets."""
        return f"({self.text})" if self.text.startswith(MINUS) else self.text


@lru_cache(maxsize=5_000)
def _address(index: tuple[int, ...]) -> str:
    return ",".join(map(str, index))


@dataclass(frozen=True)
class Line:
    """A line worked out for the pupil: 0,9 · 1,1 + 0,1 · 0,3 ≈. Its blanks are left open."""

    parts: tuple[str | Number, ...]

    @property
    def text(self) -> str:
        """The line as the key has it, with brackets around the pupil's own negative numbers too."""
        texts = (part if isinstance(part, str) else part.bracketed if part.blank else part.text
                 for part in self.parts)  # fmt: skip
        return "".join(texts)

    @property
    def blank(self) -> bool:
        return any(isinstance(part, Number) and part.blank for part in self.parts)

    def __add__(self, other: Line | str) -> Line:
        return Line(self.parts + (other.parts if isinstance(other, Line) else (other,)))

    def joined(self, lines: Sequence[Line]) -> Line:
        """The lines with this one between them."""
        whole = Line(())
        for line in lines:
            whole += self + line if whole.parts else line
        return whole

    def cell(self) -> Words | Solution:
        """In a table: as it is, or room for it where a number in it is the pupil's."""
        return Solution(self.text) if self.blank else Words(self.text, small=True)


@dataclass(frozen=True)
class Words:
    """Text of a cell that is the same on sheet and key: a word, a line of products. Escaped when rendered."""

    text: str
    small: bool = False


@dataclass(frozen=True)
class Solution:
    """Text that stands on the key only (an answer in words, a line of products); the sheet has room for it.

    rows: how many ruled lines of 8 mm the room has. number: it is a single number, in a table; cell: where it
    stands in the calculation; accepted: the range printed below it.
    """

    text: str
    blank: bool = True
    rows: int = 1
    number: bool = False
    cell: CellAddress | None = None
    accepted: str = ""


@dataclass(frozen=True)
class Bar:
    """A bar for a share between 0 and 1; empty frame where it is withheld."""

    share: float | None
    blank: bool = False


@dataclass(frozen=True)
class Hidden:
    """A cell that the mask hides."""


@dataclass(frozen=True)
class Vector:
    """Numbers side by side in brackets: (0,8 | 1,4)."""

    numbers: tuple[Number, ...]

    @property
    def blank(self) -> bool:
        return any(number.blank for number in self.numbers)

    @property
    def short(self) -> bool:
        """Whether it stands on one line."""
        return len(self.numbers) <= 4 and self.numbers[0].places <= 2


@dataclass(frozen=True)
class Drawing:
    """SVG shapes in mm, and what they show in words for those who cannot see them."""

    shapes: Markup
    text: str


@dataclass(frozen=True)
class Figure:
    """A picture of width × height mm.

    empty: drawn instead, at the same size, on the worksheet where values are withheld. roots: how many have
    to be taken for drawing it. later: a task further on is what draws into it.
    """

    title: str
    width: float
    height: float
    drawing: Drawing
    empty: Drawing | None = None
    roots: int = 0
    later: bool = False

    @property
    def blank(self) -> bool:
        return self.empty is not None


CellContent = Number | Words | Solution | Bar | Hidden | Vector


@dataclass(frozen=True)
class Row:
    head: str
    cells: tuple[CellContent, ...]
    kind: Literal["plain", "example", "sum"] = "plain"

    @property
    def writable(self) -> bool:
        """Whether a pen writes in this row: it is as high as a hand needs."""
        return any(getattr(cell, "blank", False) for cell in self.cells)


@dataclass(frozen=True)
class Table:
    """Rows of cells under columns; the template knows the columns' headings by `columns`.

    widths: of the columns in mm, the row heads' first; 0 shares what is left. below: rows to fill that are
    too long for the table; they stand below it in boxes, named by `below_columns`. more: the further columns
    of a table that is too wide for the page.
    """

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    widths: tuple[float, ...] = ()
    dense: bool = False
    caption: str = ""
    below: tuple[Row, ...] = ()
    below_columns: tuple[str, ...] = ()
    more: tuple[Table, ...] = ()

    def width_beside(self, most_rows: int) -> float:
        """mm that it takes beside something else; 0 where it needs the page for itself."""
        alone = 0 in self.widths or self.more or self.below or len(self.rows) > most_rows
        return 0.0 if alone else sum(self.widths)

    @property
    def products(self) -> int:
        """How many products stand in its longest line of them."""
        lines = (cell for row in self.rows for cell in row.cells if isinstance(cell, Words) and cell.small)
        return max((line.text.count("·") for line in lines), default=0)


@dataclass(frozen=True)
class Task:
    """Something to do: its number at the sheet, its points (BE; none if it is optional), what it asks for.

    cells: the quantity and index of every number to write. around: it opens a lesson or ends it.
    """

    number: int
    points: int
    afb: Afb
    operator: str
    cells: tuple[tuple[str, tuple[int, ...]], ...] = ()
    around: bool = False


@dataclass(frozen=True)
class Station:
    """One station: its parts under the names that its template uses; name: of its texts in templates/."""

    id: str
    name: str
    parts: Any
    tasks: Mapping[str, Task] = field(default_factory=dict)

    @property
    def points(self) -> int:
        return sum(task.points for task in self.tasks.values())

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        """Every number on its pages, in their order."""
        return tuple(walk(self, Number))


@dataclass(frozen=True)
class Sheet:
    """All stations of one printing, with what head and foot need."""

    sentence: str
    code: str
    stations: tuple[Station, ...]

    @property
    def points(self) -> int:
        return sum(station.points for station in self.stations)

    @property
    def numbers(self) -> Iterator[Number]:
        return chain.from_iterable(station.numbers for station in self.stations)

    def blanks(self) -> list[Number]:
        """Every number that a pupil writes, in the order of the sheet."""
        return [number for number in self.numbers if number.blank]
