"""The poster of a sheet and its key as documents, on A3 or on two A4 to glue."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from generator.output.formulas.typeset import Typesetter
from generator.output.render import Document, render_page
from generator.sheet.fields import PAGE, PageFormat
from generator.sheet.whole_sheet import WholeSheet, withheld
from generator.stations.poster import EDGE, HALF, halves, poster

_NAME: Final = "plakat"
_A3: Final = (420.0, 297.0)  # mm


def posters(whole: WholeSheet, typesetter: Typesetter) -> Iterator[Document]:
    """The poster and its key, where the options ask for them; they are printed alone."""
    wanted = whole.built.options.plakat
    if wanted is None:
        return
    figures = halves(whole.desk) if wanted == "a4" else (poster(whole.desk),)
    for name, shown, view, kind in (
        (_NAME, withheld(figures), "worksheet", ""), (f"{_NAME}-loesung", figures, "key", ", Lösung")
    ):  # fmt: skip
        values = {**whole.values, "title": f"{whole.title} – Plakat{kind}"}
        (wide, high), held = (PAGE, HALF + EDGE) if wanted == "a4" else (_A3, 2 * HALF)
        paper = PageFormat(wide, high, (wide - held) / 2, (wide - held) / 2)
        page = render_page(
            "poster.html.j2", typesetter, "pdf", view=view, d=values, figures=shown, page_format=paper
        )
        yield Document(name, values["title"], page.html)
