"""Carries out an order for one sheet of a class: worksheet, key, rechnung.json and a note, as bytes.

An order carries all that it needs, may be carried out anywhere and twice, and gives the same each time.
"""

from __future__ import annotations

import gc
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

from generator.basics.cell_names import quantity_title
from generator.options.options import Options
from generator.options.sheet_code import sheet_code
from generator.output.formulas.typeset import Typesetter
from generator.output.many import PdfJob, SameLayout, written_with
from generator.output.pdf import PdfResult
from generator.output.render import VIEWS
from generator.output.shared.shared_layout import NotShared, unpacked
from generator.production.drawing import Contents, contents_of, files_at_hand, hardness, sheet_of, work_of
from generator.production.exports import of_variant
from generator.production.sheet_documents import jobs_of_both, key_with, layout_of_both, worksheet_and_key
from generator.reading import blank_map
from generator.sheet.whole_sheet import WholeSheet, exercises_of
from generator.version import VERSION

LAYOUT: Final = "layout"
LONGEST_ON_SHEET: Final = 26  # letters that the name's line has room for


@dataclass(frozen=True)
class Order:
    """One sheet of a class, with its seed.

    name: of whose it is, "" for none. sharers: of several whose it is, for its key. group: of a jigsaw,
    counted from 1, 0 for none; alone: nobody in it has other numbers. contents: of the files that the options
    name, for a machine that does not have them.
    """

    options: Options
    name: str = ""
    sharers: str = ""
    group: int = 0
    alone: bool = False
    contents: Contents = field(default_factory=dict)

    @cached_property
    def mark(self) -> str:
        """Of all that the sheet depends on; no name can be read from it."""
        options = self.options
        said = (VERSION, options.satz, options.resolved(), sheet_code(options), options.format)
        return hashlib.sha256(
            repr((said, self.name, self.sharers, self.group, self.alone)).encode()
        ).hexdigest()[:20]

    @property
    def shape(self) -> tuple[str, int]:
        """Sheets of the same may have the same layout."""
        return self.options.satz, self.group

    def carrying(self) -> Order:
        """The order with the contents of its files, for another process."""
        return replace(self, contents=contents_of(self.options))


@dataclass(frozen=True)
class Made:
    """A finished sheet. note: what overview and manifest say of it. files: ending -> content."""

    note: Mapping[str, Any]
    files: Mapping[str, bytes]


def carry_out(order: Order, layouts: Sequence[bytes] = ()) -> Made:
    """Makes the sheet. UserError if it cannot be made.

    layouts: of other sheets, packed; the first that it can be written with is taken. What it was laid out
    with itself is among its files, as `LAYOUT`.
    """
    with files_at_hand(order.options, order.contents) as options:
        return _made(order, sheet_of(options, order.group, order.alone), layouts)


def _made(order: Order, whole: WholeSheet, layouts: Sequence[bytes]) -> Made:
    options, typesetter, found = whole.built.options, Typesetter("pdf"), hardness(whole)
    on_sheet = _on_sheet(order.name)
    pair = worksheet_and_key(whole, on_sheet, order.sharers)
    jobs, layout = jobs_of_both(pair, typesetter), None
    printed = next(_written(layouts, jobs), None)
    if printed is None:
        both = layout_of_both(whole, key_with(whole, on_sheet), typesetter)
        layout, printed = SameLayout(both, jobs).lay_out()
        gc.collect()  # what a laid out document leaves: helpers hardly collect by themselves
    variant = whole.sheet.code + f"-{order.group}" * bool(order.group)
    further = of_variant(order.options.format, whole, pair, printed, variant)
    note = {
        "satz": options.satz,
        "startwert": options.startwert,
        "blatt": whole.sheet.code,
        "gruppe": order.group,
        "code": sheet_code(options) + f"-{order.group}" * bool(order.group),
        "be": whole.sheet.points,
        "minuten": round(found.minutes, 1),
        "stationen": {
            station.id: {"be": work.points, "minuten": work.minutes}
            for station, work in zip(whole.sheet.stations, work_of(whole), strict=True)
        },
        "breite": round(found.width, 3),
        "ergebnisse": _results(whole),
        "weitere": [*further],
        "seiten": printed[0].pages,
    }
    files = {"rechnung.json": whole.record_json(), **further}
    files |= {f"{name}.pdf": each.data for name, each in zip(VIEWS.values(), printed, strict=True)}
    files[blank_map.FILE] = json.dumps(blank_map.map_of(printed[0])).encode()
    return Made(note, files | ({LAYOUT: layout.packed()} if layout else {}))


def _written(layouts: Sequence[bytes], jobs: Sequence[PdfJob]) -> Iterator[list[PdfResult]]:
    for layout in layouts:
        with suppress(NotShared):
            yield written_with(unpacked(layout), jobs)


def _on_sheet(name: str) -> str:
    return name if len(name) <= LONGEST_ON_SHEET else name[: LONGEST_ON_SHEET - 1].rstrip() + "…"


def _results(whole: WholeSheet) -> list[dict[str, Any]]:
    """Of each exercise what it ends in: the numbers of the last quantity that it asks for."""
    built = whole.built
    hand, numbers = built.passes.hand, built.options.number_format
    results = []
    for exercise in exercises_of(whole.sheet):
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
