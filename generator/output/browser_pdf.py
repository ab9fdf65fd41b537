"""A document as WeasyPrint prints it becomes a page for a browser, and the browser's PDF.

Used where Pango is missing. What only WeasyPrint knows is said in the browser's words: fonts and formulas
stand in the page, the foot is a text in the margin, the table of contents gets its page numbers. Nothing is
fetched and no script runs.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape, unescape
from typing import Any, Final

from generator.basics import fonts
from generator.basics.templates import text_of
from generator.output.browser import OLDEST, Browser, browsers
from generator.output.formulas.typeset import FormulaImage
from generator.output.machine import PdfUnavailable, install_hint, weasyprint
from generator.output.pdf import PdfResult

_TOLD: Final = re.compile(rb"/(?:CreationDate|ModDate) \((D:[^)]*)\)")
_NODE: Final = re.compile(rb"node\d{8}")
_MAKER: Final = re.compile(rb"/Creator \(((?:\\.|[^\\)])*)\)")


def ensure_can_print() -> str:
    """Asked before any work is done: the sentence that a browser will print, "" with WeasyPrint.

    Raises PdfUnavailable if there is neither.
    """
    try:
        weasyprint()
    except PdfUnavailable:
        if not browsers():
            raise PdfUnavailable(_neither()) from None
        return printed_note(browsers()[0].name)
    return ""


def print_by_browser(html: str, images: Mapping[str, Any], *, title: str) -> PdfResult:
    """The document's PDF by the first browser that can. Raises PdfUnavailable, which says what to install.

    A table of contents costs a second printing: the first tells where things stand.
    """
    page = page_for_browser(html, images, title)
    for browser in browsers():
        data = browser.print(page)
        if data is not None and has_contents(html):
            data = browser.print(numbered_contents(page, _targets(data)))
        if data is not None:
            return _result(data, browser)
    raise PdfUnavailable(_neither())


def printed_note(browser: str) -> str:
    """The sentence that says that this way was taken; "" where WeasyPrint has printed."""
    if not browser:
        return ""
    return f"Die PDF-Dateien hat der Browser {browser} gedruckt, weil die Schriftbibliothek Pango fehlt."


def _neither() -> str:
    return (
        f"{install_hint()} Auch ein Browser, der statt ihrer druckt, war nicht zu finden "
        f"(Edge, Chrome oder Chromium ab Version {OLDEST})."
    )


def _result(data: bytes, browser: Browser) -> PdfResult:
    import pypdfium2

    with pypdfium2.PdfDocument(data) as document:
        pages = len(document)
    return PdfResult(_impersonal(data), pages, ({},) * pages, browser.name)


def _impersonal(data: bytes) -> bytes:
    """The PDF without the moment and the system that it was printed on; every byte stays in its place.

    Nor does it tell how many nodes the browser had made before: elements are numbered anew, in their order.
    """
    numbers = {old: b"node%08d" % new for new, old in enumerate(sorted(set(_NODE.findall(data))), 1)}
    data = _NODE.sub(lambda found: numbers[found[0]], data)
    data = _TOLD.sub(lambda found: found[0].replace(found[1], _date(len(found[1]))), data)
    return _MAKER.sub(lambda found: found[0].replace(found[1], b"Papierformer".ljust(len(found[1]))), data)


def _date(length: int) -> bytes:
    return b"D:20000101000000+00'00'"[:length].ljust(length)


def _targets(data: bytes) -> dict[str, int]:
    """Id of each place that is linked to -> its page."""
    import ctypes

    import pypdfium2
    from pypdfium2 import raw

    found: dict[str, int] = {}
    with pypdfium2.PdfDocument(data) as document:
        for number in range(raw.FPDF_CountNamedDests(document)):
            size = ctypes.c_long(0)
            raw.FPDF_GetNamedDest(document, number, None, size)
            name = ctypes.create_string_buffer(size.value)
            target = raw.FPDF_GetNamedDest(document, number, name, size)
            text = name.raw[: size.value].decode("utf-16-le").rstrip("\0")
            found[text] = raw.FPDFDest_GetDestPageIndex(document, target) + 1
    return found


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


# The finished HTML is patched, not rendered again: whether a browser has to print is known only where
# WeasyPrint fails, in a helper process that has the HTML and no sheet.
def page_for_browser(html: str, images: Mapping[str, FormulaImage], title: str) -> str:
    """The page. images: address -> picture of each formula. title: of the document."""
    pictures = {address: _picture(image) for address, image in images.items()}
    html = _FORMULA.sub(lambda found: pictures[unescape(found[0])], html)
    margin = foot_rule(html)
    html = _FOOT.sub("", html)
    css = text_of("browser.css")
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

    WeasyPrint takes the elements themselves; a browser takes the text of the last, which says most, as the
    margin's style sheet wants it.
    """
    feet, style = _FOOT.findall(html), _FOOT_STYLE.search(html)
    if not feet or style is None:
        return ""
    zoom = zoom_of(html)
    written = f'white-space: pre-line; font-family: "Papierformer Sans";{_larger(style[1], zoom)}'
    number = f"@bottom-right {{ font-size: {8 * zoom:g}pt; }}" if zoom != 1 else ""
    return f"@page {{ @bottom-left {{ content: {margin_text(feet[-1])}; {written}}} {number} }}"


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


_UNSEEN: Final = re.compile(r"\bBT\b.*?\bET\b", re.DOTALL)  # text to be copied; a picture in HTML holds none
_STEPS: Final = {"m": "M", "l": "L", "c": "C", "h": "Z"}


def svg_of(image: FormulaImage) -> str:
    """The picture, drawn in black; a unit is a thousandth of an em."""
    paths = "".join(_paths(_UNSEEN.sub("", image.operators.decode("ascii")).split()))
    box = f'width="{image.width}" height="{image.height}" viewBox="0 0 {image.width} {image.height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box}>{paths}</svg>'


def _paths(tokens: list[str]) -> Iterator[str]:
    """A path for every outline filled or drawn. Raises ValueError for an operator that no formula has."""
    numbers: list[str] = []
    steps, place, line = "", "", ""
    for token in tokens:
        match token:
            case "q":
                steps, place, line = "", "", ""
            case "cm":
                place = f' transform="matrix({" ".join(numbers)})"'
            case "w":
                line = f' fill="none" stroke="#000" stroke-width="{numbers[0]}"'
            case "m" | "l" | "c" | "h":
                steps += _STEPS[token] + " ".join(numbers)
            case "re":
                x, y, width, height = numbers
                steps += f"M{x} {y}h{width}v{height}H{x}Z"
            case "f" | "S":
                yield f'<path{place}{line} d="{steps}"/>'
            case "Q":
                pass
            case _:
                float(token)
                numbers.append(token)
                continue
        numbers = []
