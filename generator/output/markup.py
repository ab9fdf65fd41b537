"""Our own HTML, read again: as tags and texts, and by the blocks that pages begin with.

The text of a sheet stands in templates alone, so what is laid out, shared between layouts or printed from a
browser can only be named by its place in the finished HTML; this is the one place that reads it.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from html import unescape
from typing import Any, Final

_TAG: Final = re.compile("(<[^>]*>)")
_ATTRIBUTE: Final = re.compile(r'([\w-]+)="([^"]*)"')
VOID: Final = frozenset(["area", "br", "col", "hr", "img", "input", "link", "meta", "wbr"])


def tokens_of(html: str) -> list[str]:
    """Texts at even places, tags at odd ones; a picture in SVG is one tag."""
    before, *pictures = html.split("<svg")  # apart, since the pattern alone is twice as fast
    tokens = _TAG.split(before)
    for picture in pictures:
        shapes, end, after = picture.partition("</svg>")
        tokens += [f"<svg{shapes}{end}", *_TAG.split(after)]
    return tokens


def attributes(tag: str) -> dict[str, str]:
    """The attributes of a tag."""
    return {name: unescape(value) for name, value in _ATTRIBUTE.findall(tag)}


@lru_cache(maxsize=10_000)  # a sheet's tags come again and again
def tag_name(tag: str) -> str:
    """„td“ of „<td class="number">“, „/td“ of „</td>“."""
    found = re.match(r"</?[\w-]+", tag)
    return found[0][1:] if found else ""


def text_of(token: str) -> str:
    """The text of a token as it is read."""
    return unescape(token) if "&" in token else token


_BLOCKS: Final = frozenset(
    ["section", "div", "p", "h1", "h2", "h3", "table", "tr", "ul", "ol", "li", "dl", "dt", "dd", "pre"]
)
_NOT_COUNTED: Final = ("turn", "scroll", "rule", "expected", "begin", "end")
"""Some are on the screen alone; of lines and answers a page holds one or the other."""
_COUNTED: Final = rf'(?![^>]*class="(?:{"|".join(_NOT_COUNTED)})[ "])'
_BLOCK: Final = re.compile(rf"<({'|'.join(sorted(_BLOCKS))})\b{_COUNTED}")
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


def begins_block(tag: str, classes: str) -> bool:
    return tag in _BLOCKS and classes.partition(" ")[0] not in _NOT_COUNTED


def with_page_starts(html: str, starts: Mapping[int, int], first: int) -> tuple[str, int, list[int]]:
    """A piece of HTML in which the blocks that begin a page say so (`data-page`), for a browser that prints.

    starts: number of the block -> page. first: the number of the piece's first block. Also how many blocks it
    has and the pages that begin in it.
    """
    out, end, count, pages = [], 0, 0, []
    for count, block in enumerate(_BLOCK.finditer(html), 1):
        if page := starts.get(first + count - 1):
            out += [html[end : block.end()], f' data-page="{page}"']
            pages.append(page)
            end = block.end()
    return "".join([*out, html[end:]]), count, pages


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
