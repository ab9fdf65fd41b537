"""One layout, many documents: a sheet is laid out once and written with other numbers.

    layout = SharedLayout.of(html, images, title=title)   # 1 s for ten pages, WeasyPrint
    data = layout.write(other_html, other_images, title=other_title)   # some ms, or NotShared

`of` lays out one document and takes it apart: every text, picture and bar of the HTML is found in the pages'
operators. `write` takes the HTML of another document, as the templates make it, puts its texts, pictures and
bars in those places and gives the PDF that laying it out would have given: the same text at the same places,
the same tags, its own text alternatives and title. `images` are `Typesetter.images` of that document.

It does so only where that is certain: both documents have the same tags, each block keeps its lines, every
sign is in the alphabet of the fonts. Otherwise it raises NotShared, and the document is laid out as usual
(`write_pdf`); whoever makes many keeps several layouts and asks each. A SharedLayout can be pickled.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

from generator.output import pdf
from generator.output.assembly import Assembly, pdf_string
from generator.output.canonical import canonical
from generator.output.capture import Capture
from generator.output.slots import Captured
from generator.output.tokens import tokens_of
from generator.output.writing import NotShared, Writing

__all__ = ["NotShared", "SharedLayout"]


@dataclass
class SharedLayout:
    """A layout that other documents can be written with."""

    found: Captured
    assembly: Assembly
    title: str
    anchors: tuple[Mapping[str, tuple[float, float, float, float]], ...] = ()
    starts: tuple[int, ...] = ()

    @classmethod
    def of(cls, html: str, images: Mapping[str, Any], *, title: str) -> SharedLayout:
        """Lays the document out. Raises PdfError, PdfUnavailable; NotShared if it cannot be taken apart."""
        html = canonical(html)
        laid_out = pdf.layout(html, images, title=title)
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
        return cls(capture.found, assemblies[0], title, laid_out.anchors, laid_out.starts)

    def write(self, html: str, images: Mapping[str, Any], *, title: str) -> bytes:
        """The PDF of another document. Raises NotShared."""
        writing = Writing(self.found, images)
        writing.read(tokens_of(pdf.breakable(html)))
        contents = [
            b"\n".join(_edited(page, writing.edits.get(number, {})))
            for number, page in enumerate(self.found.pages)
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
        return self.assembly.write(
            contents, {**writing.objects, self.assembly.info: info}, metadata, writing.dropped
        )


def _edited(page: list[bytes], edits: Mapping[int, bytes]) -> list[bytes]:
    if not edits:
        return page
    page = list(page)
    for place, operator in edits.items():
        page[place] = operator
    return page
