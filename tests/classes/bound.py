"""What the bound files of a class set say, beside what its rechnung.json of each pupil says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pypdfium2
import zxingcpp

from generator.production import class_set
from generator.reading import blank_map
from generator.reading.blank_map import read_map
from tests.sheets import reading


def silent(*_: object) -> None:
    pass


def manifest_of(folder: Path) -> list[dict[str, Any]]:
    variants: list[dict[str, Any]] = json.loads((folder / class_set.MANIFEST).read_text("utf-8"))["varianten"]
    return variants


def calculation_of(folder: Path, number: int) -> dict[str, Any]:
    path = folder / class_set.CALCULATIONS / f"{number}.json"
    calculation: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return calculation


def text_on(page: Any) -> str:
    return page.get_textpage().get_text_range()


def code_on(page: Any, kind: Any = zxingcpp.BarcodeFormat.QRCode) -> str:
    """What the QR code of a page says, or another mark beside it."""
    picture = page.render(scale=200 / 72, grayscale=True).to_pil()
    return "".join(found.text for found in zxingcpp.read_barcodes(picture, formats=kind))


def wrong_in(folder: Path) -> Iterator[str]:
    """Cells and codes of which the bound files of a set say another thing than rechnung.json.

    A key lies on its worksheet: its numbers stand where the blanks are.
    """
    keys, papers = (pypdfium2.PdfDocument(folder / name) for name in ("loesungen.pdf", "arbeitsblaetter.pdf"))
    of_key: dict[str, int] = {}  # code -> first page
    first = next_key = count = 0
    for each, printed in zip(manifest_of(folder), read_map(folder / blank_map.FILE), strict=True):
        quantities = calculation_of(folder, each["nummer"])["quantities"]
        code = each["code"]
        if "gruppe" not in each and (found := code_on(papers[first])) != code:  # a jigsaw's sheets bear none
            yield f"{each['nummer']}: code {found} instead of {code}"
        length = each["seiten"] + each["seiten"] % 2
        if code not in of_key:
            of_key[code] = next_key
            next_key += length
        for (page, *sides), its in groupby(printed.blanks, key=lambda blank: blank[:-1]):
            left, top, right, bottom = (side * 72 / 25.4 for side in sides)
            paper = keys[of_key[code] + page - 1]
            height = paper.get_height()
            text = paper.get_textpage().get_text_bounded(left, height - bottom, right, height - top)
            said = text.replace("(", " ").split()
            cells = [_address_of(blank.cell) for blank in its]
            wanted = [_as_printed(quantities[name], index) for name, index in cells if name in quantities]
            count += len(wanted)
            words = iter(said)  # after the first of them stand brackets and ranges, too
            if wanted and (said[:1] != wanted[:1] or not all(value in words for value in wanted)):
                yield f"{each['nummer']}: {cells} are {said}, not {wanted}"
        first += length
    if (len(papers), len(keys)) != (first, next_key) or not count:
        yield f"{len(papers)} and {len(keys)} pages, not {first} and {next_key}; {count} cells"


def _address_of(cell: str) -> reading.Address:
    name, _, index = cell.rstrip("]").partition("[")
    return name, tuple(int(place) for place in index.split(",") if place)


def _as_printed(quantity: dict[str, Any], index: tuple[int, ...]) -> str:
    value = reading.cell(quantity["hand"], index)
    return f"{value:.{quantity['places']}f}".replace(".", ",").replace("-", "−")
