"""HTML of a sheet goes in; its numbers with their addresses, its blanks and its words come out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html.entities import html5
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import tinyhtml5

_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
# What our pages have that XML has not; whatever else is not well-formed is left to the parser of HTML.
_DOCTYPE = re.compile(r"\s*<!doctype html>", re.IGNORECASE)
_EMPTY_ELEMENT = re.compile(r"<(br|col|hr|img|input|link|meta|wbr)\b([^>]*?)/?>")
_SCRIPT = re.compile(r"(<script\b[^>]*>)(.*?)(</script>)", re.DOTALL)
_OPEN = re.compile(r"(<details\b[^>]*) open>")
_FOREIGN = {"svg": "http://www.w3.org/2000/svg", "math": "http://www.w3.org/1998/Math/MathML"}
_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)(\w+;)")
_UNNAMED = re.compile(r"<(svg|math)\b(?![^>]*\sxmlns=)")
Address = tuple[str, tuple[int, ...]]


@dataclass(frozen=True)
class Printed:
    """A number as it stands on the page, without what the key prints beside it."""

    name: str
    index: tuple[int, ...]
    text: str
    blank: bool

    @property
    def address(self) -> Address:
        return self.name, self.index


def tree(html: str) -> Element:
    """Without the styles: their fonts take long to read."""
    unstyled = _STYLE.sub("", html)
    quick = well_formed(unstyled)
    return tinyhtml5.parse(unstyled, namespace_html_elements=False) if quick is None else quick


def well_formed(html: str) -> Element | None:
    """The same tree, thirty times as fast; None where that is not certain."""
    doctype = _DOCTYPE.match(html)
    if doctype is None:
        return None
    text = _EMPTY_ELEMENT.sub(r"<\1\2/>", html[doctype.end() :])
    text = _SCRIPT.sub(r"\1<![CDATA[\2]]>\3", text)
    text = _OPEN.sub(r'\1 open="">', text)
    text = _UNNAMED.sub(lambda found: f'<{found[1]} xmlns="{_FOREIGN[found[1]]}"', text)
    text = _ENTITY.sub(lambda found: html5.get(found[1], found[0]), text)
    try:
        return ElementTree.fromstring(text)
    except ElementTree.ParseError:
        return None


def classes(element: Element) -> set[str]:
    return set((element.get("class") or "").split())


def text_of(element: Element) -> str:
    return "".join(element.itertext()).strip()


def numbers(root: Element) -> list[Printed]:
    """Every number that knows its quantity, in order."""
    found = []
    for element in root.iter():
        if element.get("data-q") is not None:
            index = tuple(int(place) for place in element.get("data-i").split(",") if place)
            blank = "blank" in classes(element)
            value = next((child for child in element if "value" in classes(child)), None)
            text = text_of(element) if not blank else "" if value is None else text_of(value)
            found.append(Printed(element.get("data-q"), index, text, blank))
    return found


def cell(values: Any, index: tuple[int, ...]) -> Any:
    for place in index:
        values = values[place]
    return values
