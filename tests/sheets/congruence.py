"""The pages of worksheet and key go in; what does not lie exactly on top of each other comes out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import hypot

from paper import Box, Paper

# What only one of the two views has: written values and expected answers, ruled lines to write on.
ROUNDED = 0.015  # mm: one place, rounded to a hundredth on either side of a half
OF_ONE_VIEW = {"value", "accepted", "expected", "rule", "gauge", "changed"}


def differences(worksheet: Paper, key: Paper) -> list[str]:
    if len(worksheet.pages) != len(key.pages):
        return [f"the worksheet has {len(worksheet.pages)} pages, the key {len(key.pages)}"]
    return [*blanks_apart(worksheet, key), *frames_apart(worksheet, key), *text_apart(worksheet, key)]


def blanks_apart(worksheet: Paper, key: Paper) -> Iterator[str]:
    """Blanks by their ids: b1, b2, … on the same page at the same place."""
    ours, theirs = (_blanks(pages) for pages in (worksheet, key))
    if list(ours) != list(theirs):
        yield f"the blanks differ: {sorted(ours.keys() ^ theirs.keys())[:5]}"
    for name in ours.keys() & theirs.keys():
        if ours[name] != theirs[name]:
            yield f"blank {name} is at {ours[name]} and at {theirs[name]}"


def _blanks(pages: Paper) -> dict[str | None, tuple[float, ...]]:
    """The box to write in; of a blank in a cell that is the cell."""
    places = {}
    for box in pages.of_class("blank"):
        if box.id is not None:
            cell = next((outer for outer in box.ancestors if outer.kind == "TableCellBox"), box)
            frame = box if box.kind in ("InlineBlockBox", "BlockBox") else cell
            places[box.id] = (box.page, *frame.place)
    return places


def frames_apart(worksheet: Paper, key: Paper) -> Iterator[str]:
    """Paragraphs, tables, cells, boxes and pictures that both views have."""
    ours, theirs = (Counter(_frames(pages)) for pages in (worksheet, key))
    for (number, tag, place), _ in ((ours - theirs) + (theirs - ours)).items():
        yield f"page {number}: {tag} at {place} in one view only"


def _frames(pages: Paper) -> Iterator[tuple[int, str, tuple[float, ...]]]:
    kinds = ("BlockBox", "TableBox", "TableRowBox", "TableCellBox", "InlineBlockBox", "InlineReplacedBox")
    for box in pages.boxes:
        of_a_cell = box.tag == "td" and box.kind != "TableCellBox"  # lines of a number, not a frame
        if box.kind in kinds and not box.in_margin and not of_a_cell and not _of_one_view(box):
            yield box.page, box.tag, box.place


def text_apart(worksheet: Paper, key: Paper) -> Iterator[str]:
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
        if box.text and not box.in_margin and not _of_one_view(box):
            yield box.page, box.text, *box.place[:2]


def _of_one_view(box: Box) -> bool:
    return any(outer.classes & OF_ONE_VIEW for outer in (box, *box.ancestors))
