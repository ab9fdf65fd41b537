"""In: a class set. Out: whether every number of every key, read from the bound PDF, is that of rechnung.json.

python -m tests.classes.read_back --anzahl 30   (makes the set, then reads the blanks of all keys by place)
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pypdfium2
import zxingcpp

from generator.calculation.build import build
from generator.options.options import Options
from generator.options.sheet_code import in_groups, read_code
from generator.output.formulas.typeset import Typesetter
from generator.output.many import PdfJob, helpers
from generator.output.sheet_documents import lay_out_sheet, ranges_on_sheet, worksheet_and_key
from generator.production import class_set
from tests.sheets import reading

SENTENCE = "Die Katze sitzt auf der Matte"


def compared(folder: Path) -> Iterator[tuple[int, str, str, str]]:
    """Number of the sheet, cell, what its key in the bound file says, what its rechnung.json says."""
    manifest = json.loads((folder / class_set.MANIFEST).read_text(encoding="utf-8"))
    keys = pypdfium2.PdfDocument(folder / "loesungen.pdf")
    sheets = pypdfium2.PdfDocument(folder / "arbeitsblaetter.pdf")
    first = 0
    for each in manifest["varianten"]:
        contents = json.loads((folder / f"rechnungen/{each['nummer']}.json").read_text(encoding="utf-8"))
        picture = sheets[first].render(scale=150 / 72, grayscale=True).to_pil()
        read = [found.text for found in zxingcpp.read_barcodes(picture)]
        yield each["nummer"], "code", " ".join(read), each["code"]
        options = read_code(in_groups(read[0])).options
        for page, place, number in blanks(options):
            said = keys[first + page].get_textpage().get_text_bounded(*place).split()
            quantity = contents["quantities"].get(number.name)
            if quantity is not None:
                cell = f"{number.name} {number.index}"
                yield each["nummer"], cell, said[0] if said else "", as_printed(quantity, number.index)
        first += each["seiten"] + each["seiten"] % 2


def blanks(options: Options) -> Iterator[tuple[int, Sequence[float], Any]]:
    """Page, place (left, bottom, right, top in pt) and address of every blank of a key."""
    built = build(options)
    sheet, desk = lay_out_sheet(built, ranges_on_sheet(built))
    typesetter = Typesetter("pdf")
    _, key = worksheet_and_key(sheet, desk, typesetter, "pdf")
    job = PdfJob(key.html, key.title, typesetter.images)
    laid_out = job.kept() or job.write()
    places = {name: (n, box) for n, page in enumerate(laid_out.anchors) for name, box in page.items()}
    for number in reading.numbers(reading.tree(key.html)):
        if number.blank and number.id in places:
            page, (left, top, right, bottom) = places[number.id]
            yield page, (left, 841.89 - bottom, right, 841.89 - top), number


def as_printed(quantity: dict[str, Any], index: tuple[int, ...]) -> str:
    value = reading.cell(quantity["hand"], index)
    return f"{value:.{quantity['places']}f}".replace(".", ",").replace("-", "−")


def main() -> int:
    parser = argparse.ArgumentParser(description="Numbers of a class set read back from its PDFs.")
    parser.add_argument("--anzahl", type=int, default=30)
    parser.add_argument("--stationen", default="4a,4b")
    arguments = parser.parse_args()
    count: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as target:
        given = {
            "satz": SENTENCE,
            "stationen": arguments.stationen,
            "gewichte": "ganzzahlig",
            "ausgabe": target,
        }
        with helpers() as executor:
            folder = class_set.make(
                Options.from_mapping(given), [""] * arguments.anzahl, executor, lambda *_: None
            )
        for number, cell, read, wanted in compared(folder):
            same = read == wanted
            count["same" if same else "different"] += 1
            if not same:
                print(number, cell, repr(read), repr(wanted), flush=True)
    print(f"{arguments.anzahl} sheets: {count['same']} cells and codes agree, {count['different']} do not")
    return 1 if count["different"] or not count["same"] else 0


if __name__ == "__main__":
    sys.exit(main())
