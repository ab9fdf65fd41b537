"""What a browser needs beyond the templates: tables that scroll, the pages of the PDF, fields that keep."""

from __future__ import annotations

import re
from html import escape
from typing import Final

from generator.basics.templates import text_of
from generator.output.browser_pdf import foot_rule, numbered_contents
from generator.output.markup import with_page_starts
from generator.output.pdf import PdfResult
from generator.sheet.fields import BOTTOM

_TABLE: Final = re.compile(r"<table[ >].*?</table>", re.DOTALL)
_NO_HEAD: Final = re.compile(r"<th\b[^>]*></th>")
_FORMULA_HEAD: Final = re.compile(r'(<th\b[^>]*>)\s*(<math alttext="([^"]*)".*?</math>)\s*(</th>)', re.DOTALL)
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
