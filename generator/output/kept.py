"""In: a document. Out: its PDF from a layout that an earlier run kept on disk, without WeasyPrint.

A layout is kept under all that it depends on: the tags and styles of the HTML, the fonts, WeasyPrint and this
program. Whether its texts fit is seen when it is written with them.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import io
import pickle
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any, Final, NamedTuple

from generator.basics import fonts
from generator.basics.user_cache import Kept, user_cache
from generator.output.assembly import Assembly
from generator.output.canonical import canonical
from generator.output.pdf import PdfResult
from generator.output.shared import NotShared, SharedLayout
from generator.version import VERSION

_MOST: Final = 60  # layouts; one of ten pages takes 400 kB
_ALIKE: Final = 8  # layouts of documents with the same tags
_OURS: Final = "generator.output."
_VALUES: Final = (
    (re.compile(r'<small class="accepted">[^<]*</small>'), ""),
    (re.compile(r' data-\w+="[^"]*"'), ""),
    (re.compile(r'<img class="tex"[^>]*>'), "<img>"),
    (re.compile(r"(<svg\b[^>]*>).*?</svg>", re.DOTALL), r"\1"),
    (re.compile(r'(class="gauge" style="width:)\d+'), r"\1"),
    (re.compile(r"(?<=>)[^<>]+(?=<)"), ""),
)


class Part(NamedTuple):
    """A document that is written with a layout."""

    html: str
    title: str


class Layouts:
    """Kept layouts, in the user's cache folder by default; `Layouts(None)` keeps none."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder and folder / "layouts"
        self._kept = Kept(self.folder, ".layout")

    @classmethod
    def of_user(cls) -> Layouts:
        return cls(user_cache())

    def write(self, html: str, images: Mapping[str, Any], *, title: str) -> PdfResult | None:
        """The document's PDF; None if no layout is kept that it shares."""
        results = self.write_all([Part(html, title)], images)
        return results[0] if results else None

    def write_all(self, parts: Sequence[Part], images: Mapping[str, Any]) -> list[PdfResult] | None:
        """The PDFs of documents of one layout; None if none is kept that they share."""
        for packed in self._alike(parts):
            layout = None if packed is None else _unpacked(packed)
            if layout is None:
                continue
            with contextlib.suppress(NotShared):
                return _written(layout, parts, images)
        return None

    def lay_out(self, html: str, images: Mapping[str, Any], *, title: str) -> PdfResult | None:
        """Lays the document out, keeps the layout and gives the PDF; None if it cannot be taken apart.

        Raises PdfError, PdfUnavailable.
        """
        if self.folder is None:
            return None
        alone = Part(html, title)
        results = self.lay_out_all(alone, [alone], images)
        return results[0] if results else None

    def lay_out_all(
        self, whole: Part, parts: Sequence[Part], images: Mapping[str, Any]
    ) -> list[PdfResult] | None:
        """Lays out what holds all that the parts show, keeps the layout and gives the parts' PDFs.

        None if it cannot be taken apart, or a part is none of it. Raises PdfError, PdfUnavailable.
        """
        try:
            layout = SharedLayout.of(whole.html, images, title=whole.title)
            results = _written(layout, parts, images)
        except NotShared:
            return None
        free = next((place for place, packed in enumerate(self._alike(parts)) if packed is None), 0)
        self._kept.put(_name(parts, free), zlib.compress(pickle.dumps(layout), 1))
        self._kept.leave(_MOST)
        return results

    def _alike(self, parts: Sequence[Part]) -> Iterator[bytes | None]:
        """The layouts kept for documents with these tags, one block or another a line longer; None: free."""
        for place in range(_ALIKE if self.folder else 0):
            yield self._kept.get(_name(parts, place))

    def knows(self, kind: str) -> bool:
        """Whether documents of this kind were all written from kept layouts, or their layouts were kept."""
        return bool(kind) and self._kept.get(f"{_edition()} kind {kind}") is not None

    def know(self, kind: str) -> None:
        """Remembers that."""
        if kind:
            self._kept.put(f"{_edition()} kind {kind}", b"1")


def _written(layout: SharedLayout, parts: Sequence[Part], images: Mapping[str, Any]) -> list[PdfResult]:
    """The parts' PDFs. Raises NotShared."""
    return [
        PdfResult(
            layout.write(part.html, images, title=part.title),
            len(layout.anchors),
            layout.anchors,
            starts=layout.starts,
        )
        for part in parts
    ]


def _name(parts: Sequence[Part], place: int = 0) -> str:
    said = "\n".join(_tags(part.html) for part in parts)
    return f"{_edition()} {place} {hashlib.sha256(said.encode()).hexdigest()}"


def _tags(html: str) -> str:
    """All of a document that its layout depends on, but not its values."""
    style, mark, body = html.partition("</style>")
    body = canonical(body)
    for value, nothing in _VALUES:
        body = value.sub(nothing, body)
    return style.partition("<style>")[2] + mark + body


@cache
def _edition() -> str:
    """Changes with everything beside the HTML that a layout depends on."""
    ours = [path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py"))]
    files = [f"{path.name} {path.stat().st_size}" for path in sorted((fonts.folder() / "pdf").iterdir())]
    made_by = f"{VERSION} {metadata.version('weasyprint')} {files}"
    return hashlib.sha256(made_by.encode() + b"".join(ours)).hexdigest()[:12]


class _Ours(pickle.Unpickler):
    """Reads layouts and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        if module.startswith(_OURS):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name}")


@lru_cache(maxsize=_ALIKE)
def _unpacked(packed: bytes) -> SharedLayout | None:
    was_on = gc.isenabled()
    gc.disable()  # many small objects, none of them to be collected
    try:
        layout = _Ours(io.BytesIO(zlib.decompress(packed))).load()
    except Exception:  # damaged, in whatever way: it is laid out anew
        return None
    finally:
        if was_on:
            gc.enable()
    return layout if isinstance(layout, SharedLayout) and isinstance(layout.assembly, Assembly) else None
