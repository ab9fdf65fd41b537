"""A page as a Word document after the E-Buch-Standard: for pupils at a braille display.

The standard asks for Word's own styles alone, tags in angle brackets, formulas in LaTeX, blanks as `_..._`,
and only signs that a braille display knows. Wide tables are read out row by row.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Final

from generator.basics.greek import GREEK_LETTERS
from generator.output.formats import tree
from generator.output.formats.docx import packed
from generator.output.formats.word import empty
from generator.sheet.sheet import walk

if TYPE_CHECKING:
    from docx.document import Document

BLANK: Final = "_..._"
_MOST_COLUMNS: Final = 5  # what a display of 40 signs and a hand on it can keep together
_NOTE: Final = (
    "Eine Lücke ist _..._; überschreibe die drei Punkte. Formeln stehen in LaTeX. "
    "Bilder sind mit ihren Zahlen beschrieben, breite Tabellen Zeile für Zeile vorgelesen. "
    "Balken entfallen, wo sie nur die Zahlen daneben wiederholen. "
    "Doppelte Klammern nennen die Seite des gedruckten Blatts."
)
_DRAWN: Final = re.compile(
    r"\b(?:zeichne|schraffier|markier)\w*|\bverbindet\b|\bmale? im Bild\b|\bdas Lot\b|\btrag\w*\b.* ein\b",
    re.IGNORECASE | re.DOTALL,
)
# What is drawn, and the way to it without eyes: the first that a task speaks of.
_WITHOUT_EYES: Final = (
    ("schlafen", "Schreibe auf, welche Einheiten schlafen."),
    ("Baum", "Schreibe jeden Schritt in eine Zeile: Teil + Teil = neues Teil, dann die Nummer der Regel."),
    (
        "Schwerpunkt",
        "Schreibe zu jedem Wort Score, e^x und Gewicht in eine Zeile, dann den Schwerpunkt als Zahlenpaar "
        "und welche beiden Values ihm am nächsten liegen.",
    ),
    ("Zeiger", "Schreibe zu jedem deiner Wörter die Werte auf; ein Zeiger ist (Sinus | Kosinus)."),
    (
        "Quadrat",
        "Schreibe zu jedem Wort die Seitenlänge in Millimetern: 10 mal Wurzel aus dem Gewicht, gerundet.",
    ),
    (
        "Pfeil",
        "Multipliziere bei jedem Wort die beiden Zahlen mit denen von y und addiere; die größte Summe liegt "
        "am weitesten in Pfeilrichtung. Schreibe die Summen auf.",
    ),
    ("Bänder", "Schreibe die Wörter mit ihren Zahlen auf, die größte zuerst."),
    ("Balken", "Schreibe die Namen mit ihren Zahlen auf, die größte zuerst."),
    ("", "Schreibe auf, was du einzeichnen würdest, mit seinen Zahlen, in der Reihenfolge der Wörter."),
)
# What a braille display does not know, in signs that it knows.
_SIGNS: Final = {
    **dict.fromkeys("\u00a0\u202f\u2009", " "),
    **dict.fromkeys("\u00ad\u2060\u200b", ""),
    **dict.fromkeys("−–‑", "-"),
    **dict.fromkeys("„“”", '"'),
    **{
        "≈": "\\approx ",
        "√": "\\sqrt ",
        "∞": "\\infty",
        "→": "->",
        "←": "<-",
        "…": "...",
        "␣": "_",
        "′": "'",
    },
    **{"Σ": "\\Sigma", "≤": "<=", "≥": ">=", "✓": "ja", "□": BLANK, "↔": "<->", "×": "mal"},
}
_ONLY_A_SIGN: Final = re.compile(r"[.,;:!?]")  # a word of the sentence; read out it would end a part
_DIVIDED: Final = re.compile(r"^: *")  # above a column; read out it would look like the end of a name
_GREEK: Final = {sign: f"\\{name}" for name, sign in GREEK_LETTERS.items()} | {"φ": "\\varphi"}
_LOW: Final = {digit: f"_{n}" for n, digit in enumerate("₀₁₂₃₄₅₆₇₈₉")}
_TABLE: Final = str.maketrans(_SIGNS | _GREEK | _LOW)
_ONLY_LOOKS: Final = re.compile(r"\\(?:left|right|displaystyle)(?![A-Za-z]) ?|\\!")
_ONLY_SPACE: Final = re.compile(r"\\[,;:]|(?<!\\)\\(?=\s)")
_UPRIGHT: Final = re.compile(r"\\(?:mathrm|mathit|mathsf|text|operatorname)\{([^{}]*)\}")


def write(page: tree.Page) -> bytes:
    """The whole page as .docx."""
    document = empty(page.title)
    writer = _Writer(document, asks=any(not blank.text for blank in walk(page.blocks, tree.Blank)))
    if any(walk(page.blocks, tree.PageStart)):
        writer.say("((1))")
    for line in (page.title, *page.foot):
        writer.say(line)
    writer.say(f"<Anmerkung> {_NOTE} </Anmerkung>")
    writer.blocks(page.blocks)
    return packed(document)


def plain(text: str) -> str:
    """The text in signs that a braille display knows."""
    return text.translate(_TABLE)


def tidy(text: str) -> str:
    return re.sub(" {2,}", " ", plain(text)).strip()


def latex(source: str) -> str:
    """The formula without what only moves it about."""
    text = _ONLY_SPACE.sub(" ", _ONLY_LOOKS.sub("", source))
    text = _UPRIGHT.sub(r"\1", _UPRIGHT.sub(r"\1", text)).replace("{,}", ",").replace("{-}", "-")
    return plain(re.sub(r" {2,}", " ", text).strip())


class _Writer:
    """Writes blocks with Word's own styles: nothing has a look of its own. asks: the page has blanks."""

    def __init__(self, document: Document, asks: bool) -> None:
        self._document, self._asks = document, asks

    def say(self, text: str, style: str | None = None) -> None:
        if text.strip():
            self._document.add_paragraph(tidy(text), style)

    def blocks(self, blocks: Iterable[tree.Block]) -> None:
        one_column = (block for block in blocks if not isinstance(block, tree.Beside))
        for with_gaps, some in groupby(one_column, _has_gap):
            self.say("<Lückentext>" * with_gaps)
            for block in some:
                self._block(block)
            self.say("</Lückentext>" * with_gaps)

    def _block(self, block: tree.Block) -> None:
        match block:
            case tree.Paragraph(_, "sheet-head") | tree.Figure(role="strip"):
                pass
            case tree.PageStart(page):
                self.say(f"(({page}))")
            case tree.Heading(level, runs):
                self.say(line(runs), f"Heading {max(1, level)}")
            case tree.Paragraph(runs):
                for part in line(runs).split("\n"):
                    self.say(part)
            case tree.Station(_, blocks):
                self.blocks(blocks)
            case tree.Box(_, blocks):
                self.say("<Rahmen>")
                self.blocks(blocks)
                self.say("</Rahmen>")
            case tree.Task(number, points, blocks):
                self.say(f"Aufgabe {number} ({points})", "Heading 3")
                said = " ".join(texts(block for block in blocks if not isinstance(block, tree.Figure)))
                instruction, rest = blocks[:1], blocks[1:]
                self.blocks(instruction)
                if self._asks and _DRAWN.search(said):
                    way = next(way for drawn, way in _WITHOUT_EYES if drawn in said)
                    self.say(f"<Anmerkung> Ohne Zeichnung: {way} {BLANK} </Anmerkung>")
                self.blocks(rest)
            case tree.Answer(_, blocks):
                self.blocks(blocks or (tree.Paragraph((tree.Words(BLANK),)),))
            case tree.Figure(title, text):
                self.say(f"<Bild> {title}: {text} </Bild>")
            case tree.Items(entries):
                for entry in entries:
                    self.say("- " + " ".join(texts(entry)), "List")
            case tree.Table():
                self._table(block)

    def _table(self, drawn: tree.Table) -> None:
        table = without_bars(drawn)
        self.say("<Tabelle>")
        self.say(line(table.caption))
        if table.columns > _MOST_COLUMNS or not table.head:
            for row in table.rows:
                self.say(read_out(table, row), "List")
        else:
            rows = [tree.Row(table.head), *table.rows]
            grid = self._document.add_table(len(rows), table.columns, "Table Grid")
            for row, cells in zip(rows, grid.rows, strict=True):
                for cell, place in zip(row.cells, cells.cells, strict=False):
                    place.text = tidy(cell_text(cell))
        self.say("</Tabelle>")


def _has_gap(block: tree.Block) -> bool:
    """Whether there is room to write in it, without what it is part of."""
    return isinstance(block, tree.Paragraph | tree.Table) and BLANK in "".join(texts((block,)))


def without_bars(table: tree.Table) -> tree.Table:
    """The table without the columns in which there are only bars."""
    kept = []
    for place in range(table.columns):
        column = [row.cells[place : place + 1] for row in table.rows]
        bars = [next(walk(cells, tree.Bar), None) is not None for cells in column]
        said = [bool("".join(map(cell_text, cells))) for cells in column]
        if not any(bars) or any(words and not bar for words, bar in zip(said, bars, strict=True)):
            kept.append(place)

    def of(cells: tuple[tree.TableCell, ...]) -> tuple[tree.TableCell, ...]:
        return tuple(cells[place] for place in kept if place < len(cells))

    rows = tuple(replace(row, cells=of(row.cells)) for row in table.rows)
    return replace(table, head=of(table.head), rows=rows)


def read_out(table: tree.Table, row: tree.Row) -> str:
    """A row as a sentence: its name, then every column's name with what stands there."""
    names = [_DIVIDED.sub("geteilt durch ", cell_text(cell)) for cell in table.head]
    first, *others = row.cells
    parts = [cell_text(cell) for cell in others]
    columns = names[1:] or [""] * len(parts)
    filled = [(name, part) for name, part in zip(columns, parts, strict=False) if part]
    said = [f"{name}: {part}" if name else part for name, part in filled]
    head = " ".join(filter(None, [*names[:1], cell_text(first)]))
    return ". ".join(filter(None, [head, "; ".join(said)]))


def cell_text(cell: tree.TableCell) -> str:
    if cell.hidden:
        return "verdeckt"
    said = " ".join(texts(cell.blocks)) or (BLANK if cell.write else "")
    return f'"{said}"' if _ONLY_A_SIGN.fullmatch(said) else said


def texts(blocks: Iterable[tree.Block]) -> Iterator[str]:
    """What stands in blocks, as lines of text."""
    for block in blocks:
        match block:
            case tree.Paragraph(runs) | tree.Heading(_, runs):
                yield line(runs).replace("\n", " ")
            case tree.Items(entries):
                for entry in entries:
                    yield from texts(entry)
            case tree.Box(_, inner) | tree.Task(_, _, inner) | tree.Station(_, inner):
                yield from texts(inner)
            case tree.Answer(_, inner):
                yield from texts(inner) if inner else (BLANK,)
            case tree.Figure(title, text):
                yield f"<Bild> {title}: {text} </Bild>"
            case tree.Table(_, rows):
                yield from (read_out(block, row) for row in rows)


def line(runs: tree.Runs) -> str:
    return "".join(map(_run, runs))


def _run(run: tree.Run) -> str:
    match run:
        case tree.Words(text, _, _, level):
            if level == "line":
                return plain(text)
            sign, raised = "_" if level == "sub" else "^", plain(text)
            return sign + (raised if len(raised) == 1 else f"{{{raised}}}")
        case tree.Printed(_, text):
            return plain(text)
        case tree.Blank(_, _, text, accepted):
            return plain(text + f" ({accepted})" * bool(accepted)) if text else BLANK
        case tree.Formula(source):
            return latex(source)
        case tree.Field(label, _, text):
            return f"{label} {plain(text) or BLANK} ".lstrip()
        case tree.Bar(share):
            return BLANK if share is None else f"Balken {round(100 * share)} %"
        case tree.Break():
            return "\n"
