"""In: HTML as our templates write it. Out: its tags and texts, one after the other."""

from __future__ import annotations

import re
from html import unescape
from typing import Final

_PARTS: Final = re.compile(r"(<svg\b.*?</svg>|<[^>]*>)", re.DOTALL)
_ATTRIBUTE: Final = re.compile(r'([\w-]+)="([^"]*)"')
VOID: Final = frozenset(["area", "br", "col", "hr", "img", "input", "link", "meta", "wbr"])


def tokens_of(html: str) -> list[str]:
    """Texts at even places, tags at odd ones; a picture in SVG is one tag."""
    return _PARTS.split(html)


def attributes(tag: str) -> dict[str, str]:
    """The attributes of a tag."""
    return {name: unescape(value) for name, value in _ATTRIBUTE.findall(tag)}


def tag_name(tag: str) -> str:
    """„td“ of „<td class="number">“, „/td“ of „</td>“."""
    found = re.match(r"</?[\w-]+", tag)
    return found[0][1:] if found else ""


def text_of(token: str) -> str:
    """The text of a token as it is read."""
    return unescape(token) if "&" in token else token
