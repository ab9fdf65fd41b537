"""The pages of two views go in; what does not lie exactly on top of each other comes out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from paper import Paper

ROUNDED = 0.015  # mm: one place, rounded to a hundredth on either side of a half
# What only one of the two views has: written values and expected answers, ruled lines to write on.
OF_ONE_VIEW = {"value", "accepted", "expected", "rule", "gauge", "changed"}
FRAMES = ("BlockBox", "TableBox", "TableRowBox", "TableCellBox", "InlineBlockBox", "InlineReplacedBox")
Places = dict[tuple[int, str, bool], list[tuple[float, ...]]]


def differences(worksheet: Paper, key: Paper) -> Iterator[str]:
    """Every printed word of the worksheet stands on the key, and both have the same frames."""
    ours, theirs = _places(worksheet), _places(key)
    for (page, what, is_text), places in ours.items():
        there = theirs[page, what, is_text]
        for place in places:
            near = [o for o in there if max(abs(a - b) for a, b in zip(place, o, strict=True)) < ROUNDED]
            if near:
                there.remove(near[0])
            else:
                yield f"page {page}: {what} at {place} mm is not on the key"
    for (page, what, is_text), places in theirs.items():
        for place in () if is_text else places:
            yield f"page {page}: {what} at {place} mm is on the key alone"


def _places(pages: Paper) -> Places:
    """Page and word, or the tag of a paragraph, table, cell, box or picture -> where it stands."""
    found: Places = defaultdict(list)
    for box in pages.boxes:
        of_a_cell = box.tag == "td" and box.kind != "TableCellBox"  # lines of a number, not a frame
        what = box.text or (box.tag if box.kind in FRAMES and not of_a_cell else "")
        if what and not box.in_margin and not box.around & OF_ONE_VIEW:
            found[box.page, what, bool(box.text)].append(box.place[:2] if box.text else box.place)
    return found
