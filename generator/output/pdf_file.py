"""In: objects of a PDF, one after the other. Out: the file, written as they come."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable
from typing import BinaryIO, Final

WIDTHS: Final = (1, 4, 3)  # bytes of a line of the table: kind, where, order among those packed together
_ENTRY: Final = sum(WIDTHS)
_FAST: Final = 1  # zlib's quickest


def place_of(kind: int, where: int, order: int = 0) -> bytes:
    """An object's line in the table (ISO 32000-2, 7.5.8.3); where: its byte, or what it is packed in."""
    return (kind << 56 | where << 24 | order).to_bytes(_ENTRY, "big")


NO_OBJECT: Final = place_of(0, 0, 65535)


class PdfFile:
    """A PDF that is being written. Numbers are given out by `new` before or as their objects come."""

    def __init__(self, out: BinaryIO) -> None:
        self._out, self._size = out, 0
        self._table = bytearray(NO_OBJECT)
        self._digest = hashlib.md5(usedforsecurity=False)
        self._put(b"%PDF-1.7\n%\xf0\x9f\x96\xa4\n")

    @property
    def count(self) -> int:
        """How many numbers are given out."""
        return len(self._table) // _ENTRY

    def new(self, number: int = 1) -> int:
        """So many new numbers; the first of them."""
        self._table += bytes(_ENTRY * number)
        return self.count - number

    def stream(self, number: int, head: bytes, packed: bytes) -> None:
        """A stream that is compressed already; its dictionary says so, and how long it is."""
        self._place(number, 1, self._size)
        self._put(b"%d 0 obj\n%s\nstream\n%s\nendstream\nendobj\n" % (number, head, packed))

    def dictionary(self, number: int, data: bytes) -> None:
        """One dictionary."""
        self._place(number, 1, self._size)
        self._put(b"%d 0 obj\n%s\nendobj\n" % (number, data))

    def together(self, numbers: Iterable[int], starts: Iterable[int], text: bytes) -> None:
        """Many dictionaries as one compressed object; starts: where in the text each begins."""
        holder = self.new()
        places = list(zip(numbers, starts, strict=True))
        first = b" ".join(b"%d %d" % place for place in places) + b"\n"
        for order, (number, _) in enumerate(places):
            self._place(number, 2, holder, order)
        self._packed(holder, b"/Type /ObjStm/N %d/First %d" % (len(places), len(first)), first + text)

    def finish(self, root: int, info: int) -> None:
        """The table of places, and the end. root, info: numbers of the catalogue and of the title's."""
        number, start = self.new(), self._size
        self._place(number, 1, start)
        mark = self._digest.hexdigest().encode()
        head = b"/Type /XRef/W [%d %d %d]/Size %d/Root %d 0 R/Info %d 0 R/ID [<%s> <%s>]"
        self._packed(number, head % (*WIDTHS, self.count, root, info, mark, mark), bytes(self._table))
        self._put(b"startxref\n%d\n%%%%EOF\n" % start)

    def _packed(self, number: int, head: bytes, content: bytes) -> None:
        packed = zlib.compress(content, _FAST)
        self.stream(number, b"<<%s/Filter /FlateDecode/Length %d>>" % (head, len(packed)), packed)

    def _place(self, number: int, kind: int, where: int, order: int = 0) -> None:
        self._table[_ENTRY * number : _ENTRY * (number + 1)] = place_of(kind, where, order)

    def _put(self, data: bytes) -> None:
        self._out.write(data)
        self._digest.update(data)
        self._size += len(data)
