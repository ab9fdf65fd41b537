"""Blocks as plain HTML, as Moodle takes it in a question: formulas in LaTeX, pictures apart."""

import hashlib
import io
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cache
from html import escape
from typing import Final

from generator.output.formats import tree
from generator.output.formats.runs import is_factor
from generator.output.pdf import PdfUnavailable, paginate
from generator.sheet.sheet import walk

OPEN: Final = "…"
PAGE: Final = 2_600  # px that a question may take; Moodle's own frame comes to it
FILES: Final = "@@PLUGINFILE@@/"  # where Moodle keeps the pictures of a question
SCROLLING: Final = '<div style="overflow-x:auto;max-width:100%;margin:6px 0">'
_WIDE: Final = '<span style="display:block;overflow-x:auto;overflow-y:hidden">'  # MathJax breaks no line
BORDER: Final = "border:1px solid #888;padding:3px 6px"


def typed(text: str) -> str:
    """The text with its numbers as a keyboard writes them, so that what is copied from it can be read."""
    return re.sub(r"(?<=\d)\N{NARROW NO-BREAK SPACE}(?=\d)", "", re.sub(r"\N{MINUS SIGN}(?=\d)", "-", text))


@dataclass
class HtmlWriter:
    """blank: what stands in a blank. text: how words are written. pictures: file name -> PNG, met so far."""

    blank: Callable[[tree.Blank], str]
    text: Callable[[str], str] = str
    pictures: dict[str, bytes] = field(default_factory=dict)

    def blocks(self, blocks: Iterable[tree.Block]) -> str:
        return "\n".join(filter(None, map(self._block, blocks)))

    def _block(self, block: tree.Block) -> str:
        match block:
            case tree.Paragraph(_, "sheet-head") | tree.Answer() | tree.PageStart() | tree.Beside():
                return ""
            case tree.Paragraph(runs):
                return f"<p>{self.line(runs)}</p>"
            case tree.Heading(level, runs):
                tag = f"h{max(3, level + 2)}"
                return f"<{tag}>{self.line(runs)}</{tag}>"
            case tree.Station(_, blocks) | tree.Task(_, _, blocks):
                return self.blocks(blocks)
            case tree.Box(_, blocks):
                return f'<div style="{BORDER};margin:6px 0">{self.blocks(blocks)}</div>'
            case tree.Figure():
                return self._figure(block)
            case tree.Items(entries, numbered):
                tag = "ol" if numbered else "ul"
                return f"<{tag}>{''.join(f'<li>{self.blocks(entry)}</li>' for entry in entries)}</{tag}>"
            case tree.Table():
                return self._table(block)

    def line(self, runs: tree.Runs) -> str:
        """Runs of text; a negative factor or summand that fills a blank stands in brackets."""
        said: list[str] = []
        for n, run in enumerate(runs):
            text = self._run(run)
            negative = isinstance(run, tree.Blank) and text.startswith(("-", "\N{MINUS SIGN}"))
            said.append(f"({text})" if negative and is_factor(runs, n) else text)
        return "".join(said)

    def _run(self, run: tree.Run) -> str:
        match run:
            case tree.Words(text, bold, italic, level):
                said = escape(self.text(text), quote=False)
                tags = ["b"] * bold + ["i"] * italic + [level] * (level != "line")
                return "".join(f"<{tag}>" for tag in tags) + said + "".join(f"</{tag}>" for tag in tags[::-1])
            case tree.Printed(_, text):
                return escape(self.text(text))
            case tree.Blank():
                return self.blank(run)
            case tree.Formula(latex, _, display):
                said = escape(latex, quote=False)
                return f"{_WIDE}\\[{said}\\]</span>" if display else rf"\({said}\)"
            case tree.Field() | tree.Bar():
                return ""
            case tree.Break():
                return "<br>"

    def _figure(self, figure: tree.Figure) -> str:
        data = png(figure.svg, figure.width, figure.height)
        said = escape(self.text(f"{figure.title}: {figure.text}" if figure.text else figure.title))
        if data is None:
            return f"<p>{said}</p>"
        name = f"bild-{hashlib.sha256(data).hexdigest()[:12]}.png"
        self.pictures[name] = data
        return f'<p><img src="{FILES}{name}" alt="{said}" style="max-width:100%"></p>'

    def _table(self, table: tree.Table) -> str:
        table = _without_bars(table)
        caption = f"<caption>{self.line(table.caption)}</caption>" if table.caption else ""
        head = f"<tr>{''.join(self._cell(cell, 'col') for cell in table.head)}</tr>" if table.head else ""
        rows = "".join(
            f"<tr>{''.join(self._cell(cell, 'row') for cell in row.cells)}</tr>" for row in table.rows
        )
        return f'{SCROLLING}<table style="border-collapse:collapse">{caption}{head}{rows}</table></div>'

    def _cell(self, cell: tree.TableCell, scope: str) -> str:
        inside = "<br>".join(
            self.line(block.runs) if isinstance(block, tree.Paragraph) else self._block(block)
            for block in cell.blocks
        )
        said = "verdeckt" if cell.hidden else inside or OPEN * cell.write
        tag, named = ("th", f' scope="{scope}"') if cell.heading else ("td", "")
        return f'<{tag}{named} style="{BORDER}">{said}</{tag}>'


def _without_bars(table: tree.Table) -> tree.Table:
    """Without the columns of bars, which are drawn on paper."""
    rows = (table.head, *(row.cells for row in table.rows))
    bars = {n for cells in rows for n, cell in enumerate(cells) if any(walk(cell.blocks, tree.Bar))}

    def rest(cells: tuple[tree.TableCell, ...]) -> tuple[tree.TableCell, ...]:
        return tuple(cell for n, cell in enumerate(cells) if n not in bars)

    return replace(
        table, head=rest(table.head), rows=tuple(replace(r, cells=rest(r.cells)) for r in table.rows)
    )


def height(blocks: Iterable[tree.Block]) -> int:
    """About how many pixels they take in a browser window of 1,280: a page of questions has an end.

    The same for every sheet of a class, whatever its numbers.
    """
    return sum(map(_height, blocks))


def _height(block: tree.Block) -> int:
    match block:
        case tree.Answer() | tree.PageStart() | tree.Beside():
            return 0
        case tree.Paragraph(runs):
            return 56 + 30 * sum(isinstance(run, tree.Formula) and run.display for run in runs)
        case tree.Heading():
            return 40
        case tree.Table(head, rows):
            return 40 * (len(rows) + bool(head)) + 20
        case tree.Figure(_, _, _, _, tall):
            return round(tall * _PIXELS_PER_MM) + 16
        case tree.Items(entries):
            return sum(map(height, entries))
        case tree.Box(_, inside):
            return height(inside) + 20
        case tree.Station(_, inside) | tree.Task(_, _, inside):
            return height(inside)


_PIXELS_PER_MM: Final = 96 / 25.4
_DOTS_PER_INCH: Final = 250
_POINTS_PER_INCH: Final = 72
_GREYS: Final = 16


@cache
def png(svg: str, width: float, height: float) -> bytes | None:
    """The picture of width × height mm in shades of grey; None where the libraries of the PDF are missing."""
    page = f"@page {{ size: {width}mm {height}mm; margin: 0 }} svg {{ display: block }} body {{ margin: 0 }}"
    html = f'<!doctype html><html lang="de"><head><style>{page}</style></head><body>{svg}</body></html>'
    try:
        data = paginate(html, title="").write()
    except PdfUnavailable:
        return None
    import pypdfium2

    with pypdfium2.PdfDocument(data) as document:
        drawn = document[0].render(scale=_DOTS_PER_INCH / _POINTS_PER_INCH, grayscale=True).to_pil()
    out = io.BytesIO()
    drawn.quantize(_GREYS).save(out, "PNG", optimize=True, dpi=(_DOTS_PER_INCH, _DOTS_PER_INCH))
    return out.getvalue()
