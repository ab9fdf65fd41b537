"""In: the parts of a PDF. Out: its bytes; parts that stay are compressed once and used again.

What changes from file to file are the pages' contents and the dictionaries named `changing`; nothing that one
file says in them is left over in another.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from generator.output.pdf_file import NO_OBJECT, WIDTHS, place_of

_FAST: Final = 1  # zlib's quickest: a tenth larger than its best, five times as fast
_EMPTY_FORM: Final = b"/Type /XObject/Subtype /Form/BBox [0 0 0 0]"


@dataclass
class Assembly:
    """streams: number -> ready object; dictionaries: number -> text; changing: those that differ by file.

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
    _packed: tuple[bytes, dict[int, int]] | None = field(default=None, repr=False)

    @classmethod
    def of(cls, written: Any, pages: Sequence[int], changing: Sequence[int]) -> Assembly:
        """The parts of a document that WeasyPrint is about to write."""
        streams, dictionaries = {}, {}
        metadata, text = 0, b""
        for entry in written.objects[1:]:
            if entry.number in pages:
                continue
            if entry.compressible:
                dictionaries[entry.number] = bytes(entry.data)
            else:
                if getattr(entry, "extra", {}).get("Type") == "/Metadata":
                    metadata, text = entry.number, b"\n".join(map(_bytes, entry.stream))
                streams[entry.number] = bytes(entry.indirect)
        streams.pop(metadata, None)
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
        out = [b"%PDF-1.7\n%\xf0\x9f\x96\xa4\n"]
        size = len(out[0])
        places: dict[int, bytes] = {}

        def put(number: int, part: bytes) -> None:
            nonlocal size
            places[number] = place_of(1, size)
            out.append(part + b"\n")
            size += len(part) + 1

        for number, part in self.streams.items():
            put(number, part if number not in dropped else _stream(number, b"", _EMPTY_FORM))
        for number, content in zip(self.pages, contents, strict=True):
            put(number, _stream(number, content, b""))
        if self.metadata:
            put(self.metadata, _stream(self.metadata, metadata, b"/Type /Metadata/Subtype /XML"))
        top = self.info + 1
        if self._packed is None:
            self._packed = _together(top, self.dictionaries)
        for number, (part, order) in (
            (top, self._packed),
            (top + 1, _together(top + 1, {**self.changing, **changed})),
        ):
            put(number, part)
            places.update({inner: place_of(2, number, place) for inner, place in order.items()})
        places[top + 2] = place_of(1, size)
        count = top + 3
        table = b"".join(places.get(number, NO_OBJECT) for number in range(count))
        digest = hashlib.md5(b"".join(out), usedforsecurity=False).hexdigest()
        widths = " ".join(map(str, WIDTHS))
        extra = f"/Type /XRef/W [{widths}]/Size {count}/Root {self.root} 0 R/Info {self.info} 0 R"
        extra += f"/ID [<{digest}> <{digest}>]"
        out.append(_stream(top + 2, table, extra.encode()) + b"\n")
        out.append(f"startxref\n{size}\n%%EOF\n".encode())
        return b"".join(out)


def _together(number: int, dictionaries: Mapping[int, bytes]) -> tuple[bytes, dict[int, int]]:
    """Many dictionaries as one compressed object, and which of them stands where."""
    head, position = [], 0
    for inner, data in dictionaries.items():
        head.append(f"{inner} {position}")
        position += len(data) + 1
    first = " ".join(head).encode() + b"\n"
    body = first + b"\n".join(dictionaries.values())
    extra = f"/Type /ObjStm/N {len(dictionaries)}/First {len(first)}".encode()
    return _stream(number, body, extra), {inner: place for place, inner in enumerate(dictionaries)}


def _stream(number: int, content: bytes, extra: bytes) -> bytes:
    packed = zlib.compress(content, _FAST)
    head = f"{number} 0 obj\n<<".encode() + extra + f"/Filter /FlateDecode/Length {len(packed)}>>".encode()
    return head + b"\nstream\n" + packed + b"\nendstream\nendobj"


def pdf_string(text: str) -> bytes:
    """A text as PDF writes it."""
    if text.isascii():
        escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)").replace("\r", r"\r")
        return b"(" + escaped.encode("ascii") + b")"
    return b"<" + b"\xfe\xff".hex().encode() + text.encode("utf-16-be").hex().encode() + b">"


def _bytes(entry: Any) -> bytes:
    return entry if isinstance(entry, bytes) else str(entry).encode("utf-8")
