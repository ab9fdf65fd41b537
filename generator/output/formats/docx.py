"""A page as a Word document that a teacher can change: styles, tables, equations."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import TYPE_CHECKING, Any, Final

from generator.output.formats import tree
from generator.output.formats.html import png
from generator.output.formats.word import (
    NUMBERED,
    SPACER,
    Lists,
    contents,
    edge,
    empty,
    marked,
    parsed,
    prepare,
    task_tabs,
    text,
    twips,
    written,
)
from generator.output.formats.word_equations import W
from generator.sheet.fields import PAGE, TEXT_WIDTH
from generator.sheet.sheet import walk

if TYPE_CHECKING:
    from docx.document import Document

_BOXES: Final = {
    "board": "Vergleich",
    "interim": "Zwischenstand",
    "check": "Selbst prüfen",
    "summary": "Zusammenfassung",
}
_ROLES: Final = {
    "aim": "Ziel",
    "board-title": "Kastentitel",
    "interim-title": "Kastentitel",
    "cover-sentence": "Subtitle",
    "worked": "Rechnung",
    "term": "Begriff",
    "index-title": "Begriff",
    "described": "Dicht",
    "sums": "Rechnung",
    "command": "Kasten",
}
_ROW_HEIGHT: Final = 8.2  # mm, for a pen
_HEAD_FILL, _SIDE_FILL = "ECECEC", "F6F6F6"
_INNER: Final = (("top", 25), ("left", 60), ("bottom", 25), ("right", 60))  # twips inside a cell
_INNER_NARROW: Final = (("top", 25), ("left", 5), ("bottom", 25), ("right", 5))
_NUMBER: Final = re.compile(r"[(]?[\N{MINUS SIGN}-]?\d[\d.,]*[)]?")
_DIGIT, _SIDES, _BAR = 1.95, 2.6, 15.5  # mm: a digit in a table, what a cell keeps free, a full bar
_SMALLER: Final = 0.74  # letters of more columns
_MOST_COLUMNS: Final = 10  # more stand in a smaller face
_MOST_LINES: Final = 30  # a longer table may go on on the next page
_LETTER: Final = 1.75  # mm that a letter in a table takes
_GAP: Final = 4.6  # mm between what stands side by side
_APP: Final = (
    b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    b'<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties">'
    b"<Application>Papierformer</Application></Properties>"
)
_LETTERS: Final = re.compile(r'(<w:(?:sz|szCs) w:val=")(\d+)(")')
_LENGTHS: Final = re.compile(r'(<w:(?:tab [^>]*w:pos|gridCol w:w|tcW w:w|tblW w:w)=")(\d+)(")')
_WIDER: Final = (PAGE[1] - PAGE[0] + TEXT_WIDTH) / TEXT_WIDTH  # the text of a page on its side
_HIGHEST: Final = 140.0  # mm of a picture there
_STAMP: Final = (1980, 1, 1, 0, 0, 0)  # the same page gives the same bytes


def write(page: tree.Page) -> bytes:
    """The whole page as .docx."""
    document = empty(page.title)
    prepare(document, page)
    writer = _Writer(document, Lists(document), page.zoom)
    body = document.element.body
    for old in list(body)[:-1]:
        body.remove(old)
    for element in parsed(f"<w:body {W}>{writer.blocks(page.blocks)}</w:body>"):
        body.insert(len(body) - 1, element)
    return packed(document, page.zoom)


def packed(document: Document, zoom: float = 1.0) -> bytes:
    """The document's package without the time of its making and what the library's file says of itself.

    zoom: of large print.
    """
    made, out = io.BytesIO(), io.BytesIO()
    document.save(made)
    with zipfile.ZipFile(made) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            content = _APP if name == "docProps/app.xml" else old.read(name)
            if zoom != 1 and name.startswith("word/") and name.endswith(".xml"):
                content = _enlarged(content.decode(), zoom).encode()
            new.writestr(zipfile.ZipInfo(name, _STAMP), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _enlarged(xml: str, zoom: float) -> str:
    """Letters by the zoom; what is as wide as the text, by what a page on its side has more."""
    xml = _LETTERS.sub(lambda m: f"{m[1]}{round(int(m[2]) * zoom)}{m[3]}", xml)
    return _LENGTHS.sub(lambda m: f"{m[1]}{round(int(m[2]) * _WIDER)}{m[3]}", xml)


@dataclass
class _Writer:
    """Writes blocks; the document keeps the pictures.

    zoom: of large print. drawn, headed: pictures and headings so far. covered: whether anything has a heading
    yet: a station begins on a new page, but not the first without a cover. task: the list that tasks are in,
    and the last number in it. room: how wide the column is, in mm.
    """

    document: Document
    lists: Lists
    zoom: float
    drawn: int = 0
    headed: int = 0
    covered: bool = False
    room: float = TEXT_WIDTH
    task: tuple[int, int] = (0, -1)

    def blocks(self, blocks: Iterable[tree.Block], style: str = "") -> str:
        waiting = list(blocks)
        parts: list[str] = []
        while waiting:
            block = waiting.pop(0)
            if isinstance(block, tree.Beside) and self.zoom == 1 and self.room == TEXT_WIDTH:
                parts.append(self._columns(block, waiting, style))
                del waiting[: sum(block.counts)]
                continue
            part = self.block(block, style)
            then = next((each for each in waiting if not isinstance(each, tree.PageStart)), None)
            kept = isinstance(block, tree.Paragraph) and isinstance(then, tree.Table | tree.Beside)
            parts.append(_marked(part, "<w:keepNext/>") if kept else part)
        return "".join(parts)

    def _columns(self, beside: tree.Beside, blocks: Sequence[tree.Block], style: str) -> str:
        """The first of the blocks side by side, in a table without rules."""
        cells, start, last = "", 0, len(beside.counts) - 1
        running = not any(beside.widths)
        shared = (TEXT_WIDTH - last * _GAP) / (last + 1)
        widths = [(width or shared) + _GAP * (n < last) for n, width in enumerate(beside.widths)]
        for n, (count, width) in enumerate(zip(beside.counts, widths, strict=True)):
            self.room = width - _GAP * (n < last)
            inside = self.blocks(blocks[start : start + count], "Dicht" if running else style)
            start += count
            end = "" if inside.endswith("</w:p>") else paragraph(SPACER, "")
            sides = f'<w:tcMar><w:left w:w="0" w:type="dxa"/>{_free(_GAP * (n < last))}</w:tcMar>'
            size = f'<w:tcW w:w="{twips(width)}" w:type="dxa"/>'
            cells += f"<w:tc><w:tcPr>{size}{sides}</w:tcPr>{inside}{end}</w:tc>"
        self.room = TEXT_WIDTH
        whole = "" if running else "<w:trPr><w:cantSplit/></w:trPr>"
        row = f"<w:tr>{whole}{cells}</w:tr>"
        size = f'<w:tblW w:w="{twips(sum(widths))}" w:type="dxa"/><w:tblLayout w:type="fixed"/>'
        grid = "".join(f'<w:gridCol w:w="{twips(width)}"/>' for width in widths)
        sides = f'<w:tblCellMar><w:left w:w="0" w:type="dxa"/>{_free(0)}</w:tblCellMar>'
        table = f"<w:tblPr>{size}{sides}</w:tblPr><w:tblGrid>{grid}</w:tblGrid>{row}"
        return f"<w:tbl>{table}</w:tbl>{paragraph(SPACER, '')}"

    def block(self, block: tree.Block, style: str = "") -> str:
        match block:
            case tree.Heading(0, runs):
                self.covered = True
                return paragraph("Title", written(runs))
            case tree.Heading(1, runs):
                self.covered = True
                self.headed += 1
                return paragraph("Heading 1", marked(self.headed, written(runs)))
            case tree.Heading(level, runs):
                return paragraph(f"Heading {level}", written(runs))
            case tree.Paragraph(_, "sheet-head") | tree.PageStart() | tree.Beside():
                return ""
            case tree.Paragraph(runs, role):
                named = next((_ROLES[name] for name in role.split() if name in _ROLES), style)
                return paragraph(named, written(runs))
            case tree.Station(_, blocks):
                first, self.covered = not self.covered, True
                inside = self.blocks(blocks)
                return inside if first else _marked(inside, "<w:pageBreakBefore/>", 1)
            case tree.Box(kind, blocks):
                return self.blocks(blocks, _BOXES.get(kind, "Kasten"))
            case tree.Task():
                return self._task(block)
            case tree.Answer(lines, blocks):
                return self.blocks(blocks, "Erwartung") if blocks else paragraph("Schreiblinie", "") * lines
            case tree.Figure():
                return self._figure(block)
            case tree.Items(entries, role="contents"):
                return contents([written(line.runs) for line in walk(entries, tree.Paragraph)])
            case tree.Items(entries, role="symbols"):
                return "".join(self.blocks(entry, "Zeichen") for entry in entries)
            case tree.Items(entries, numbered):
                listed = self.lists.new("list", 1) if numbered else 0
                return "".join(self._item(entry, listed) for entry in entries)
            case tree.Table():
                return self._table(block)

    def _item(self, entry: Sequence[tree.Block], number: int) -> str:
        """number: of its list, 0 for one with bullets."""
        style = "List Number" if number else "List Bullet"
        lines = self.blocks(entry[:1], style)
        if number:
            lines = lines.replace("</w:pPr>", NUMBERED.format(number) + "</w:pPr>", 1)
        return lines + self.blocks(entry[1:], "List Continue")

    def _task(self, task: tree.Task) -> str:
        of = f"/ {task.points}".replace(" ", "\N{NO-BREAK SPACE}")  # never broken over two lines
        line = written((tree.Field("", 8),)) + text(of, size=9)
        credit = line if task.points[:1].isdigit() else text(task.points, size=9)
        points = f"<w:r><w:tab/></w:r>{credit}"
        number, (inside, last) = int(task.number), self.task
        self.task = (inside if number == last + 1 else self.lists.new("task", number)), number
        first, *others = task.blocks or (tree.Paragraph(()),)
        runs = written(first.runs) if isinstance(first, tree.Paragraph) else ""
        line = paragraph("Aufgabe", runs + points)
        place = NUMBERED.format(self.task[0]) + task_tabs(self.room) * (self.room != TEXT_WIDTH)
        return line.replace("</w:pPr>", place + "</w:pPr>", 1) + self.blocks(others)

    def _figure(self, figure: tree.Figure) -> str:
        from docx.shared import Mm

        data = png(figure.svg, figure.width, figure.height)
        if data is None:
            return paragraph("", text(f"{figure.title}: {figure.text}"))
        width = min(figure.width, self.room)
        if self.zoom != 1:
            width *= min(_WIDER, _HIGHEST / figure.height)
        inline: Any = self.document.part.new_pic_inline(io.BytesIO(data), width=Mm(width))
        for side in ("T", "B", "L", "R"):  # where nothing is said, LibreOffice keeps 3 mm free
            inline.set(f"dist{side}", "0")
        inline.docPr.set("descr", f"{figure.title}: {figure.text}" if figure.text else figure.title)
        inline.docPr.set("title", figure.title)
        self.drawn += 1
        for properties in inline.xpath("wp:docPr | .//pic:cNvPr"):
            properties.set("id", str(self.drawn))
        return paragraph("", f"<w:r><w:drawing>{inline.xml}</w:drawing></w:r>")

    def _table(self, table: tree.Table) -> str:
        larger = max(1.0, self.zoom / _WIDER)
        needed = [larger * _longest_number(table, column) for column in range(table.columns)]
        small = table.columns > _MOST_COLUMNS or sum(needed) > self.room
        widths = _widths(table, [n * _SMALLER if small else n for n in needed], self.room)
        grid = "".join(f'<w:gridCol w:w="{twips(width)}"/>' for width in widths)
        rows = [self._row(tree.Row(table.head), widths, small, head=True)] if table.head else []
        rows += [self._row(row, widths, small) for row in table.rows]
        together = len(rows) if _lines(table, widths) <= _MOST_LINES else 2  # never its head alone
        kept = [
            _marked(row, "<w:keepNext/>") if n < together or len(rows) - n == 2 else row
            for n, row in enumerate(rows[:-1])
        ] + rows[-1:]
        caption = paragraph("Caption", written(table.caption)) if table.caption else ""
        look = f'<w:tblLook w:firstRow="{int(bool(table.head))}" w:firstColumn="1" w:noVBand="1"/>'
        size = f'<w:tblW w:w="{twips(sum(widths))}" w:type="dxa"/><w:tblLayout w:type="fixed"/>'
        inner = _INNER_NARROW if small else _INNER
        sides = "".join(f'<w:{side} w:w="{width}" w:type="dxa"/>' for side, width in inner)
        margins = f"<w:tblCellMar>{sides}</w:tblCellMar>"
        properties = f'<w:tblPr><w:tblStyle w:val="TableGrid"/>{size}{margins}{look}</w:tblPr>'
        after = paragraph(SPACER, "")
        return f"{caption}<w:tbl>{properties}<w:tblGrid>{grid}</w:tblGrid>{''.join(kept)}</w:tbl>{after}"

    def _row(self, row: tree.Row, widths: Sequence[float], small: bool, head: bool = False) -> str:
        height = f'<w:trHeight w:val="{twips(_ROW_HEIGHT)}" w:hRule="atLeast"/>' if row.writable else ""
        repeated = "<w:tblHeader/>" if head else ""
        padded = [*row.cells, *[tree.TableCell(())] * (len(widths) - len(row.cells))]
        inside = "".join(
            self._cell(cell, row, width, small, head) for cell, width in zip(padded, widths, strict=True)
        )
        return f"<w:tr><w:trPr><w:cantSplit/>{height}{repeated}</w:trPr>{inside}</w:tr>"

    def _cell(self, cell: tree.TableCell, row: tree.Row, width: float, small: bool, head: bool) -> str:
        style = "In enger Tabelle" if small else "In der Tabelle"
        inside = "".join(
            self._in_cell(_bold(block) if cell.heading else block, style, head or _short(cell))
            for block in cell.blocks
        )
        fill = _HEAD_FILL if head else _SIDE_FILL if cell.heading else ""
        shade = f'<w:shd w:val="clear" w:color="auto" w:fill="{fill}"/>' if fill else ""
        if cell.hidden:
            shade = '<w:shd w:val="thinDiagStripe" w:color="999999" w:fill="FFFFFF"/>'
        sides = ("top", "left", "bottom", "right") if cell.write else ("top",) * (row.kind == "sum")
        thick = "".join(edge(side, "single", 12) for side in sides)
        edges = f"<w:tcBorders>{thick}</w:tcBorders>" if thick else ""
        properties = f'<w:tcW w:w="{twips(width)}" w:type="dxa"/>{edges}{shade}<w:vAlign w:val="center"/>'
        return f"<w:tc><w:tcPr>{properties}</w:tcPr>{inside or paragraph(style, '')}</w:tc>"

    def _in_cell(self, block: tree.Block, style: str, centred: bool) -> str:
        if not isinstance(block, tree.Paragraph):
            return self.block(block, style)
        alone = sum(1 for _ in walk(block, tree.Blank)) == 1
        return paragraph(style, written(block.runs, in_cell=alone), centred)


def _marked(xml: str, mark: str, count: int = 0) -> str:
    """The first so many paragraphs (0: all) with one more property, in the place that Word asks for."""
    return re.sub(r"<w:pPr>(<w:pStyle [^>]*/>)?", rf"\g<0>{mark}", xml, count=count)


def paragraph(style: str, inside: str, centred: bool = False) -> str:
    named = f'<w:pStyle w:val="{style.replace(" ", "")}"/>' if style else ""
    placed = '<w:jc w:val="center"/>' if centred else ""
    return f"<w:p><w:pPr>{named}{placed}</w:pPr>{inside}</w:p>"


def _short(cell: tree.TableCell) -> bool:
    """A number, a formula or a bar: it stands in the middle."""
    runs = [run for block in cell.blocks if isinstance(block, tree.Paragraph) for run in block.runs]
    words = sum(len(run.text) for run in runs if isinstance(run, tree.Words))
    bars = any(isinstance(run, tree.Bar) for run in runs)
    return bool(runs) and not cell.heading and words <= 2 and not bars


def _bold(block: tree.Block) -> tree.Block:
    if not isinstance(block, tree.Paragraph):
        return block
    bold = (replace(run, bold=True) if isinstance(run, tree.Words) else run for run in block.runs)
    return tree.Paragraph(tuple(bold), block.role)


def _longest_number(table: tree.Table, column: int) -> float:
    """How wide a column is to be, in mm, so that no number and no bar breaks."""
    rows = (tree.Row(table.head), *table.rows)
    cells = [row.cells[column] for row in rows if column < len(row.cells)]
    bar = any(run.share is not None for cell in cells for run in walk(cell.blocks, tree.Bar))
    lines = (line.runs for cell in cells for line in walk(cell.blocks, tree.Paragraph))
    texts = ("".join(getattr(run, "text", " ") for run in runs) for runs in lines)
    numbers = (number for text in texts for number in _NUMBER.findall(text))
    wide = (_DIGIT * (len(number) - number.count(",") / 2) + _SIDES for number in numbers)
    return max(wide, default=0.0) + _BAR * bar


def _free(millimetres: float) -> str:
    """The XML for a margin inside a cell, at its right."""
    return f'<w:right w:w="{twips(millimetres)}" w:type="dxa"/>'


def _lines(table: tree.Table, widths: Sequence[float]) -> int:
    """About how many lines of text a table is high; a row for a pen and a formula take two."""
    count = 0
    for row in table.rows:
        most = 1 + (row.writable or any(walk(row.cells, tree.Formula)))
        for cell, width in zip(row.cells, widths, strict=False):
            letters = sum(len(words.text) for words in walk(cell.blocks, tree.Words))
            most = max(most, ceil(_LETTER * letters / width))
        count += most
    return count


def _widths(table: tree.Table, needed: Sequence[float], room: float) -> list[float]:
    """In mm: those that the page says, the rest shared; no less than needed, never wider than the column."""
    said = [*table.widths, *[0.0] * (table.columns - len(table.widths))][: table.columns]
    open_columns = said.count(0.0)
    if open_columns:
        left = max(room - sum(said), 12.0 * open_columns)
        said = [width or left / open_columns for width in said]
    said = [max(pair) for pair in zip(said, needed, strict=True)]
    spare = [width - least for width, least in zip(said, needed, strict=True)]
    given = min(1.0, max(0.0, sum(said) - room) / (sum(spare) or 1.0))
    said = [width - given * room for width, room in zip(said, spare, strict=True)]
    scale = min(1.0, room / sum(said))
    return [width * scale for width in said]
