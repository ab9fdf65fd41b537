"""How wide the signs of a font stand in a line, and their glyph numbers.

What Pango does with our fonts, for the signs of our alphabet: advance widths and kerning, in thousandths of
an em. The alphabet holds every sign that a number, a German word or most names are written with.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from itertools import groupby, zip_longest
from operator import add
from typing import Any, Final

from generator.basics.files import Kept, user_cache

ALPHABET: Final = (
    "".join(map(chr, range(32, 127)))
    + "ÀÁÂÃÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÙÚÛÝàáâãåæçèéêëìíîïñòóôõøùúûýÿĄąĆćČčĎďĐđĘęĚěĞğİıŁłŃńŇňŐőŒœŘřŚśŞşŠšŤťŮůŰűŹźŻżŽž"
    + "äöüÄÖÜß„“‚‘’–−·≈…≤≥±×→←≠²³°½√∂∞✓□☐⊙ΔΣαβγδεηλμπσ∈Ø␣₀₁₂₃₄₅₆₇₈₉\u00a0\u202f\u2007"
)
_WORDS: Final = 5_000
INVISIBLE: Final = dict.fromkeys(map(ord, "\u200b\u00ad\u2060"))


@dataclass(frozen=True)
class Face:
    """glyphs: sign -> glyph number; advances: sign -> width; kerns: two signs -> what is added."""

    glyphs: Mapping[str, int]
    advances: Mapping[str, int]
    kerns: Mapping[str, int]

    def knows(self, text: str) -> bool:
        """Whether every sign of the text is in the alphabet."""
        return all(sign in self.glyphs for sign in text)

    def width(self, text: str) -> int:
        """The width of a text in thousandths of an em; KeyError for a sign that is not in the alphabet."""
        return sum(map(self.advances.__getitem__, text)) + sum(filter(None, self._kerns_in(text)))

    def shown(self, text: str) -> bytes:
        """The text as PDF's TJ operator; KeyError for a sign that is not in the alphabet."""
        parts = (
            f"{self.glyphs[sign]:04x}>{-kern}<" if kern else f"{self.glyphs[sign]:04x}"
            for sign, kern in zip_longest(text, self._kerns_in(text))
        )
        return f"[<{''.join(parts)}>] TJ".encode("ascii")

    def _kerns_in(self, text: str) -> Iterator[int | None]:
        return map(self.kerns.get, map(add, text, text[1:]))


@dataclass(eq=False)
class Fonts:
    """The fonts of a document by name; others: those that stand in for a sign that a font lacks."""

    faces: dict[str, Face] = field(default_factory=dict)
    others: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        # The sheets of a class have most of their words and numbers in common.
        self.width = lru_cache(maxsize=_WORDS)(self._width)
        self.operators = lru_cache(maxsize=_WORDS)(self._operators)

    def __reduce__(self) -> tuple[type[Fonts], tuple[dict[str, Face], list[str]]]:
        return Fonts, (self.faces, self.others)

    def _width(self, name: str, text: str) -> int:
        """The width of a text in thousandths of an em; KeyError for a sign that no font has."""
        with contextlib.suppress(KeyError):
            return self.faces[name].width(text)
        return sum(self.faces[font].width(part) for font, part in self.runs(name, text))

    def _operators(self, name: str, size: float, text: str) -> bytes:
        """The PDF operators that show a text, the choice of its font among them."""
        try:
            shown = [(name, self.faces[name].shown(text))]
        except KeyError:
            shown = [(font, self.faces[font].shown(part)) for font, part in self.runs(name, text)]
        return b"\n".join(f"/{font} {size:.6g} Tf\n".encode() + part for font, part in shown)

    def runs(self, name: str, text: str) -> Iterator[tuple[str, str]]:
        """Font and signs that are seen, one after the other; KeyError for a sign that no font has."""
        text = text.translate(INVISIBLE)
        if self.faces[name].knows(text):
            yield name, text
            return
        for font, signs in groupby(text, lambda sign: self._font(name, sign)):
            yield font, "".join(signs)

    def _font(self, name: str, sign: str) -> str:
        for font in (name, *self.others):
            if sign in self.faces[font].glyphs:
                return font
        raise KeyError(sign)


@lru_cache(maxsize=8)
def face(font_file: bytes) -> Face:
    """What the alphabet needs of a TrueType font, kept: to read it takes as long as to lay out four pages."""
    kept = Kept(user_cache(), ".face")
    name = f"{ALPHABET} {hashlib.sha256(font_file).hexdigest()}"
    with contextlib.suppress(ValueError, TypeError):
        return Face(**json.loads(kept.get(name) or b""))
    made = face_of(font_file)
    kept.put(name, json.dumps(asdict(made)).encode("ascii"))
    return made


def face_of(font_file: bytes) -> Face:
    from fontTools.ttLib import TTFont

    font = TTFont(io.BytesIO(font_file), lazy=True)
    names, units = font.getBestCmap(), 1000 / font["head"].unitsPerEm
    signs = {sign: names[ord(sign)] for sign in ALPHABET if ord(sign) in names}
    kerning = _Kerning(font)
    kerns = {
        left + right: kern
        for left, first in signs.items()
        if kerning.begins(first)
        for right, second in signs.items()
        if (kern := round(kerning.between(first, second) * units))
    }
    return Face(
        {sign: font.getGlyphID(name) for sign, name in signs.items()},
        {sign: round(font["hmtx"][name][0] * units) for sign, name in signs.items()},
        kerns,
    )


class _Kerning:
    """The pairs of a font's `kern` feature."""

    def __init__(self, font: Any) -> None:
        self._lookups = [list(_subtables(lookup)) for lookup in _lookups(font)]

    def begins(self, first: str) -> bool:
        return any(first in table.covered for lookup in self._lookups for table in lookup)

    def between(self, first: str, second: str) -> int:
        """What the font adds between two glyphs, in its units; of each lookup the first table that speaks."""
        total = 0
        for lookup in self._lookups:
            for table in lookup:
                if first in table.covered and (value := table.value(first, second)) is not None:
                    total += value
                    break
        return total


def _lookups(font: Any) -> Iterator[Any]:
    if "GPOS" not in font:
        return
    table = font["GPOS"].table
    features = table.FeatureList.FeatureRecord if table.FeatureList else ()
    wanted = {i for entry in features if entry.FeatureTag == "kern" for i in entry.Feature.LookupListIndex}
    for i in sorted(wanted):
        yield table.LookupList.Lookup[i]


def _subtables(lookup: Any) -> Iterator[_Pairs | _Classes]:
    for table in lookup.SubTable:
        inner = table.ExtSubTable if table.LookupType == 9 else table
        yield _Pairs(inner) if inner.Format == 1 else _Classes(inner)


def _advance(value: Any) -> int:
    return int(getattr(value, "XAdvance", 0)) if value else 0


class _Pairs:
    def __init__(self, table: Any) -> None:
        self.covered = {name: i for i, name in enumerate(table.Coverage.glyphs)}
        self._seconds = [
            {pair.SecondGlyph: _advance(pair.Value1) for pair in pairs.PairValueRecord}
            for pairs in table.PairSet
        ]

    def value(self, first: str, second: str) -> int | None:
        return self._seconds[self.covered[first]].get(second)


class _Classes:
    def __init__(self, table: Any) -> None:
        self.covered = {name: i for i, name in enumerate(table.Coverage.glyphs)}
        self._first, self._second = table.ClassDef1.classDefs, table.ClassDef2.classDefs
        self._values = table.Class1Record

    def value(self, first: str, second: str) -> int | None:
        row = self._values[self._first.get(first, 0)]
        return _advance(row.Class2Record[self._second.get(second, 0)].Value1)
