"""The parts of a PDF, kept to be written many times; those that stay are compressed once and used again.

What changes from file to file are the pages' contents and the dictionaries named `changing`; nothing that one
file says in them is left over in another.
"""

from __future__ import annotations

import io
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from generator.output.pdf_objects import PdfFile, pack, stream

_EMPTY_FORM: Final = stream(b"", b"/Type /XObject/Subtype /Form/BBox [0 0 0 0]")


@dataclass
class Assembly:
    """Objects by number; changing: dictionaries that differ by file.

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
                metadata, text = entry.number, b"\n".join(map(_bytes, entry.stream))
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


def _bytes(entry: Any) -> bytes:
    return entry if isinstance(entry, bytes) else str(entry).encode("utf-8")
