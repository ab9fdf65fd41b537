"""A worksheet laid over its key: all that both show stands within half a millimetre."""

from __future__ import annotations

from typing import Any

import numpy as np
import pypdfium2
import pytest

from tests.pdf.shared_configurations import Pair

KATZE = "Die Katze sitzt auf der Matte"
DOTS = 150 / 72  # to a point, as a copier's glass sees it
NEAR = 3  # dots: half a millimetre
RULE = 70  # dots: a line to write on, which keys do without, is longer than 12 mm


def ink(data: bytes) -> list[Any]:
    pages = pypdfium2.PdfDocument(data)
    return [np.asarray(page.render(scale=DOTS).to_pil().convert("L")) < 128 for page in pages]


def spread(page: Any, dots: int) -> Any:
    padded = np.pad(page, dots)
    rows, columns = page.shape
    moves = range(2 * dots + 1)
    return np.any([padded[i : i + rows, j : j + columns] for i in moves for j in moves], axis=0)


def long_lines(page: Any) -> Any:
    """What belongs to level lines of at least RULE dots."""
    whole = np.lib.stride_tricks.sliding_window_view(page, RULE, axis=1).all(axis=2)
    found = np.zeros_like(page)
    for shift in range(RULE):
        found[:, shift : shift + whole.shape[1]] |= whole
    return found


# Not those with pictures to draw: their labels make way for what the key draws.
@pytest.mark.parametrize("station", ["7", "6"])
def test_a_worksheet_lies_on_its_key(station: str) -> None:
    pair = Pair.of(satz=KATZE, stationen=station, gewichte="dezimal", startwert="1")
    layout = pair.layout()
    sheet, key = (pair.written(layout, name).getvalue() for name in ("arbeitsblatt", "loesung"))
    sheets, keys = ink(sheet), ink(key)
    assert len(sheets) == len(keys) > 1
    for number, (ours, theirs) in enumerate(zip(sheets, keys, strict=True), 1):
        feet = int(780 * DOTS)  # the key's says what „bis“ means
        alone = (ours & ~spread(theirs, NEAR))[:feet]
        rules = spread(long_lines(ours), 1)[:feet]
        assert not (alone & ~rules).any(), f"page {number}: {int((alone & ~rules).sum())} dots"
        assert (ours & theirs).sum() > 0.5 * ours.sum()
