"""In: a laid out document. Out: the blocks its pages begin with, and HTML that breaks at the same blocks.

Paper and screen are made from the same templates, so the blocks of the one, counted in order, are those of
the other. Who prints the HTML from a browser gets the pages of the PDF.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

_BLOCKS: Final = frozenset(
    ["section", "div", "p", "h1", "h2", "h3", "table", "tr", "ul", "ol", "li", "dl", "dt", "dd", "pre"]
)
_NOT_COUNTED: Final = ("turn", "rule", "expected")
"""Steps between stations are on the screen alone; of lines and answers a page holds one or the other."""
_COUNTED: Final = rf'(?![^>]*class="(?:{"|".join(_NOT_COUNTED)})[ "])'
_BLOCK: Final = re.compile(rf"<({'|'.join(sorted(_BLOCKS))})\b{_COUNTED}")
_MAIN: Final = re.compile(r"<main\b")
RUNS_ON: Final = -1


def page_starts(document: Any, root: Any) -> tuple[int, ...]:
    """Of each page but the first, the number of the block it begins with; RUNS_ON where a block runs on.

    document: WeasyPrint's; root: the tree it was read as.
    """
    main = next((element for element in root.iter() if _name(element) == "main"), None)
    if main is None:
        return ()
    numbers = {element: number for number, element in enumerate(_blocks(main))}
    seen: set[Any] = set()
    starts = []
    for page in document.pages:
        starts.append(_start(page._page_box, numbers, seen))
        seen.update(box.element for box in page._page_box.descendants())
    return tuple(starts[1:])


def with_page_starts(html: str, starts: Sequence[int]) -> str:
    """The HTML in which the blocks that begin a page say so (`data-page`), for a browser that prints."""
    main = _MAIN.search(html)
    if main is None:
        return html
    pages = {number: page for page, number in enumerate(starts, 2) if number != RUNS_ON}
    out, end = [], 0
    for number, block in enumerate(_BLOCK.finditer(html, main.end())):
        if number in pages:
            out += [html[end : block.end()], f' data-page="{pages[number]}"']
            end = block.end()
    return "".join([*out, html[end:]])


def _start(page: Any, numbers: dict[Any, int], seen: set[Any]) -> int:
    """The first block that is new on the page, unless a line of an old one comes before it."""
    for box in page.descendants():
        if box.element in numbers and box.element not in seen:
            return numbers[box.element]
        if type(box).__name__ == "LineBox" and box.element in seen and _name(box.element) != "th":
            return RUNS_ON  # the heads of a table are repeated
    return RUNS_ON


def _blocks(element: Any) -> Iterator[Any]:
    for child in element:
        name = _name(child)
        if (child.get("class") or "").partition(" ")[0] in _NOT_COUNTED:
            continue
        if name in _BLOCKS:
            yield child
        if name != "svg":
            yield from _blocks(child)


def _name(element: Any) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
