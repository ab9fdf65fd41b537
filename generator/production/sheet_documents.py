"""The HTML of worksheet, key and poster; one layout for the first two; what a sheet's code stands for."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from generator.basics.cell_names import cell_title
from generator.basics.files import POSTER, WORKSHEET
from generator.calculation.rebuild import Rebuilt, words_of
from generator.options.limits import for_paper
from generator.options.sheet_code import Decoded, read_code, sheet_code
from generator.output.formulas.typeset import Typesetter
from generator.output.many import PdfJob, Printers, SameLayout, Waiting
from generator.output.render import TO_FILL, VIEWS, Document, Form, on_paper, render, render_page
from generator.production.drawing import sheet_of
from generator.sheet.fields import PAGE, FieldsToFill, PageFormat
from generator.sheet.page import Objects, Page
from generator.sheet.sheet import View
from generator.sheet.whole_sheet import WholeSheet, withheld
from generator.stations.poster import EDGE, HALF, halves, poster


def rebuilt_from(code: str, options: Mapping[str, Any]) -> Rebuilt:
    """What rechnung.json of the sheet would say, without the file."""
    decoded = decode(code, options)
    return sheet_of(decoded.options, decoded.group).rebuilt()


def decode(code: str, options: Mapping[str, Any]) -> Decoded:
    """The options of a code whose sheet fits on paper."""
    decoded = read_code(code, options)
    for_paper(decoded.options)
    return decoded


def worksheet_and_key(whole: WholeSheet, pupil: str = "", sharers: str = "") -> list[Document]:
    """The two that lie on each other. pupil: a name for the worksheet, sharers: for the key."""
    objects = Objects()
    return [
        _document(whole, view, name, objects, on_first)
        for (view, name), on_first in zip(VIEWS.items(), (pupil, sharers), strict=True)
    ]


def _document(whole: WholeSheet, view: View, name: str, objects: Objects, pupil: str = "") -> Document:
    title = whole.title + (" – Lösung" if view == "key" else "")
    values = {**whole.values, **whole.printed_code, "title": title, "pupil": pupil}
    return Document(name, title, render(whole.sheet, view, values, objects))


def begin_pair(
    printers: Printers, whole: WholeSheet, typesetter: Typesetter, mark: str = ""
) -> tuple[list[Document], Waiting]:
    """Worksheet and key, and what waits for their PDFs. mark: what the worksheet's pages bear."""
    pair = worksheet_and_key(whole)
    jobs = jobs_of_both(pair, typesetter, mark)
    return pair, printers.begin(SameLayout(layout_of_both(whole, pair[1].page, typesetter), jobs))


def jobs_of_both(pair: Sequence[Document], typesetter: Typesetter, mark: str = "") -> tuple[PdfJob, ...]:
    """Worksheet and key to be printed. mark: what the worksheet's pages bear; a key is not written on."""
    written = [(on_paper(each.page, typesetter), each.title) for each in pair]
    images, marks = dict(typesetter.images), (mark, "")
    return tuple(
        PdfJob(html, title, images, mark=its) for (html, title), its in zip(written, marks, strict=True)
    )


def layout_of_both(whole: WholeSheet, key: Page, typesetter: Typesetter) -> PdfJob:
    """What worksheet and key show, on the same pages: for a layout that both are written with."""
    return PdfJob(on_paper(key, typesetter, both=True), whole.title, dict(typesetter.images))


def key_with(whole: WholeSheet, pupil: str) -> Page:
    """The key, with a name as on the worksheet."""
    return _document(whole, "key", "", Objects(), pupil).page


def sheet_to_fill(whole: WholeSheet, name: str = WORKSHEET) -> Document:
    """The worksheet with a field in each blank; name: of the worksheet's own files."""
    desk = whole.desk
    words, sign = words_of(desk.built), desk.options.dezimalzeichen

    def title(quantity: str, index: tuple[int, ...]) -> str:
        return cell_title(desk.quantity(quantity), index, words, sign) if desk.has(quantity) else ""

    form = Form(lambda medium: FieldsToFill(title, medium == "screen"), f"{sheet_code(desk.options)} {name}")
    return replace(_document(whole, "worksheet", name + TO_FILL, Objects()), form=form)


_A3: Final = (420.0, 297.0)  # mm


def posters(whole: WholeSheet) -> Iterator[Document]:
    """The poster and its key, where the options ask for them; they are printed alone."""
    wanted = whole.built.options.plakat
    if wanted is None:
        return
    figures = halves(whole.desk) if wanted == "a4" else (poster(whole.desk),)
    for name, shown, view, kind in (
        (POSTER, withheld(figures), "worksheet", ""), (f"{POSTER}-loesung", figures, "key", ", Lösung")
    ):  # fmt: skip
        values = {**whole.values, "title": f"{whole.title} – Plakat{kind}"}
        (wide, high), held = (PAGE, HALF + EDGE) if wanted == "a4" else (_A3, 2 * HALF)
        paper = PageFormat(wide, high, (wide - held) / 2, (wide - held) / 2)
        page = render_page("poster.html.j2", view=view, d=values, figures=shown, page_format=paper)
        yield Document(name, values["title"], page)
