"""What a browser needs beyond the templates: tables that scroll, the pages of the PDF, fields that keep.

And a document for WeasyPrint as a page that a browser prints where Pango is missing. What only WeasyPrint
knows is said in the browser's words: fonts and formulas stand in the page, the foot is a text in the margin,
the table of contents gets its page numbers. Nothing is fetched and no script runs.
"""

import base64
import re
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape, unescape
from typing import Final

from generator.basics import fonts
from generator.basics.reading import text_of
from generator.output.formulas.typeset import FormulaImage
from generator.output.markup import with_page_starts
from generator.output.pdf import PdfResult
from generator.sheet.fields import BOTTOM, TOP

_TABLE: Final = re.compile(r"<table[ >].*?</table>", re.DOTALL)
_NO_HEAD: Final = re.compile(r"<th\b[^>]*></th>")
_FORMULA_HEAD: Final = re.compile(r'(<th\b[^>]*>)\s*(<math alttext="([^"]*)".*?</math>)\s*(</th>)', re.DOTALL)
_SCRIPTS: Final = re.compile(r"<script>.*?</script>", re.DOTALL)
_HIGHER: Final = 4.0  # mm; the browser's formulas are a little taller, and where a page ends is said
SCRIPT: Final = """<script>
// What can be scrolled can be reached by keyboard, and only that.
(() => {
  const frames = document.querySelectorAll(
    ".scroll, .figure, .formula-box, .keep, .side, .interim, .exercise, .wide, .formula-text"
  );
  const settle = () => frames.forEach((frame) => {
    const wide = frame.scrollWidth > frame.clientWidth + 1 && getComputedStyle(frame).overflowX !== "visible";
    if (wide) frame.tabIndex = 0; else frame.removeAttribute("tabindex");
  });
  settle();
  document.fonts.ready.then(settle);
  addEventListener("resize", settle);
})();
</script>
"""


# Patched here and not written so by the templates: tables stand in every station's, and which page a block
# begins on is known only after the PDF is made.
def for_browsers(html: str, printed: PdfResult | None = None) -> str:
    """The finished page of the screen. printed: its PDF, whose pages it has when it is printed."""
    rules = foot_rule(html)
    if printed is not None and printed.starts:
        rules += f" @page {{ margin-bottom: {BOTTOM - _HIGHER:g}mm; }}"
        html = with_page_starts(numbered_contents(html, printed.places), printed.starts)
    html = html.replace("</style>", f"@media print {{ {rules} }}\n</style>", 1)
    html = _NO_HEAD.sub("<td></td>", html)
    html = _FORMULA_HEAD.sub(_with_words, html)
    html = _TABLE.sub(lambda found: f'<div class="scroll">{found[0]}</div>', html)
    return html.replace("</body>", f"{SCRIPT}</body>", 1)


def for_frame(html: str) -> str:
    """A sheet for a frame of the page, which does itself what the sheet's own script does (static/api.js)."""
    return _SCRIPTS.sub("", for_browsers(html))


def _with_words(head: re.Match[str]) -> str:
    opening, formula, words, closing = head.groups()
    hidden = formula.replace("<math ", '<math aria-hidden="true" ', 1)
    return f'{opening}{hidden}<span class="aloud">{words}</span>{closing}'


def for_filling(html: str, sheet: str) -> str:
    """sheet: what tells this sheet's answers apart from those of others in one browser."""
    style, bar, script = map(text_of, ("fill_in.css", "fill_in.html", "fill_in.js"))
    bar = bar.replace('data-sheet=""', f'data-sheet="{escape(sheet)}"', 1)
    html = html.replace("</style>", f"{style}</style>", 1).replace("<main>", f"<main>\n{bar}", 1)
    return html.replace("</body>", f"<script>\n{script}</script>\n</body>", 1)


_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:"
_TITLE: Final = re.compile(r"<title>.*?</title>", re.DOTALL)
_FORMULA: Final = re.compile(r'(?<=<img class="tex" src=")[^"]*(?=")')
_FOOT: Final = re.compile(r'<footer class="foot-left"[^>]*>(.*?)</footer>', re.DOTALL)
_FOOT_STYLE: Final = re.compile(r"\.foot-left \{ position: running\(foot\);([^}]*)\}")
_AT_TOP: Final = re.compile(r'<div class="expected at-top">(.*?)</div>', re.DOTALL)
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
    pictures = {address: _data("image/svg+xml", svg_of(image).encode()) for address, image in images.items()}
    html = _FORMULA.sub(lambda found: pictures[unescape(found[0])], html)
    margin = foot_rule(html) + top_rule(html)
    html = _AT_TOP.sub("", _FOOT.sub("", html))
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


def top_rule(html: str) -> str:
    """The same for what a key says in the margin above its first page, where a browser draws nothing else."""
    said, zoom = _AT_TOP.search(html), zoom_of(html)
    if said is None:
        return ""
    size, above = (7.5, 8.0) if zoom == 1 else (6 * zoom, 5.6 * zoom)  # as in print.css
    style = f'font: {size:g}pt/1.2 "Papierformer Sans"; padding-top: {TOP - above:g}mm; vertical-align: top'
    said_there = f"content: {margin_text(said[1])}; text-align: left; width: 100%"
    return f"@page :first {{ @top-left {{ {said_there}; {style} }} }}"


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


@cache
def _faces() -> str:
    """The fonts of the PDF, in the page itself."""
    folder = fonts.folder() / "pdf"
    return "".join(
        f'@font-face{{font-family:"{family}";font-weight:{weight};font-style:{style};font-display:block;'
        f'src:url({_data("font/ttf", (folder / f"{file}.ttf").read_bytes())}) format("truetype")}}\n'
        for family, file, weight, style in _FACES
    )


def _data(kind: str, content: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(content).decode('ascii')}"


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
