"""The HTML of worksheet and key, how both are printed with one layout, and what a sheet's code stands for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from generator.basics.cell_names import cell_title
from generator.basics.fonts import Medium
from generator.calculation.rebuild import Rebuilt, words_of
from generator.options.limits import for_paper
from generator.options.sheet_code import Decoded, read_code, sheet_code
from generator.output.formulas.typeset import Typesetter
from generator.output.many import Begun, PdfJob, Printers
from generator.output.render import TO_FILL, VIEWS, Document, render
from generator.output.screen import for_browsers, for_filling
from generator.sheet.fields import FieldsToFill
from generator.sheet.whole_sheet import WholeSheet
from generator.stations.make_sheet import make_sheet

_FILES: Final = ("gewichte", "embeddings", "texte", "vorlage")


def rebuilt_from(code: str, options: Mapping[str, Any]) -> Rebuilt:
    """What rechnung.json of the sheet would say, without the file."""
    return make_sheet(decode(code, options).options).rebuilt()


def decode(code: str, options: Mapping[str, Any]) -> Decoded:
    """The options of a code whose sheet fits on paper."""
    decoded = read_code(code, {name: options[name] for name in _FILES if name in options})
    for_paper(decoded.options)
    return decoded


def worksheet_and_key(
    whole: WholeSheet, typesetter: Typesetter, medium: Medium, pupil: str = ""
) -> Iterator[Document]:
    """The two that lie on each other; pupil: the name on the worksheet's first line, on no key."""
    for view, name in VIEWS.items():
        of_view = {"title": whole.title + " – Lösung"} if view == "key" else {"pupil": pupil}
        values = {**whole.values, **whole.printed_code, **of_view}
        page = render(whole.sheet, view, typesetter, medium, values)
        yield Document(name, values["title"], page.html, page.stations)


def begin_both(
    printers: Printers,
    pair: Sequence[Document],
    whole: WholeSheet,
    typesetter: Typesetter,
    pupil: str = "",
    mark: str = "",
) -> Begun:
    """Hands worksheet and key over to be printed, with one layout for both.

    pupil: as on the worksheet. mark: what the worksheet's pages bear.
    """

    def layout() -> PdfJob:
        document = both_in_one(whole, typesetter, pupil)
        return PdfJob(document.html, document.title, images)

    images = dict(typesetter.images)
    marks = [mark, *[""] * (len(pair) - 1)]  # a key is not written on
    both = zip(pair, marks, strict=True)
    jobs = [PdfJob(each.html, each.title, images, mark=its, shared=True) for each, its in both]
    return printers.begin_together(jobs, layout)


def both_in_one(whole: WholeSheet, typesetter: Typesetter, pupil: str = "") -> Document:
    """What worksheet and key show, on the same pages: for a layout that both are written with."""
    values = {**whole.values, **whole.printed_code, "pupil": pupil}
    return Document("", whole.title, render(whole.sheet, "key", typesetter, "pdf", values, both=True).html)


def sheet_to_fill(
    whole: WholeSheet, typesetter: Typesetter, medium: Medium, name: str = VIEWS["worksheet"]
) -> Document:
    """The worksheet with a field in each blank; name: of the worksheet's own files."""
    desk = whole.desk
    words, sign = words_of(desk.built), desk.options.dezimalzeichen

    def title(quantity: str, index: tuple[int, ...]) -> str:
        return cell_title(desk.quantity(quantity), index, words, sign) if desk.has(quantity) else ""

    values, fields = {**whole.values, **whole.printed_code}, FieldsToFill(title, medium == "screen")
    page = render(whole.sheet, "worksheet", typesetter, medium, values, fields)
    html = page.html
    if medium == "screen":
        html = for_filling(for_browsers(html), f"{sheet_code(desk.options)} {name}")
    return Document(name + TO_FILL, whole.title, html, page.stations, form=True)
