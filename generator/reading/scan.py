"""Some pages of a file, read: for each page in it its mark, and for each box its guesses and its picture.

Runs in a process with limits (`confined`); what it gives back is JSON. It knows where blanks are and
nothing of what belongs into them.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from generator.basics.errors import UserError
from generator.output.page_marks import Blank
from generator.reading.boxes import boxes_of, crop_of, for_reader
from generator.reading.geometry import Picture, window
from generator.reading.network import read_boxes
from generator.reading.pages import FoundPage, find_pages, is_blank
from generator.reading.pictures import opened, pages_in

_USUAL: Final = (210.0, 297.0)
_HEAD: Final = (20.0, 10.0, 165.0, 14.0)  # mm: where a pupil's name stands; corner and size
_INK: Final = 0.33  # of a pen's darkness


def count(content: bytes) -> int:
    """How many pages a file has; content: its path."""
    return pages_in(content.decode())


def read_pages(
    _: bytes, wanted: list[tuple[str, int]], known: Mapping[str, Any]
) -> list[list[dict[str, Any]] | str]:
    """For each page (file and number, from 0) the sheets' pages on it, or why it cannot be read.

    known: `karten` and `blaetter` of felder.json, the latter by sheet and number.
    """
    sizes = {key[:4]: tuple(known["karten"][place]["format"]) for key, place in known["blaetter"].items()}
    read: list[list[dict[str, Any]] | str] = []
    for path, number in wanted:
        try:
            read.append(_read(opened(path, number), known, sizes))
        except UserError as error:
            read.append(str(error))
    return read


def _read(picture: Picture, known: Mapping[str, Any], sizes: dict[str, Any]) -> list[dict[str, Any]]:
    found = find_pages(picture, sizes, _USUAL)
    if not found:
        return [{"fault": "blank" if is_blank(picture) else "unmarked"}]
    return [_read_page(picture, page, known) for page in found]


def _read_page(picture: Picture, page: FoundPage, known: Mapping[str, Any]) -> dict[str, Any]:
    said: dict[str, Any] = {"mark": list(page.mark), "fault": page.fault, "boxes": []}
    place = known["blaetter"].get(f"{page.mark.sheet}{page.mark.pupil:04}")
    if place is None:
        return said | {"fault": "foreign"}
    if page.fault:
        return said
    fields = known["karten"][place]["felder"]
    blanks = [Blank(*field) for field in fields if field[0] == page.mark.page]
    boxes = boxes_of(picture, page, blanks)
    guesses = read_boxes([for_reader(box) for box in boxes])
    for box, texts in zip(boxes, guesses, strict=True):
        said["boxes"].append(
            {
                "cell": box.blank.cell,
                "guesses": [list(guess) for guess in texts],
                "settled": box.settled,
                "ink": round(_ink_in(box.seen, box.at), 3),
                "crop": _png(crop_of(box)),
            }
        )
    if page.mark.page == 1 or blanks:
        said["head"] = _png(window(picture, page.map, _HEAD[:2], _HEAD[2:], 5).astype(np.uint8))
    return said


def _ink_in(seen: Picture, at: tuple[float, float, float, float]) -> float:
    """How much is written inside a box, in mm²."""
    fine = 8.0
    left, top, right, bottom = (round(side * fine) for side in at)
    edge = round(0.75 * fine)
    inner = seen[top + edge : bottom - edge, left + edge : right - edge]
    return float((inner > _INK).sum()) / fine**2 if inner.size else 0.0


def _png(grey: Picture) -> str:
    from PIL import Image

    file = io.BytesIO()
    Image.fromarray(grey).quantize(16).save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode()
