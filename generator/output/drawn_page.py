"""In: the HTML of a document and one of its pages as drawn. Out: what of the HTML a box on the page is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from generator.output.metrics import INVISIBLE
from generator.output.slots import Captured, Operators
from generator.output.tokens import text_of


@dataclass
class Source:
    """The HTML of a document.

    starts: element -> its tag; ends: tag -> the tag that ends it; texts: tag -> the texts directly in it.
    styles: style of text -> font and size.
    """

    found: Captured
    starts: dict[Any, int]
    ends: dict[int, int]
    texts: dict[int, list[int]]
    styles: dict[tuple[Any, ...], tuple[str, float]] = field(default_factory=dict)


class Unclear(Exception):  # noqa: N818
    """This block is left as it is."""


@dataclass
class DrawnPage:
    """One page. marks: box -> where its operators begin and end; elements: picture -> number of its tag."""

    source: Source
    number: int
    operators: Operators
    marks: dict[Any, tuple[int, int]]
    elements: dict[Any, int]
    _rest: dict[int, list[tuple[int, str]]] = field(default_factory=dict)

    def start(self, box: Any) -> int | None:
        return self.source.starts.get(box.element) if "::" not in (box.element_tag or "") else None

    def consume(self, element: int, text: str) -> int:
        """The token that a drawn text belongs to."""
        tokens = self.source.found.tokens
        if element not in self._rest:
            self._rest[element] = [
                (token, bare(text_of(tokens[token]))) for token in self.source.texts.get(element, [])
            ]
        rest = self._rest[element]
        wanted = bare(text)
        while rest and not rest[0][1]:
            rest.pop(0)
        if not rest or not rest[0][1].startswith(wanted):
            raise Unclear
        token, left = rest[0]
        rest[0] = (token, left[len(wanted) :])
        return token


def bare(text: str) -> str:
    return "".join(text.translate(INVISIBLE).split())


def style_key(style: Any) -> tuple[Any, ...]:
    return style["font_weight"], style["font_style"], style["font_size"]
