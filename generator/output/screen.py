"""A page for browsers: with a script, the pages of the PDF, fields that keep what is typed."""

import re
from html import escape
from typing import Any, Final
from xml.etree.ElementTree import Element

from generator.basics.reading import text_of
from generator.output.formulas.typeset import Typesetter
from generator.output.html import Html
from generator.output.markup import RUNS_ON
from generator.output.pdf import PdfResult
from generator.output.render import Document, whole_html
from generator.sheet.fields import BOTTOM
from generator.sheet.page import Page, lines_of

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


def for_browsers(page: Page, typesetter: Typesetter, printed: PdfResult | None = None, **how: Any) -> str:
    """The page of the screen. printed: its PDF, whose pages it has when it is printed."""
    rules, pages, starts = foot_rule(page), {}, {}
    if printed is not None and printed.starts:
        rules += f" @page {{ margin-bottom: {BOTTOM - _HIGHER:g}mm; }}"
        pages, starts = printed.places, starts_of(printed)
    return _written(page, typesetter, rules, SCRIPT, pages=pages, starts=starts, **how)


def for_frame(page: Page, **how: Any) -> str:
    """A sheet for a frame of the page, which does itself what the sheet's own script does (static/api.js)."""
    return _written(page, Typesetter("screen"), foot_rule(page), "", **how)


def for_filling(document: Document, typesetter: Typesetter) -> str:
    """The page with a field to type in at each blank."""
    page, form = document.page, document.form
    assert form is not None
    style, bar, script = map(text_of, ("fill_in.css", "fill_in.html", "fill_in.js"))
    bar = bar.replace('data-sheet=""', f'data-sheet="{escape(form.sheet)}"', 1)
    end = f"{SCRIPT}<script>\n{script}</script>\n"
    above, fields = f"\n{bar}", form.fields("screen")
    return _written(page, typesetter, foot_rule(page), end, style, above=above, fields=fields)


def _written(page: Page, typesetter: Typesetter, rules: str, end: str, css: str = "", **how: Any) -> str:
    css = f"@media print {{ {rules} }}\n{css}"
    return whole_html(page, Html(page.objects, typesetter, css=css, end=end, **how), "screen")


def starts_of(printed: PdfResult) -> dict[int, int]:
    """The number of a block -> the page that begins with it."""
    return {number: page for page, number in enumerate(printed.starts, 2) if number != RUNS_ON}


_FOOT_STYLE: Final = re.compile(r"\.foot-left \{ position: running\(foot\);([^}]*)\}")
_LENGTH: Final = re.compile(r"([\d.]+)(mm|pt)\b")


def foot_rule(page: Page) -> str:
    """The rule that prints the foot of a page of ours on every page, "" where there is none.

    WeasyPrint takes the elements themselves; a browser takes the text of the last, which says most, as the
    margin's style sheet wants it.
    """
    feet, style = list(page.root.iter("footer")), _FOOT_STYLE.search(text_of("print.css"))
    if not feet or style is None:
        return ""
    zoom = page.format.zoom
    written = f'white-space: pre-line; font-family: "Papierformer Sans";{_larger(style[1], zoom)}'
    number = f"@bottom-right {{ font-size: {8 * zoom:g}pt; }}" if zoom != 1 else ""
    return f"@page {{ @bottom-left {{ content: {margin_text(feet[-1])}; {written}}} {number} }}"


def _larger(css: str, zoom: float) -> str:
    return _LENGTH.sub(lambda found: f"{float(found[1]) * zoom:.3f}{found[2]}", css) if zoom != 1 else css


def margin_text(foot: Element) -> str:
    """What a foot of our pages says, as a string of CSS; lines stay lines."""
    said = "\n".join(filter(None, lines_of(foot)))
    return '"' + "".join(c if c.isalnum() or c == " " else f"\\{ord(c):x} " for c in said) + '"'
