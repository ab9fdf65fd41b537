"""An order for one sheet goes in; its worksheet, key and rechnung.json lie in a folder when it is done.

The one place that knows how the documents of a variant are printed. An order carries all that it needs and
may be carried out twice: what is done is not done again, and nothing half-written counts as done.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from generator.basics.cell_names import quantity_title
from generator.basics.files import write_one
from generator.calculation.build import Built, build
from generator.document.document import document_of, to_json
from generator.document.exercises import document_of_sheet, exercises_of
from generator.formulas.typeset import Typesetter
from generator.options.options import Options
from generator.options.sheet_code import sheet_code_of
from generator.print.many import PdfJob
from generator.print.sheet_documents import lay_out_sheet, ranges_on_sheet, worksheet_and_key
from generator.sheet.sheet import Sheet
from generator.version import VERSION

_LONGEST_ON_SHEET: Final = 26  # letters that the name's line has room for


@dataclass(frozen=True)
class Order:
    """One sheet of a class; name: "" where there is none. folder: where the work is kept."""

    options: Options
    number: int
    name: str
    folder: Path

    def path(self, ending: str) -> Path:
        """A file of this order, named by what it depends on: no name can be read from it."""
        said = (VERSION, self.options.satz, self.options.resolved(), sheet_code_of(self.options), self.name)
        return self.folder / f"{hashlib.sha256(repr(said).encode()).hexdigest()[:20]}{ending}"

    @property
    def done(self) -> bool:
        return self.path(".json").exists()


def carry_out(order: Order) -> None:
    """Makes the files of an order, the note of what was made last."""
    if order.done:
        return
    built = build(order.options)
    ranges = ranges_on_sheet(built)
    sheet, desk = lay_out_sheet(built, ranges)
    typesetter = Typesetter("pdf")
    pages = 0
    for document in worksheet_and_key(sheet, desk, typesetter, "pdf", _on_sheet(order.name)):
        job = PdfJob(document.html, document.title, typesetter.images)
        result = job.kept() or job.write()
        pages = result.pages
        write_one(order.path(f"-{document.name}.pdf"), result.data)
    contents = document_of(built, ranges) | document_of_sheet(sheet, built.whole.hand)
    write_one(order.path("-rechnung.json"), to_json(contents).encode())
    note = {
        "blatt": sheet.code,
        "code": sheet_code_of(order.options),
        "seiten": pages,
        "be": sheet.points,
        "ergebnisse": _results(built, sheet),
    }
    write_one(order.path(".json"), json.dumps(note, ensure_ascii=False).encode())


def _on_sheet(name: str) -> str:
    return name if len(name) <= _LONGEST_ON_SHEET else name[: _LONGEST_ON_SHEET - 1].rstrip() + "…"


def _results(built: Built, sheet: Sheet) -> list[dict[str, Any]]:
    """Of each exercise what it ends in: the numbers of the last quantity that it asks for."""
    hand, numbers = built.whole.hand, built.options.number_format
    results = []
    for exercise in exercises_of(sheet):
        cells = [cell for cell in exercise.cells if cell[0] in hand]
        if not cells:
            continue
        last = cells[-1][0]
        values = [
            numbers.text(float(hand[name].values[index]), hand[name].places)
            for name, index in cells
            if name == last
        ]
        title = quantity_title(last, built.calculation.model, built.options.dezimalzeichen)
        results.append(
            {"station": exercise.station, "nummer": exercise.number, "titel": title, "werte": values}
        )
    return results
