"""A formula as HTML shows it: MathML for the screen, a picture for the PDF.

WeasyPrint knows no MathML and is slow with pictures of formulas, so the PDF's picture is an object
that writes ready path operators; `Typesetter.images` goes to `pdf.write_pdf` with the HTML.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache, lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from markupsafe import Markup, escape

from engine.model.norms import NORM
from generator.basics.files import Kept, user_cache
from generator.basics.fonts import FORMULA_SCALE, Medium
from generator.output.formulas.shapes import EM, ROOM, Shape, TypesetError, digits_of, shape_name, typeset
from generator.output.formulas.wording import shown, spoken, tex_text, unseen_text

__all__ = ["FormulaImage", "TypesetError", "Typesetter", "spoken", "tex_text"]

_BOX = '<mrow style="border:.06em solid;padding:.2em">'
"""Browsers frame an <mrow>; they do not know <menclose>."""
_SANS_T = ("<mi>\U0001d5b3</mi>", '<mi mathvariant="normal" style="font-family:Papierformer Sans">T</mi>')
"""The T of a transposed matrix: our font of formulas has no letters without serifs."""


@dataclass(frozen=True)
class FormulaImage:
    """A formula for WeasyPrint's image cache: width and height in thousandths of an em."""

    width: int
    height: int
    operators: bytes

    def get_intrinsic_size(self, resolution: float, font_size: float) -> tuple[float, float, float]:
        """Width, height (CSS px) and their ratio, as WeasyPrint asks for them."""
        scale = font_size * FORMULA_SCALE / EM
        return self.width * scale, self.height * scale, self.width / self.height

    def draw(self, stream: Any, width: float, height: float, style: Any) -> None:
        """Appends the outlines to a page's stream, in the colour of the text."""
        stream.set_color(style["color"])
        stream.set_color(style["color"], stroke=True)
        stream.transform(a=width / self.width, d=height / self.height)
        stream.stream.append(self.operators)


class Typesetter:
    """Sets formulas for one medium; keeps the pictures of all it has set for the PDF.

    store: where layouts are kept between runs; the user's cache folder by default.
    """

    def __init__(self, medium: Medium, store: Store | None = None) -> None:
        self.medium: Final = medium
        self._store = store if store is not None else user_store()
        self._markup: dict[tuple[str, str | None, bool], Markup] = {}
        self._images: dict[str, FormulaImage] = {}

    @property
    def images(self) -> Mapping[str, FormulaImage]:
        """Address -> picture of every formula set so far, for `pdf.write_pdf(images=…)`."""
        return self._images

    def set(self, latex: str, alt: str | None = None, display: bool = False) -> Markup:
        """The formula. alt: how it is read aloud; by default made from the LaTeX."""
        key = (latex, alt, display)
        if key not in self._markup:
            if self.medium == "pdf":
                address, markup, image = _picture(latex, alt, display, self._store)
                self._images[address] = image
            else:
                markup = _mathml(latex.replace(ROOM, ""), _alternative(latex, alt), display)
            self._markup[key] = markup
        return self._markup[key]

    def aloud(self, latex: str, alt: str | None = None) -> str:
        """On the screen, where a reader only reads words: the formula to be seen, its words to be heard."""
        seen = str(self.set(latex, alt)).replace("<math ", '<math aria-hidden="true" ', 1)
        return f'{seen}<span class="aloud">{escape(_alternative(latex, alt))}</span>'


def _alternative(latex: str, alt: str | None) -> str:
    return spoken(latex.replace(ROOM, "")) if alt is None else alt


@lru_cache(maxsize=500)  # most formulas stand on every sheet of a class
def _picture(latex: str, alt: str | None, display: bool, store: Store) -> tuple[str, Markup, FormulaImage]:
    """A formula's address, its <img> and the picture for WeasyPrint."""
    shape = _shape(latex, display, store)
    operators = shape.operators(digits_of(latex)).encode("ascii")
    operators += unseen_text(latex, shape.height - shape.depth)
    address = "tex:" + hashlib.sha256(operators).hexdigest()[:24]
    sides = shape.width, shape.height, shape.depth
    width, height, depth = (f"{side * FORMULA_SCALE / EM:.3f}em" for side in sides)
    style = f"width:{width};height:{height};vertical-align:-{depth}".replace("--", "")
    image = Markup('<img class="tex" src="{}" alt="{}" style="{}">')
    markup = image.format(address, _alternative(latex, alt), style)
    return address, markup, FormulaImage(shape.width, shape.height, operators)


def _shape(latex: str, display: bool, store: Store) -> Shape:
    name = shape_name(latex, display)
    exact = f"{name} {digits_of(latex)}"
    if kept := store.get(name) or store.get(exact):
        return kept
    shape = typeset(latex, display)
    store.put(name if shape.gaps or not digits_of(latex) else exact, shape)
    return shape


def _mathml(latex: str, alt: str, display: bool) -> Markup:
    converter, error = _converter()
    try:
        mathml = converter.convert_with_local_state(latex, displaystyle=display)
    except error as reason:
        raise TypesetError(f"{latex}: {reason}") from reason
    opening = f'<math alttext="{escape(alt)}"' + (' displaystyle="true"' if display else "")
    body = re.sub(r"^<math(?: display=\"block\")?", "", mathml, count=1)
    body = body.replace(*_SANS_T).replace('<menclose notation="box">', _BOX).replace("</menclose>", "</mrow>")
    return Markup(opening + re.sub("[\ue000-\uf8ff]", lambda sign: str(escape(shown(sign[0]))), body))


@cache
def _converter() -> tuple[Any, type[Exception]]:
    from math_core import LatexError, LatexToMathML

    return LatexToMathML(fancy_error=False), LatexError


class Store:
    """Layouts of shapes in a folder; `Store(None)` keeps nothing."""

    def __init__(self, folder: Path | None) -> None:
        self._kept = Kept(folder, ".shape")

    def get(self, name: str) -> Shape | None:
        """The kept layout; None if there is none or it was damaged."""
        try:
            entry = json.loads(self._kept.get(name) or b"{}")
            lists = {
                "gaps": tuple(map(tuple, entry["gaps"])),
                "alphabets": tuple(map(tuple, entry["alphabets"])),
            }
            return Shape(**{**entry, **lists, "pieces": tuple(entry["pieces"])})
        except (ValueError, KeyError, TypeError):
            return None

    def put(self, name: str, shape: Shape) -> None:
        """Keeps the layout if it can."""
        self._kept.put(name, json.dumps(asdict(shape), separators=(",", ":")).encode("ascii"))


def user_store(environment: Mapping[str, str] = os.environ) -> Store:
    """The store in the user's cache folder."""
    return _store_below(user_cache(environment))


@cache
def _store_below(folder: Path | None) -> Store:
    return Store(folder and folder / _edition())


@cache
def _edition() -> str:
    """Changes with everything a layout depends on."""
    made_by = [f"{name} {metadata.version(name)}" for name in ("ziamath", "ziafont", "latex2mathml")]
    ours = Path(__file__).with_name("shapes.py").read_bytes()
    return "formeln-" + hashlib.sha256(" ".join(made_by).encode() + ours).hexdigest()[:12]


@cache
def formulas() -> dict[str, str]:
    """All formulas by name, as LaTeX."""
    source = Path(__file__).with_name("expressions.py").read_bytes()
    made_by = f"formulas {metadata.version('sympy')} {hashlib.sha256(source).hexdigest()} {NORM!r}"
    kept = Kept(user_cache(), ".formulas")
    with contextlib.suppress(ValueError):
        found: dict[str, str] = json.loads(kept.get(made_by) or b"")
        return found
    from generator.output.formulas.expressions import all_latex

    made = all_latex()
    kept.put(made_by, json.dumps(made).encode("ascii"))
    return made
