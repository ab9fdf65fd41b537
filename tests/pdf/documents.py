"""Small documents to print."""

from __future__ import annotations

from generator.basics.fonts import font_css
from generator.output.formulas.typeset import Store, Typesetter


def page(body: str, css: str = "") -> str:
    style = f"{font_css('pdf')}@page{{size:A4;margin:20mm}}body{{margin:0}}{css}"
    head = f"<head><title>t</title><style>{style}</style></head>"
    return f'<!doctype html><html lang="de">{head}<body>{body}</body></html>'


def with_formulas(count: int = 3) -> tuple[str, Typesetter]:
    typesetter = Typesetter("pdf", Store(None))
    lines = [
        f'<p id="z{i}">{typesetter.set(rf"x_{{{i}}} = {i}{{,}}5", alt=f"x {i}")}</p>' for i in range(count)
    ]
    return page("".join(lines)), typesetter
