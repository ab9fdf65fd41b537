"""A long sheet is laid out as two halves, by two processes at once, and its documents are joined from both.

The second half begins with a station, and that with a page. A number of pages that a half cannot know has a
placeholder until both are laid out: all digits are equally wide.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, Final

from generator.output.binding import join
from generator.output.machine import COPIES_ITSELF, CORES
from generator.output.markup import RUNS_ON, blocks_in, length_of
from generator.output.pdf import LATER, PAGE_OF_TARGET, Layout, PdfError, PdfResult, page_numbers, put_pages
from generator.output.shared import svg
from generator.output.shared.captured import NotShared
from generator.output.shared.shared_layout import Part, SharedLayout

_LONG: Final = range(220_000, 780_000)  # letters of usual size, so that the halves meet between page 9 and 99
_STATION: Final = re.compile('<section class="station" [^>]*>')
_PAGES_GO_ON: Final = re.compile('<body class="[^"]*(flowing|fronts)')  # or a page may have to stay empty
_NOWHERE: Final = (0.0, 0.0, 0.0, 0.0)


@dataclass
class Halves:
    """The layouts of both halves. second: the tag that the second begins with; blocks: of the first."""

    first: SharedLayout
    last: SharedLayout
    second: str
    blocks: int

    @classmethod
    def of(cls, html: str, images: Mapping[str, Any], *, title: str) -> Halves | None:
        """None if the sheet is short or cannot be halved, or there is nobody to help."""
        html = svg.without_shapes(html)
        second = _middle(html)
        if not second or CORES == 1 or not COPIES_ITSELF:
            return None
        first, last = _halved(html, second)
        context = multiprocessing.get_context("fork")
        try:
            here, there = context.Pipe()
            helper = context.Process(target=_lay_out_last, args=(last, images, title, there, here))
            helper.start()
        except OSError:
            return None
        try:
            there.close()
            laid_out = SharedLayout.of(first, images, title=title, tell=partial(_tell, here, True))
            return cls(laid_out, here.recv(), second, blocks_in(first))
        except (NotShared, EOFError, OSError):
            return None
        finally:
            here.close()
            helper.kill()
            helper.join()

    def results(self, parts: Sequence[Part], images: Mapping[str, Any]) -> list[PdfResult]:
        """The PDFs of a sheet's documents. Raises NotShared."""
        first, last = [], []
        for part in parts:
            html = _halved(part.html, self.second)
            first.append(part._replace(html=html[0]))
            last.append(part._replace(html=html[1], first=self.first.places.pages + 1))
        results = zip(self.first.results(first, images), self.last.results(last, images), strict=True)
        return [self._joined(*both, part.title) for both, part in zip(results, parts, strict=True)]

    def _joined(self, first: PdfResult, last: PdfResult, title: str) -> PdfResult:
        foreign = [
            {name for page in half.anchors for name, box in page.items() if box == _NOWHERE}
            for half in (first, last)
        ]
        anchors = [
            {name: box for name, box in page.items() if box != _NOWHERE}
            for page in (*first.anchors, *last.anchors)
        ]
        later = [start if start == RUNS_ON else start + self.blocks for start in (0, *last.starts)]
        return replace(
            first,
            data=join([first.data, last.data], foreign, title),
            pages=first.pages + last.pages,
            anchors=tuple(anchors),
            starts=(*first.starts, *later),
            blanks=(*first.blanks, *(blank._replace(page=blank.page + first.pages) for blank in last.blanks)),
        )


def _middle(html: str) -> str:
    """The tag of the station nearest to the middle; "" if it is no sheet of several halves."""
    if length_of(html) not in _LONG or _PAGES_GO_ON.search(html):
        return ""
    stations = list(_STATION.finditer(html))[1:]
    return min(stations, key=lambda station: abs(2 * station.start() - len(html)))[0] if stations else ""


def _halved(html: str, second: str) -> tuple[str, str]:
    """Two documents. Raises NotShared."""
    before, found, after = html.partition(second)
    head, foot, _ = before.partition("</footer>")
    if not found or not foot:
        raise NotShared("a document of other stations")
    for counter in (PAGE_OF_TARGET, "counter(pages)"):
        before, head = (text.replace(counter, f'"{LATER}"') for text in (before, head))
    head = head.replace("counter(page)", f'"{LATER}"')
    return f"{before}</main></body></html>", f"{head}{foot}<main>{found}{after}"


def _lay_out_last(
    html: str, images: Mapping[str, Any], title: str, other: Connection, not_mine: Connection
) -> None:
    not_mine.close()  # so that its end is seen
    with contextlib.suppress(NotShared, PdfError, EOFError, OSError):
        other.send(SharedLayout.of(html, images, title=title, tell=partial(_tell, other, False)))


def _tell(other: Connection, is_first: bool, laid_out: Layout) -> None:
    """Puts in what depends on the other half. Raises NotShared, EOFError."""
    pages, own = laid_out.document.pages, page_numbers(laid_out.document)
    other.send((len(pages), own))
    other_pages, others = other.recv()
    total = len(pages) + other_pages
    if is_first:
        targets = {name: number + len(pages) for name, number in others.items()} | own
    else:
        targets = {name: number + other_pages for name, number in own.items()} | others

    def margin(number: int) -> Sequence[int]:
        return [total] if is_first else [other_pages + number, total]

    if not put_pages(laid_out.document, LATER, targets, margin):
        raise NotShared("numbers of pages with fewer or more digits")
    links = (link for page in pages for link in page.links)
    for kind, target, *_ in links:
        if kind == "internal" and target in others and target not in own:
            pages[-1].anchors[target] = _NOWHERE
