"""In: a document as WeasyPrint prints it. Out: its PDF, printed by a browser."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from generator.output.browser import OLDEST, Browser, browsers
from generator.output.browser_page import has_contents, numbered_contents, page_for_browser
from generator.output.machine import PdfUnavailable, install_hint, weasyprint
from generator.output.pdf import PdfResult

_TOLD: Final = re.compile(rb"/(?:CreationDate|ModDate) \((D:[^)]*)\)")
_NODE: Final = re.compile(rb"node\d{8}")
_MAKER: Final = re.compile(rb"/Creator \(((?:\\.|[^\\)])*)\)")


def ensure_can_print() -> str:
    """Asked before any work is done: the sentence that a browser will print, "" with WeasyPrint.

    Raises PdfUnavailable if there is neither.
    """
    try:
        weasyprint()
    except PdfUnavailable:
        if not browsers():
            raise PdfUnavailable(_neither()) from None
        return printed_note(browsers()[0].name)
    return ""


def print_by_browser(html: str, images: Mapping[str, Any], *, title: str) -> PdfResult:
    """The document's PDF by the first browser that can. Raises PdfUnavailable, which says what to install.

    A table of contents costs a second printing: the first tells where things stand.
    """
    page = page_for_browser(html, images, title)
    for browser in browsers():
        data = browser.print(page)
        if data is not None and has_contents(html):
            data = browser.print(numbered_contents(page, _targets(data)))
        if data is not None:
            return _result(data, browser)
    raise PdfUnavailable(_neither())


def printed_note(browser: str) -> str:
    """The sentence that says that this way was taken; "" where WeasyPrint has printed."""
    if not browser:
        return ""
    return f"Die PDF-Dateien hat der Browser {browser} gedruckt, weil die Schriftbibliothek Pango fehlt."


def _neither() -> str:
    return (
        f"{install_hint()} Auch ein Browser, der statt ihrer druckt, war nicht zu finden "
        f"(Edge, Chrome oder Chromium ab Version {OLDEST})."
    )


def _result(data: bytes, browser: Browser) -> PdfResult:
    import pypdfium2

    with pypdfium2.PdfDocument(data) as document:
        pages = len(document)
    return PdfResult(_impersonal(data), pages, ({},) * pages, browser.name)


def _impersonal(data: bytes) -> bytes:
    """The PDF without the moment and the system that it was printed on; every byte stays in its place.

    Nor does it tell how many nodes the browser had made before: elements are numbered anew, in their order.
    """
    numbers = {old: b"node%08d" % new for new, old in enumerate(sorted(set(_NODE.findall(data))), 1)}
    data = _NODE.sub(lambda found: numbers[found[0]], data)
    data = _TOLD.sub(lambda found: found[0].replace(found[1], _date(len(found[1]))), data)
    return _MAKER.sub(lambda found: found[0].replace(found[1], b"Papierformer".ljust(len(found[1]))), data)


def _date(length: int) -> bytes:
    return b"D:20000101000000+00'00'"[:length].ljust(length)


def _targets(data: bytes) -> dict[str, int]:
    """Id of each place that is linked to -> its page."""
    import ctypes

    import pypdfium2
    from pypdfium2 import raw

    found: dict[str, int] = {}
    with pypdfium2.PdfDocument(data) as document:
        for number in range(raw.FPDF_CountNamedDests(document)):
            size = ctypes.c_long(0)
            raw.FPDF_GetNamedDest(document, number, None, size)
            name = ctypes.create_string_buffer(size.value)
            target = raw.FPDF_GetNamedDest(document, number, name, size)
            text = name.raw[: size.value].decode("utf-16-le").rstrip("\0")
            found[text] = raw.FPDFDest_GetDestPageIndex(document, target) + 1
    return found
