"""felder.json: which sheets were printed, and where on their pages each number is to be written."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from generator.basics.errors import UserError, quoted
from generator.basics.reading import read_bytes
from generator.output.page_marks import EARLIER, MARKS, Blank, Layout
from generator.output.pdf import PdfResult
from generator.version import VERSION

FILE: Final = "felder.json"
_LARGEST: Final = 50_000_000


@dataclass(frozen=True)
class PrintedSheet:
    """One sheet as it was printed.

    mark: its name of four letters. number: of a class set, 0 for a sheet by itself. calculation: the file of
    its numbers, relative to felder.json. size: of a page in mm. marks: where its marks stand.
    """

    mark: str
    number: int
    calculation: str
    size: tuple[float, float]
    pages: int
    blanks: tuple[Blank, ...]
    marks: Layout = MARKS

    @property
    def asking(self) -> list[int]:
        """The pages with something to read."""
        return sorted({blank.page for blank in self.blanks})


def map_of(printed: PdfResult) -> dict[str, Any]:
    """What one layout says; the same for all sheets that share it."""
    return {
        "format": [round(side, 2) for side in printed.size],
        "seiten": printed.pages,
        "marken": list(MARKS),
        "felder": [list(blank) for blank in printed.blanks],
    }


def document_of(sheets: Iterable[tuple[str, int, str, Mapping[str, Any]]]) -> bytes:
    """The contents of felder.json. sheets: mark, number, file of the calculation, map."""
    maps: list[Mapping[str, Any]] = []
    places: dict[str, int] = {}
    listed = []
    for mark, number, calculation, its in sheets:
        said = json.dumps(its)
        if said not in places:
            places[said] = len(maps)
            maps.append(its)
        listed.append({"blatt": mark, "nummer": number, "rechnung": calculation, "karte": places[said]})
    whole = {"papierformer": VERSION, "karten": maps, "blaetter": listed}
    return (json.dumps(whole, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


def read_map(path: Path) -> list[PrintedSheet]:
    """The sheets that a felder.json knows. UserError if it is none."""
    content = read_bytes(path, "Die Datei der Felder", _LARGEST)
    try:
        whole = json.loads(content)
        maps = [_read(each) for each in whole["karten"]]
        return [
            PrintedSheet(str(each["blatt"]), int(each["nummer"]), str(each["rechnung"]), *maps[each["karte"]])
            for each in whole["blaetter"]
        ]
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise UserError(f"{quoted(path.name)} ist keine felder.json von Papierformer.") from error


def _read(each: Mapping[str, Any]) -> tuple[tuple[float, float], int, tuple[Blank, ...], Layout]:
    width, height = map(float, each["format"])
    marks = Layout(*map(float, each["marken"])) if "marken" in each else EARLIER
    return (width, height), int(each["seiten"]), tuple(map(_blank, each["felder"])), marks


def _blank(entry: Sequence[Any]) -> Blank:
    page, left, top, right, bottom, cell = entry
    return Blank(int(page), float(left), float(top), float(right), float(bottom), str(cell))
