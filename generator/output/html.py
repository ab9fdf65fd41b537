"""A page as HTML, for paper (WeasyPrint) or the screen: what depends on the medium is decided here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import repeat
from typing import Any, Final
from xml.etree.ElementTree import Element

from markupsafe import escape

from generator.basics import fonts
from generator.basics.fonts import Medium
from generator.options.sentence import SENTENCE_ENDS
from generator.output.blocks import text
from generator.output.formulas.typeset import Typesetter
from generator.output.markup import begins_block, with_page_starts
from generator.sheet.fields import MARGIN, NO_FIELD, TEXT_WIDTH, Fields
from generator.sheet.page import (
    Answer,
    Formula,
    Grid,
    Numbers,
    Objects,
    Part,
    Room,
    Sides,
    Slots,
    fragment,
    name_of_row,
    only_formula,
    unbroken,
)
from generator.sheet.sheet import Bar, CellContent, Figure, Number, Row, Solution, Table, Task, Vector, Words

STYLES: Final = "<styles/>"
"""Where the styles stand; what a user typed is escaped and cannot be this."""
_BAR: Final = '<span class="bar">&nbsp;| </span>'
_VOID: Final = frozenset(["br", "col", "hr", "img", "meta"])
_SCROLL: Final = '<div class="scroll">'
_MANY_ROWS: Final = 8
_TO_PAGE: Final = '<span class="leader" aria-hidden="true"></span><span class="to-page">{}</span>'


class Html:
    """Writes what stands on the pages of a sheet.

    fields: to fill in on the screen. both: the key with the worksheet's lines to write on, for a layout that
    both are written with. sides: what is said of a lesson's pages. pages: id -> page, for the contents.
    starts: the blocks that pages begin with, by number, for a browser that prints; `began` says them by
    element. above, end: what stands above the page and at its end. css: at the end of its styles.
    """

    def __init__(
        self,
        objects: Objects,
        typesetter: Typesetter,
        fields: Fields | None = None,
        *,
        both: bool = False,
        sides: Callable[[Sides], str] = lambda sides: "",
        pages: Mapping[str, int] | None = None,
        starts: Mapping[int, int] | None = None,
        above: str = "",
        end: str = "",
        css: str = "",
    ) -> None:
        self._objects, self._typesetter = objects, typesetter
        self._medium = typesetter.medium
        self._fields, self._both, self._sides = fields or Fields(), both, sides
        self._pages, self._starts = pages or {}, starts or {}
        self._above, self._end, self._styles = above, end, css
        self._station, self._task, self._row = "", 0, ""
        self._block = 0
        self.began: dict[Element, list[int]] = {}
        self._out: list[str] = []

    def written(self, element: Element) -> str:
        """An element with all that stands in it."""
        return self._collected(self._element, element)

    def markup(self, markup: str) -> str:
        """HTML of the markup that a template wrote."""
        return self.written(fragment(markup)) if "<" in markup else unbroken(markup)

    def _collected(self, write: Callable[[Element], None], element: Element) -> str:
        before, self._out = self._out, []
        write(element)
        out, self._out = self._out, before
        return "".join(out)

    # --- prose ----------------------------------------------------------------------------------------------

    def _element(self, element: Element) -> None:
        tag, said = element.tag, element.attrib
        if "o" in said and (written := self._thing(element, self._objects.of(element))) is not None:
            self._out.append(self._with_starts(element, written) if self._starts else written)
        elif tag == "o" or said.get("tags", self._medium) != self._medium:
            self._inside(element)
        elif tag == "style":
            self._out.append(f"<style>{''.join(self._css(element))}</style>")
        elif tag == "th" and self._medium == "screen":
            self._out.append(self._shown_head(element))
        else:
            self._tagged(element, tag, said)

    def _tagged(self, element: Element, tag: str, said: Mapping[str, str]) -> None:
        out = self._out
        scrolls = tag == "table" and self._medium == "screen"
        page = self._page(element) if self._starts else ""
        begin = _SCROLL if scrolls else ""
        out.append(f"{begin}<{tag}{page}{self._attributes(tag, said) if said else ''}>")
        if tag in _VOID:
            return
        if tag == "main":
            self._block = 0
            out.append(self._above)
        self._inside(element)
        if said.get("as") == "entry" and (number := self._pages.get(said["href"][1:])):
            out.append(_TO_PAGE.format(number))
        out.append(f"{self._end * (tag == 'body')}</{tag}>{'</div>' * scrolls}")

    def _inside(self, element: Element) -> None:
        out = self._out
        if element.text:
            out.append(escaped(element.text))
        for child in element:
            tail = child.tail or ""
            if child.get("only", self._medium) == self._medium:
                self._element(child)
            elif tail.isspace():
                continue  # its line goes with it
            if tail:
                out.append(escaped(tail))

    def _attributes(self, tag: str, said: Mapping[str, str]) -> str:
        """The attributes that the medium knows."""
        if tag == "body":
            view, *others = said["class"].split() or [""]
            return f' class="{" ".join(filter(None, (self._medium, view, "both" * self._both, *others)))}"'
        given = []
        for name, value in said.items():
            medium, _, rest = name.partition("-")
            if medium in ("pdf", "screen"):
                if medium != self._medium:
                    continue
                name = rest
            if name not in ("o", "as", "only", "tags"):
                given.append(f' {name}="{escape(value)}"')
        if said.get("as") == "number":
            given.append(f' id="t{self._station}-{self._task}"')
        return "".join(given)

    def _css(self, style: Element) -> Sequence[str]:
        parts = [style.text or ""]
        for child in style:
            if child.tag == "styles":
                parts.append(STYLES)
            elif child.get("only") == self._medium:
                parts.append(child.text or "")
            parts.append(child.tail or "")
        return (*parts, self._styles)

    # --- pages of the PDF -----------------------------------------------------------------------------------

    def _page(self, element: Element) -> str:
        """Says that a page begins with the element's tag."""
        if not begins_block(element.tag, element.get("class", "")):
            return ""
        page = self._starts.get(self._block)
        self._block += 1
        if page is None:
            return ""
        self.began[element] = [page]
        return f' data-page="{page}"'

    def _with_starts(self, element: Element, written: str) -> str:
        written, count, pages = with_page_starts(written, self._starts, self._block)
        self._block += count
        if pages:
            self.began[element] = pages
        return written

    # --- things ---------------------------------------------------------------------------------------------

    def _thing(self, element: Element, thing: Any) -> str | None:
        """What is written for a thing; None for one that is written as its template has it."""
        match thing:
            case _ if element.tag == "td":
                return self._cell(thing)
            case Number():
                return self._number(thing)
            case Formula(latex, alt, display):
                return self._typesetter.set(latex, alt, display)
            case Numbers(row, whole):
                return self._numbers(row, (), whole)
            case Grid():
                return self._grid(thing)
            case Slots():
                return self._slots(thing)
            case Figure():
                return f'<div class="figure">{svg_of(thing, self._medium)}</div>'
            case Answer(lines):
                self._answer(element, lines)
                return ""
            case Room():
                return self._room(thing)
            case Sides():
                return self._sides(thing)
            case Part(station):
                self._station, self._task = station.id, 0
            case Task(number):
                self._task = number
        return None

    def _number(self, n: Number, pad: str = "") -> str:
        """pad: spaces before it, so that the commas of a column stand below each other.

        Its name and text are ours: nothing in them is to be escaped.
        """
        changed = " changed" * n.changed
        if not n.blank:
            return f'<span class="n{changed}" {_named(n)}>{pad}{n.text}</span>'
        field = self._fields.number(n, self._station, self._task, row=self._row)
        value = f'<b class="value{changed}">{pad}{n.text}</b>{self._accepted(n, n.text)}' if n.text else ""
        kind = f"blank p{n.places}{' wide' * n.wide}"
        return f'<span class="{kind}" {_named(n)}{field.attributes}>{field.control}{value}</span>'

    def _accepted(self, n: Number | Solution, shown: str) -> str:
        """In a narrow column a range takes two lines. A layout of several keys has room for one at each."""
        if not (n.accepted or self._both):
            return ""
        return f'<small class="accepted">{n.accepted.replace(" bis ", "…") or f"{shown}…{shown}"}</small>'

    def _numbers(self, row: Sequence[Number], pads: Sequence[str], whole: bool) -> str:
        inside = _BAR.join(map(self._number, row, pads or repeat("")))
        return f'<span class="vector{" whole" * whole}">({inside})</span>'

    def _cell(self, cell: CellContent, lines: int = 1, pads: Sequence[str] = ()) -> str:
        """A table's cell; lines: how many its row has for products."""
        field, inside, (pad, *_) = NO_FIELD, "", pads or ("",)
        write = " write" if getattr(cell, "blank", False) else ""
        match cell:
            case Number() if self._medium == "pdf" and not (cell.blank or cell.changed):
                # no element of its own, which layout would take time for
                return f'<td class="number" {_named(cell)}>{pad}{cell.text}</td>'
            case Number():
                kind, inside = f"number{write}", self._number(cell, pad)
            case Vector(numbers):
                kind = f"number{write or ' wrap' * (len(numbers) > 2)}"
                inside = self._numbers(numbers, pads, cell.short)
            case Words(words, small):
                kind, inside = "small" if small else "words", text(words)
                if small and lines > 1:
                    inside = f'<div style="min-height:{1.2 * lines:.1f}em">{inside}</div>'
                return unbroken(f'<td class="{kind}">{inside}</td>')
            case Solution(words):
                kind = f"{'number' if cell.number else 'small'} write"
                if write:
                    field = self._fields.words(self._station, self._task, row=self._row)
                if words:
                    accepted = self._accepted(cell, text(words)) if cell.number else ""
                    inside = unbroken(f'<span class="value">{pad}{text(_seen(words))}</span>{accepted}')
            case Bar(share):
                kind = "barcell"
                if share is not None:
                    inside = f'<span class="gauge" style="width:{100 * share:.0f}%"></span>'
            case _:
                return '<td class="hidden-cell" aria-label="verdeckt"></td>'
        return f'<td class="{kind}"{field.attributes}>{field.control}{inside}</td>'

    # --- tables ---------------------------------------------------------------------------------------------

    def _grid(self, grid: Grid) -> str:
        t = grid.table
        fixed = bool(t.widths) and 0 not in t.widths
        edge = _edge_of(t) if fixed and self._medium == "pdf" else ""
        kinds = {
            "dense": t.dense,
            " tiny": t.dense and len(t.columns) > 18,
            " many": not t.dense and len(t.rows) > _MANY_ROWS,
            " narrow": fixed,
            edge: edge,
        }
        kind = "".join(name for name, has in kinds.items() if has)
        width = f' style="width:{sum(t.widths):.2f}mm"' if fixed and not edge else ""
        widths = "".join(f'<col style="width:{mm:.1f}mm">' if mm else "<col>" for mm in t.widths)
        heads = "".join(self.head(head, ' scope="col"') for head in grid.heads)
        # Sums take as many lines as their products may need, so that rows are as high with other numbers.
        lines = 1 + (14 * t.products + 5) // 92
        rows = "".join(map(self._row_of, t.rows, repeat(lines), grid.pads))
        self._row = ""
        caption = f"<caption>{self.markup(text(grid.caption))}</caption>" if grid.caption else ""
        table = (
            f'<table class="{kind}"{width}>{caption}<colgroup>{widths}</colgroup>\n'
            f"    <thead><tr>{heads}</tr></thead>\n"
            f"    <tbody>{rows}</tbody></table>"
        )
        return f"{_SCROLL}{table}</div>" if self._medium == "screen" else table

    def _row_of(self, row: Row, lines: int, pads: Sequence[Sequence[str]]) -> str:
        self._row = name_of_row(row)
        kind = f"{row.kind}{' writable' * row.writable}"
        long = ' class="long"' if len(row.head) > 11 else ""
        head = self.head(text(row.head), f' scope="row"{long}')
        cells = "".join(map(self._cell, row.cells, repeat(lines), pads))
        return f'      <tr class="{kind}">{head}{cells}</tr>'

    def _slots(self, slots: Slots) -> str:
        numbers = (cell for cell in slots.row.cells if isinstance(cell, Number))
        boxes = "".join(
            f' <span class="slot"><small>{self.markup(head)}</small>{self._number(number)}</span>'
            for head, number in zip(slots.heads, numbers, strict=False)
        )
        return f'<div class="slots"><b>{text(slots.row.head)}:</b>{boxes}</div>'

    def head(self, markup: str, attributes: str = "") -> str:
        """The head of a row or column. On the screen none without words; formulas are read aloud."""
        if self._medium == "screen" and not markup:
            return "<td></td>"
        return f"<th{attributes}>{self.heading(markup)}</th>"

    def heading(self, markup: str) -> str:
        """The words of a table's head."""
        formula = only_formula(fragment(markup), self._objects) if "<" in markup else None
        if formula is None or self._medium == "pdf":
            return self.markup(markup)
        return self._typesetter.aloud(formula.latex, formula.alt)

    def _shown_head(self, element: Element) -> str:
        """A heading of a table that stands in a template."""
        if formula := only_formula(element, self._objects):
            inside = self._typesetter.aloud(formula.latex, formula.alt)
        elif not (inside := self._collected(self._inside, element)):
            return "<td></td>"
        return f"<th{self._attributes('th', element.attrib)}>{inside}</th>"

    # --- room to write and pictures -------------------------------------------------------------------------

    def _rules(self, count: int, kind: str = "") -> str:
        """Lines to write on; of a page for worksheet and key each stands where it would alone."""
        places = (f' style="top:{8 * n}mm"' if self._both else "" for n in range(count))
        return "".join(f'<div class="rule{kind}"{place}></div>' for place in places)

    def _answer(self, element: Element, lines: int) -> None:
        """Ruled lines on the sheet; the expected answer in the same room on the key."""
        page = self._page(element) if self._starts else ""
        expected = len(element) > 0
        field = NO_FIELD if expected else self._fields.words(self._station, self._task)
        self._out.append(f'<div{page} class="answer" style="height:{lines * 8}mm"{field.attributes}>')
        self._inside(element)
        if self._both or not expected:
            self._out.append(field.control or self._rules(lines))
        self._out.append("</div>")

    def _room(self, room: Room) -> str:
        s = room.solution
        field = NO_FIELD
        if s.blank:
            field = self._fields.words(self._station, self._task, row=room.label)
        rules = field.control or self._rules(s.rows, " low")
        value = f'<span class="value">{self.markup(text(_seen(s.text)))}</span>' if s.text else ""
        inside = f"{value}{rules if self._both else ''}" if s.text else rules
        return f'<div class="line" style="height:{s.rows * 8}mm"{field.attributes}>{inside}</div>'


def _seen(words: str) -> str:
    """A mark as the whole answer is seen between quotes alone."""
    return f"„{words}“" if words in SENTENCE_ENDS else words


def _edge_of(t: Table) -> str:
    """Where a table that ends a little before an edge ends when it stands alone. Bars keep their scale."""
    width = sum(t.widths)
    if t.dense or "bar" in t.columns or not TEXT_WIDTH - 2 * MARGIN < width < TEXT_WIDTH:
        return ""
    return " to-text" if width <= TEXT_WIDTH - MARGIN else " to-edge"


def svg_of(f: Figure, medium: Medium) -> str:
    """The picture. PDF readers are told the <title> alone, so there it says everything."""
    told = text(f.drawing.text)
    title = f"{text(f.title)}: {told}" if medium == "pdf" else text(f.title)
    said = f"<title>{title}</title>" + f"<desc>{told}</desc>" * (medium == "screen")
    return unbroken(
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{f.width}mm" height="{f.height}mm" '
        f'viewBox="0 0 {f.width} {f.height}" font-family="{escape(fonts.TEXT_STACK)}">\n'
        f"  {said}{f.drawing.shapes}</svg>"
    )


def escaped(words: str) -> str:
    if "&" in words or "<" in words or ">" in words:
        return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return words


def _named(n: Number) -> str:
    return f'data-q="{n.name}" data-i="{n.address}"'
