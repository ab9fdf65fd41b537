"""The pages of two views go in; what does not lie exactly on top of each other comes out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import hypot

from paper import Box, Paper

ROUNDED = 0.015  # mm: one place, rounded to a hundredth on either side of a half
# What only one of the two views has: written values and expected answers, ruled lines to write on.
OF_ONE_VIEW = {"value", "accepted", "expected", "rule", "gauge", "changed"}
FRAMES = ("BlockBox", "TableBox", "TableRowBox", "TableCellBox", "InlineBlockBox", "InlineReplacedBox")


def differences(worksheet: Paper, key: Paper) -> list[str]:
    if len(worksheet.pages) != len(key.pages):
        return [f"the worksheet has {len(worksheet.pages)} pages, the key {len(key.pages)}"]
    blanks, frames = (
        (Counter(seen(worksheet)) - Counter(seen(key)), Counter(seen(key)) - Counter(seen(worksheet)))
        for seen in (_blanks, _frames)
    )
    apart = [str(each) for of_one_view in (*blanks, *frames) for each in of_one_view]
    return [*apart, *_text_apart(worksheet, key)]


def _blanks(pages: Paper) -> Iterator[tuple[object, ...]]:
    """Blanks by their ids, with the box to write in; of a blank in a cell that is the cell."""
    for box in pages.of_class("blank"):
        if box.id is not None:
            frame = box if box.kind in ("InlineBlockBox", "BlockBox") else box.cell or box
            yield box.id, box.page, frame.place


def _frames(pages: Paper) -> Iterator[tuple[object, ...]]:
    """Paragraphs, tables, cells, boxes and pictures that both views have."""
    for box in pages.boxes:
        of_a_cell = box.tag == "td" and box.kind != "TableCellBox"  # lines of a number, not a frame
        if box.kind in FRAMES and not of_a_cell and _of_both(box):
            yield box.tag, box.page, box.place


def _text_apart(worksheet: Paper, key: Paper) -> Iterator[str]:
    """Every printed word of the worksheet stands on the key, at the same place."""
    ours, theirs = (Counter(_texts(pages)) for pages in (worksheet, key))
    elsewhere = list((theirs - ours).elements())
    for number, text, left, top in (ours - theirs).elements():
        there = (other for other in elsewhere if other[:2] == (number, text))
        if near := next((o for o in there if hypot(left - o[2], top - o[3]) < ROUNDED), None):
            elsewhere.remove(near)
        else:
            yield f"page {number}: „{text}“ at {left}, {top} mm is not on the key"


def _texts(pages: Paper) -> Iterator[tuple[int, str, float, float]]:
    for box in pages.boxes:
        if box.text and _of_both(box):
            yield box.page, box.text, *box.place[:2]


def _of_both(box: Box) -> bool:
    return not box.in_margin and not box.around & OF_ONE_VIEW
