"""In: HTML as WeasyPrint prints it, with its pictures. Out: the same page for a browser that prints.

What only WeasyPrint knows is said in the browser's words: fonts and formulas stand in the page, the foot is a
text in the margin, the table of contents gets its page numbers. Nothing is fetched and no script runs.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from functools import cache
from html import escape, unescape
from typing import Final

from generator.basics import fonts
from generator.output.formulas.outlines import svg_of
from generator.output.formulas.typeset import FormulaImage

_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:"
_TITLE: Final = re.compile(r"<title>.*?</title>", re.DOTALL)
_FORMULA: Final = re.compile(r'(?<=<img class="tex" src=")[^"]*(?=")')
_FOOT: Final = re.compile(r'<footer class="foot-left"[^>]*>(.*?)</footer>', re.DOTALL)
_FOOT_STYLE: Final = re.compile(r"\.foot-left \{ position: running\(foot\);([^}]*)\}")
_ZOOM: Final = re.compile(r'<html\b[^>]* data-zoom="([\d.]+)"')
_PAGE: Final = re.compile(r"@page \{ size: [^}]*\}")
_LENGTH: Final = re.compile(r"([\d.]+)(mm|pt)\b")
_ENTRY: Final = re.compile(r'(<a href="#([\w-]+)">)(.*?)(</a></li>)', re.DOTALL)
_FACES: Final = (
    ("Papierformer Sans", "papierformer-sans-regular", 400, "normal"),
    ("Papierformer Sans", "papierformer-sans-bold", 700, "normal"),
    ("Papierformer Sans", "papierformer-sans-italic", 400, "italic"),
    ("Papierformer Symbole", "papierformer-symbole", 400, "normal"),
)


def page_for_browser(html: str, images: Mapping[str, FormulaImage], title: str) -> str:
    """The page. images: address -> picture of each formula. title: of the document."""
    pictures = {address: _picture(image) for address, image in images.items()}
    html = _FORMULA.sub(lambda found: pictures[unescape(found[0])], html)
    margin = foot_rule(html)
    html = _FOOT.sub("", html, count=1)
    css = (fonts.folder().parent / "browser.css").read_text(encoding="utf-8")
    policy = f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    html = _TITLE.sub(lambda _: f"{policy}<title>{escape(title, quote=False)}</title>", html, count=1)
    html = html.replace("<style>", f"<style>{_faces()}", 1)
    return _enlarged(html.replace("</style>", f"{margin}\n{css}</style>", 1))


def numbered_contents(page: str, places: Mapping[str, int]) -> str:
    """The page whose table of contents says where things stand. places: id -> page."""

    def entry(found: re.Match[str]) -> str:
        link, target, words, end = found.groups()
        number = places.get(target)
        if number is None:
            return found[0]
        leader = '<span class="leader" aria-hidden="true"></span>'
        return f'{link}{words}{leader}<span class="to-page">{number}</span>{end}'

    return _ENTRY.sub(entry, page)


def has_contents(html: str) -> bool:
    """Whether page numbers have to be known."""
    return '<ul class="contents">' in html


def foot_rule(html: str) -> str:
    """The rule that prints the foot of a page of ours on every page, "" where there is none.

    WeasyPrint takes the element itself; a browser takes its text, as the margin's style sheet wants it.
    """
    foot, style = _FOOT.search(html), _FOOT_STYLE.search(html)
    if foot is None or style is None:
        return ""
    zoom = zoom_of(html)
    written = f'white-space: pre-line; font-family: "Papierformer Sans";{_larger(style[1], zoom)}'
    number = f"@bottom-right {{ font-size: {8 * zoom:g}pt; }}" if zoom != 1 else ""
    return f"@page {{ @bottom-left {{ content: {margin_text(foot[1])}; {written}}} {number} }}"


def zoom_of(html: str) -> float:
    """How much larger a page of ours is printed than it is laid out."""
    found = _ZOOM.search(html)
    return float(found[1]) if found else 1.0


def _enlarged(html: str) -> str:
    """The HTML with the page as it is printed, in which everything is larger."""
    zoom = zoom_of(html)
    if zoom == 1:
        return html
    html = _PAGE.sub(lambda rule: _larger(rule[0], zoom), html, count=1)
    return html.replace("</style>", f"body {{ zoom: {zoom:.4f}; }}\n</style>", 1)


def _larger(css: str, zoom: float) -> str:
    return _LENGTH.sub(lambda found: f"{float(found[1]) * zoom:.3f}{found[2]}", css) if zoom != 1 else css


def margin_text(html: str) -> str:
    """What a foot of our pages says, as a string of CSS; lines stay lines."""
    lines = (" ".join(unescape(re.sub(r"<[^>]*>", "", line)).split()) for line in html.split("<br>"))
    said = "\n".join(filter(None, lines))
    return '"' + "".join(c if c.isalnum() or c == " " else f"\\{ord(c):x} " for c in said) + '"'


def _picture(image: FormulaImage) -> str:
    return "data:image/svg+xml;base64," + base64.b64encode(svg_of(image).encode()).decode("ascii")


@cache
def _faces() -> str:
    """The fonts of the PDF, in the page itself."""
    return "".join(
        f'@font-face{{font-family:"{family}";font-weight:{weight};font-style:{style};font-display:block;'
        f'src:url(data:font/ttf;base64,{_font(file)}) format("truetype")}}\n'
        for family, file, weight, style in _FACES
    )


def _font(file: str) -> str:
    return base64.b64encode((fonts.folder() / "pdf" / f"{file}.ttf").read_bytes()).decode("ascii")
