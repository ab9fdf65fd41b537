"""In: a finished PDF of ours. Out: its objects, and dictionaries to be written anew under other numbers.

For PDFs as WeasyPrint and `assembly` write them: a cross-reference stream, every stream compressed, the
dictionaries together in object streams.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

_STRING: Final = rb"\((?:\\.|[^\\()])*\)"
_PLACES: Final = re.compile(
    rb"(?P<names>/(?:ID|Dest|D) %s|/Headers \[(?: |%s)*\])|%s"
    rb"|(?<![\d.])(?P<reference>\d+) 0 R|(?<=/StructParents )(?P<page>\d+)|(?<=/StructParent )(?P<link>\d+)"
    % ((_STRING,) * 3),
    re.DOTALL,
)
_NUMBER: Final = re.compile(rb"/(\w+) (\d+)")
_WIDTH: Final = 7  # of a number that is written anew: with it, every text keeps its length
MARK: Final = 8
"""Length of what names begin with, so that those of several sheets are not the same."""


def padded(number: int) -> bytes:
    """A number in the width of all."""
    return str(number).encode().ljust(_WIDTH)


@dataclass(frozen=True)
class Pack:
    """Dictionaries that stand together.

    spans: number -> where in the source it begins and ends. starts: of each, where its text begins when
    written anew. parts: that text, between the places that `fills` stand for: an object's number n as n, the
    key k of a page or link among the tags' parents as ~k, what names begin with as None.
    """

    source: bytes
    spans: Mapping[int, tuple[int, int]]
    starts: tuple[int, ...]
    parts: tuple[bytes, ...]
    fills: tuple[int | None, ...]

    def text(self, numbers: Sequence[bytes], first_key: int, mark: bytes) -> bytes:
        """All of it. numbers: those that take the place of 0, 1 …, padded; first_key: that of key 0."""
        out = [b""] * (2 * len(self.fills) + 1)
        out[::2] = self.parts
        out[1::2] = [
            mark if fill is None else numbers[fill] if fill >= 0 else padded(first_key + ~fill)
            for fill in self.fills
        ]
        return b"".join(out)


@dataclass(frozen=True)
class PdfObjects:
    """A PDF taken apart. streams: number -> its dictionary and its packed bytes."""

    streams: Mapping[int, tuple[bytes, bytes]]
    packs: tuple[Pack, ...]
    size: int
    root: int
    info: int

    def dictionary(self, number: int) -> bytes:
        """A dictionary as it stands. KeyError if there is none."""
        for pack in self.packs:
            if number in pack.spans:
                start, end = pack.spans[number]
                return pack.source[start:end].strip()
        raise KeyError(number)


def read_objects(data: bytes) -> PdfObjects:
    """Takes a PDF apart. ValueError if it is none of ours."""
    try:
        start = int(data[data.rindex(b"startxref") + 9 :].split()[0])
        head, packed = _stream_at(data, start)
        named = {name: int(value) for name, value in _NUMBER.findall(head)}
        streams: dict[int, tuple[bytes, bytes]] = {}
        packs: list[Pack] = []
        for number, place in _places(zlib.decompress(packed), head):
            inner, content = _stream_at(data, place)
            if b"/Type /ObjStm" in inner:
                packs.append(_unpacked(inner, content))
            elif place != start:
                streams[number] = (inner, content)
        return PdfObjects(streams, tuple(packs), named[b"Size"], named[b"Root"], named[b"Info"])
    except (KeyError, IndexError, TypeError, zlib.error) as error:
        raise ValueError(f"not a PDF of ours: {error!r}") from error


def _places(table: bytes, head: bytes) -> Iterator[tuple[int, int]]:
    """The numbers of the objects that stand by themselves, and where."""
    widths = re.search(rb"/W \[(\d+) (\d+) (\d+)\]", head)
    if widths is None:
        raise ValueError("a table without widths")
    kind, place, rest = map(int, widths.groups())
    step = kind + place + rest
    for number in range(len(table) // step):
        entry = table[number * step :][:step]
        if int.from_bytes(entry[:kind], "big") == 1:
            yield number, int.from_bytes(entry[kind : kind + place], "big")


def _stream_at(data: bytes, place: int) -> tuple[bytes, bytes]:
    """A stream's dictionary and content."""
    middle = data.index(b"stream\n", place)
    head = data[data.index(b"<<", place) : middle].rstrip()
    length = re.findall(rb"/Length (\d+)", head)
    return head, data[middle + 7 : middle + 7 + int(length[-1])]


@lru_cache(maxsize=16)
def _unpacked(head: bytes, content: bytes) -> Pack:
    """The dictionaries of an object stream; kept, since the sheets of a class share one."""
    first = dict(_NUMBER.findall(head))[b"First"]
    whole = zlib.decompress(content)
    words = list(map(int, whole[: int(first)].split()))
    source = whole[int(first) :]
    spans = dict(zip(words[::2], zip(words[1::2], (*words[3::2], len(source)), strict=True), strict=True))
    starts: list[int] = []
    parts: list[bytes] = []
    fills: list[int | None] = []
    size, last = 0, 0
    for start, end in spans.values():
        starts.append(size + start - last)
        for begin, stop, fill in _fills(source, start, end):
            parts.append(source[last:begin])
            fills.append(fill)
            size += begin - last + (MARK if fill is None else _WIDTH)
            last = stop
    return Pack(source, spans, tuple(starts), (*parts, source[last:]), tuple(fills))


def _fills(source: bytes, start: int, end: int) -> Iterator[tuple[int, int, int | None]]:
    """The places of a dictionary that are written anew: begin, end, fill."""
    for found in _PLACES.finditer(source, start, end):
        if found["reference"] is not None:
            yield found.start("reference"), found.end("reference"), int(found["reference"])
        elif found["names"] is not None:
            for name in re.finditer(rb"\(", found["names"]):
                place = found.start() + name.end()
                yield place, place, None
        elif key := found["page"] or found["link"]:
            yield found.start(), found.end(), ~int(key)
