"""WeasyPrint's document of our HTML, whose styles are computed quicker than by WeasyPrint alone.

It takes the insides of WeasyPrint 70 (`pyproject.toml` allows no other): how `HTML` keeps its tree, and the
rules of its own style sheet. Measured on a booklet of 33 pages: without `_say_styles_once` its layout takes a
twentieth longer, without `_usual_styles` a tenth; the pages are the same. Where a new version has other
insides, `document` can be `weasy.HTML(string=html, url_fetcher=url_fetcher)`.
"""

from copy import copy
from functools import cache
from typing import Any, Final
from xml.etree import ElementTree

from generator.output.markup import parse

_BEFORE_ALL_OTHERS: Final = 9  # no selector of ours has so many classes


def document(weasy: Any, html: str, url_fetcher: Any) -> Any:
    """WeasyPrint's document of this HTML. weasy: the module."""
    tree = parse(html)
    if tree is None:
        return weasy.HTML(string=html, url_fetcher=url_fetcher, base_url=None)
    _say_styles_once(tree)

    class Parsed(weasy.HTML):  # type: ignore[misc]
        def __init__(self) -> None:
            from cssselect2 import ElementWrapper  # what WeasyPrint itself reads a tree through

            self.base_url = None
            self.url_fetcher = url_fetcher
            self.media_type = "print"
            self.wrapper_element = ElementWrapper.from_html_root(tree, content_language=None)
            self.etree_element = self.wrapper_element.etree_element

        def _ua_stylesheets(self, forms: bool = False) -> list[Any]:
            return [_usual_styles()]

    return Parsed()


def _say_styles_once(tree: ElementTree.Element) -> None:
    """Elements of one style get one class: what it says is computed once for all of them."""
    sheet = tree.find("head/style")
    if sheet is None:
        return
    names: dict[str, str] = {}
    for element in tree.iter():
        if element.tag[0] != "{" and (style := element.attrib.pop("style", "")):
            name = names.setdefault(style, f"style-{len(names)}")
            element.set("class", f"{element.get('class', '')} {name}")
    rules = (f".{name}" * _BEFORE_ALL_OTHERS + f"{{{style}}}" for style, name in names.items())
    sheet.text = "\n".join((sheet.text or "", *rules))


@cache
def _usual_styles() -> Any:
    """WeasyPrint's own; those for marks of lists and notes would give each element six more styles."""
    from weasyprint.html import UA_STYLESHEET

    sheet = copy(UA_STYLESHEET)
    sheet.matcher = rules = copy(sheet.matcher)
    named, others = rules.lower_local_name_selectors, rules.other_selectors
    marks = [rule for rule in others if rule[3] == "marker"]  # of lists, though written for whatever has one
    rules.lower_local_name_selectors = {**named, "li": [*named["li"], *marks]}
    rules.other_selectors = [rule for rule in others if rule[3] is None]
    return sheet
