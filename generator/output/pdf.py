"""HTML becomes PDF, by WeasyPrint; and where everything stands on its pages.

WeasyPrint is imported only here and only when it is needed. It sees our fonts and nothing else of the
machine or the network, whatever it complains of is an error, and the same HTML gives the same bytes.
"""

from __future__ import annotations

import contextlib
import gc
import logging
import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from generator.output.machine import PdfUnavailable, font_configuration, weasyprint
from generator.output.markup import page_starts
from generator.output.page_marks import POINTS_PER_MM, Blank, PageMark, blank_places, operators
from generator.output.standards import VARIANT, add_copied_font, claim_both, finish_tags, mark_formulas

__all__ = ["Layout", "PdfError", "PdfResult", "PdfUnavailable", "paginate", "write_pdf"]

Rectangle = tuple[float, float, float, float]
_POINTS_PER_PX = 0.75
_INLINE = "<(?=(?:b|i|em|strong|span|small|sub|sup|img)[ >])"
_SPACE_BEFORE_INLINE = re.compile(f" {_INLINE}")
_BEHIND_QUOTES = re.compile("“[ \n]+(?=[(„‚])")  # Pango 1.50 ends no line there (Unicode 15.0), 1.56 does
_SPACE_IN_TEXT = re.compile(r"(?<=[^ \n>])[ \n]+")


class PdfError(Exception):
    """The HTML is not fit for print (our mistake): what WeasyPrint said of it."""


@dataclass(frozen=True)
class PdfResult:
    """A PDF, its number of pages and, for each page, id -> (left, top, right, bottom) in pt.

    starts: `page_starts`. blanks: where numbers are to be written. size: of a page in mm.
    """

    data: bytes
    pages: int
    anchors: tuple[Mapping[str, Rectangle], ...]
    starts: tuple[int, ...] = ()
    blanks: tuple[Blank, ...] = ()
    size: tuple[float, float] = (0.0, 0.0)

    @property
    def places(self) -> dict[str, int]:
        """Id -> the page that it begins on, as far as it is known."""
        numbered = reversed(list(enumerate(self.anchors, 1)))
        return {name: page for page, names in numbered for name in names}


@dataclass(frozen=True)
class Layout:
    """A laid out document, ready to be written.

    document: WeasyPrint's own; root: the tree it was read as; zoom: how much larger it is printed.
    """

    document: Any
    options: Mapping[str, Any]
    root: Any = None
    zoom: float = 1.0

    @property
    def pages(self) -> int:
        """The number of pages."""
        return len(self.document.pages)

    @property
    def anchors(self) -> tuple[Mapping[str, Rectangle], ...]:
        """For each page: id -> (left, top, right, bottom) in pt from the page's top left corner."""
        return tuple(
            {name: _points(box, self.zoom) for name, box in page.anchors.items()}
            for page in self.document.pages
        )

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of its pages in mm."""
        page, scale = self.document.pages[0], _POINTS_PER_PX * self.zoom / POINTS_PER_MM
        return page.width * scale, page.height * scale

    def result(self, data: bytes) -> PdfResult:
        """Its PDF, and where everything stands on its pages."""
        starts = page_starts(self.document, self.root)
        blanks = tuple(blank for _, blank in blank_places(self.document, self.zoom))
        return PdfResult(data, self.pages, self.anchors, starts=starts, blanks=blanks, size=self.size)

    def write(self, finisher: Any = None, mark: str = "") -> bytes:
        """The PDF. finisher: sees WeasyPrint's document and PDF before they are written. mark: of its pages.

        Raises PdfError if WeasyPrint complains or a sign had no glyph in our fonts.
        """

        def finish(document: Any, written: Any) -> None:
            finish_tags(document, written)
            add_copied_font(written)
            if mark:
                _mark_pages(written, mark, *self.size)
            if finisher is not None:
                finisher(document, written)

        with _strict(), _without_collector():
            data: bytes = self.document.write_pdf(zoom=self.zoom, finisher=finish, **self.options)
        lacking = sorted({chr(code) for font in self.document.fonts.values() for code in font.missing})
        if lacking:
            signs = " ".join(f"{sign} (U+{ord(sign):04X})" for sign in lacking)
            raise PdfError(f"no glyph for {signs}: pass text through fonts.printable")
        return data


def paginate(html: str, images: Mapping[str, Any] | None = None, *, title: str | None = None) -> Layout:
    """Lays the HTML out on pages. images: address -> picture (`Typesetter.images`).

    Nothing is fetched but data: addresses. Raises PdfError, PdfUnavailable.
    """
    weasy = weasyprint()
    options = {"pdf_variant": VARIANT, "cache": dict(images or {})}
    with _strict(), _without_collector():
        page = weasy.HTML(string=breakable(html), url_fetcher=_only_data(weasy))
        mark_formulas(page.etree_element)
        document = page.render(font_config=font_configuration(), **options)
    document.metadata.lang = document.metadata.lang or "de"
    if title is not None:
        document.metadata.title = title
    document.metadata.generator = "Papierformer"
    claim_both(document.metadata)
    zoom = float(page.etree_element.get("data-zoom", 1))
    return Layout(document, options, page.etree_element, zoom)


def write_pdf(
    html: str,
    *,
    title: str,
    images: Mapping[str, Any] | None = None,
    form: bool = False,
    mark: str = "",
) -> PdfResult:
    """HTML -> PDF, tagged and in German. images: address -> picture (`Typesetter.images`).

    form: with a field in each blank that is named. mark: the sheet's, on each page.

    Raises PdfError for anything WeasyPrint complains of, PdfUnavailable where it cannot be loaded.
    """
    laid_out = paginate(html, images, title=title)
    finisher = None
    if form:
        from generator.output.form_fields import FormFields

        finisher = FormFields(laid_out.document, laid_out.zoom).finish
    return laid_out.result(laid_out.write(finisher, mark))


def _mark_pages(written: Any, mark: str, width: float, height: float) -> None:
    by_reference = {entry.reference: entry for entry in written.objects}
    for number, reference in enumerate(written.page_references, 1):
        contents = by_reference[by_reference[reference]["Contents"]]
        contents.stream.append(operators(PageMark(mark, 0, number), width, height))


def breakable(html: str) -> str:
    """The HTML with a break after each space before an inline element, or in text that is joined to one.

    WeasyPrint breaks a line after its first word where such a space, or the element, just overflows. And with
    the same ends of lines whichever Pango is there.
    """
    html = _BEHIND_QUOTES.sub("“\u00a0", html)
    for space in ("&nbsp;", "\u00a0"):
        *joined, last = re.split(space + _INLINE, html)
        html = f"{space}<".join([*map(_with_breaks, joined), last])
    return _SPACE_BEFORE_INLINE.sub(" \u200b<", html)


def _with_breaks(html: str) -> str:
    before, end, text = html.rpartition(">")
    return before + end + _SPACE_IN_TEXT.sub("\\g<0>\u200b", text)


def _points(box: Rectangle, zoom: float) -> Rectangle:
    left, top, right, bottom = (round(length * _POINTS_PER_PX * zoom, 3) for length in box)
    return left, top, right, bottom


def _only_data(weasy: Any) -> Any:
    """A fetcher that opens what stands in the HTML itself, and nothing else."""

    class OnlyData(weasy.urls.URLFetcher):  # type: ignore[misc]
        def fetch(self, url: str, headers: Any = None) -> Any:
            if not url.lower().startswith("data:"):
                raise ValueError(f"not fetched: {url}")
            return super().fetch(url, headers)

    return OnlyData(allowed_protocols={"data"}, allow_redirects=False)


class _Complaints(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


@contextlib.contextmanager
def _strict() -> Iterator[None]:
    """Turns what WeasyPrint, fontTools or Python warn of into a PdfError."""
    complaints = _Complaints()
    loggers = [logging.getLogger(name) for name in ("weasyprint", "fontTools")]
    kept = [(logger.level, logger.propagate) for logger in loggers]
    for logger in loggers:
        logger.addHandler(complaints)
        logger.setLevel(logging.WARNING)
        logger.propagate = False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", ResourceWarning)  # WeasyPrint leaves its colour profile open
            yield
    except Warning as warning:
        complaints.lines.append(str(warning))
    finally:
        for logger, (level, propagate) in zip(loggers, kept, strict=True):
            logger.removeHandler(complaints)
            logger.setLevel(level)
            logger.propagate = propagate
    if complaints.lines:
        raise PdfError("; ".join(dict.fromkeys(complaints.lines)))


@contextlib.contextmanager
def _without_collector() -> Iterator[None]:
    """Layout makes many objects and few cycles: without the garbage collector it takes a tenth less."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
