"""The objects of our PDFs, written to a file and read back: what many documents share is written by hand.

An `Assembly` is a sheet, `binding` writes a whole class, both much faster than a library of PDFs
would (30 sheets of 23 pages: 4 s and 70 MB, with pikepdf 16 s and 850 MB). Read are PDFs as WeasyPrint and
`Assembly` write them: a cross-reference stream, every stream compressed, the
dictionaries together in object streams.
"""

from __future__ import annotations

import hashlib
import io
import re
import sys
import zlib
from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, chain
from operator import add
from typing import Any, BinaryIO, Final, NamedTuple

_WIDTHS: Final = (1, 4, 3)  # bytes of a line of the table: kind, where, order among those packed together
_FAST: Final = 1  # zlib's quickest: a tenth larger than its best, five times as fast
_NUMBER: Final = re.compile(rb"/(\w+) (\d+)")
STRING: Final = rb"\((?:\\.|[^\\()])*\)"
_RENUMBERED: Final = re.compile(  # numbers, names and strings as wholes, so that no place is looked at twice
    rb"(?P<reference>\d+) 0 R|[\d.]+|%s|<[0-9a-f]+>"
    rb"|/(?:(?P<names>(?:ID|Dest|D) %s|Headers \[(?: |%s)*\])|StructParents? (?P<key>\d+)|\w*)"
    % ((STRING,) * 3),
    re.DOTALL,
)
_IN_TREE: Final = re.compile(rb"(?<![\d.])(?:(?P<reference>\d+) 0 R|(?P<key>\d+) (?=\[|\d+ 0 R))")
_LINK: Final = re.compile(rb"/(?:Dest|D) (%s)" % STRING)
_BETWEEN: Final = b"\0\0"


def pdf_string(text: str) -> bytes:
    """A text as PDF writes it."""
    if text.isascii():
        escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)").replace("\r", r"\r")
        return b"(" + escaped.encode("ascii") + b")"
    return b"<" + b"\xfe\xff".hex().encode() + text.encode("utf-16-be").hex().encode() + b">"


def stream(content: bytes | array[int], entries: bytes = b"") -> bytes:
    """A stream, compressed; entries: what else its dictionary says."""
    packed = zlib.compress(content, _FAST)
    return joined(b"<<%s/Filter /FlateDecode/Length %d>>" % (entries, len(packed)), packed)


def joined(head: bytes, content: bytes) -> bytes:
    """A stream of its dictionary and its compressed content."""
    return b"%s\nstream\n%s\nendstream" % (head, content)


def pack(dictionaries: Mapping[int, bytes]) -> bytes:
    """Many dictionaries as one compressed stream (ISO 32000-2, 7.5.7), for `PdfFile.together`."""
    number = len(dictionaries)
    starts = map(add, accumulate(map(len, dictionaries.values()), initial=0), range(number))
    first = (
        b" ".join([b"%d %d"] * number) % tuple(chain.from_iterable(zip(dictionaries, starts, strict=True)))
        + b"\n"
    )
    entries = b"/Type /ObjStm/N %d/First %d" % (number, len(first))
    return stream(first + b"\n".join(dictionaries.values()), entries)


class PdfFile:
    """A PDF that is being written. Numbers are given out by `new` before or as their objects come."""

    def __init__(self, out: BinaryIO) -> None:
        self._out, self._size = out, 0
        self._table = array("Q", [_line(0, 0, 65535)])
        self._digest = hashlib.md5(usedforsecurity=False)
        self._put(b"%PDF-1.7\n%\xf0\x9f\x96\xa4\n")

    def new(self, number: int = 1) -> int:
        """So many new numbers; the first of them."""
        self._table.frombytes(bytes(8 * number))
        return len(self._table) - number

    def add(self, number: int, data: bytes) -> None:
        """A stream or dictionary."""
        self._table[number] = _line(1, self._size)
        self._put(b"%d 0 obj\n%s\nendobj\n" % (number, data))

    def together(self, dictionaries: Mapping[int, bytes], packed: bytes = b"") -> None:
        """Many dictionaries in one stream. packed: of `pack`, where it is known already."""
        holder = self.new()
        for line, number in enumerate(dictionaries, _line(2, holder)):
            self._table[number] = line
        self.add(holder, packed or pack(dictionaries))

    def finish(self, root: int, info: int) -> None:
        """The table of places, and the end. root, info: numbers of the catalogue and of the title's."""
        number, start, mark = self.new(), self._size, self._digest.hexdigest().encode()
        self._table[number] = _line(1, start)
        if sys.byteorder == "little":
            self._table.byteswap()
        entries = b"/Type /XRef/W [%d %d %d]/Size %d/Root %d 0 R/Info %d 0 R/ID [<%s> <%s>]"
        entries %= (*_WIDTHS, number + 1, root, info, mark, mark)
        self.add(number, stream(self._table, entries))
        self._put(b"startxref\n%d\n%%%%EOF\n" % start)

    def _put(self, data: bytes) -> None:
        self._out.write(data)
        self._digest.update(data)
        self._size += len(data)


def _line(kind: int, where: int, order: int = 0) -> int:
    """An object's line in the table (ISO 32000-2, 7.5.8.3); where: its byte, or what it is packed in."""
    return kind << 56 | where << 24 | order


@dataclass(frozen=True)
class PdfObjects:
    """A PDF taken apart, by number. streams: dictionary and compressed content; packs: of dictionaries."""

    streams: Mapping[int, tuple[bytes, bytes]]
    packs: tuple[Mapping[int, bytes], ...]
    size: int
    root: int
    info: int

    def __getitem__(self, number: int) -> bytes:
        """A dictionary. KeyError if there is none."""
        for together in self.packs:
            if number in together:
                return together[number]
        raise KeyError(number)


def read_objects(data: bytes) -> PdfObjects:
    """Takes a PDF apart. ValueError if it is none of ours."""
    try:
        start = int(data[data.rindex(b"startxref") + 9 :].split()[0])
        head, packed = _stream_at(data, start)
        named = {name: int(value) for name, value in _NUMBER.findall(head)}
        streams: dict[int, tuple[bytes, bytes]] = {}
        packs: list[Mapping[int, bytes]] = []
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
    widths = re.search(rb"/W \[(1) (\d+) (\d+)\]", head)
    if widths is None:
        raise ValueError("a table without widths, or of other kinds")
    _, place, rest = map(int, widths.groups())
    step = 1 + place + rest
    for found in re.finditer(b"\1", table[::step]):
        start = found.start() * step + 1
        yield found.start(), int.from_bytes(table[start : start + place], "big")


def _stream_at(data: bytes, place: int) -> tuple[bytes, bytes]:
    """A stream's dictionary and content."""
    middle = data.index(b"stream\n", place)
    head = data[data.index(b"<<", place) : middle].rstrip()
    length = re.findall(rb"/Length (\d+)", head)
    return head, data[middle + 7 : middle + 7 + int(length[-1])]


@lru_cache(maxsize=8)
def _unpacked(head: bytes, content: bytes) -> Mapping[int, bytes]:
    """The dictionaries of an object stream; kept, since the sheets of a class share one."""
    first, whole = int(dict(_NUMBER.findall(head))[b"First"]), zlib.decompress(content)
    words = list(map(int, whole[:first].split()))
    starts = [first + start for start in words[1::2]]
    ends = [*starts[1:], len(whole)]
    return {n: whole[start:end].strip() for n, start, end in zip(words[::2], starts, ends, strict=True)}


class Cut(NamedTuple):
    """Dictionaries, cut where another file says something else. links: the names they go to.

    fills: what, as a place in a list: for an object's number n stands n, for what names begin with −1, the
    last, and before that for the key k of a page or link among the tags' parents −2 − k.
    """

    parts: Sequence[bytes]
    fills: Sequence[int]
    links: Set[bytes]

    @classmethod
    def of(cls, texts: tuple[bytes, ...], of_tree: bool = False) -> Cut:
        """Objects cut at the numbers that change with the sheet; of_tree: of the tags' parent tree."""
        whole = _BETWEEN.join(texts)
        places: list[tuple[int, int, int]] = []
        for found in (_IN_TREE if of_tree else _RENUMBERED).finditer(whole):
            match found.lastgroup:
                case "reference":
                    places.append((*found.span("reference"), int(found["reference"])))
                case "key":
                    places.append((*found.span("key"), -2 - int(found["key"])))
                case "names":
                    names = re.finditer(STRING, found["names"])
                    places += [(found.start("names") + name.start() + 1,) * 2 + (-1,) for name in names]
        starts, ends = [*(start for start, _, _ in places), len(whole)], [0, *(end for _, end, _ in places)]
        parts = [whole[end:start] for end, start in zip(ends, starts, strict=True)]
        return cls(parts, [fill for *_, fill in places], frozenset(_LINK.findall(whole)))

    @staticmethod
    @lru_cache(maxsize=16)  # two for each layout
    def again(texts: tuple[bytes, ...], of_tree: bool = False) -> Cut:
        """`Cut.of` for texts that many sheets share, kept."""
        return Cut.of(texts, of_tree)

    @property
    def keys(self) -> list[int]:
        return [-2 - fill for fill in self.fills if fill < -1]

    def filled(self, fills: Sequence[bytes]) -> list[bytes]:
        """The dictionaries with this in those places."""
        out = [b""] * (2 * len(self.fills) + 1)
        out[::2] = self.parts
        out[1::2] = map(fills.__getitem__, self.fills)
        return b"".join(out).split(_BETWEEN)


_EMPTY_FORM: Final = stream(b"", b"/Type /XObject/Subtype /Form/BBox [0 0 0 0]")


@dataclass
class Assembly:
    """A PDF kept to be written many times: objects by number; changing: dictionaries that differ by file.

    Those that stay are compressed once. Nothing that one file says is left over in another.

    pages: the numbers of the pages' contents. root, info, metadata: numbers of the catalogue, of the
    dictionary with the title, of the stream that repeats it.
    """

    streams: dict[int, bytes]
    dictionaries: dict[int, bytes]
    changing: dict[int, bytes]
    pages: tuple[int, ...]
    root: int
    info: int
    metadata: int
    metadata_text: bytes
    _packed: bytes = field(default=b"", repr=False)

    @classmethod
    def of(cls, written: Any, pages: Sequence[int], changing: Sequence[int]) -> Assembly:
        """The parts of a document that WeasyPrint is about to write."""
        streams: dict[int, bytes] = {}
        dictionaries: dict[int, bytes] = {}
        metadata, text = 0, b""
        for entry in written.objects[1:]:
            if getattr(entry, "extra", {}).get("Type") == "/Metadata":
                metadata, text = entry.number, b"\n".join(map(as_bytes, entry.stream))
            elif entry.number not in pages:
                (dictionaries if entry.compressible else streams)[entry.number] = bytes(entry.data)
        info = len(written.objects)
        dynamic = {number: dictionaries.pop(number) for number in changing}
        dynamic[info] = bytes(written.info.data)
        root = written.catalog.number
        return cls(streams, dictionaries, dynamic, tuple(pages), root, info, metadata, text)

    def write(
        self,
        contents: Sequence[bytes],
        changed: Mapping[int, bytes],
        metadata: bytes,
        dropped: Collection[int] = (),
    ) -> bytes:
        """The file. contents: of each page. changed: some of `changing` anew. dropped: streams left empty."""
        out = io.BytesIO()
        file = PdfFile(out)
        file.new(self.info)
        for number, part in self.streams.items():
            file.add(number, _EMPTY_FORM if number in dropped else part)
        for number, content in zip(self.pages, contents, strict=True):
            file.add(number, stream(content))
        if self.metadata:
            file.add(self.metadata, stream(metadata, b"/Type /Metadata/Subtype /XML"))
        self._packed = self._packed or pack(self.dictionaries)
        file.together(self.dictionaries, self._packed)
        file.together({**self.changing, **changed})
        file.finish(self.root, self.info)
        return out.getvalue()


def as_bytes(entry: Any) -> bytes:
    """What WeasyPrint puts into a stream, as it is written."""
    if isinstance(entry, bytes):
        return entry
    return str(entry).encode("utf-8") if isinstance(entry, str | int | float) else bytes(entry.data)
