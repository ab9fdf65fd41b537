"""One layout, many documents: a sheet is laid out once and written with other numbers.

    layout = SharedLayout.of(html, images, title=title)   # 1 s for ten pages, WeasyPrint
    pdf = layout.result(other_html, other_images, title=other_title)      # some ms, or NotShared

`of` lays out one document and takes it apart: every text, picture and bar of the HTML is found in the pages'
operators. `result` takes the HTML of another document, as the templates make it, puts its texts, pictures and
bars in those places and gives the PDF that laying it out would have given: the same text at the same places,
the same tags, its own text alternatives and title. `images` are `Typesetter.images` of that document.

It does so only where that is certain: both documents have the same tags, each block keeps its lines, every
sign is in the alphabet of the fonts. Otherwise it raises NotShared, and the document is laid out as usual
(`write_pdf`); whoever makes many has several layouts and asks each. `packed` goes from process to process.
"""

from __future__ import annotations

import gc
import pickle
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from html import escape
from typing import Any

from generator.output import pdf
from generator.output.markup import attributes, tokens_of
from generator.output.page_marks import PageMark, blank_places, operators
from generator.output.pdf import PdfResult
from generator.output.pdf_objects import Assembly, pdf_string
from generator.output.shared import svg
from generator.output.shared.capture import Capture
from generator.output.shared.captured import Captured, NotShared, canonical
from generator.output.shared.writing import Writing

__all__ = ["NotShared", "SharedLayout", "tokens_as_laid_out", "unpacked"]


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
        """Lays the document out.

        Raises PdfError, PdfUnavailable; NotShared if it cannot be taken apart.
        """
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

    def packed(self) -> bytes:
        """The layout as bytes, for `unpacked` in another process."""
        return zlib.compress(pickle.dumps(self), 1)

    def result(self, html: str, images: Mapping[str, Any], *, title: str, mark: str = "") -> PdfResult:
        """The PDF of another document. mark: of the sheet, on each page. Raises NotShared."""
        writing = Writing(self.found, images)
        writing.read(tokens_as_laid_out(html))
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


@lru_cache(maxsize=8)
def unpacked(layout: bytes) -> SharedLayout:
    """A layout that another process of this program has packed."""
    was_on = gc.isenabled()
    gc.disable()  # many small objects, none of them to be collected
    try:
        read: SharedLayout = pickle.loads(zlib.decompress(layout))
        return read
    finally:
        if was_on:
            gc.enable()


@lru_cache(maxsize=2_000)
def _cell(tag: str) -> str:
    """The cell that the tag of a blank names."""
    named = attributes(tag)
    return f"{named['data-q']}[{named['data-i']}]"


@lru_cache(maxsize=4)  # each layout of a class is asked
def tokens_as_laid_out(html: str) -> list[str]:
    """The tags and texts of a document, by turns."""
    return tokens_of(pdf.breakable(html))
