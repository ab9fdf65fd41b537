"""In: HTML as our templates write it. Out: the tree that WeasyPrint reads.

Our HTML is well-formed but for its empty elements, so the XML parser of the standard library reads it fifty
times as fast as the parser of HTML, which takes a tenth of a document's whole time. HTML that is not
well-formed goes to that parser.
"""

from __future__ import annotations

import re
from typing import Any, Final
from xml.etree import ElementTree

_DOCTYPE: Final = re.compile(r"\s*<!doctype html>", re.IGNORECASE)
_EMPTY_ELEMENT: Final = re.compile(r"<(area|br|col|hr|img|input|link|meta|wbr)\b([^>]*?)/?>")
_ENTITIES: Final = {"&nbsp;": "\u00a0", "&shy;": "\u00ad"}  # all others that we write are XML's too


def parse(html: str) -> ElementTree.Element | None:
    """The tree of a whole well-formed document, None for anything else."""
    doctype = _DOCTYPE.match(html)
    if doctype is None:
        return None
    text = _EMPTY_ELEMENT.sub(r"<\1\2/>", html[doctype.end() :])
    for entity, sign in _ENTITIES.items():
        text = text.replace(entity, sign)
    try:
        return ElementTree.fromstring(text)  # no document type, so no entities of its own
    except ElementTree.ParseError:
        return None


def document(weasy: Any, html: str, url_fetcher: Any) -> Any:
    """WeasyPrint's document of this HTML. weasy: the module."""
    tree = parse(html)
    if tree is None:
        return weasy.HTML(string=html, url_fetcher=url_fetcher, base_url=None)

    class Parsed(weasy.HTML):  # type: ignore[misc]
        def __init__(self) -> None:
            from cssselect2 import ElementWrapper  # what WeasyPrint itself reads a tree through

            self.base_url = None
            self.url_fetcher = url_fetcher
            self.media_type = "print"
            self.wrapper_element = ElementWrapper.from_html_root(tree, content_language=None)
            self.etree_element = self.wrapper_element.etree_element

    return Parsed()
