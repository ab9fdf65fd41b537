"""The CSS that brings our fonts, and which characters they can print.

Nothing is ever set in a font of the machine: what our fonts lack is printed as □ (`printable`).
"""

import base64
import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Literal

from generator.basics.reading import templates_folder

Medium = Literal["screen", "pdf"]

TEXT_STACK = '"Papierformer Sans", "Papierformer Symbole", "Papierformer Math", sans-serif'
FORMULA_SCALE = 1.08
"""STIX Two is small beside Fira Sans: formulas are set larger by this factor, on paper and on screen."""

REPLACEMENT = "□"
_FACES = (("regular", "400", "normal"), ("bold", "700", "normal"), ("italic", "400", "italic"))
_FORMULA = re.compile(r"<math\b.*?</math>", re.DOTALL)
_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_KEPT_INVISIBLE = "\u00ad\u2060"
_USUAL = frozenset([*range(0x180), *range(0x2000, 0x2300)])


@cache
def folder() -> Path:
    """The folder templates/fonts."""
    return templates_folder() / "fonts"


@cache
def coverage(of: Literal["latin", "rare", "text", "math", "core"]) -> frozenset[int]:
    """Code points with a glyph: in the text fonts and symbols, or in the math font.

    latin, rare: the two parts that a browser gets of the text fonts. core: the part of the math font that our
    formulas need.
    """
    lines = (folder() / "coverage.txt").read_text(encoding="ascii").splitlines()
    runs = next(line.split()[1:] for line in lines if line.startswith(f"{of} "))
    ends = ([int(end, 16) for end in run.split("-")] for run in runs)
    return frozenset(code for end in ends for code in range(end[0], end[-1] + 1))


def unprintable(text: str) -> list[str]:
    """The characters of the text that our text fonts lack, each once, in order."""
    covered = coverage("text")
    return list(dict.fromkeys(c for c in text if ord(c) not in covered and not c.isspace()))


def printable(text: str, of: Literal["text", "math"] = "text") -> str:
    """The text with □ for what our fonts lack; invisible signs, joiners and stray accents go.

    White space of every kind that has no glyph becomes a space. "Ich 👩‍🚀!" -> "Ich □!".
    """
    if _plain(of).issuperset(text):
        return text
    return "".join(_printed(unicodedata.normalize("NFC", text), coverage(of)))


@cache
def _plain(of: Literal["text", "math"]) -> frozenset[str]:
    """The usual signs that stay as they are, whatever stands beside them."""
    return frozenset(
        sign
        for sign in map(chr, coverage(of) & _USUAL)
        if not unicodedata.combining(sign)
        and unicodedata.normalize("NFC", sign) == sign
        and "".join(_printed(sign, coverage(of))) == sign
    )


def _printed(text: str, covered: frozenset[int]) -> Iterator[str]:
    joined = replaced = False
    for sign in text:
        category = unicodedata.category(sign)
        if sign.isspace():
            yield sign if ord(sign) in covered else " "
            joined = replaced = False
        elif sign == "\u200d":
            joined = replaced
        elif category == "Cs" or (category in {"Co", "Cn"}):
            yield REPLACEMENT
        elif category in _INVISIBLE and sign not in _KEPT_INVISIBLE:
            continue
        elif joined or (replaced and (category in {"Mn", "Me"} or "\U0001f3fb" <= sign <= "\U0001f3ff")):
            joined = False
        elif ord(sign) in covered:
            replaced = False
            yield sign
        elif category not in {"Mn", "Me"}:
            replaced = True
            yield REPLACEMENT


def font_css(medium: Medium, html: str = "") -> str:
    """CSS with the fonts and the family of text and formulas, for a <style> element.

    For the PDF the fonts need no rule (`pdf.py` shows WeasyPrint only ours). For the screen they
    stand in the CSS as WOFF2: Cyrillic and rarer letters, and the math font, only if `html` holds such text
    or formulas; all of the math font only where its core does not suffice.
    """
    faces = "".join(_screen_faces(html)) if medium == "screen" else ""
    return (
        f"{faces}html{{font-family:{TEXT_STACK};font-variant-ligatures:none}}\n"
        f'math{{font-family:"Papierformer Math",math;font-size:{FORMULA_SCALE}em}}\n'
    )


def _screen_faces(html: str) -> Iterator[str]:
    used = set(map(ord, _FORMULA.sub("", html)))
    rare = used & coverage("rare")
    symbols = (used & coverage("text")) - coverage("latin") - rare
    for face, weight, style in _FACES:
        yield _face("Papierformer Sans", f"papierformer-sans-{face}", weight, style)
        if rare:
            only = "unicode-range:" + ",".join(f"U+{code:X}" for code in sorted(rare)) + ";"
            yield _face("Papierformer Sans", f"papierformer-sans-{face}-more", weight, style, only)
    if "<math" in html or symbols:
        in_formulas = set(map(ord, "".join(_FORMULA.findall(html))))
        whole = ((symbols | in_formulas) & coverage("math")) - coverage("core")
        file = "papierformer-math" if whole else "papierformer-math-core"
        yield _face("Papierformer Math", file, "1 1000", "normal")


def _face(family: str, file: str, weight: str, style: str, only: str = "") -> str:
    data = _web_font(file)
    rule = f'font-family:"{family}";font-weight:{weight};font-style:{style};font-display:block'
    return f'@font-face{{{rule};{only}src:url(data:font/woff2;base64,{data}) format("woff2")}}\n'


@cache
def _web_font(file: str) -> str:
    return base64.b64encode((folder() / "web" / f"{file}.woff2").read_bytes()).decode("ascii")
