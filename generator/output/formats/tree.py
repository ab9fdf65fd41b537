"""What a finished page is made of, for writers of any format: blocks, and runs inside them, as a tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from xml.etree.ElementTree import Element

from engine.trace import CellAddress

Level = Literal["line", "sub", "sup"]


@dataclass(frozen=True)
class Words:
    """Text in one face. mark: „small“ or „changed“ where the page shows it so."""

    text: str
    bold: bool = False
    italic: bool = False
    level: Level = "line"
    mark: str = ""


@dataclass(frozen=True)
class Printed:
    """A number that stands on the page. cell: of its quantity."""

    cell: CellAddress
    text: str
    bold: bool = False
    changed: bool = False


@dataclass(frozen=True)
class Blank:
    """Room for one number; text and accepted are the key's, "" on the worksheet."""

    cell: CellAddress
    places: int
    text: str = ""
    accepted: str = ""
    changed: bool = False


@dataclass(frozen=True)
class Formula:
    """latex: its source. mathml: the same as a tree."""

    latex: str
    mathml: Element
    display: bool = False


@dataclass(frozen=True)
class Field:
    """A short line to write on: for a name, for points. width: in mm. text: what stands on it already."""

    label: str
    width: int
    text: str = ""


@dataclass(frozen=True)
class Bar:
    """A bar of a share between 0 and 1; None where it is to be drawn."""

    share: float | None


@dataclass(frozen=True)
class Break:
    """The line ends here, the paragraph does not."""


Run = Words | Printed | Blank | Formula | Field | Bar | Break
Runs = tuple[Run, ...]


@dataclass(frozen=True)
class Heading:
    level: int
    runs: Runs


@dataclass(frozen=True)
class Paragraph:
    """role: the page's own name for what kind of paragraph it is, "" for plain text."""

    runs: Runs
    role: str = ""


@dataclass(frozen=True)
class TableCell:
    """heading: names its row or column. write: left to the pupil. hidden: by the mask."""

    blocks: tuple[Block, ...]
    heading: bool = False
    write: bool = False
    hidden: bool = False


@dataclass(frozen=True)
class Row:
    """kind: plain, example or sum."""

    cells: tuple[TableCell, ...]
    kind: str = "plain"

    @property
    def writable(self) -> bool:
        return any(cell.write for cell in self.cells)


@dataclass(frozen=True)
class Table:
    """head: the columns' headings, empty where the table has none. widths: in mm, 0 where not said."""

    head: tuple[TableCell, ...]
    rows: tuple[Row, ...]
    widths: tuple[float, ...] = ()
    caption: Runs = ()

    @property
    def columns(self) -> int:
        return max(len(row) for row in (self.head, *(row.cells for row in self.rows)))


@dataclass(frozen=True)
class Box:
    """Blocks that the page frames. kind: board, interim, check, summary, formula-box, bpe-rule."""

    kind: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Task:
    """Something to do. number: on the sheet. points: as printed, without the line to fill; or that it is
    optional.
    """

    number: str
    points: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Answer:
    """Room for an answer; blocks: what is expected, on the key."""

    lines: int
    blocks: tuple[Block, ...] = ()


@dataclass(frozen=True)
class Figure:
    """A picture as SVG of width × height mm. text: what it shows, in words. role: „strip“ above a station."""

    title: str
    text: str
    svg: str
    width: float
    height: float
    role: str = ""


@dataclass(frozen=True)
class Items:
    """role: the page's own name for what kind of list it is: „contents“ of stations, „symbols“ in small."""

    entries: tuple[tuple[Block, ...], ...]
    numbered: bool = False
    role: str = ""


@dataclass(frozen=True)
class Station:
    """A part that begins on a new page; label: what stands before its title, such as 4a."""

    label: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class PageStart:
    """A page of the PDF begins here, or inside the table or list that follows."""

    page: int


@dataclass(frozen=True)
class Beside:
    """The blocks that follow stand side by side on paper: so many in each column, each so many mm wide.

    A width is 0 where none is said: columns of running text.

    Formats with one column need not look at it.
    """

    counts: tuple[int, ...]
    widths: tuple[float, ...]


Block = Heading | Paragraph | Table | Box | Task | Answer | Figure | Items | Station | PageStart | Beside


@dataclass(frozen=True)
class Page:
    """One whole document: a worksheet, a key, the teacher's pages.

    foot: the lines at the foot of a page. zoom: of large print, on pages that lie on their side. pupil: whose
    it is, "" where that is to be written.
    """

    title: str
    subject: str
    foot: tuple[str, ...]
    blocks: tuple[Block, ...]
    zoom: float = 1.0
    pupil: str = ""
