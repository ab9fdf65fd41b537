"""HTML goes in; every box that the layout puts on a page, in mm from the page's top left corner, comes out.

The boxes are those from which the PDF is drawn, so what is true of them is true of the PDF.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from generator.output.pdf import Layout, paginate

MM_PER_PX = 25.4 / 96
INVISIBLE = dict.fromkeys(map(ord, "\u200b\u00ad"))


@dataclass(frozen=True, eq=False, repr=False)
class Box:
    """One box on one page: its border box, the HTML element it comes from, and what it stands in."""

    kind: str
    tag: str
    classes: frozenset[str]
    id: str | None
    element: Any
    page: int
    left: float
    top: float
    right: float
    bottom: float
    raw: str
    parent: Box | None
    size: float = 0.0  # of text, pt
    children: list[Box] = field(default_factory=list, repr=False)

    @property
    def text(self) -> str:
        return self.raw.strip()

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def place(self) -> tuple[float, ...]:
        return tuple(round(side, 2) + 0.0 for side in (self.left, self.top, self.right, self.bottom))

    @property
    def is_leaf(self) -> bool:
        """Whether it is ink of its own: text or a picture."""
        return bool(self.text) or "Replaced" in self.kind

    @cached_property
    def ancestors(self) -> tuple[Box, ...]:
        """From the nearest outwards."""
        return () if self.parent is None else (self.parent, *self.parent.ancestors)

    @cached_property
    def around(self) -> frozenset[str]:
        """Its classes and those of all that it stands in."""
        return self.classes | (self.parent.around if self.parent else frozenset())

    @property
    def cell(self) -> Box | None:
        """The cell of a table that it stands in."""
        return next((outer for outer in self.ancestors if outer.kind == "TableCellBox"), None)

    @cached_property
    def in_margin(self) -> bool:
        own = self.kind == "MarginBox" or "at-top" in self.classes
        return own or (self.parent is not None and self.parent.in_margin)

    def inside(self) -> Iterator[Box]:
        """All boxes in it."""
        for child in self.children:
            yield child
            yield from child.inside()

    def words(self) -> str:
        """All text in it, with the spaces as they stand."""
        return "".join(box.raw for box in self.inside()).strip()

    def __str__(self) -> str:
        name = ".".join((self.tag or self.kind, *sorted(self.classes)))
        text = (self.text or self.words())[:40]
        return f"page {self.page}: {name} „{text}“ at {', '.join(f'{side:.1f}' for side in self.place)} mm"


@dataclass(frozen=True, repr=False)
class Paper:
    """All pages of a document: the boxes of each, in the order of the document."""

    pages: tuple[tuple[Box, ...], ...]
    layout: Layout

    @cached_property
    def pdf(self) -> bytes:
        return self.layout.write()

    @cached_property
    def boxes(self) -> tuple[Box, ...]:
        return tuple(box for page in self.pages for box in page)

    @cached_property
    def contents(self) -> list[list[Box]]:
        """Of each page what it holds between its margins."""
        return [[box for box in page if not box.in_margin] for page in self.pages]

    def of_class(self, name: str) -> list[Box]:
        return [box for box in self.boxes if name in box.classes and box.kind not in ("LineBox", "TextBox")]


def paper(html: str, images: dict[str, Any]) -> Paper:
    laid_out = paginate(html, images)
    pages = []
    for number, page in enumerate(laid_out.document.pages, 1):
        boxes: list[Box] = []
        _collect(page._page_box, None, number, boxes)
        pages.append(tuple(boxes))
    return Paper(tuple(pages), laid_out)


def _collect(source: Any, parent: Box | None, page: int, into: list[Box]) -> None:
    source = getattr(source, "_box", source)  # absolutely placed boxes stand behind a placeholder
    element, kind = source.element, type(source).__name__
    own = element is not None and not source.element_tag.endswith(("::before", "::after"))
    is_text = kind == "TextBox"
    if is_text:
        left, top, width, height = source.position_x, source.position_y, source.width, source.height
    else:
        left, top = source.border_box_x(), source.border_box_y()
        width, height = source.border_width(), source.border_height()
    box = Box(
        kind,
        source.element_tag or "",
        frozenset((element.get("class") or "").split()) if own else frozenset(),
        element.get("id") if own and kind not in ("TextBox", "LineBox") else None,
        element,
        page,
        *(side * MM_PER_PX for side in (left, top, left + width, top + height)),
        raw=source.text.translate(INVISIBLE) if is_text else "",
        parent=parent,
        size=source.style["font_size"] * 0.75 if is_text else 0.0,
    )
    into.append(box)
    if parent is not None:
        parent.children.append(box)
    for child in getattr(source, "children", ()):
        _collect(child, box, page, into)
