"""The boxes of a document go in; what a teacher would object to on its pages comes out, one line a fault."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice, pairwise, takewhile, zip_longest

import pypdfium2
from paper import Box, Paper
from pypdfium2 import raw

A4 = (210.0, 297.0)
LEFT, RIGHT, TOP, BOTTOM = 25.0, 190.0, 15.0, 279.0  # mm: where the margins end
TEXT_EDGE = 162.5  # where paragraphs and short tables end; at the right of it points and rounding
NEAR = 27.0  # mm
FOOT = 290.0  # head and foot stay this far inside: a copier's edge
SLACK = 0.3
PEN_WIDTH, PEN_HEIGHT = 16.0, 9.0
SMALLEST = 7.0  # pt
LONGEST_LINE = 80
HEADINGS = ("h1", "h2", "h3")
WHOLE = ("task", "formula-box", "check", "answer")  # classes whose boxes stay on one page
EMPTY_BELOW, FULL_FROM = 25.0, 0.5  # mm of content; share of the page
MOST_EMPTY = 0.25  # of a page
MM_PER_PT = 25.4 / 72
FIGURE = 0.56 * MM_PER_PT  # how wide a digit is, for each pt

Check = Callable[[Paper], Iterable[str]]


def all_faults(pages: Paper, checks: Iterable[Check] | None = None) -> list[str]:
    """checks: all that a sheet must pass, unless named."""
    return [f"{check.__name__}: {fault}" for check in checks or CHECKS for fault in check(pages)]


def size(pages: Paper) -> Iterator[str]:
    for number, found in enumerate(pages.sizes, 1):
        if max(abs(side - wanted) for side, wanted in zip(found, A4, strict=True)) > 0.1:
            yield f"page {number} is {found[0]:.1f} × {found[1]:.1f} mm"


def margins(pages: Paper) -> Iterator[str]:
    for box in pages.boxes:
        shown = box.is_leaf or box.kind in ("BlockBox", "TableBox", "TableCellBox", "InlineBlockBox")
        if not shown or min(box.width, box.height) <= 0:
            continue
        bottom, top = (FOOT, 297 - FOOT) if box.in_margin else (BOTTOM, TOP)
        inside = (
            box.left >= LEFT - SLACK
            and box.right <= RIGHT + SLACK
            and box.top >= top - SLACK
            and box.bottom <= bottom + SLACK
        )
        if not inside:
            yield str(box)


def overlaps(pages: Paper) -> Iterator[str]:
    """Text and pictures on top of each other (formulas in a line of text stand beside it, not on it)."""
    for page in pages.pages:
        leaves = sorted((box for box in page if box.is_leaf), key=lambda box: box.top)
        for place, first in enumerate(leaves):
            for second in takewhile(lambda box: box.top < first.bottom, leaves[place + 1 :]):  # noqa: B023
                across = min(first.right, second.right) - max(first.left, second.left)
                down = min(first.bottom, second.bottom) - second.top
                touch = across > SLACK and down > 0.35 * min(first.height, second.height)
                if touch and not _one_inside_a_picture(first, second):
                    yield f"{first} and {second}"


def _one_inside_a_picture(first: Box, second: Box) -> bool:
    return any("svg" in (box.tag, *(outer.tag for outer in box.ancestors)) for box in (first, second))


def spills(pages: Paper) -> Iterator[str]:
    """Text that runs out of its cell, its box or its ruled lines."""
    for box in pages.boxes:
        if not box.is_leaf:
            continue
        frame = next((outer for outer in box.ancestors if _is_frame(outer)), None)
        if frame is None:
            continue
        out_sideways = box.left < frame.left - 0.1 or box.right > frame.right + 0.1
        middle = (box.top + box.bottom) / 2
        if out_sideways or not frame.top <= middle <= frame.bottom or box.bottom > frame.bottom + 1:
            yield f"{box} in {frame}"


def _is_frame(box: Box) -> bool:
    lines_to_write = box.kind == "BlockBox" and bool(box.classes & {"answer", "line"})
    return box.kind == "TableCellBox" or _is_blank(box) or lines_to_write


def _is_blank(box: Box) -> bool:
    return "blank" in box.classes and box.kind in ("InlineBlockBox", "BlockBox")


def small_type(pages: Paper) -> Iterator[str]:
    """Text that is too small to read; indices stand lower and smaller beside their letter."""
    for box in pages.boxes:
        index = any(outer.tag in ("sub", "sup") for outer in (box, *box.ancestors))
        if box.text and not index and box.size < SMALLEST - 0.01:
            yield f"{box} is set in {box.size:.1f} pt"


def narrow_blanks(pages: Paper) -> Iterator[str]:
    """Blanks too small for a pen. A blank inside a cell is as large as the cell."""
    for box in pages.of_class("blank"):
        cell = next((outer for outer in box.ancestors if outer.kind == "TableCellBox"), None)
        room = box if _is_blank(box) or cell is None else cell
        if room.width < PEN_WIDTH - 0.05 or room.height < PEN_HEIGHT - 0.05:
            yield f"{room} is {room.width:.1f} × {room.height:.1f} mm"
    for box in pages.of_class("write"):
        if box.kind == "TableCellBox" and (box.width < PEN_WIDTH - 0.05 or box.height < PEN_HEIGHT - 0.05):
            yield f"{box} is {box.width:.1f} × {box.height:.1f} mm"


def torn(pages: Paper) -> Iterator[str]:
    """Tables, tasks, formulas and answers that begin on one page and end on another."""
    begun: dict[int, Box] = {}
    for box in pages.boxes:
        if box.kind == "TableBox" or (box.kind == "BlockBox" and box.classes & set(WHOLE)):
            first = begun.setdefault(id(box.element), box)
            if first.page != box.page:
                yield f"{first} goes on on page {box.page}"


def lone_headings(pages: Paper) -> Iterator[str]:
    """Headings, tasks and captions with nothing of their own below or beside them on the page."""
    for number in range(1, len(pages.pages) + 1):
        content = pages.content(number)
        leaves = [box for box in content if box.is_leaf or "rule" in box.classes or "blank" in box.classes]
        for box in content:
            is_heading = box.kind == "BlockBox" and (box.tag in HEADINGS or "task" in box.classes)
            beside = {outer for outer in box.ancestors if "with-picture" in outer.classes}
            if is_heading and not any(
                box not in leaf.ancestors
                and (leaf.top >= box.bottom - 1 or not beside.isdisjoint(leaf.ancestors))
                for leaf in leaves
            ):
                yield str(box)


def parted_checks(pages: Paper) -> Iterator[str]:
    """Self-checks at the head of a page, away from what they check (a table that fills a page: apart)."""
    for number in range(2, len(pages.pages) + 1):
        content = pages.content(number)
        leaves = [box for box in content if box.is_leaf]
        for box in content:
            if box.kind == "BlockBox" and "check" in box.classes and "apart" not in box.classes:
                above = [leaf for leaf in leaves if leaf.bottom <= box.top + 1]
                if not above:
                    yield str(box)


def empty_pages(pages: Paper) -> Iterator[str]:
    for number in range(1, len(pages.pages) + 1):
        if _depth(pages.content(number)) < EMPTY_BELOW:
            yield f"page {number} holds {_depth(pages.content(number)):.0f} mm"


def holes(pages: Paper) -> Iterator[str]:
    """Pages left half empty although what follows in the station would have fitted."""
    for number, following in pairwise(range(1, len(pages.pages) + 1)):
        content, after = pages.content(number), pages.content(following)
        if _station(content) is None or _station(content) is not _station(after):
            continue
        room = BOTTOM - TOP - _depth(content)
        first = _first_group(after)
        if room > (1 - FULL_FROM) * (BOTTOM - TOP) and first < room - 8:
            yield f"page {number} has {room:.0f} mm left, the next page begins with {first:.0f} mm"


def ends_a_station(pages: Paper, page: int) -> bool:
    """Whether the next page begins another station."""
    return _station(pages.content(page)) is not _station(pages.content(page + 1))


def _station(content: list[Box]) -> object:
    stations = [box.element for box in content if "station" in box.classes]
    return stations[-1] if stations else None


def _first_group(content: list[Box]) -> float:
    """mm that must stay together at the head of a page: a heading, lead or task, what follows, its check."""
    section = next(box for box in content if "station" in box.classes)
    blocks = [box for box in section.children if box.height > 0]
    for box, after in zip_longest(blocks, blocks[1:]):
        if box.tag not in HEADINGS and not box.classes & {"task", "lead"}:
            stays = (
                after is not None and after.classes & {"check", "summary"} and "apart" not in after.classes
            )
            return (after if stays else box).bottom - TOP
    return BOTTOM - TOP


def _depth(content: list[Box]) -> float:
    """mm down to the last of the content."""
    bottoms = [
        box.bottom for box in content if box.is_leaf or box.kind == "TableBox" or "rule" in box.classes
    ]
    return max(bottoms, default=TOP) - TOP


def long_lines(pages: Paper) -> Iterator[str]:
    """Lines of running text that are too long to read on from one to the next."""
    for box in pages.boxes:
        if box.kind != "LineBox" or box.in_margin:
            continue
        if box.parent is not None and box.parent.classes & {
            "with-picture",
            "beside",
        }:  # two columns side by side
            continue
        line = " ".join(re.sub(r"\.{4,}", " ", box.words()).split())  # dots may lead to a page number
        letters = sum(sign.isalpha() for sign in line)
        if len(line) > LONGEST_LINE and letters > 0.6 * len(line):  # sums of products are not read on
            yield f"page {box.page}: {len(line)} signs: {line[:60]}…"


def commas(pages: Paper) -> Iterator[str]:
    """Numbers with as many places in one column whose commas do not stand below each other."""
    columns: dict[tuple[int, int, int, int], tuple[float, Box]] = {}
    for box in pages.boxes:
        cell = next((outer for outer in box.ancestors if outer.kind == "TableCellBox"), None)
        before_comma, _, after_comma = box.text.partition(",")
        if cell is None or cell.parent is None or not after_comma or not _is_number(box):
            continue
        if "value" in box.parent.classes and len(before_comma) > 2:
            continue  # the room for what is withheld tells nothing of it
        if sum(map(_is_number, cell.leaves())) != 1:
            continue  # a vector: its blanks are wider than its numbers
        places = len(after_comma)
        table = next(outer for outer in cell.ancestors if outer.kind == "TableBox")
        column = id(table.element), box.page, cell.parent.children.index(cell), places
        at = box.right - places * FIGURE * box.size
        before, first = columns.setdefault(column, (at, box))
        if abs(at - before) > SLACK:
            yield f"{box} is {at - before:.1f} mm beside {first}"


def _is_number(box: Box) -> bool:
    return box.parent is not None and bool(box.parent.classes & {"n", "value"})


def parted_names(pages: Paper) -> Iterator[str]:
    """Lines that end with „y =“ and the vector in the next one (sums and a key's answers may be read on)."""
    for box in pages.boxes:
        told = any("expected" in outer.classes for outer in box.ancestors)
        if box.kind == "LineBox" and not told and re.search(r"(?:^|[^\d)\s])\s*=$", box.words()):
            last = max(box.leaves(), key=lambda leaf: leaf.right)
            blanks = (each for each in box.children if each.kind == "InlineBlockBox")
            if all(blank.right <= last.right for blank in blanks):
                yield f"page {box.page}: „{box.words()[-30:]}“"


def crossings(pages: Paper) -> Iterator[str]:
    """Signs of different texts whose ink overlaps in the PDF, labels of pictures among them.

    What stands unseen behind formulas is none.
    """
    sides = [ctypes.c_double() for _ in range(4)]
    for number, page in enumerate(pypdfium2.PdfDocument(pages.pdf), 1):
        text, signs = page.get_textpage(), []
        for i in range(text.count_chars()):
            piece = raw.FPDFText_GetTextObject(text, i)
            seen = piece and raw.FPDFTextObj_GetTextRenderMode(piece) != raw.FPDF_TEXTRENDERMODE_INVISIBLE
            if seen and not chr(raw.FPDFText_GetUnicode(text, i)).isspace():
                raw.FPDFText_GetCharBox(text, i, *sides)
                left, right, low, high = (side.value * MM_PER_PT for side in sides)
                signs.append((left, low, right, high, i, ctypes.addressof(piece.contents)))
        signs.sort()
        for place, (_, low, right, high, i, piece) in enumerate(signs, 1):
            for left, lower, end, upper, k, other in islice(signs, place, None):
                if left >= right - SLACK:
                    break
                across, down = min(right, end) - left, min(high, upper) - max(low, lower)
                if down > SLACK and across > SLACK and piece != other and abs(i - k) > 1:
                    around = [text.get_text_range(max(0, at - 6), 12).split() for at in (i, k)]
                    yield f"page {number}: {' '.join(around[0])} on {' '.join(around[1])}"


def broken_sums(pages: Paper) -> Iterator[str]:
    """Lines that begin with ≈ or end with +."""
    for box in pages.boxes:
        if box.kind == "LineBox" and not any(outer.kind == "TableCellBox" for outer in box.ancestors):
            said, first = box.words(), next(box.leaves(), None)
            begins = first is not None and first.text.startswith("≈") and len(said) > 1
            if begins or said.endswith(" +"):
                yield f"page {box.page}: „{said[:30]} … {said[-20:]}“"


def strayed_points(pages: Paper) -> Iterator[str]:
    """Points that do not stand below each other at the right edge."""
    for box in pages.of_class("task-points"):
        if box.kind == "BlockBox" and abs(box.right - RIGHT) > 2 * SLACK:
            yield f"{box} ends at {box.right:.1f} mm"


def tables_beside_an_edge(pages: Paper) -> Iterator[str]:
    """Tables alone that end a little before the edge of text or page; bars keep their scale."""
    for box in pages.boxes:
        inside = set().union(*(outer.classes for outer in box.ancestors))
        alone = not inside & {"with-picture", "side", "interim"} and "dense" not in box.classes
        near = any(SLACK < edge - box.right < NEAR for edge in (TEXT_EDGE, RIGHT))
        ends_there = abs(TEXT_EDGE - box.right) <= SLACK
        if box.kind == "TableBox" and alone and near and not ends_there and not _has_bars(box):
            yield f"{box} ends at {box.right:.1f} mm"


def _has_bars(table: Box) -> bool:
    return any("barcell" in box.classes for box in table.inside())


def emptiness(pages: Paper) -> list[float]:
    """Of each page, which share of its height is empty below its content."""
    return [1 - _depth(pages.content(number)) / (BOTTOM - TOP) for number in range(1, len(pages.pages) + 1)]


CHECKS: tuple[Check, ...] = (
    size,
    margins,
    overlaps,
    spills,
    small_type,
    narrow_blanks,
    torn,
    lone_headings,
    parted_checks,
    empty_pages,
    holes,
    commas,
    parted_names,
    broken_sums,
    strayed_points,
    tables_beside_an_edge,
)
