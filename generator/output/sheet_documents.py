"""A calculation goes in; its sheet, and the HTML of worksheet and key, come out."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from generator.basics.cell_names import cell_title
from generator.basics.fonts import Medium
from generator.calculation.build import Built
from generator.calculation.document import Ranges, ranges_of
from generator.options import limits
from generator.options.options import Options
from generator.options.sheet_code import sheet_code_of
from generator.output.fill_in import for_filling
from generator.output.formulas.typeset import Typesetter
from generator.output.many import PdfJob, Printers
from generator.output.render import render
from generator.output.screen import for_browsers
from generator.sheet.desk import Desk
from generator.sheet.exercises import printed_of, where_of
from generator.sheet.fields import FieldsToFill
from generator.sheet.rebuild import words_of
from generator.sheet.record import RecordedStation
from generator.sheet.sheet import Number, Sheet, View
from generator.sheet.walking import walk
from generator.stations.course import chosen, stations_of
from generator.stations.page_values import page_values, printed_code

VIEWS: Final[dict[View, str]] = {"worksheet": "arbeitsblatt", "key": "loesung"}


TO_FILL: Final = "-ausfuellbar"


@dataclass(frozen=True)
class Document:
    """One document; name: of its files, without an ending; form: its blanks are fields."""

    name: str
    title: str
    html: str
    stations: tuple[RecordedStation, ...] = ()  # what its exercises ask for
    form: bool = False


def worksheet_and_key(
    sheet: Sheet, desk: Desk, typesetter: Typesetter, medium: Medium, pupil: str = ""
) -> Iterator[Document]:
    """The two that lie on each other; pupil: the name on the worksheet's first line, on no key."""
    values = page_values(desk, sheet) | printed_code(desk.options)
    for view, name in VIEWS.items():
        of_view = {"title": values["title"] + " – Lösung"} if view == "key" else {"pupil": pupil}
        page = render(sheet, view, typesetter, medium, values | of_view)
        yield Document(name, (values | of_view)["title"], page.html, page.stations)


def begin_both(
    printers: Printers,
    pair: Sequence[Document],
    sheet: Sheet,
    desk: Desk,
    typesetter: Typesetter,
    pupil: str = "",
) -> None:
    """Hands worksheet and key over to be printed, with one layout for both. pupil: as on the worksheet."""

    def whole() -> PdfJob:
        document = both_in_one(sheet, desk, typesetter, pupil)
        return PdfJob(document.html, document.title, images)

    images = dict(typesetter.images)
    printers.begin_together([PdfJob(each.html, each.title, images) for each in pair], whole)


def both_in_one(sheet: Sheet, desk: Desk, typesetter: Typesetter, pupil: str = "") -> Document:
    """What worksheet and key show, on the same pages: for a layout that both are written with."""
    values = page_values(desk, sheet) | printed_code(desk.options) | {"pupil": pupil}
    page = render(sheet, "key", typesetter, "pdf", values, both=True)
    return Document("", values["title"], page.html)


def sheet_to_fill(
    sheet: Sheet, desk: Desk, typesetter: Typesetter, medium: Medium, name: str = VIEWS["worksheet"]
) -> Document:
    """The worksheet with a field in each blank; name: of the worksheet's own files."""
    values = page_values(desk, sheet) | (printed_code(desk.options) if name == VIEWS["worksheet"] else {})
    words, sign = words_of(desk.built), desk.options.dezimalzeichen

    def title(quantity: str, index: tuple[int, ...]) -> str:
        return cell_title(desk.quantity(quantity), index, words, sign) if desk.has(quantity) else ""

    page = render(sheet, "worksheet", typesetter, medium, values, FieldsToFill(title, medium == "screen"))
    html = page.html
    if medium == "screen":
        html = for_filling(for_browsers(html), f"{sheet_code_of(desk.options)} {name}")
    return Document(name + TO_FILL, values["title"], html, page.stations, form=True)


def lay_out_sheet(built: Built, ranges: Ranges | None = None) -> tuple[Sheet, Desk]:
    """The sheet of the stations that the options ask for; ranges: printed on the key where they are wide."""
    desk = Desk(built, chosen(built.options), ranges or {})
    stations, desk = stations_of(desk)
    return Sheet(built.options.satz, sheet_code(built.options), stations), desk


def ranges_on_sheet(built: Built) -> Ranges:
    """The accepted ranges of those who read on what the sheet prints. UserError if that is too much."""
    hand, sheet = built.whole.hand, lay_out_sheet(built)[0]
    ensure_printable(sheet)
    printed = printed_of(sheet, hand)
    return ranges_of(built.whole, where_of(printed, hand))


def ensure_printable(sheet: Sheet) -> None:
    """UserError for a sheet so large that laying it out would take too much memory."""
    limits.for_printing(sum(1 for station in sheet.stations for _ in walk(station, Number)))


def sheet_code(options: Options) -> str:
    """A short code that tells apart sheets of other options or sentences."""
    said: dict[str, Any] = {"satz": options.satz, **options.resolved()}
    digest = hashlib.sha256(json.dumps(said, sort_keys=True, ensure_ascii=False).encode()).digest()
    return base64.b32encode(digest)[:4].decode()
