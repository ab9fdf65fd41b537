"""What a browser needs beyond the templates: tables that scroll by themselves, headings that are read aloud.

A wide table scrolls in a frame of its own, since a table that is a block is no table to a screen reader. A
heading cell that holds nothing but a formula gets its words beside it: some readers see no text in MathML.
"""

from __future__ import annotations

import re
from typing import Final

_TABLE: Final = re.compile(r"<table[ >].*?</table>", re.DOTALL)
_NO_HEAD: Final = re.compile(r"<th\b[^>]*></th>")
_FORMULA_HEAD: Final = re.compile(r'(<th\b[^>]*>)\s*(<math alttext="([^"]*)".*?</math>)\s*(</th>)', re.DOTALL)
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


def for_browsers(html: str) -> str:
    """The finished page of the screen."""
    html = _NO_HEAD.sub("<td></td>", html)
    html = _FORMULA_HEAD.sub(_with_words, html)
    html = _TABLE.sub(lambda found: f'<div class="scroll">{found[0]}</div>', html)
    return html.replace("</body>", f"{SCRIPT}</body>", 1)


def _with_words(head: re.Match[str]) -> str:
    opening, formula, words, closing = head.groups()
    hidden = formula.replace("<math ", '<math aria-hidden="true" ', 1)
    return f'{opening}{hidden}<span class="aloud">{words}</span>{closing}'
