"""HTML of a sheet goes in; its numbers with their addresses, its blanks and its words come out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element

import tinyhtml5

_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
Address = tuple[str, tuple[int, ...]]


@dataclass(frozen=True)
class Printed:
    """A number as it stands on the page, without what the key prints beside it."""

    name: str
    index: tuple[int, ...]
    text: str
    blank: bool
    id: str | None

    @property
    def address(self) -> Address:
        return self.name, self.index


def tree(html: str) -> Element:
    """Without the styles: their fonts take long to read."""
    return tinyhtml5.parse(_STYLE.sub("", html), namespace_html_elements=False)


def classes(element: Element) -> set[str]:
    return set((element.get("class") or "").split())


def text_of(element: Element) -> str:
    return "".join(element.itertext()).strip()


def all_words(root: Element) -> str:
    """What a reader sees: everything but the styles, with single spaces."""
    return " ".join(" ".join(root.find("body").itertext()).split())


def numbers(root: Element) -> list[Printed]:
    """Every number that knows its quantity, in order."""
    found = []
    for element in root.iter():
        if element.get("data-q") is not None:
            index = tuple(int(place) for place in element.get("data-i").split(",") if place)
            blank = "blank" in classes(element)
            value = next((child for child in element if "value" in classes(child)), None)
            text = text_of(element) if not blank else "" if value is None else text_of(value)
            found.append(Printed(element.get("data-q"), index, text, blank, element.get("id")))
    return found


def cell(values: Any, index: tuple[int, ...]) -> Any:
    for place in index:
        values = values[place]
    return values
