"""Typesets LaTeX by ziamath, as PDF path operators, once per shape.

A shape is the LaTeX with every digit replaced by 0, and the room of a minus by one. Digits are as wide as
each other, so formulas of one shape share one layout and only the outlines of their digits are exchanged; a
minus counts as a 1, its room as a 0. By hand, because no library keeps a layout for other digits: 0.01 ms a
formula instead of 11. Coordinates are thousandths of an em, x to the right, y downwards from the box's top.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from generator.output.formulas.wording import shown

EM = 1000
ROOM = r"\phantom{-}"  # as wide as {-}
_DIGIT_STARTS = (0x30, 0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6)
_SIDE = 10
_ROW_GAP, _COLUMN_GAP = "0.45em", "0.8em"
_MINUS = 92  # thousandths of an em that a minus is thick at least, for a copy of a copy
_PATH = re.compile(r"[MLQCZ]|-?[\d.]+")


@cache
def ziamath() -> Any:
    """The library, loaded when a formula is set."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        import ziamath
    ziamath.config.svg2 = True
    ziamath.config.precision = 4
    ziamath.config.decimal_separator = "."
    return ziamath


class TypesetError(ValueError):
    """A formula that cannot be set: our mistake, never the user's (user words go through tex_text)."""


@dataclass(frozen=True)
class Shape:
    """A laid out shape: its box, and its operators with a gap for the outline of each digit.

    pieces: operators between the gaps, one more than there are gaps. gaps: for each, the place of
    its digit in the source and the ten outlines to choose from (an index into `alphabets`).
    """

    width: int
    height: int
    depth: int
    pieces: tuple[str, ...]
    gaps: tuple[tuple[int, int], ...] = ()
    alphabets: tuple[tuple[str, ...], ...] = ()

    def operators(self, digits: str) -> str:
        """The operators of the formula whose digits in the source are these."""
        parts = [self.pieces[0]]
        for (source, alphabet), piece in zip(self.gaps, self.pieces[1:], strict=True):
            parts += [self.alphabets[alphabet][int(digits[source])], piece]
        return "".join(parts)


def digits_of(latex: str) -> str:
    """The digits of the source and those that signs count as, in order."""
    return "".join(re.findall("[0-9]", _counted(latex)))


def _counted(latex: str) -> str:
    return latex.replace(ROOM, "0").replace("-", "1")


def shape_name(latex: str, display: bool) -> str:
    """The key of a layout: formulas that differ in digits alone share it."""
    return ("display " if display else "inline ") + re.sub("[0-9]", "0", latex.replace(ROOM, "{-}"))


def typeset(latex: str, display: bool) -> Shape:
    """Lays the shape out; where its digits cannot be found again, the formula as it stands.

    Raises TypesetError if ziamath cannot set it or its font lacks a sign.
    """
    drawn = _draw(re.sub("[0-9]", "0", latex.replace(ROOM, "{-}")), display)
    places = _places(latex, display, drawn)
    return drawn.shape(places) if places is not None else _draw(latex, display).shape({})


def _places(latex: str, display: bool, drawn: _Drawing) -> dict[int, int] | None:
    """Item -> place of its digit in the source, or None if that is not one to one.

    Digits are drawn in the order of MathML, where they are found by reading the source with their places
    written in them: the ones of each place, the tens.
    """
    count, items = len(digits_of(latex)), [i for i, item in enumerate(drawn.items) if item.digit]
    places = [0] * len(items)
    for power in range(len(str(max(count - 1, 0)))):
        order = iter(range(count))
        numbered = re.sub("[0-9]", lambda _: str(next(order) // 10**power % 10), _counted(latex))  # noqa: B023
        tree = _mathml(numbered, display)
        for root in [each for each in tree.iter() if each.tag.endswith("mroot")]:
            root[:] = root[::-1]  # its index is drawn before what stands under it
        digits = re.findall("[0-9]", "".join(tree.itertext()))
        if len(digits) != len(items):
            return None
        places = [place + 10**power * int(digit) for place, digit in zip(places, digits, strict=True)]
    return dict(zip(items, places, strict=True)) if sorted(places) == list(range(count)) else None


@dataclass(frozen=True)
class _Item:
    """Something drawn: operators before and after its outline, and the outline."""

    before: str
    outline: str
    digit: tuple[int, int] | None = None
    after: str = "f Q\n"


@dataclass(frozen=True)
class _Drawing:
    width: int
    height: int
    depth: int
    items: Sequence[_Item]

    def shape(self, places: dict[int, int]) -> Shape:
        pieces, gaps, alphabets = [""], [], list[int]()
        for i, item in enumerate(self.items):
            if item.digit and i in places:
                if item.digit[0] not in alphabets:
                    alphabets.append(item.digit[0])
                gaps.append((places[i], alphabets.index(item.digit[0])))
                pieces[-1] += item.before
                pieces.append(item.after)
            else:
                pieces[-1] += item.before + item.outline + item.after
        outlines = tuple(tuple(_digit_outlines(which)) for which in alphabets)
        return Shape(self.width, self.height, self.depth, tuple(pieces), tuple(gaps), outlines)


def _draw(latex: str, display: bool) -> _Drawing:
    svg = svg_of(latex, display)
    left, top, width, height = (float(part) for part in svg.attrib["viewBox"].split())
    left, right = min(left, 0) - _SIDE, left + width + _SIDE
    top, height = top - _SIDE, height + 2 * _SIDE
    symbols = {symbol.attrib["id"]: symbol for symbol in svg.iter("symbol")}
    parts = [part for part in svg if part.tag != "symbol"]
    items = [_item(part, symbols, left, top) for part in parts]
    visible = [item for item in items if item.outline]
    return _Drawing(round(right - left), round(height), round(top + height), visible)


def _mathml(latex: str, display: bool) -> Any:
    zmath = ziamath().zmath
    try:
        mathml = zmath.ET.fromstring(zmath.tex2mml(latex, inline=not display))
    except Exception as error:
        raise TypesetError(f"{latex}: {error}") from error
    for element in mathml.iter():
        element.text = shown(element.text) if element.text else element.text
        if element.tag.endswith("mtable"):
            element.set("rowspacing", _ROW_GAP)
            element.set("columnspacing", element.get("columnspacing") or _COLUMN_GAP)
    return mathml


def svg_of(latex: str, display: bool) -> Any:
    """The formula as an SVG element. Raises TypesetError."""
    mathml = _mathml(latex, display)
    try:
        return ziamath().Math(mathml, size=EM, margin=0).svgxml()
    except Exception as error:
        raise TypesetError(f"{latex}: {error}") from error


def _item(part: Any, symbols: dict[str, Any], left: float, top: float) -> _Item:
    if part.tag == "use":
        return _glyph(part, symbols[part.attrib["href"][1:]], left, top)
    if part.tag == "rect":
        x, y, w, h = (float(part.attrib[key]) for key in ("x", "y", "width", "height"))
        rectangle = f"{x - left:.0f} {y - top:.0f} {w:.0f} {h:.0f} re "
        if part.attrib.get("fill") == "none":
            return _Item(f"q {float(part.attrib['stroke-width']):.0f} w ", rectangle, after="S Q\n")
        return _Item("q ", rectangle)
    raise TypesetError(f"cannot draw <{part.tag}>")


def _glyph(use: Any, symbol: Any, left: float, top: float) -> _Item:
    number = _number_of(symbol)
    if number == 0:
        raise TypesetError("the math font lacks a sign")
    box = [float(part) for part in symbol.attrib["viewBox"].split()]
    scale = float(use.attrib["height"]) / box[3]
    x = float(use.attrib["x"]) - box[0] * scale - left
    y = float(use.attrib["y"]) - box[1] * scale - top
    size = scale * _symbol_size() / EM
    before = f"q {size:.4g} 0 0 {-size:.4g} {x:.1f} {y:.1f} cm "
    return _Item(before, _outline(symbol), _digit_glyphs().get(number))


def _outline(symbol: Any) -> str:
    """An SVG symbol of 12 points to the em as PDF operators of 1000 units to the em, y upwards."""
    path = _operators(" ".join(part.attrib["d"] for part in symbol.iter("path")))
    return _thicker(path) if _number_of(symbol) == _math_font().glyphindex("\N{MINUS SIGN}") else path


def _number_of(symbol: Any) -> int:
    return int(symbol.attrib["id"].rsplit("_", 1)[1])


def _thicker(minus: str) -> str:
    """A fraction bar, a little thicker to both sides."""
    numbers = [int(part) for part in minus.split() if not part.isalpha()]
    (left, *_, right), (low, *_, high) = sorted(numbers[::2]), sorted(numbers[1::2])
    middle, half = (low + high) // 2, max(_MINUS, high - low) // 2
    return f"{left} {middle - half} {right - left} {2 * half} re "


@cache
def _operators(path: str) -> str:
    return "".join(f"{segment} " for segment in _segments(path))


def _segments(path: str) -> Iterator[str]:
    tokens = _PATH.findall(path)
    unit = EM / _symbol_size()
    here, at, command = (0.0, 0.0), 0, ""
    while at < len(tokens):
        if tokens[at].isalpha():
            command, at = tokens[at], at + 1
            if command == "Z":
                yield "h"
                continue
        count = {"M": 2, "L": 2, "Q": 4, "C": 6}[command]
        flat = [float(token) * unit for token in tokens[at : at + count]]
        points = [(x, -y) for x, y in zip(flat[::2], flat[1::2], strict=True)]
        at += count
        if command == "Q":
            control, end = points
            points = [_between(here, control), _between(end, control), end]
        here = points[-1]
        letter = {"M": "m", "L": "l", "Q": "c", "C": "c"}[command]
        yield " ".join(f"{round(x)} {round(y)}" for x, y in points) + f" {letter}"


def _between(end: tuple[float, float], control: tuple[float, float]) -> tuple[float, float]:
    """A control point of the cubic curve that is this quadratic one: two thirds of the way."""
    return (end[0] + 2 * control[0]) / 3, (end[1] + 2 * control[1]) / 3


def _symbol_size() -> float:
    from ziafont.glyph import SimpleGlyph

    return float(SimpleGlyph.DFLT_SIZE_PT)


@cache
def _math_font() -> Any:
    return ziamath().Math("<math><mn>0</mn></math>").font


@cache
def _digit_alphabets() -> tuple[tuple[int, ...], ...]:
    """The glyph numbers of 0 to 9 in each of their forms: upright, bold …, and small in scripts; a minus."""
    font = _math_font()
    styles = [tuple(font.glyphindex(chr(start + digit)) for digit in range(10)) for start in _DIGIT_STARTS]
    scripts = [
        tuple(_last_glyph(script % digit) for digit in range(10)) for script in ("x^{%d}", "x^{x^{%d}}")
    ]
    return (*dict.fromkeys(styles + scripts), tuple(map(font.glyphindex, " \N{MINUS SIGN}")))


def _last_glyph(latex: str) -> int:
    use = [part for part in svg_of(latex, display=False) if part.tag == "use"][-1]
    return int(use.attrib["href"].rsplit("_", 1)[1])


@cache
def _digit_glyphs() -> dict[int, tuple[int, int]]:
    """Glyph number -> (number of its alphabet, digit)."""
    alphabets = enumerate(_digit_alphabets())
    return {
        glyph: (which, digit) for which, glyphs in alphabets for digit, glyph in enumerate(glyphs) if glyph
    }


def _digit_outlines(which: int) -> list[str]:
    font = _math_font()
    glyphs = _digit_alphabets()[which]
    return [_outline(font.glyph_fromid(glyph).svgsymbol()) or "0 0 m " for glyph in glyphs]
