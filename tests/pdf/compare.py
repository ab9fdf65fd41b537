"""In: two PDFs. Out: how they differ in text, places, pictures and what is read aloud."""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pypdfium2
from pypdf import PdfReader

from tests.pdf.signs import pages_of, signs

_PLACE = 0.15  # pt: WeasyPrint rounds each letter to a thousandth of an em
_INK = 110  # of 255, after a blur of a pixel


def differences(first: bytes, second: bytes) -> Iterator[str]:
    """What differs, in words."""
    letters = [_letters(data) for data in (first, second)]
    if len(letters[0]) != len(letters[1]):
        yield f"{len(letters[0])} pages and {len(letters[1])}"
        return
    for page, (ours, theirs) in enumerate(zip(*letters, strict=True), 1):
        if [sign for sign, *_ in ours] != [sign for sign, *_ in theirs]:
            yield f"page {page}: other text"
        elif away := elsewhere(ours, theirs):
            yield f"page {page}: {len(away)} letters elsewhere, first {away[0]}"
    pictures = [_pictures(data) for data in (first, second)]
    for page, (one, other) in enumerate(zip(*pictures, strict=True), 1):
        if (spots := int((np.abs(_blurred(one - other)) > _INK).sum())) > 0:
            yield f"page {page}: {spots} spots of other ink"
    spoken = [list(alternatives(data)) for data in (first, second)]
    if spoken[0] != spoken[1]:
        yield f"other text alternatives: {set(spoken[0]) ^ set(spoken[1])}"
    titles = [(PdfReader(io.BytesIO(data)).metadata or {}).get("/Title") for data in (first, second)]
    bookmarks = [list(_bookmarks(PdfReader(io.BytesIO(data)).outline)) for data in (first, second)]
    if bookmarks[0] != bookmarks[1]:
        yield f"other bookmarks: {set(bookmarks[0]) ^ set(bookmarks[1])}"
    if titles[0] != titles[1]:
        yield f"other titles: {titles}"


def _bookmarks(outline: Any) -> Iterator[str]:
    for entry in outline:
        if isinstance(entry, list):
            yield from _bookmarks(entry)
        else:
            yield str(entry.title)


Letter = tuple[str, float, float]


def elsewhere(ours: list[Letter], theirs: list[Letter]) -> list[Letter]:
    """Our letters that stand where none of theirs does."""
    pairs = [(one, other) for one, other in zip(ours, theirs, strict=True) if _far(one, other)]
    away, left = [], [other for _, other in pairs]  # a small shift may have sorted them otherwise
    for one, _ in pairs:
        near = next((other for other in left if other[0] == one[0] and not _far(one, other)), None)
        if near is None:
            away.append(one)
        else:
            left.remove(near)
    return away


def _far(one: Letter, other: Letter) -> bool:
    return max(abs(one[1] - other[1]), abs(one[2] - other[2])) > _PLACE


def _letters(data: bytes) -> list[list[Letter]]:
    """Of each page, the letters with their places, sorted so that small shifts seldom matter."""
    return [
        sorted((each[:3] for each in signs(page)), key=lambda c: (c[0], round(c[2]), c[1]))
        for page in pages_of(data)
    ]


def _pictures(data: bytes) -> list[Any]:
    """Of each page, how light each pixel is."""
    pages = pypdfium2.PdfDocument(data)
    return [np.asarray(page.render(scale=1.5).to_pil().convert("L"), dtype=float) for page in pages]


def _blurred(grey: Any) -> Any:
    """Each pixel the mean of itself and its neighbours."""
    if not grey.any():
        return grey
    padded = np.pad(grey, 1, mode="edge")
    rows, columns = grey.shape
    return sum(padded[i : i + rows, j : j + columns] for i in range(3) for j in range(3)) / 9


def alternatives(data: bytes) -> Iterator[str]:
    """What is said instead of each picture, in the order of the structure tree."""
    waiting = [PdfReader(io.BytesIO(data)).trailer["/Root"]["/StructTreeRoot"]]
    while waiting:
        entry = waiting.pop()
        entry = entry.get_object() if hasattr(entry, "get_object") else entry
        if not isinstance(entry, dict):
            continue
        if "/Alt" in entry:
            yield str(entry["/Alt"])
        kids = entry.get("/K", [])
        waiting.extend(reversed(kids if isinstance(kids, list) else [kids]))


def everything(data: bytes) -> bytes:
    """All that a PDF holds, unpacked: where nothing of another document may be left over."""
    packed = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", data, re.DOTALL)
    unpacked = []
    for part in packed:
        try:
            unpacked.append(zlib.decompress(part))
        except zlib.error:
            unpacked.append(part)
    return data + b"\n".join(unpacked)
