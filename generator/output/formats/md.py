"""A page as Markdown with LaTeX: for those who carry on in another program.

Formulas stand between dollar signs, tables as pipe tables, lines to write on as rules; pictures lie beside
it. Nothing in it is HTML, which a program that makes a PDF of it would drop.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from generator.output.formats import tree
from generator.sheet.sheet import walk

BLANK: Final = "____"
_LINE: Final = "________"
_RULE: Final = "___"
_HIDDEN: Final = "–"
_BAR_SIGNS: Final = 10
_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>$|~&])")
_LIKE_A_LIST: Final = re.compile(r"^([-+#]|\d+[.)])")
_PLAIN_IN_MATHS: Final = re.compile(r"[A-Za-z0-9 ,.+-]+")


def write(page: tree.Page) -> bytes:
    """The whole page as UTF-8."""
    foot = " \\\n".join(map(escaped, page.foot))
    parts = [*_blocks(page.blocks), *([_RULE, foot] if foot else [])]
    return ("\n\n".join(part for part in parts if part) + "\n").encode()


def beside(page: tree.Page) -> dict[str, bytes]:
    """The pictures of a page: file name -> SVG."""
    return {_file_of(figure): _svg(figure) for figure in walk(page.blocks, tree.Figure)}


def _svg(figure: tree.Figure) -> bytes:
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + figure.svg.encode()


def _file_of(figure: tree.Figure) -> str:
    return f"bild-{hashlib.sha256(_svg(figure)).hexdigest()[:8]}.svg"


def escaped(text: str) -> str:
    """Text in which nothing is read as a sign of Markdown."""
    return _SPECIAL.sub(r"\\\1", text)


def _blocks(blocks: Iterable[tree.Block]) -> Iterator[str]:
    for block in blocks:
        yield from _block(block)


def _block(block: tree.Block) -> Iterator[str]:
    match block:
        case tree.Heading(level, runs):
            yield "#" * max(1, level) + " " + line(runs)
        case tree.Paragraph(runs, role) if role.endswith("-title"):
            bold = (replace(r, bold=True) if isinstance(r, tree.Words | tree.Printed) else r for r in runs)
            yield line(tuple(bold))
        case tree.Paragraph(runs):
            yield _LIKE_A_LIST.sub(r"\\\1", line(runs))
        case tree.Station(_, blocks):
            yield from _blocks(blocks)
        case tree.Box(_, blocks):
            yield _quoted(_blocks(blocks))
        case tree.Task(number, points, blocks):
            first, *others = [*_blocks(blocks), ""]
            before = f"{BLANK} / " if points[:1].isdigit() else ""
            yield f"**{escaped(number)}.** {first} ({before}{escaped(points)})"
            yield from others
        case tree.Answer(lines, blocks):
            yield from _blocks(blocks) if blocks else [_RULE] * lines
        case tree.Figure(title, text):
            yield f"![]({_file_of(block)})"
            yield _quoted([f"**Abbildung: {escaped(title)}.** {escaped(text)}"])
        case tree.Items(entries, numbered):
            yield "\n".join(_item(f"{n}." if numbered else "-", entry) for n, entry in enumerate(entries, 1))
        case tree.Table():
            yield from _table(block)
        case tree.PageStart() | tree.Beside():
            pass


def _quoted(parts: Iterable[str]) -> str:
    text = "\n\n".join(part for part in parts if part)
    return "\n".join(f"> {row}".rstrip() for row in text.split("\n"))


def _item(mark: str, blocks: Iterable[tree.Block]) -> str:
    indent = " " * (len(mark) + 1)
    return f"{mark} " + "\n\n".join(_blocks(blocks)).replace("\n", f"\n{indent}")


def _table(table: tree.Table) -> Iterator[str]:
    if table.caption:
        yield line(table.caption)
    head = table.head or (tree.TableCell(()),) * table.columns
    rule = "|" + " --- |" * table.columns
    rows = [_row(head, table.columns), rule, *(_row(row.cells, table.columns, row) for row in table.rows)]
    yield "\n".join(rows)


def _row(cells: tuple[tree.TableCell, ...], columns: int, row: tree.Row | None = None) -> str:
    texts = [_cell(cell, bold=cell.heading and row is not None) for cell in cells]
    return "| " + " | ".join(texts + [""] * (columns - len(texts))) + " |"


def _cell(cell: tree.TableCell, bold: bool) -> str:
    if cell.hidden:
        return _HIDDEN
    if cell.write and not cell.blocks:
        return BLANK
    text = " ".join(_in_cell(cell.blocks))
    plain = text and not any(sign in text for sign in "$*<")
    return f"**{text}**" if bold and plain else text


def _in_cell(blocks: Iterable[tree.Block]) -> Iterator[str]:
    """The lines of a cell: nothing in it may end the line or open a block."""
    for block in blocks:
        match block:
            case tree.Paragraph(runs) | tree.Heading(_, runs):
                yield line(tuple(map(_inline, runs))).replace("\\\n", " ")
            case tree.Items(entries):
                for entry in entries:
                    yield "• " + " ".join(_in_cell(entry))
            case tree.Answer(_, inner):
                yield " ".join(_in_cell(inner)) or BLANK
            case tree.Box(_, inner) | tree.Task(_, _, inner) | tree.Station(_, inner):
                yield from _in_cell(inner)
            case tree.Figure(title, text):
                yield escaped(f"{title}: {text}")
            case tree.Table(head, rows):
                for row in (tree.Row(head), *rows):
                    yield ", ".join(filter(None, (" ".join(_in_cell(cell.blocks)) for cell in row.cells)))


def _inline(run: tree.Run) -> tree.Run:
    return replace(run, display=False) if isinstance(run, tree.Formula) else run


def line(runs: tree.Runs) -> str:
    return "".join(map(_run, runs)).replace("****", "")  # bold goes on


def _run(run: tree.Run) -> str:
    match run:
        case tree.Words(text, bold, italic, level):
            return _faced(escaped(text), bold, italic, level)
        case tree.Printed(_, text, bold, changed):
            return _faced(escaped(text), bold or changed, False, "line")
        case tree.Blank(_, _, "", _):
            return BLANK
        case tree.Blank(_, _, text, accepted):
            return f"**{escaped(text)}**" + (f" ({escaped(accepted)})" if accepted else "")
        case tree.Formula(latex, _, display):
            source = latex.replace(r"\|", r"\Vert ").replace("|", r"\vert ").strip()  # a bar ends a cell
            return f"$${source}$$" if display else f"${source}$"
        case tree.Field(label, _, text):
            return escaped(label) + " " * bool(label) + (escaped(text) or _LINE) + " "
        case tree.Bar(share):
            return "" if share is None else "█" * max(1, round(share * _BAR_SIGNS))
        case tree.Break():
            return "\\\n"


def _faced(text: str, bold: bool, italic: bool, level: str) -> str:
    """The marks stand beside the words, never beside a space."""
    mark = "**" * bold + "*" * italic
    core = text.strip()
    if not core:
        return text
    if level != "line":
        core = _raised(core, "_" if level == "sub" else "^")
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return f"{before}{mark}{core}{mark[::-1]}{after}"


def _raised(text: str, sign: str) -> str:
    """A subscript or superscript as a formula of its own."""
    inside = text if _PLAIN_IN_MATHS.fullmatch(text) else rf"\text{{{text}}}"
    return f"${sign}{{{inside}}}$"
