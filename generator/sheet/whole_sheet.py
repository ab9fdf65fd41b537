"""A sheet with all that its documents and files need. Stages: options, calculation, sheet, document, file."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.trace import CellAddress
from generator.calculation.build import Built
from generator.calculation.document import Ranges, document_of, to_json
from generator.calculation.exercises import EXERCISES, PRINTED, Exercise, as_document, by_name
from generator.calculation.rebuild import Rebuilt, rebuilt_of
from generator.options.options import Options
from generator.sheet.desk import Desk
from generator.sheet.sheet import Number, Sheet
from generator.sheet.walking import walk


@dataclass(frozen=True)
class WholeSheet:
    """The tree of a sheet and the desk that its stations took their numbers from.

    values: what every page may speak of as `d.…`. printed_code: the same of the first page and the foot of
    those that bear the sheet's code.
    """

    sheet: Sheet
    desk: Desk
    values: Mapping[str, Any]
    printed_code: Mapping[str, Any] = field(default_factory=dict)

    @property
    def built(self) -> Built:
        return self.desk.built

    @property
    def title(self) -> str:
        return str(self.values["title"])

    @property
    def ranges(self) -> Ranges:
        return self.desk.ranges

    def record(self) -> dict[str, Any]:
        """The contents of rechnung.json."""
        hand = self.built.whole.hand
        return document_of(self.built, self.ranges) | document_of_sheet(self.sheet, hand)

    def record_json(self) -> bytes:
        return to_json(self.record()).encode()

    def rebuilt(self) -> Rebuilt:
        """What reading rechnung.json of this sheet gives, without computing it again."""
        return rebuilt_of(self.built, self.ranges, json.loads(self.record_json()))


def exercises_of(sheet: Sheet) -> tuple[Exercise, ...]:
    return tuple(
        Exercise(
            station.id, task.number, task.points, tuple(dict.fromkeys(task.cells)), task.operator == "Ordne"
        )
        for station in sheet.stations
        for task in station.tasks.values()
    )


def printed_of(sheet: Sheet, names: Container[str]) -> tuple[CellAddress, ...]:
    """The cells of these quantities that a pupil can read from the sheet."""
    numbers = [number for number in walk(sheet, Number) if number.name in names]
    blanks = {(number.name, number.index) for number in numbers if number.blank}
    return tuple(dict.fromkeys((n.name, n.index) for n in numbers if (n.name, n.index) not in blanks))


def document_of_sheet(sheet: Sheet, names: Container[str]) -> dict[str, Any]:
    """The keys that `papierformer blatt` adds to rechnung.json; cells as lists of indices by quantity."""
    return {EXERCISES: as_document(exercises_of(sheet)), PRINTED: by_name(printed_of(sheet, names))}


def short_mark(options: Options) -> str:
    """Four letters that tell apart sheets of other options or sentences."""
    said: dict[str, Any] = {"satz": options.satz, **options.resolved()}
    digest = hashlib.sha256(json.dumps(said, sort_keys=True, ensure_ascii=False).encode()).digest()
    return base64.b32encode(digest)[:4].decode()
