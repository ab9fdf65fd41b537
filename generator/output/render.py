"""Sheet, view and medium become one HTML document; its exercises are recorded on the way.

Called for every document of ours. Everything a user typed is escaped.
"""

import contextlib
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemBytecodeCache, __version__
from jinja2.bccache import Bucket

from generator.basics import fonts, reading
from generator.basics.fonts import Medium
from generator.basics.numbers import MINUS
from generator.output.blocks import Blocks, printed
from generator.output.formulas.shapes import ROOM
from generator.output.formulas.typeset import Typesetter, formulas, tex_text
from generator.sheet.fields import TEXT_WIDTH, Fields, PageFormat, blanks_css, page_format
from generator.sheet.record import RecordedStation, Recorder
from generator.sheet.sheet import Number, Sheet, View
from generator.sheet.whole_sheet import withheld

VIEWS: Final[dict[View, str]] = {"worksheet": "arbeitsblatt", "key": "loesung"}
TO_FILL: Final = "-ausfuellbar"
# What a user typed is escaped and cannot be this; the fonts hold the page's signs, so styles come last.
_STYLES_MARK = "<styles/>"
# No line of a sum ends with +.
_IN_A_SUM: Final = re.compile(r"\+ (?<=[\d)>] \+ )(?=[\d(<\N{MINUS SIGN}])")


@dataclass(frozen=True)
class Document:
    """One document; name: of its files, without an ending; form: its blanks are fields."""

    name: str
    title: str
    html: str
    stations: tuple[RecordedStation, ...] = ()  # what its exercises ask for
    form: bool = False


@dataclass(frozen=True)
class Rendered:
    """A page, and what its exercises ask for."""

    html: str
    stations: tuple[RecordedStation, ...] = ()


def render(
    sheet: Sheet,
    view: View,
    typesetter: Typesetter,
    medium: Medium,
    values: Mapping[str, Any],
    fields: Fields | None = None,
    *,
    both: bool = False,
) -> Rendered:
    """The sheet as HTML. values: what all stations may speak of (sizes, title, code) under `d`.

    fields: to fill in on the screen. both: the key with the worksheet's lines to write on, for a layout that
    both are written with.
    """
    shown = sheet if view == "key" else withheld(sheet)
    context = {
        "view": view,
        "stations": shown.stations,
        "d": values,
        "fields": fields or Fields(),
        "both": both,
    }
    context["page_format"] = values["page_format"]
    return render_page("page.html.j2", typesetter, medium, **context)


def render_page(template: str, typesetter: Typesetter, medium: Medium, **context: Any) -> Rendered:
    """Any page of ours as HTML, with the styles of its medium inside."""
    record = Recorder()
    page = environment().get_template(template)
    usual = {
        "medium": medium,
        "record": record,
        "fields": Fields(),
        "both": False,
        "page_format": page_format(),
        "tex": record.noting(typesetter.inline),
        "texd": record.noting(typesetter.display),
        "f": formulas(),
        "matrix_tex": _matrix_tex,
        "text": tex_text,
        "font_stack": fonts.TEXT_STACK,
        "text_width": TEXT_WIDTH,
    }
    body = page.render(known := usual | context)
    body = _IN_A_SUM.sub("+\N{NO-BREAK SPACE}", _before_about(body))
    styles = _styles(medium, body, known["page_format"])
    return Rendered(body.replace(_STYLES_MARK, styles, 1), tuple(record.stations))


@cache
def environment() -> Environment:
    """Our templates: undefined names are errors, everything is escaped, no character without a glyph."""
    made = reading.environment(
        "", finalize=printed, bytecode_cache=CompiledTemplates(reading.templates_folder())
    )
    made.globals["Blocks"] = Blocks
    return made


def _styles(medium: Medium, body: str, page: PageFormat) -> str:
    first = [fonts.font_css(medium, body), blanks_css(), _css("shared")]
    if medium == "pdf":
        return "\n".join([*first, page.css, _css("print")])
    larger = f"body {{ zoom: {page.zoom:.4f}; }}" if page.zoom != 1 else ""
    screen = f"{_css('screen')}\n@media (min-width: 50rem) {{ {larger} }}"
    paper = "\n".join([replace(page, zoom=1.0).css, _css("print"), _css("browser"), larger])
    return "\n".join([*first, f"@media screen {{\n{screen}}}", f"@media print {{\n{paper}}}"])


def _before_about(body: str) -> str:
    """No line begins with ≈."""
    *before, last = body.split("≈")
    joined = (part.rstrip() + "\N{NO-BREAK SPACE}" if part[-1:].isspace() else part for part in before)
    return "≈".join([*joined, last])


def _css(name: str) -> str:
    return reading.text_of(f"{name}.css")


def _matrix_tex(rows: Sequence[Sequence[Number]]) -> str:
    r"""The numbers as \begin{pmatrix}…: in German notation, in line; a thin space keeps the brackets off."""
    rooms = [ROOM * any(MINUS in number.text for number in column) for column in zip(*rows, strict=True)]
    lines = (rf"\,{' & '.join(map(_number_tex, row, rooms))}\," for row in rows)
    return r"\begin{pmatrix}" + r" \\ ".join(lines) + r"\end{pmatrix}"


def _number_tex(number: Number, room: str) -> str:
    text = number.text if MINUS in number.text else room + number.text
    return text.replace(MINUS, "{-}").replace(",", "{,}").replace("\N{NARROW NO-BREAK SPACE}", r"\,")


class CompiledTemplates(FileSystemBytecodeCache):
    """Compiled templates in `__pycache__` of a folder."""

    def __init__(self, templates: Path) -> None:
        self._folder = templates / "__pycache__"
        super().__init__(str(self._folder), f"%s.jinja-{__version__}.{sys.implementation.cache_tag}")

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """The name of a folder may be no text: where a locale has no umlauts, „ä“ is two stray bytes."""
        return super().get_cache_key(name, filename and ascii(filename))

    def load_bytecode(self, bucket: Bucket) -> None:
        """Takes what was kept, unless it is damaged in whatever way."""
        try:
            super().load_bytecode(bucket)
        except Exception:
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keeps it if it can."""
        if not sys.dont_write_bytecode:
            with contextlib.suppress(OSError):
                self._folder.mkdir(exist_ok=True)
                super().dump_bytecode(bucket)
