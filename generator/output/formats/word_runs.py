"""Runs of text as WordprocessingML: words in their face, numbers, blanks in a frame, equations."""

from __future__ import annotations

from typing import Final
from xml.sax.saxutils import escape

from generator.output.formats.omml import equation
from generator.output.formats.tree import Bar, Blank, Break, Field, Formula, Printed, Run, Runs, Words

_SPACE: Final = "\N{NO-BREAK SPACE}"
_BLANK_SIZE: Final = 18.0  # pt: a frame of 8 mm, as high as a hand needs
_ACCEPTED_SIZE: Final = 6.5
_SMALL_SIZE: Final = 8.0
_BAR_SIGNS: Final = 8
_MM_OF_A_SPACE: Final = 1.03
_FRAME: Final = '<w:bdr w:val="single" w:sz="10" w:space="0" w:color="000000"/>'

_LEVELS: Final = {
    "line": "",
    "sub": '<w:vertAlign w:val="subscript"/>',
    "sup": '<w:vertAlign w:val="superscript"/>',
}


def written(runs: Runs, in_cell: bool = False, narrow: bool = False) -> str:
    """in_cell: the cell is the frame of its blank. narrow: several blanks share a cell."""
    return "".join(_run(run, in_cell, narrow) for run in runs)


def text(
    words: str,
    *,
    bold: bool = False,
    italic: bool = False,
    level: str = "line",
    size: float = 0.0,
    underlined: str = "",
    frame: bool = False,
) -> str:
    """A run. size: in pt, 0 for that of its paragraph. underlined: kind of the line."""
    if not words:
        return ""
    properties = [
        "<w:b/>" * bold,
        "<w:i/>" * italic,
        f'<w:sz w:val="{round(size * 2)}"/>' if size else "",
        f'<w:u w:val="{underlined}"/>' if underlined else "",
        _FRAME * frame,
        f'<w:vertAlign w:val="{"subscript" if level == "sub" else "superscript"}"/>'
        if level != "line"
        else "",
    ]
    said = "".join(properties)
    face = f"<w:rPr>{said}</w:rPr>" if said else ""
    return f'<w:r>{face}<w:t xml:space="preserve">{escape(words)}</w:t></w:r>'


def _run(run: Run, in_cell: bool, narrow: bool) -> str:
    match run:
        case Words(words, bold, italic, level, mark):
            underlined = "double" if mark == "changed" else ""
            size = _SMALL_SIZE if mark == "small" else 0.0
            return text(words, bold=bold, italic=italic, level=level, underlined=underlined, size=size)
        case Printed(_, _, words, bold, changed):
            return text(words, bold=bold, underlined="double" if changed else "")
        case Blank():
            return _blank(run, in_cell, narrow)
        case Formula(_, mathml, _, display):
            return equation(mathml, display)
        case Field(label, width):
            line = text(_SPACE * round(width / _MM_OF_A_SPACE), underlined="single")
            return text(f"{label} " if label else "") + line + text(" " if label else _SPACE)
        case Bar(share):
            return "" if share is None else text("█" * max(1, round(share * _BAR_SIGNS)), size=6)
        case Break():
            return "<w:r><w:br/></w:r>"


def _blank(blank: Blank, in_cell: bool, narrow: bool) -> str:
    value = text(blank.text, bold=True, underlined="double" if blank.changed else "")
    if in_cell:
        return value + (_accepted(blank, "<w:r><w:br/></w:r>") if blank.accepted else "")
    room = (5 if narrow else 8) + 3 * blank.places
    if not blank.text:
        return text(_SPACE * room, size=_BLANK_SIZE, frame=True)
    beside = _SPACE * max(1, (room * 5 // 3 - 2 * len(blank.text)) // 2)
    framed = text(f"{beside}{blank.text}{beside}", bold=True, frame=True)
    return framed + (_accepted(blank, text(" ")) if blank.accepted else "")


def _accepted(blank: Blank, before: str) -> str:
    return before + text(f"({blank.accepted})", size=_ACCEPTED_SIZE)
