"""The boxes of a document go in; what a teacher would object to on its pages comes out, one line a fault."""

from __future__ import annotations

import ctypes
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice, pairwise, takewhile

import pypdfium2
from paper import INVISIBLE, Box, Paper
from pypdfium2 import raw

LEFT, RIGHT, TOP, BOTTOM = 25.0, 190.0, 15.0, 279.0  # mm: where the margins end
TEXT_EDGE = 162.5  # where paragraphs and short tables end; at the right of it points and rounding
NEAR = 27.0  # mm
FOOT = 290.0  # head and foot stay this far inside: a copier's edge
SLACK = 0.3
PEN_WIDTH, PEN_HEIGHT = 16.0, 9.0
SMALLEST = 7.0  # pt
LONGEST_LINE = 80
HEADINGS = ("h1", "h2", "h3")
WHOLE = {"task", "formula-box", "check", "answer"}  # classes whose boxes stay on one page
EMPTY_BELOW, FULL_FROM = 25.0, 0.5  # mm of content; share of the page
MOST_EMPTY = 0.25  # of a page
MM_PER_PT = 25.4 / 72

Check = Callable[[Paper], Iterable[object]]


def all_faults(pages: Paper, checks: Iterable[Check] | None = None) -> list[str]:
    """checks: all that a sheet must pass, unless named."""
    return [f"{check.__name__}: {fault}" for check in checks or CHECKS for fault in check(pages)]


def margins(pages: Paper, frame: tuple[float, ...] = (LEFT, RIGHT, TOP, BOTTOM)) -> Iterator[Box]:
    """What stands beyond left, right, top or bottom of the frame, or of the sheet's head and foot."""
    for box in pages.boxes:
        shown = box.is_leaf or box.kind in ("BlockBox", "TableBox", "TableCellBox", "InlineBlockBox")
        left, right, top, bottom = (*frame[:2], 297 - FOOT, FOOT) if box.in_margin else frame
        beyond = max(left - box.left, box.right - right, top - box.top, box.bottom - bottom)
        if shown and min(box.width, box.height) > 0 and beyond > SLACK:
            yield box


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
        frame = next((outer for outer in box.ancestors if _is_frame(outer)), None) if box.is_leaf else None
        if frame is not None and not _is_room(box):
            out_sideways = box.left < frame.left - 0.1 or box.right > frame.right + 0.1
            middle = (box.top + box.bottom) / 2
            if out_sideways or not frame.top <= middle <= frame.bottom or box.bottom > frame.bottom + 1:
                yield f"{box} in {frame}"


def _is_room(box: Box) -> bool:
    """A range from a number to itself: room that worksheet and key share, printed on neither."""
    first, *last = "".join(box.element.itertext()).translate(INVISIBLE).split("…")
    return "accepted" in box.around and last == [first]


def _is_frame(box: Box) -> bool:
    lines_to_write = box.kind == "BlockBox" and bool(box.classes & {"answer", "line"})
    return box.kind == "TableCellBox" or _is_blank(box) or lines_to_write


def _is_blank(box: Box) -> bool:
    return "blank" in box.classes and box.kind in ("InlineBlockBox", "BlockBox")


def small_type(pages: Paper) -> Iterator[Box]:
    """Text that is too small to read; indices stand lower and smaller beside their letter."""
    for box in pages.boxes:
        index = any(outer.tag in ("sub", "sup") for outer in (box, *box.ancestors))
        if box.text and not index and box.size < SMALLEST - 0.01:
            yield box


def narrow_blanks(pages: Paper) -> Iterator[str]:
    """Blanks too small for a pen. A blank inside a cell is as large as the cell."""
    rooms = [box if _is_blank(box) else box.cell or box for box in pages.of_class("blank")]
    rooms += [box for box in pages.of_class("write") if box.kind == "TableCellBox"]
    for room in rooms:
        if room.width < PEN_WIDTH - 0.05 or room.height < PEN_HEIGHT - 0.05:
            yield f"{room} is {room.width:.1f} × {room.height:.1f} mm"


def torn(pages: Paper) -> Iterator[str]:
    """Tables, tasks, formulas and answers that begin on one page and end on another."""
    begun: dict[int, Box] = {}
    for box in pages.boxes:
        if box.kind == "TableBox" or (box.kind == "BlockBox" and box.classes & WHOLE):
            first = begun.setdefault(id(box.element), box)
            if first.page != box.page:
                yield f"{first} goes on on page {box.page}"


def lone_headings(pages: Paper) -> Iterator[Box]:
    """Headings, tasks and questions with nothing of their own below or beside them on the page."""
    for content in pages.contents:
        leaves = [box for box in content if box.is_leaf or box.classes & {"rule", "blank"}]
        for box in content:
            heads = box.tag in HEADINGS or box.classes & {"task", "question"}
            beside = {outer for outer in box.ancestors if "with-picture" in outer.classes}
            if box.kind == "BlockBox" and heads:
                followed = any(
                    box not in leaf.ancestors
                    and (leaf.top >= box.bottom - 1 or not beside.isdisjoint(leaf.ancestors))
                    for leaf in leaves
                )
                if not followed:
                    yield box


def parted_checks(pages: Paper) -> Iterator[Box]:
    """Self-checks at the head of a page, away from what they check (a table that fills a page: apart)."""
    for content in pages.contents[1:]:
        for box in content:
            is_check = box.kind == "BlockBox" and "check" in box.classes and "apart" not in box.classes
            if is_check and not any(leaf.is_leaf and leaf.bottom <= box.top + 1 for leaf in content):
                yield box


def empty_pages(pages: Paper) -> Iterator[str]:
    for number, content in enumerate(pages.contents, 1):
        if _depth(content) < EMPTY_BELOW:
            yield f"page {number} holds {_depth(content):.0f} mm"


def holes(pages: Paper) -> Iterator[str]:
    """Pages left half empty although what follows in the station would have fitted."""
    for number, (content, after) in enumerate(pairwise(pages.contents), 1):
        if _station(content) is not None and _station(content) is _station(after):
            room, first = BOTTOM - TOP - _depth(content), _first_group(after)
            if room > (1 - FULL_FROM) * (BOTTOM - TOP) and first < room - 8:
                yield f"page {number} has {room:.0f} mm left, the next page begins with {first:.0f} mm"


def _station(content: list[Box]) -> object:
    stations = [box.element for box in content if "station" in box.classes]
    return stations[-1] if stations else None


def _first_group(content: list[Box]) -> float:
    """mm that must stay together at the head of a page: a heading, lead or task, what follows, its check."""
    section = next(box for box in content if "station" in box.classes)
    blocks = [box for box in section.children if box.height > 0]
    for box, *following in (blocks[place : place + 2] for place in range(len(blocks))):
        if box.tag not in HEADINGS and not box.classes & {"task", "lead"}:
            stays = [b for b in following if b.classes & {"check", "summary"} and "apart" not in b.classes]
            return (stays or [box])[0].bottom - TOP
    return BOTTOM - TOP


def _depth(content: list[Box]) -> float:
    """mm down to the last of the content."""
    last = (box.bottom for box in content if box.is_leaf or box.kind == "TableBox" or "rule" in box.classes)
    return max(last, default=TOP) - TOP


def half_empty(pages: Paper) -> dict[int, float]:
    """Page -> which share of its height is empty below its content, where that is much.

    Where a station ends early, the page stays white: it is not counted.
    """
    shares = {}
    for number, (content, after) in enumerate(pairwise(pages.contents), 1):
        empty = 1 - _depth(content) / (BOTTOM - TOP)
        if _station(content) is _station(after) and empty > MOST_EMPTY:
            shares[number] = empty
    return shares


def long_lines(pages: Paper) -> Iterator[str]:
    """Lines of running text that are too long to read on from one to the next.

    Expected answers stand small in the room of the ruled lines: they are read by teachers.
    """
    for box in pages.boxes:
        beside = box.parent is not None and box.parent.classes & {"with-picture", "beside"}  # two columns
        if box.kind == "LineBox" and not box.in_margin and not beside and "expected" not in box.around:
            line = " ".join(re.sub(r"\.{4,}", " ", box.words()).split())  # dots may lead to a page number
            letters = sum(sign.isalpha() for sign in line)
            if len(line) > LONGEST_LINE and letters > 0.6 * len(line):  # sums of products are not read on
                yield f"page {box.page}: {len(line)} signs: {line[:60]}…"


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


def strayed_points(pages: Paper) -> Iterator[str]:
    """Points that do not stand below each other at the right edge."""
    for box in pages.of_class("task-points"):
        if box.kind == "BlockBox" and abs(box.right - RIGHT) > 2 * SLACK:
            yield f"{box} ends at {box.right:.1f} mm"


def tables_beside_an_edge(pages: Paper) -> Iterator[str]:
    """Tables alone that end a little before the edge of text or page; bars keep their scale."""
    for box in pages.boxes:
        if box.kind == "TableBox" and not box.around & {"with-picture", "side", "interim", "dense"}:
            near = any(SLACK < edge - box.right < NEAR for edge in (TEXT_EDGE, RIGHT))
            ends_there = abs(TEXT_EDGE - box.right) <= SLACK
            has_bars = any("barcell" in inner.classes for inner in box.inside())
            if near and not ends_there and not has_bars:
                yield f"{box} ends at {box.right:.1f} mm"


def commas(pages: Paper) -> Iterator[str]:
    """Numbers with as many places in one column whose commas do not stand below each other."""
    columns: dict[tuple[int, ...], float] = {}
    numbers = [b for b in pages.boxes if b.text and b.parent and b.parent.classes & {"n", "value"} and b.cell]
    alone = Counter(id(box.cell) for box in numbers)
    for box in numbers:
        before, _, after = box.text.partition(",")
        if after and alone[id(box.cell)] == 1 and not ("value" in box.parent.classes and len(before) > 2):
            table = next(outer for outer in box.ancestors if outer.kind == "TableBox")
            column = id(table.element), box.page, box.cell.parent.children.index(box.cell), len(after)
            at = box.right - len(after) * 0.56 * MM_PER_PT * box.size
            if abs(at - columns.setdefault(column, at)) > SLACK:
                yield f"{box} stands beside its column"


def broken_sums(pages: Paper) -> Iterator[str]:
    """Lines that begin with ≈, or end with + or with „y =“ whose vector is in the next one."""
    for box in pages.boxes:
        if box.kind == "LineBox" and box.cell is None and "expected" not in box.around:
            said = box.words()
            open_blank = any(child.kind == "InlineBlockBox" for child in box.children)
            parted = re.search(r"(?:^|[^\d)\s])\s*=$", said) and not open_blank
            first = box  # its first leaf may be a formula, which has no words
            while first.children and not first.is_leaf:
                first = first.children[0]
            begins = first.text.startswith("≈") and len(said) > 1
            if begins or said.endswith(" +") or parted:
                yield f"page {box.page}: „{said[:30]} … {said[-20:]}“"


CHECKS: tuple[Check, ...] = (
    commas,
    broken_sums,
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
    long_lines,
    strayed_points,
    tables_beside_an_edge,
)
