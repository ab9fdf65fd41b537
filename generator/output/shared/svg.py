"""A figure as `figures.drawing` writes it, in PDF operators, drawn as WeasyPrint draws it.

By hand, because WeasyPrint draws a figure only with its whole page; it reads exactly the shapes that our
figures are made of, and says so where there is another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from html import unescape
from typing import Final

from generator.basics.fonts import folder
from generator.output.markup import attributes
from generator.output.shared.captured import numbers
from generator.output.shared.metrics import Face, Fonts, face

_PIECES: Final = re.compile(
    r"<title>.*?</title>|<desc>.*?</desc>|<text\b[^>]*>[^<]*</text>|<[^>]*>", re.DOTALL
)
_SHAPE: Final = re.compile(r'<(?:path d="([^"]*)"|circle (cx="[^"]*" cy="[^"]*" r="[^"]*"))([^>]*)/>')
_NUMBERS: Final = re.compile('="([^"]*)"')
_PATH: Final = re.compile(r"[A-Za-z]|-?\d*\.?\d+(?:e-?\d+)?")
_RECTANGLE: Final = re.compile(r"M([\d.]+) ([\d.]+)H([\d.]+)V([\d.]+)H\1Z")
_RECTANGLES: Final = re.compile(r"(?:M([\d.]+) [\d.]+H[\d.]+V[\d.]+H\1Z)+")
_COUNTS: Final = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "Z": 0}
_COLOURS: Final = {"#000": b"0 0 0", "#fff": b"1 1 1", "black": b"0 0 0", "white": b"1 1 1"}
_CIRCLE: Final = 0.5522847498  # control points of a quarter
_LONG: Final = 2_000  # signs
_WEIGHTS: Final = ("regular", "bold")
_FIGURE: Final = re.compile(r"(<svg\b[^>]* font-f[^>]*>(?:\s*<title>[^<]*</title>)?).*?(</svg>)", re.DOTALL)
Weights = tuple[str, str]
"""The names of the normal and the bold font in the PDF, "" for one that its pages do not use."""


class OtherShape(ValueError):  # noqa: N818
    """Something that our figures do not draw."""


def title_of(svg: str) -> str:
    """What is read aloud instead of the figure."""
    found = re.search(r"<title>(.*?)</title>", svg, re.DOTALL)
    return unescape(found[1]) if found else ""


def frame_of(svg: str) -> str:
    """The figure's own tag: two figures with the same one have the same room."""
    return svg[: svg.index(">") + 1]


def without_shapes(html: str) -> str:
    """The HTML with the titles alone in its figures, but for those with a shape or a sign not known here."""
    return _FIGURE.sub(lambda figure: figure[1] + figure[2] if _is_known(figure[0]) else figure[0], html)


def _is_known(svg: str) -> bool:
    try:
        operators(svg, _WEIGHTS, _text_fonts())
    except OtherShape:
        return False
    return True


@cache
def _text_fonts() -> Fonts:
    files = folder() / "pdf"
    return Fonts({name: face((files / f"papierformer-sans-{name}.ttf").read_bytes()) for name in _WEIGHTS})


@lru_cache(maxsize=30)  # worksheet and key have most of them in common
def operators(svg: str, weights: Weights, fonts: Fonts) -> bytes:
    """The shapes of a figure in the units of its viewBox. Raises OtherShape."""
    parts: list[bytes] = []
    for piece in _PIECES.findall(svg)[1:]:
        if piece.startswith("<text"):
            parts.append(_text(piece, weights, fonts))
        elif piece.startswith(("<path", "<circle")):
            own = len(piece) > _LONG  # as a QR code, which no other sheet has
            parts.append(shape_of.__wrapped__(piece) if own else shape_of(piece))
        elif not piece.startswith(("<title", "<desc", "</svg")):
            raise OtherShape(piece)
    return b"\n".join(part for part in parts if part)


@lru_cache(maxsize=5_000)  # sheets have most of them in common
def shape_of(piece: str) -> bytes:
    found = _SHAPE.fullmatch(piece)
    if found is None:
        raise OtherShape(piece)
    path, circle, style = found.groups()
    begin, end = _painted(style)
    outline = _outline(path) if circle is None else _circle(*_NUMBERS.findall(circle))
    return b"%s\n%s\n%s" % (begin, outline, end)


@lru_cache(maxsize=500)
def _painted(style: str) -> tuple[bytes, bytes]:
    """What stands before and after an outline that is painted so."""
    given = attributes(style)
    if other := given.keys() - {"fill", "stroke", "stroke-width", "stroke-dasharray"}:
        raise OtherShape(", ".join(other))
    fill, stroke = given.get("fill", "#000"), given.get("stroke", "none")
    if not float(given.get("stroke-width", "1")):
        stroke = "none"  # for SVG a line without width is none, for PDF a thin one
    if {fill, stroke} - _COLOURS.keys() - {"none"}:
        raise OtherShape(f"{fill}, {stroke}")
    state = [b"q"]
    if fill != "none":
        state.append(_COLOURS[fill] + b" rg")
    if stroke != "none":
        dashes = b" ".join(numbers(float(length)) for length in given.get("stroke-dasharray", "").split())
        state.append(_COLOURS[stroke] + b" RG")
        state.append(numbers(float(given.get("stroke-width", "1"))) + b" w")
        state.append(b"[" + dashes + b"] 0 d\n0 J\n0 j\n4 M")
    paint = {(True, True): b"B", (True, False): b"f", (False, True): b"S", (False, False): b"n"}
    return b"\n".join(state), paint[fill != "none", stroke != "none"] + b"\nQ"


def _circle(*sides: str) -> bytes:
    x, y, r = map(float, sides)
    k = r * _CIRCLE
    quarters = (
        (x + r, y + k, x + k, y + r, x, y + r),
        (x - k, y + r, x - r, y + k, x - r, y),
        (x - r, y - k, x - k, y - r, x, y - r),
        (x + k, y - r, x + r, y - k, x + r, y),
    )
    return b"\n".join([numbers(x + r, y) + b" m", *(numbers(*quarter) + b" c" for quarter in quarters), b"h"])


def _outline(path: str) -> bytes:
    if not _RECTANGLES.fullmatch(path):
        return b"\n".join(_segments(path))
    return b"\n".join(  # a QR code has hundreds of them
        b"%s %s m\n%s %s l\n%s %s l\n%s %s l\nh" % (x, y, u, y, u, v, x, v)
        for x, y, u, v in (map(_literal, sides) for sides in _RECTANGLE.findall(path))
    )


@lru_cache(maxsize=1_000)
def _literal(number: str) -> bytes:
    return numbers(float(number))


def _segments(path: str) -> Iterator[bytes]:
    parts = _PATH.findall(path)
    i, command, kind, relative, x, y, start = 0, "", "", False, 0.0, 0.0, (0.0, 0.0)
    while i < len(parts):
        if parts[i].isalpha():
            command, i = parts[i], i + 1
            kind, relative = command.upper(), command.islower()
        if kind not in _COUNTS:
            raise OtherShape(command)
        count = _COUNTS[kind]
        given = list(map(float, parts[i : i + count]))
        i += count
        ox, oy = (x, y) if relative else (0.0, 0.0)
        if kind == "Z":
            x, y = start
            yield b"h"
        elif kind == "C":
            if relative:
                raise OtherShape(command)
            x, y = given[-2:]
            yield numbers(*given) + b" c"
        else:
            x = ox + given[0] if kind != "V" else x
            y = y if kind == "H" else oy + given[-1]
            if kind == "M":
                start = (x, y)
            yield numbers(x, y) + (b" m" if kind == "M" else b" l")
            kind = "L" if kind == "M" else kind


@lru_cache(maxsize=2_000)
def _text(piece: str, weights: Weights, fonts: Fonts) -> bytes:
    given = attributes(piece[: piece.index(">") + 1])
    words = " ".join(unescape(piece[piece.index(">") + 1 : piece.rindex("<")]).split(" "))
    if not words:
        return b""
    font = weights[given.get("font-weight") == "700"]
    if not font:
        raise OtherShape("a font that the pages do not use")
    try:
        runs = list(fonts.runs(font, words))
    except KeyError as error:
        raise OtherShape(words) from error
    size, x, y = (float(given[key]) for key in ("font-size", "x", "y"))
    back = {"start": 0.0, "middle": 0.5, "end": 1.0}[given.get("text-anchor", "start")]
    left = x - back * sum(fonts.faces[f].advances[sign] for f, part in runs for sign in part) * size / 1000
    turned = re.fullmatch(r"rotate\(-90 (\S+) (\S+)\)", given.get("transform", ""))
    if "transform" in given and (turned is None or (float(turned[1]), float(turned[2])) != (x, y)):
        raise OtherShape(given["transform"])
    matrix = numbers(0, -1, -1, 0, x, y + (x - left)) if turned else numbers(1, 0, 0, -1, left, y)
    shown = [
        f"/{name} ".encode() + numbers(size) + b" Tf\n" + _shown(fonts.faces[name], part)
        for name, part in runs
    ]
    colour = _COLOURS[given.get("fill", "#000")]
    return b"q\n" + colour + b" rg\nBT\n" + matrix + b" Tm\n" + b"\n".join(shown) + b"\nET\nQ"


def _shown(face: Face, words: str) -> bytes:
    """Letter by letter, so without kerning; a space is a gap."""
    glyphs = "".join(f"{face.glyphs[s]:04x}" if s != " " else f">{-face.advances[s]}<" for s in words)
    return f"[<{glyphs}>] TJ".encode()
