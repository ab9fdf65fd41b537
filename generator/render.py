"""A sheet, a view and a medium go in; one HTML document comes out. Everything a user typed is escaped."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from generator import fonts
from generator.fonts import Medium
from generator.formulas import formulas
from generator.sheet import Number, Sheet, Station, View, withheld
from generator.stations import template_of
from generator.typeset import Typesetter, tex_text

_STYLES_MARK = "@@STYLES@@"


def render(sheet: Sheet, view: View, typesetter: Typesetter, medium: Medium, facts: Mapping[str, Any]) -> str:
    """The sheet as HTML. facts: what all stations may speak of (sizes, title, code) under `d`."""
    shown = sheet if view == "key" else withheld(sheet)
    return render_page(
        "page.html.j2", typesetter, medium, view=view, stations=_with_templates(shown), d=facts
    )


def render_page(template: str, typesetter: Typesetter, medium: Medium, **context: Any) -> str:
    """Any page of ours as HTML, with the styles of its medium inside."""
    names = itertools.count(1)
    page = environment().get_template(template)
    body = page.render(
        medium=medium,
        tex=typesetter.inline,
        texd=typesetter.display,
        f=formulas(),
        next_id=lambda prefix: f"{prefix}{next(names)}",
        matrix_tex=_matrix_tex,
        text=tex_text,
        font_stack=fonts.TEXT_STACK,
        **context,
    )
    return body.replace(_STYLES_MARK, _styles(medium, body), 1)


@cache
def environment() -> Environment:
    """Our templates: undefined names are errors, everything is escaped, no character without a glyph."""
    made = Environment(
        loader=FileSystemLoader(templates_folder()),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_printable,
    )
    made.filters["kind"] = lambda part: type(part).__name__
    return made


def templates_folder() -> Path:
    return fonts.folder().parent


def _printable(value: Any) -> Any:
    return fonts.printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _styles(medium: Medium, body: str) -> str:
    sheets = ["shared.css", "print.css"] if medium == "pdf" else ["shared.css", "screen.css"]
    css = [(templates_folder() / name).read_text(encoding="utf-8") for name in sheets]
    return "\n".join([fonts.font_css(medium, body), *css])


def _with_templates(sheet: Sheet) -> Sequence[Mapping[str, Any]]:
    def named(station: Station) -> dict[str, Any]:
        return {
            "id": station.id,
            "template": station.template or template_of(station.id),
            "parts": station.parts,
            "tasks": station.tasks,
            "points": station.points,
        }

    return [named(station) for station in sheet.stations]


def _matrix_tex(rows: Sequence[Sequence[Number]]) -> str:
    r"""The numbers as \begin{pmatrix}…: in German notation, a comma without a space after it."""
    lines = (" & ".join(_number_tex(number.text) for number in row) for row in rows)
    return r"\begin{pmatrix}" + r" \\ ".join(lines) + r"\end{pmatrix}"


def _number_tex(text: str) -> str:
    return text.replace("\N{MINUS SIGN}", "-").replace(",", "{,}").replace("\N{NARROW NO-BREAK SPACE}", r"\,")
