"""A page as blocks, which all further formats are written from.

The text of a sheet stands in its templates, so their tree is its one source; in it stand the sheet's own
tables, numbers and tasks. What the reader does not know it looks through: its content is never lost.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final
from xml.etree.ElementTree import Element

from markupsafe import Markup

from generator.output.blocks import text
from generator.output.formats import tree
from generator.output.formats.runs import (
    BOLD,
    PLAIN,
    RunReader,
    bracketed,
    face_in,
    is_left_out,
    number,
    numbers,
    plain,
    tidy,
    words_of,
)
from generator.output.formulas.typeset import Typesetter
from generator.output.html import Html, svg_of
from generator.output.pdf import PdfResult
from generator.output.screen import starts_of
from generator.sheet import page as things
from generator.sheet.page import Objects, Page, lines_of, unbroken
from generator.sheet.sheet import Bar, CellContent, Figure, Hidden, Number, Row, Solution, Task, Vector, Words

_HEADINGS: Final = ("h1", "h2", "h3", "h4")
_IN_LISTS: Final = ("ul", "ol", "li", "dl", "dt", "dd")
_PARTS: Final = ("section", "details", "main", "header", "footer", "article")
_BLOCKS: Final = ("p", "div", "table", *_HEADINGS, *_IN_LISTS, *_PARTS)
_SLOTS_A_ROW: Final = 8
_FORMULAS: Final = (42.0, 79.0, 44.0)  # mm: the collection of formulas
_Runs = Iterable[tree.Run]


def read(page: Page, printed: PdfResult | None = None) -> tree.Page:
    """The page as blocks. printed: its PDF, whose pages are noted."""
    began: Mapping[Element, Sequence[int]] = {}
    if printed is not None:
        html = Html(page.objects, Typesetter("screen"), starts=starts_of(printed))
        html.written(page.root)
        began = html.began
    body = page.root.find("body")
    assert body is not None
    subjects = [element for element in body.iter() if element.get("as") == "subject"]
    subject = plain(subjects[0]) if subjects else ""
    foot = [each for each in body if each.get("as") == "foot"][-1:]  # that of the last page says most
    lines = tuple(line for element in foot for line in lines_of(element))
    pupil = next((plain(element) for element in body.iter() if element.get("as") == "pupil"), "")
    title = page.root.findtext("head/title", "").strip()
    blocks = tuple(_Reader(page.objects, began).blocks(body))
    return tree.Page(title, subject, lines, blocks, page.format.zoom, pupil)


class _Reader(RunReader):
    """began: the pages of the PDF that begin with an element, or inside it."""

    def __init__(self, objects: Objects, began: Mapping[Element, Sequence[int]]) -> None:
        super().__init__(objects)
        self._began = began

    def blocks(self, element: Element, role: str = "", face: tree.Words = PLAIN) -> Iterator[tree.Block]:
        """What stands in an element; text between its blocks becomes paragraphs of this role."""
        pending: list[tree.Run] = [*words_of(element.text, face)]
        for child in element:
            if is_left_out(child):
                pass
            elif any(part.tag in _BLOCKS for part in child.iter()):
                yield from _paragraph(pending, role)
                pending = []
                yield from (
                    self._block(child)
                    if child.tag in _BLOCKS
                    else self.blocks(child, role, face_in(child, face))
                )
            else:
                pending += self.runs_of(child, face)
            pending += words_of(child.tail, face)
        yield from _paragraph(pending, role)

    def _block(self, element: Element) -> Iterator[tree.Block]:
        for part in element.iter() if element.tag in ("table", "ul", "ol") else (element,):
            yield from map(tree.PageStart, self._began.get(part, ()))
        thing = self.objects.of(element)
        if thing is None:
            yield from self._prose(element, element.get("as", ""))
        else:
            yield from self._thing(element, thing)

    def _thing(self, element: Element, thing: Any) -> Iterator[tree.Block]:
        match thing:
            case Task():
                yield self._task(element, thing)
            case things.Heading():
                yield tree.Heading(1, tidy(self.inner(element)))
            case things.Answer(lines):
                yield tree.Answer(lines, tuple(self.blocks(element)))
            case things.Room(solution):
                said = tuple(_paragraph(words_of(unbroken(text(solution.text).unescape()), BOLD)))
                yield tree.Answer(1 if said else solution.rows, said)
            case things.Grid():
                yield self._grid(thing)
            case things.Slots():
                yield from self._slots(thing)
            case Figure():
                yield _figure(thing)

    def _prose(self, element: Element, kind: str) -> Iterator[tree.Block]:
        """kind: what the template says that it is (`as`); its classes name styles alone."""
        if element.tag in _HEADINGS:
            level = 0 if kind == "title" else int(element.tag[1])
            yield tree.Heading(level, tidy(self.inner(element)))
        elif element.tag == "table":
            yield self._table(element)
        elif element.tag in ("ul", "ol"):
            entries = tuple(tuple(self.blocks(item)) for item in element)
            yield tree.Items(entries, element.tag == "ol", element.get("class", ""))
        elif element.tag == "section" and kind == "station":
            station = element.get("screen-id", "").removeprefix("station-")
            yield tree.Station(station, tuple(self.blocks(element)))
        elif kind == "head":
            yield tree.Paragraph(tidy(self.inner(element)), "sheet-head")
        elif kind == "columns":
            yield from self._columns(element)
        elif kind == "symbols":
            columns = self._columns(element)
            yield from (replace(b, role="symbols") if isinstance(b, tree.Items) else b for b in columns)
        elif kind == "formulas":
            yield self._formulas(element)
        elif kind == "strip":
            figures = (self.objects.of(part) for part in element.iter("div"))
            yield from (replace(_figure(each), role="strip") for each in figures if isinstance(each, Figure))
        elif kind.startswith("box "):
            yield tree.Box(kind.removeprefix("box "), tuple(self.blocks(element)))
        elif element.tag == "dt":
            yield from self.blocks(element, "term", BOLD)
        else:
            role = " ".join([*element.get("class", "").split(), *["described"] * (element.tag == "dd")])
            yield from self.blocks(element, role if element.tag in ("p", "dd") else "")

    def _columns(self, element: Element) -> Iterator[tree.Block]:
        """What stands side by side: first how, then all of it."""
        columns = [tuple(self.blocks(part) if part.tag == "div" else self._block(part)) for part in element]
        yield tree.Beside(tuple(map(len, columns)), tuple(map(_width, element)))
        yield from (block for column in columns for block in column)

    def _task(self, element: Element, task: Task) -> tree.Task:
        blocks: list[tree.Block] = []
        for part in element:
            if part.get("as") not in ("number", "credit"):
                blocks += [*map(tree.PageStart, self._began.get(part, ())), *self.blocks(part)]
        points = next(plain(part) for part in element if part.get("as") == "credit")
        return tree.Task(str(task.number), points.removeprefix("/").strip(), tuple(blocks))

    # --- tables ---------------------------------------------------------------------------------------------

    def _grid(self, grid: things.Grid) -> tree.Table:
        head = tuple(self._head(each) for each in grid.heads)
        rows = tuple(self._row(row) for row in grid.table.rows)
        widths = tuple(round(width, 1) for width in grid.table.widths)
        caption = self.markup(text(grid.caption), BOLD) if grid.caption else ()
        return tree.Table(head, rows, widths, caption)

    def _head(self, said: Markup) -> tree.TableCell:
        runs = self.markup(said)
        return tree.TableCell((tree.Paragraph(runs),) if runs else (), heading=True)

    def _row(self, row: Row) -> tree.Row:
        return tree.Row((self._head(text(row.head)), *map(_cell, row.cells)), row.kind)

    def _slots(self, slots: things.Slots) -> Iterator[tree.Table]:
        """A row to fill that stands in boxes: as tables of a few columns, each box under its name."""
        label = self._head(text(f"{slots.row.head}:"))
        numbers = [cell for cell in slots.row.cells if isinstance(cell, Number)]
        named = list(zip(slots.heads, numbers, strict=False))
        for start in range(0, len(named), _SLOTS_A_ROW):
            some = named[start : start + _SLOTS_A_ROW]
            heads = (self._head(head) for head, _ in some)
            cells = (tree.TableCell((tree.Paragraph((number(n),)),), write=True) for _, n in some)
            yield tree.Table((tree.TableCell((), True), *heads), (tree.Row((label, *cells)),))

    def _table(self, element: Element) -> tree.Table:
        """A table that a template wrote, not the sheet."""
        caption = element.find("caption")
        head = element.find("thead/tr")
        rows = [row for row in element.iter("tr") if row is not head]
        return tree.Table(
            self._cells(head) if head is not None else (),
            tuple(tree.Row(self._cells(row), row.get("as", "plain")) for row in rows),
            tuple(map(_width, element.iter("col"))),
            tidy(self.inner(caption, BOLD)) if caption is not None else (),
        )

    def _cells(self, row: Element) -> tuple[tree.TableCell, ...]:
        """One for each column: what reaches over several stands in the first of them."""
        cells: list[tree.TableCell] = []
        for element in row:
            if (cell := self.objects.of(element)) is not None:
                cells.append(_cell(cell))
                continue
            cells.append(tree.TableCell(tuple(self.blocks(element)), element.tag == "th"))
            cells += [tree.TableCell(())] * (int(element.get("colspan", "1")) - 1)
        return tuple(cells)

    def _formulas(self, element: Element) -> tree.Table:
        """The collection of formulas: name, formula, shape."""
        order = ("name", "text", "shape")
        rows = []
        for row in element:
            parts = {part.get("as"): tuple(self.blocks(part)) for part in row}
            cells = (tree.TableCell(parts.get(name, ()), name == order[0]) for name in order)
            rows.append(tree.Row(tuple(cells)))
        return tree.Table((), tuple(rows), _FORMULAS)


def _paragraph(runs: _Runs, role: str = "") -> Iterator[tree.Paragraph]:
    """One paragraph, or none where nothing is said."""
    tidied = bracketed(tidy(runs))
    if tidied:
        yield tree.Paragraph(tidied, role)


def _cell(cell: CellContent) -> tree.TableCell:
    write = getattr(cell, "blank", False) and not isinstance(cell, Bar)
    return tree.TableCell(tuple(_paragraph(_in_cell(cell))), False, write, isinstance(cell, Hidden))


def _in_cell(cell: CellContent) -> Iterator[tree.Run]:
    match cell:
        case Number():
            yield number(cell)
        case Vector(row):
            yield from numbers(row)
        case Solution(words) if words:
            yield replace(BOLD, text=unbroken(words))
            if cell.number and cell.accepted:
                yield tree.Words(f" ({cell.accepted.replace(' bis ', '…')})", mark="small")
        case Bar(share):
            yield tree.Bar(share)
        case Words(words):
            yield tree.Words(unbroken(words))


def _figure(figure: Figure) -> tree.Figure:
    told = figure.drawing.text
    return tree.Figure(figure.title, told, svg_of(figure, "screen"), figure.width, figure.height)


def _width(element: Element) -> float:
    """The width that an element's style names, in mm; 0 for none."""
    said = element.get("screen-style", element.get("style", ""))
    _, _, width = said.partition("width:")
    return float(width.removesuffix("mm")) if width.endswith("mm") else 0.0
