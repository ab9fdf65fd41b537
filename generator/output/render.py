"""Sheet and view become a page (`sheet/page.py`), for every document. What a user typed is escaped."""

import contextlib
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemBytecodeCache, __version__
from jinja2.bccache import Bucket

from generator.basics import fonts, reading, templates
from generator.basics.files import KEY, WORKSHEET
from generator.basics.fonts import Medium
from generator.basics.numbers import MINUS
from generator.output.blocks import Blocks, printed
from generator.output.formulas.shapes import ROOM
from generator.output.formulas.typeset import Typesetter, formulas, tex_text
from generator.output.html import STYLES, Html
from generator.sheet import page as things
from generator.sheet.fields import TEXT_WIDTH, Fields, PageFormat, blanks_css, page_format
from generator.sheet.page import Objects, Page
from generator.sheet.record import RecordedStation, stations_of
from generator.sheet.sheet import Number, Sheet, View
from generator.sheet.whole_sheet import withheld

VIEWS: Final[dict[View, str]] = {"worksheet": WORKSHEET, "key": KEY}
TO_FILL: Final = "-ausfuellbar"


@dataclass(frozen=True)
class Form:
    """fields: in the blanks of a document, by medium. sheet: tells its answers apart from those of others."""

    fields: Callable[[Medium], Fields]
    sheet: str


@dataclass(frozen=True)
class Document:
    """One document; name: of its files, without an ending."""

    name: str
    title: str
    page: Page
    form: Form | None = None

    @cached_property
    def stations(self) -> tuple[RecordedStation, ...]:
        """What the exercises ask for, station by station."""
        return stations_of(self.page)


def render(sheet: Sheet, view: View, values: Mapping[str, Any], objects: Objects | None = None) -> Page:
    """The sheet as a page. values: what all stations may speak of (sizes, title, code) under `d`."""
    shown, told = (sheet, values) if view == "key" else withheld((sheet, dict(values)))
    context = {"view": view, "stations": shown.stations, "d": told, "page_format": values["page_format"]}
    return render_page("page.html.j2", objects, **context)


def render_page(template: str, objects: Objects | None = None, **context: Any) -> Page:
    """Any page of ours. objects: of a sheet whose pages quote each other."""
    page = Page(objects or Objects(), context.get("page_format") or page_format())
    usual = {
        "page": page,
        "things": things,
        "page_format": page.format,
        "tex": page.objects.formula,
        "texd": page.objects.displayed,
        "f": formulas(),
        "matrix_tex": _matrix_tex,
        "text": tex_text,
        "text_width": TEXT_WIDTH,
    }
    page.finish(environment().get_template(template).render(usual | context))
    return page


def on_paper(page: Page, typesetter: Typesetter, **how: Any) -> str:
    """The page as WeasyPrint is given it. how: as `Html` knows it."""
    return whole_html(page, Html(page.objects, typesetter, **how), "pdf")


def whole_html(page: Page, writer: Html, medium: Medium) -> str:
    """The whole document; the fonts hold its signs, so styles come last."""
    body = f"<!doctype html>\n{writer.written(page.root)}\n"
    return body.replace(STYLES, _styles(medium, body, page.format), 1)


@cache
def environment() -> Environment:
    """Our templates: undefined names are errors, everything is escaped, no character without a glyph."""
    made = templates.environment(
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
