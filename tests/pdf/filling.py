"""A PDF goes in; how much of each page is empty comes out, as a table.

python tests/pdf/filling.py output/die-katze-sitzt-auf-der-matte/arbeitsblatt.pdf [...]

filled: from the upper margin down to the last ink above the foot. white: the share of bands of 5 mm without
any ink, gaps included. A page is the last of its station where the next one begins with a main heading.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pdfplumber
from pdfplumber.page import Page
from pdfplumber.pdf import PDF

TOP, BOTTOM = 15.0, 279.0  # mm: where the margins end
BAND = 5.0
POINTS_A_MM = 72 / 25.4
LEAST = 0.6  # of a page that is not a station's last


@dataclass(frozen=True)
class Filling:
    """page: counted from 1. filled, white: shares of the page between its margins."""

    page: int
    last: bool
    filled: float
    white: float


def filling_of(path: Path) -> list[Filling]:
    with pdfplumber.open(path) as pdf:
        begins = _main_headings(pdf)
        return [_filling(page, page.page_number + 1 in begins or page.page_number == len(pdf.pages))
                for page in pdf.pages]  # fmt: skip


def _main_headings(pdf: PDF) -> set[int]:
    """The pages with a heading of the first level."""
    numbers = {page.page_obj.pageid: page.page_number for page in pdf.pages}
    return {numbers[entry[2][0].objid] for entry in pdf.doc.get_outlines() if entry[0] == 1}


def _filling(page: Page, last: bool) -> Filling:
    spans = [
        (max(TOP, top / POINTS_A_MM), bottom / POINTS_A_MM)
        for top, bottom in _ink(page)
        if bottom / POINTS_A_MM <= BOTTOM + 0.5 and bottom / POINTS_A_MM > TOP
    ]
    deepest = max((bottom for _, bottom in spans), default=TOP)
    bands = int((BOTTOM - TOP) / BAND)
    inked = {
        band
        for top, bottom in spans
        for band in range(int((top - TOP) / BAND), int((bottom - TOP) / BAND) + 1)
    }
    white = 1 - len(inked & set(range(bands))) / bands
    return Filling(page.page_number, last, (deepest - TOP) / (BOTTOM - TOP), white)


def _ink(page: Page) -> Iterator[tuple[float, float]]:
    for kind in ("chars", "lines", "rects", "curves", "images"):
        for item in getattr(page, kind):
            if item["height"] < 0.9 * float(page.height):
                yield float(item["top"]), float(item["bottom"])


def loose(pages: list[Filling]) -> list[Filling]:
    """Pages that are too empty although their station goes on."""
    return [page for page in pages if not page.last and page.filled < LEAST]


def main(paths: list[str]) -> None:
    for path in map(Path, paths):
        pages = filling_of(path)
        print(path.name)
        for page in pages:
            mark = " last of its station" if page.last else " !" if page.filled < LEAST else ""
            print(f"{page.page:>4}{page.filled:>7.0%}{page.white:>7.0%} white{mark}")
        print(
            f"{len(pages)} pages, {sum(1 - page.filled for page in pages):.1f} empty below, "
            f"{sum(page.white for page in pages):.1f} white, "
            f"{len(loose(pages))} under {LEAST:.0%} before a station's last"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
