"""Layouts and finished PDFs, kept in the user's cache folder."""

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
from typing import Any, Final

from generator.basics import fonts
from generator.basics.files import Kept, user_cache
from generator.output.pdf import PdfResult
from generator.output.shared import svg
from generator.output.shared.shared_layout import NotShared, Part, SharedLayout, tokens_as_laid_out
from generator.version import VERSION

__all__ = ["Layouts", "NotShared", "Part", "SharedLayout", "kind_of"]

_MOST: Final = 60  # layouts; one of ten pages takes 400 kB
_ALIKE: Final = 8  # layouts of documents with the same tags
_ENDING: Final = ".layout"
_OURS: Final = "generator.output."
_VALUES: Final = (
    (re.compile('<small class="accepted">|</small>'), ""),
    (re.compile(r' data-\w+="[^"]*"'), ""),
    (re.compile(r'<img class="tex"[^>]*>'), "<img>"),
    (re.compile(r'(class="gauge" style="width:)\d+'), r"\1"),
)


class Layouts:
    """Kept layouts, in the user's cache folder by default; `Layouts(None)` keeps none."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder and folder / "layouts"
        self._kept = Kept(self.folder, _ENDING)

    @classmethod
    def of_user(cls) -> Layouts:
        return cls(user_cache())

    def has(self, parts: Sequence[Part]) -> bool:
        """Whether a layout is kept for documents with these tags."""
        return next(self._alike(parts), None) is not None

    def write(self, parts: Sequence[Part], images: Mapping[str, Any]) -> list[PdfResult] | None:
        """The PDFs of documents of one layout; None if none is kept that they share."""
        name = kind_of(parts)
        for place in range(_ALIKE if self.folder else 0):
            with contextlib.suppress(NotShared):
                return _kept_layout(self.folder, f"{name} {place}").results(parts, images)
        return None

    def paginate(
        self, whole: Part, parts: Sequence[Part], images: Mapping[str, Any]
    ) -> list[PdfResult] | None:
        """Lays out what holds all that the parts show, keeps the layout and gives the parts' PDFs.

        None if it cannot be taken apart, or a part is none of it. Raises PdfError, PdfUnavailable.
        """
        try:
            layout = SharedLayout.of(whole.html, images, title=whole.title)
            results = layout.results(parts, images)
        except NotShared:
            return None
        free = next((place for place, packed in enumerate(self._alike(parts)) if packed is None), 0)
        self._keep(f"{kind_of(parts)} {free}", layout)
        return results

    def finished(self, said: str) -> list[PdfResult] | None:
        """The PDF of a single document, as it was kept; None if it was not. said: all that it depends on."""
        packed = self._kept.get(f"{_edition()} {said}")
        result = packed and _unpacked(packed)
        return [result] if isinstance(result, PdfResult) else None

    def finish(self, said: str, result: PdfResult) -> None:
        """Keeps the PDF of a single document."""
        self._keep(f"{_edition()} {said}", result)

    def _keep(self, name: str, what: SharedLayout | PdfResult) -> None:
        self._kept.put(name, zlib.compress(pickle.dumps(what), 1))
        self._kept.leave(_MOST)

    def _alike(self, parts: Sequence[Part]) -> Iterator[bytes | None]:
        """The layouts kept for documents with these tags, one block or another a line longer; None: free."""
        name = kind_of(parts)
        for place in range(_ALIKE if self.folder else 0):
            yield self._kept.get(f"{name} {place}")

    def knows(self, run: str) -> bool:
        """Whether all documents of this run were made before."""
        return bool(run) and self._kept.get(f"{_edition()} run {run}") is not None

    def know(self, run: str) -> None:
        """Remembers that."""
        if run:
            self._kept.put(f"{_edition()} run {run}", b"1")


@lru_cache(maxsize=_ALIKE)
def _kept_layout(folder: Path, name: str) -> SharedLayout:
    """Those kept by one name are as good as each other: it is read once. Raises NotShared for none."""
    layout = _unpacked(Kept(folder, _ENDING).get(name) or b"")
    if not isinstance(layout, SharedLayout):
        raise NotShared(f"none kept as {name}")
    return layout


def kind_of(parts: Sequence[Part]) -> str:
    """Documents of the same kind have the same tags, and most of them one layout."""
    said = "\n".join(_tags(part.html) for part in parts)
    return f"{_edition()} {hashlib.sha256(said.encode()).hexdigest()}"


def _tags(html: str) -> str:
    """All of a document that its layout depends on, but not its values."""
    style = html.partition("</style>")[0].partition("<style>")[2]
    tags = tokens_as_laid_out(html)[1::2]
    return style + "".join([svg.frame_of(tag) if tag[:4] == "<svg" else _without_value(tag) for tag in tags])


@lru_cache(maxsize=10_000)
def _without_value(tag: str) -> str:
    for value, nothing in _VALUES:
        tag = value.sub(nothing, tag)
    return tag


@cache
def _edition() -> str:
    """Changes with everything beside the HTML that a layout depends on."""
    ours = [path.read_bytes() for path in sorted(Path(__file__).parents[1].rglob("*.py"))]
    files = [f"{path.name} {path.stat().st_size}" for path in sorted((fonts.folder() / "pdf").iterdir())]
    made_by = f"{VERSION} {metadata.version('weasyprint')} {files}"
    return hashlib.sha256(made_by.encode() + b"".join(ours)).hexdigest()[:12]


class _Ours(pickle.Unpickler):
    """Reads layouts and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        if module.startswith(_OURS):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name}")


def _unpacked(packed: bytes) -> Any:
    was_on = gc.isenabled()
    gc.disable()  # many small objects, none of them to be collected
    try:
        return _Ours(io.BytesIO(zlib.decompress(packed))).load()
    except Exception:  # damaged, in whatever way: it is laid out anew
        return None
    finally:
        if was_on:
            gc.enable()
