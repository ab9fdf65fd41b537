"""A document is laid out as two halves, by two processes at once, and joined from both.

The second half begins with a page: that of a long sheet with a station. A number of pages that a half cannot
know has a placeholder until both are laid out: all digits are equally wide.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, Final, TypeVar

from generator.output.binding import join
from generator.output.machine import COPIES_ITSELF, CORES
from generator.output.markup import RUNS_ON, blocks_in, length_of
from generator.output.pdf import (
    LATER,
    PAGE_OF_TARGET,
    Layout,
    PdfError,
    PdfResult,
    page_numbers,
    put_pages,
    write_pdf,
)
from generator.output.shared import svg
from generator.output.shared.captured import NotShared
from generator.output.shared.shared_layout import Part, SharedLayout

_LONG: Final = range(220_000, 780_000)  # letters of usual size, so that the halves meet between page 9 and 99
_SHORT: Final = range(30_000, 65_000)  # pages are told with one digit
_ONE_DIGIT: Final = "0"
_BEGINS: Final = re.compile('<section class="(?:station|half)" [^>]*>')
_PAGES_GO_ON: Final = re.compile('<body class="[^"]*(flowing|fronts)')  # or a page may have to stay empty
_NOWHERE: Final = (0.0, 0.0, 0.0, 0.0)
R = TypeVar("R")


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
        second = _middle(html, _LONG)
        both = _made(SharedLayout.of, html, second, LATER, images, title)
        return both and cls(*both, second, _blocks_before(html, second))

    def results(self, parts: Sequence[Part], images: Mapping[str, Any]) -> list[PdfResult]:
        """The PDFs of a sheet's documents. Raises NotShared."""
        first, last = [], []
        for part in parts:
            html = _halved(part.html, self.second)
            first.append(part._replace(html=html[0]))
            last.append(part._replace(html=html[1], first=self.first.places.pages + 1))
        results = zip(self.first.results(first, images), self.last.results(last, images), strict=True)
        return [_joined(*both, part.title, self.blocks) for both, part in zip(results, parts, strict=True)]


def write_in_halves(html: str, images: Mapping[str, Any], *, title: str) -> PdfResult | None:
    """The PDF of a document of some pages; None if it has no halves, or there is nobody to help."""
    second = _middle(html, _SHORT)
    both = _made(write_pdf, html, second, _ONE_DIGIT, images, title)
    return both and _joined(*both, title, _blocks_before(html, second))


def _made(
    make: Callable[..., R], html: str, second: str, later: str, images: Mapping[str, Any], title: str
) -> tuple[R, R] | None:
    """What is made of both halves. later: stands for a number of pages."""
    if not second or CORES == 1 or not COPIES_ITSELF or multiprocessing.current_process().daemon:
        return None
    first, last = _halved(html, second, later)
    context = multiprocessing.get_context("fork")
    try:
        here, there = context.Pipe()
        helper = context.Process(target=_make_last, args=(make, last, later, images, title, there, here))
        helper.start()
    except OSError:
        return None
    try:
        there.close()
        return make(first, images=images, title=title, tell=partial(_tell, here, later, True)), here.recv()
    except (NotShared, EOFError, OSError):
        return None
    finally:
        here.close()
        helper.kill()
        helper.join()


def _joined(first: PdfResult, last: PdfResult, title: str, blocks: int) -> PdfResult:
    """blocks: of the first."""
    foreign = [
        {name for page in half.anchors for name, box in page.items() if box == _NOWHERE}
        for half in (first, last)
    ]
    anchors = [
        {name: box for name, box in page.items() if box != _NOWHERE}
        for page in (*first.anchors, *last.anchors)
    ]
    later = [start if start == RUNS_ON else start + blocks for start in (0, *last.starts)]
    return replace(
        first,
        data=join([first.data, last.data], foreign, title),
        pages=first.pages + last.pages,
        anchors=tuple(anchors),
        starts=(*first.starts, *later),
        blanks=(*first.blanks, *(blank._replace(page=blank.page + first.pages) for blank in last.blanks)),
    )


def _middle(html: str, lengths: range) -> str:
    """The tag nearest to the middle that a half can begin with; "" if there is none."""
    if length_of(html) not in lengths or _PAGES_GO_ON.search(html):
        return ""
    begins = list(_BEGINS.finditer(html))[1:]
    return min(begins, key=lambda begin: abs(2 * begin.start() - len(html)))[0] if begins else ""


def _halved(html: str, second: str, later: str = LATER) -> tuple[str, str]:
    """Two documents. Raises NotShared."""
    before, found, after = html.partition(second)
    head, foot, _ = before.partition("</footer>")
    if not found or not foot:
        raise NotShared("a document of other stations")
    for counter in (PAGE_OF_TARGET, "counter(pages)"):
        before, head = (text.replace(counter, f'"{later}"') for text in (before, head))
    head = head.replace("counter(page)", f'"{later}"')
    return f"{before}</main></body></html>", f"{head}{foot}<main>{found}{after}"


def _blocks_before(html: str, second: str) -> int:
    return blocks_in(_halved(html, second)[0])


def _make_last(
    make: Callable[..., R],
    html: str,
    later: str,
    images: Mapping[str, Any],
    title: str,
    other: Connection,
    not_mine: Connection,
) -> None:
    not_mine.close()  # so that its end is seen
    with contextlib.suppress(NotShared, PdfError, EOFError, OSError):
        other.send(make(html, images=images, title=title, tell=partial(_tell, other, later, False)))


def _tell(other: Connection, later: str, is_first: bool, laid_out: Layout) -> None:
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

    if not put_pages(laid_out.document, later, targets, margin):
        raise NotShared("numbers of pages with fewer or more digits")
    links = (link for page in pages for link in page.links)
    for kind, target, *_ in links:
        if kind == "internal" and target in others and target not in own:
            pages[-1].anchors[target] = _NOWHERE
