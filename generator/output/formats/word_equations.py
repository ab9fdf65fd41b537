"""Formulas for Word: MathML goes in, its equations (OMML) come out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape, quoteattr

W: Final = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
NAMESPACES: Final = f'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" {W}'
_FONT: Final = '<w:rPr><w:rFonts w:ascii="Cambria Math" w:hAnsi="Cambria Math"/></w:rPr>'
_FENCES: Final = {"(": ")", "[": "]", "{": "}", "|": "|", "‖": "‖", "⟨": "⟩", "⌊": "⌋", "⌈": "⌉"}
_LARGE: Final = "∑∏∫"
_RELATIONS: Final = "=≈≠<>≤≥"
# What a sum can have below and above it: _is_large takes no other elements.
_LIMITS: Final = {
    **dict.fromkeys(("munderover", "msubsup"), ("sub", "sup")),
    **dict.fromkeys(("munder", "msub"), ("sub",)),
}
# What else has signs below or above it.
_SCRIPTS: Final = {
    **{"msub": ("sSub", "sub"), "msup": ("sSup", "sup"), "msubsup": ("sSubSup", "sub", "sup")},
    "munder": ("limLow", "lim"),
}
_ENDS_A_SUM: Final = "+−=,;"
_ACCENTS: Final = {"ˆ": "\u0302", "¯": "\u0305", "˜": "\u0303", "→": "\u20d7"}
_INVISIBLE: Final = "\u2061\u2062\u2063"
_THIN: Final = "\N{THIN SPACE}"


class UnknownMathError(Exception):
    """A formula holds an element that this converter does not know: our mistake."""


def equation(mathml: Element, display: bool) -> str:
    """The whole formula, in a line of text or in a paragraph of its own."""
    inside = f"<m:oMath {NAMESPACES}>{_row(mathml)}</m:oMath>"
    return f"<m:oMathPara {NAMESPACES}>{inside}</m:oMathPara>" if display else inside


def _row(elements: Iterable[Element]) -> str:
    """Elements side by side; what a large sum adds up belongs into the sum."""
    rest = list(elements)
    out: list[str] = []
    while rest:
        element = rest.pop(0)
        if _is_large(element):
            count = next((n for n, each in enumerate(rest) if _is_sign(each, _ENDS_A_SUM)), len(rest))
            out.append(_sum(element, _row(rest[:count])))
            del rest[:count]
        elif element.tag == "mn":
            digits = element.text or ""
            while len(rest) > 1 and (rest[0].text or "") in ",." and rest[1].tag == "mn":
                digits += (rest.pop(0).text or "") + (rest.pop(0).text or "")
            out.append(_text(digits))
        elif _is_sign(element, _RELATIONS) and not (out and rest):  # LibreOffice misses what it would relate
            out.append(_text(f"{_THIN * bool(out)}{element.text}{_THIN * bool(rest)}", upright=True))
        elif (end := _raised_end(element, rest)) is not None:
            out.append(_raised(element, rest[:end], rest[end]))
            del rest[: end + 1]
        else:
            out.append(_element(element))
    return "".join(out)


def _raised_end(opening: Element, rest: Sequence[Element]) -> int | None:
    """Where the bracket closes that is opened here, if the closing one has signs above or below it."""
    depth = 0
    if not _is_sign(opening, "".join(_FENCES)):
        return None
    opens, closes = opening.text or "", _FENCES[opening.text or ""]
    for n, element in enumerate(rest):
        raised = element.tag in _SCRIPTS and _is_sign(element[0], closes)
        if depth == 0 and (raised or _is_sign(element, closes)):
            return n if raised else None
        depth += _is_sign(element, opens) - (raised or _is_sign(element, closes))
    return None


def _raised(opening: Element, inside: Sequence[Element], closing: Element) -> str:
    """A bracket whose end has signs above or below it: they belong to all of it."""
    kind, *names = _SCRIPTS[closing.tag]
    parts = "".join(_part(name, child) for name, child in zip(names, closing[1:], strict=True))
    return f"<m:{kind}><m:e>{_brackets(opening.text or '', inside)}</m:e>{parts}</m:{kind}>"


def _brackets(opening: str, inside: Sequence[Element]) -> str:
    signs = _value("begChr", opening) + _value("endChr", _FENCES[opening])
    return f"<m:d><m:dPr>{signs}</m:dPr><m:e>{_row(inside)}</m:e></m:d>"


def _element(element: Element) -> str:
    children, said = list(element), element.text or ""
    match element.tag:
        case "math" | "mpadded" | "mstyle":
            return _row(children)
        case "mrow":
            return _fenced(children) or _row(children)
        case "mi":
            return _text(said, upright=len(said) > 1)  # cos, softmax
        case "mn":
            return _text(said)
        case "mo":
            return _text(said.strip(_INVISIBLE))
        case "mtext":
            return _text(said, upright=True)
        case "mspace":
            return _space(element)
        case "mfrac":
            return f"<m:f>{_part('num', children[0])}{_part('den', children[1])}</m:f>"
        case "msqrt":
            hidden = '<m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/>'
            return f"<m:rad>{hidden}<m:e>{_row(children)}</m:e></m:rad>"
        case tag if tag in _SCRIPTS:
            return _scripts(children, *_SCRIPTS[tag])
        case "mover":
            return _over(children)
        case "mtable":
            rows = ("".join(_part("e", cell) for cell in row) for row in children)
            return "<m:m>" + "".join(f"<m:mr>{row}</m:mr>" for row in rows) + "</m:m>"
        case _:
            raise UnknownMathError(element.tag)


def _part(name: str, element: Element) -> str:
    """An argument: a group's own brackets fall away, its row is laid out."""
    inside = _row(element if element.tag == "mtd" else [element])
    return f"<m:{name}>{inside}</m:{name}>"


def _scripts(children: Sequence[Element], kind: str, *names: str) -> str:
    parts = (_part(name, child) for name, child in zip(names, children[1:], strict=True))
    return f"<m:{kind}>{_part('e', children[0])}{''.join(parts)}</m:{kind}>"


def _over(children: Sequence[Element]) -> str:
    sign = _ACCENTS.get(children[1].text or "")
    if sign is None:
        return _scripts(children, "limUpp", "lim")
    return f"<m:acc><m:accPr>{_value('chr', sign)}</m:accPr>{_part('e', children[0])}</m:acc>"


def _sum(element: Element, summed: str) -> str:
    """∑ with what is below and above it."""
    parts = list(element) if len(element) else [element]
    named = dict(zip(_LIMITS.get(element.tag, ()), parts[1:], strict=True))
    hidden = "".join(_value(f"{name}Hide", "1") for name in ("sub", "sup") if name not in named)
    where = "undOvr" if element.tag.startswith("mu") else "subSup"
    properties = f"{_value('chr', parts[0].text or '')}{_value('limLoc', where)}{hidden}"
    limits = "".join(_part(name, named[name]) if name in named else f"<m:{name}/>" for name in ("sub", "sup"))
    return f"<m:nary><m:naryPr>{properties}</m:naryPr>{limits}<m:e>{summed}</m:e></m:nary>"


def _is_large(element: Element) -> bool:
    has_limits = len(element) and element.tag in _LIMITS
    return _is_sign(element[0] if has_limits else element, _LARGE)


def _is_sign(element: Element, among: str) -> bool:
    return element.tag == "mo" and bool(element.text) and (element.text or "") in among


def _fenced(children: Sequence[Element]) -> str:
    """Brackets that grow with what they hold; "" where there are none."""
    if len(children) < 2 or any(
        child.tag != "mo" or child.get("stretchy") == "false" for child in (children[0], children[-1])
    ):
        return ""
    opening, closing = children[0].text or "", children[-1].text or ""
    if _FENCES.get(opening) != closing:
        return ""
    return _brackets(opening, children[1:-1])


def _space(element: Element) -> str:
    width = re.match(r"([\d.]+)em", element.get("width", ""))
    thin = round(float(width[1]) * 6) if width else 0
    return _text(_THIN * thin) if thin else ""


def _text(text: str, upright: bool = False) -> str:
    if not text:
        return ""
    properties = "<m:rPr><m:nor/></m:rPr>" if upright else ""
    return f'<m:r>{properties}{_FONT}<m:t xml:space="preserve">{escape(text)}</m:t></m:r>'


def _value(name: str, value: str) -> str:
    return f"<m:{name} m:val={quoteattr(value)}/>"
