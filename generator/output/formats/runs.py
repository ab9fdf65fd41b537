"""Runs of text out of our HTML: words in their face, numbers, blanks, formulas, spaces as shown."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final
from xml.etree.ElementTree import Element

from generator.output.formats.tree import Bar, Blank, Break, Field, Formula, Printed, Run, Runs, Words

# They repeat what stands elsewhere, or hold no text.
_LEFT_OUT: Final = ("nav", "summary", "colgroup", "script", "style", "template")
_LEFT_OUT_CLASSES: Final = ("turn", "foot-left")
_FIELD_WIDTHS: Final = {"name": 47, "class": 17, "date": 17}
PLAIN, BOLD = Words(""), Words("", bold=True)  # how text is set
_SPACES: Final = re.compile(r"[ \t\r\n\f]+")


class UnreadableHtmlError(Exception):
    """The HTML is not as our templates write it: our mistake."""


def runs_of(element: Element, face: Words = PLAIN) -> Iterator[Run]:
    """An inline element with all that stands in it."""
    classes = classes_of(element)
    if is_left_out(element):
        return
    if element.tag == "br":
        yield Break()
    elif element.tag == "math":
        latex = element.get("data-tex")
        if latex is None:
            raise UnreadableHtmlError("a formula without its source")
        yield Formula(latex, element, element.get("displaystyle") == "true")
    elif "blank" in classes:
        yield _blank(element)
    elif element.tag == "span" and element.get("data-q") is not None:
        name, index, changed = element.get("data-q", ""), element.get("data-i", ""), "changed" in classes
        yield Printed(name, index, plain(element), face.bold, changed)
    elif "accepted" in classes:  # below a number that is no blank of its own
        yield Words(f" ({plain(element)})", mark="small")
    elif "field" in classes:
        widths = [width for name, width in _FIELD_WIDTHS.items() if name in classes]
        written = "".join(map(plain, element))
        yield Field(plain(element).removesuffix(written), (widths or [17])[0], written)
    elif "points-line" in classes:
        yield Field("", 8)
    elif "gauge" in classes:
        width = re.search(r"width:\s*([\d.]+)%", element.get("style", ""))
        yield Bar(float(width[1]) / 100 if width else None)
    else:
        yield from inner(element, face_in(element, face))


_BEFORE_A_FACTOR: Final = re.compile(r"[·+−]\s$|[\d)]\s*:\s$")
_AFTER_A_FACTOR: Final = re.compile(r"\s·\s")


def is_factor(runs: Sequence[Run], place: int) -> bool:
    """Whether a run is part of a product, sum or quotient, where a negative number stands in brackets."""
    around = (runs[n] if 0 <= n < len(runs) else None for n in (place - 1, place + 1))
    before, after = (each.text if isinstance(each, Words) else "" for each in around)
    return bool(_BEFORE_A_FACTOR.search(before) or _AFTER_A_FACTOR.match(after))


def bracketed(runs: Sequence[Run]) -> Runs:
    """The numbers that fill blanks in brackets where they need them."""
    return tuple(
        replace(run, text=f"({run.text})")
        if isinstance(run, Blank) and run.text.startswith("\N{MINUS SIGN}") and is_factor(runs, n)
        else run
        for n, run in enumerate(runs)
    )


def inner(element: Element, face: Words = PLAIN) -> Iterator[Run]:
    yield from words_of(element.text, face)
    for child in element:
        yield from runs_of(child, face)
        yield from words_of(child.tail, face)


def face_in(element: Element, face: Words) -> Words:
    """How text in an element is set. face: around it."""
    classes = classes_of(element)
    if element.tag in ("b", "strong") or "value" in classes:
        return replace(face, bold=True, mark="changed" if "changed" in classes else face.mark)
    if element.tag in ("i", "em"):
        return replace(face, italic=True)
    if element.tag == "sub":
        return replace(face, level="sub")
    if element.tag == "sup":
        return replace(face, level="sup")
    return replace(face, mark="small") if element.tag == "small" else face


def words_of(text: str | None, face: Words) -> Iterator[Words]:
    if text:
        yield replace(face, text=text)


def _blank(element: Element) -> Blank:
    value = next((part for part in element.iter() if has(part, "value")), None)
    beside = next((part for part in element.iter() if has(part, "accepted")), None)
    places = next((int(name[1:]) for name in classes_of(element) if re.fullmatch(r"p\d+", name)), 2)
    return Blank(
        element.get("data-q", ""),
        element.get("data-i", ""),
        places,
        "" if value is None else plain(value),
        "" if beside is None else plain(beside),
        value is not None and has(value, "changed"),
    )


def tidy(runs: Iterable[Run]) -> Runs:
    """White space as a browser shows it: one space between words, none at the ends; like faces joined."""
    out: list[Run] = []
    for run in runs:
        if not isinstance(run, Words):
            if isinstance(run, Break):
                _end_line(out)
            out.append(run)
            continue
        text = _SPACES.sub(" ", run.text).replace("\N{FIGURE SPACE}", "")  # sets commas below each other
        before = out[-1] if out else Break()
        ended = isinstance(before, Break) or (isinstance(before, Words) and before.text.endswith(" "))
        if ended:
            text = text.removeprefix(" ")
        if text and isinstance(before, Words) and replace(before, text="") == replace(run, text=""):
            out[-1] = replace(before, text=before.text + text)
        elif text:
            out.append(replace(run, text=text))
    _end_line(out)
    while out and isinstance(out[-1], Break):
        out.pop()
    return tuple(out)


def _end_line(out: list[Run]) -> None:
    last = out[-1] if out else None
    if isinstance(last, Words) and last.text.endswith(" "):
        text = last.text.removesuffix(" ")
        out[-1:] = [replace(last, text=text)] if text else []


def classes_of(element: Element) -> list[str]:
    return element.get("class", "").split()


def has(element: Element, *names: str) -> bool:
    return any(name in names for name in classes_of(element))


def plain(element: Element) -> str:
    return _SPACES.sub(" ", "".join(element.itertext())).replace("\N{FIGURE SPACE}", "").strip(" ")


def is_left_out(element: Element) -> bool:
    return element.tag in _LEFT_OUT or any(name in _LEFT_OUT_CLASSES for name in classes_of(element))
