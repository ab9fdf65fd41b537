"""What a browser needs beyond the templates: tables that scroll, the pages of the PDF, fields that keep."""

import re
from collections.abc import Mapping
from html import escape, unescape
from typing import Final

from generator.basics.reading import text_of
from generator.output.markup import with_page_starts
from generator.output.pdf import PdfResult
from generator.sheet.fields import BOTTOM

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


_FOOT: Final = re.compile(r'<footer class="foot-left"[^>]*>(.*?)</footer>', re.DOTALL)
_FOOT_STYLE: Final = re.compile(r"\.foot-left \{ position: running\(foot\);([^}]*)\}")
_ZOOM: Final = re.compile(r'<html\b[^>]* data-zoom="([\d.]+)"')
_LENGTH: Final = re.compile(r"([\d.]+)(mm|pt)\b")
_ENTRY: Final = re.compile(r'(<a href="#([\w-]+)">)(.*?)(</a></li>)', re.DOTALL)


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


def zoom_of(html: str) -> float:
    """How much larger a page of ours is printed than it is laid out."""
    found = _ZOOM.search(html)
    return float(found[1]) if found else 1.0


def _larger(css: str, zoom: float) -> str:
    return _LENGTH.sub(lambda found: f"{float(found[1]) * zoom:.3f}{found[2]}", css) if zoom != 1 else css


def margin_text(html: str) -> str:
    """What a foot of our pages says, as a string of CSS; lines stay lines."""
    lines = (" ".join(unescape(re.sub(r"<[^>]*>", "", line)).split()) for line in html.split("<br>"))
    said = "\n".join(filter(None, lines))
    return '"' + "".join(c if c.isalnum() or c == " " else f"\\{ord(c):x} " for c in said) + '"'
