"""One layout, many documents: a sheet is laid out once and written with other numbers.

    layout = SharedLayout.of(html, images, title=title)   # 1 s for ten pages, WeasyPrint
    pdf = layout.result(Part(other_html, other_title), other_images)      # some ms, or NotShared

`of` lays out one document and takes it apart: every text, picture and bar of the HTML is found in the pages'
operators. `result` takes the HTML of another document, as the templates make it, puts its texts, pictures and
bars in those places and gives the PDF that laying it out would have given: the same text at the same places,
the same tags, its own text alternatives and title. `images` are `Typesetter.images` of that document.

It does so only where that is certain: both documents have the same tags, each block keeps its lines, every
sign is in the alphabet of the fonts. Otherwise it raises NotShared, and the document is laid out as usual
(`write_pdf`); whoever makes many keeps several layouts and asks each. A SharedLayout can be pickled.
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
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from html import escape
from importlib import metadata
from pathlib import Path
from typing import Any, Final, NamedTuple

from generator.basics import fonts
from generator.basics.files import Kept, user_cache
from generator.output import pdf
from generator.output.markup import attributes, tokens_of
from generator.output.page_marks import PageMark, blank_places, operators
from generator.output.pdf import PdfResult
from generator.output.pdf_objects import Assembly, pdf_string
from generator.output.shared import svg
from generator.output.shared.capture import Capture
from generator.output.shared.captured import Captured, InCommon, NotShared, canonical
from generator.output.shared.writing import Writing
from generator.version import VERSION

__all__ = ["NotShared", "SharedLayout"]


class Part(NamedTuple):
    """A document that is written with a layout."""

    html: str
    title: str
    mark: str = ""  # of the sheet, on each page


@dataclass
class SharedLayout:
    """A layout that other documents can be written with."""

    found: Captured
    assembly: Assembly
    title: str
    places: PdfResult  # where everything stands; without the file
    blank_tags: tuple[int, ...] = ()

    @classmethod
    def of(cls, html: str, images: Mapping[str, Any], *, title: str) -> SharedLayout:
        """Lays the document out. Raises PdfError, PdfUnavailable; NotShared if it cannot be taken apart."""
        html = canonical(html)
        laid_out = pdf.paginate(svg.without_shapes(html), images, title=title)
        assemblies: list[Assembly] = []

        def finish(document: Any, written: Any) -> None:
            capture.finish(document, written)
            assemblies.append(Assembly.of(written, capture.contents, capture.changing))
            written.write = lambda *_, **__: None  # whoever writes with the layout makes the file

        try:
            capture = Capture(html, laid_out)
            laid_out.write(finish)
        except (LookupError, ValueError, AttributeError, TypeError, StopIteration) as error:
            raise NotShared(f"not taken apart: {error!r}") from error
        drawing = Writing(capture.found, images)
        drawing.draw_figures()
        capture.found.pages = list(drawing.pages())
        blanks = blank_places(laid_out.document, laid_out.zoom)
        tags = tuple(capture.place(element) for element, _ in blanks)
        return cls(capture.found, assemblies[0], title, laid_out.result(b""), tags)

    def results(self, parts: Sequence[Part], images: Mapping[str, Any]) -> list[PdfResult]:
        """The PDFs of a sheet's documents. Raises NotShared."""
        in_common = InCommon()
        return [self.result(part, images, in_common) for part in parts]

    def result(self, part: Part, images: Mapping[str, Any], in_common: InCommon | None = None) -> PdfResult:
        """The PDF of another document. Raises NotShared."""
        html, title, mark = part
        writing = Writing(self.found, images, in_common)
        writing.read(_tokens(html))
        contents = [b"\n".join(page) for page in writing.pages()]
        if mark:
            contents = [
                page + b"\n" + operators(PageMark(mark, 0, number), *self.places.size)
                for number, page in enumerate(contents, 1)
            ]
        for heading, text in writing.headings.items():
            number = self.found.bookmarks.get(heading, 0)
            if not number:
                raise NotShared("a heading that the bookmarks do not repeat")
            old = pdf_string(self.found.heading(heading, self.found.tokens))
            writing.objects[number] = self.assembly.changing[number].replace(old, pdf_string(text))
        info = self.assembly.changing[self.assembly.info].replace(pdf_string(self.title), pdf_string(title))
        metadata = self.assembly.metadata_text.replace(
            escape(self.title, quote=False).encode(), escape(title, quote=False).encode()
        )
        data = self.assembly.write(
            contents, {**writing.objects, self.assembly.info: info}, metadata, writing.dropped
        )
        named = zip(self.places.blanks, self.blank_tags, strict=True)
        blanks = tuple(blank._replace(cell=_cell(writing.tokens[tag])) for blank, tag in named)
        return replace(self.places, data=data, blanks=blanks)


@lru_cache(maxsize=2_000)
def _cell(tag: str) -> str:
    """The cell that the tag of a blank names."""
    named = attributes(tag)
    return f"{named['data-q']}[{named['data-i']}]"


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
    if not isinstance(layout, SharedLayout) or not isinstance(layout.assembly, Assembly):
        raise NotShared(f"none kept as {name}")
    return layout


def kind_of(parts: Sequence[Part]) -> str:
    """Documents of the same kind have the same tags, and most of them one layout."""
    said = "\n".join(_tags(part.html) for part in parts)
    return f"{_edition()} {hashlib.sha256(said.encode()).hexdigest()}"


@lru_cache(maxsize=4)  # a name is asked for first, then what stands there
def _tokens(html: str) -> list[str]:
    return tokens_of(pdf.breakable(html))


def _tags(html: str) -> str:
    """All of a document that its layout depends on, but not its values."""
    style = html.partition("</style>")[0].partition("<style>")[2]
    tags = _tokens(html)[1::2]
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
