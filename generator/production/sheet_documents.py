"""The HTML of worksheet, key and poster; one layout for the first two; what a sheet's code stands for."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from generator.basics.cell_names import cell_title
from generator.basics.fonts import Medium
from generator.calculation.rebuild import Rebuilt, words_of
from generator.options.limits import for_paper
from generator.options.sheet_code import Decoded, read_code, sheet_code
from generator.output.formulas.typeset import Typesetter
from generator.output.many import Begun, PdfJob, Printers, Together
from generator.output.render import TO_FILL, VIEWS, Document, render, render_page
from generator.output.screen import for_browsers, for_filling
from generator.sheet.fields import PAGE, FieldsToFill, PageFormat
from generator.sheet.whole_sheet import WholeSheet, withheld
from generator.stations.make_sheet import make_sheet
from generator.stations.poster import EDGE, HALF, halves, poster


def rebuilt_from(code: str, options: Mapping[str, Any]) -> Rebuilt:
    """What rechnung.json of the sheet would say, without the file."""
    return make_sheet(decode(code, options).options).rebuilt()


def decode(code: str, options: Mapping[str, Any]) -> Decoded:
    """The options of a code whose sheet fits on paper."""
    decoded = read_code(code, options)
    for_paper(decoded.options)
    return decoded


def worksheet_and_key(
    whole: WholeSheet, typesetter: Typesetter, medium: Medium, pupil: str = "", sharers: str = ""
) -> Iterator[Document]:
    """The two that lie on each other. pupil: a name for the worksheet, sharers: for the key."""
    for (view, name), on_first in zip(VIEWS.items(), (pupil, sharers), strict=True):
        title = whole.title + (" – Lösung" if view == "key" else "")
        values = {**whole.values, **whole.printed_code, "title": title, "pupil": on_first}
        page = render(whole.sheet, view, typesetter, medium, values)
        yield Document(name, values["title"], page.html, page.stations)


def begin_pair(
    printers: Printers, whole: WholeSheet, typesetter: Typesetter, mark: str = ""
) -> tuple[list[Document], Begun]:
    """Worksheet and key, and what prints them. mark: what the worksheet's pages bear."""
    pair = [*worksheet_and_key(whole, typesetter, "pdf")]
    jobs = jobs_of_both(pair, typesetter, mark)
    return pair, printers.begin_together(Together(layout_of_both(whole, typesetter), jobs))


def jobs_of_both(pair: Sequence[Document], typesetter: Typesetter, mark: str = "") -> tuple[PdfJob, ...]:
    """Worksheet and key to be printed. mark: what the worksheet's pages bear; a key is not written on."""
    images, marks = dict(typesetter.images), (mark, "")
    both = zip(pair, marks, strict=True)
    return tuple(PdfJob(each.html, each.title, images, mark=its) for each, its in both)


def layout_of_both(whole: WholeSheet, typesetter: Typesetter, pupil: str = "") -> PdfJob:
    """The document whose layout is enough for both. pupil: as on the worksheet."""
    document = both_in_one(whole, typesetter, pupil)
    return PdfJob(document.html, document.title, dict(typesetter.images))


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


_NAME: Final = "plakat"
_A3: Final = (420.0, 297.0)  # mm


def posters(whole: WholeSheet, typesetter: Typesetter) -> Iterator[Document]:
    """The poster and its key, where the options ask for them; they are printed alone."""
    wanted = whole.built.options.plakat
    if wanted is None:
        return
    figures = halves(whole.desk) if wanted == "a4" else (poster(whole.desk),)
    for name, shown, view, kind in (
        (_NAME, withheld(figures), "worksheet", ""), (f"{_NAME}-loesung", figures, "key", ", Lösung")
    ):  # fmt: skip
        values = {**whole.values, "title": f"{whole.title} – Plakat{kind}"}
        (wide, high), held = (PAGE, HALF + EDGE) if wanted == "a4" else (_A3, 2 * HALF)
        paper = PageFormat(wide, high, (wide - held) / 2, (wide - held) / 2)
        page = render_page(
            "poster.html.j2", typesetter, "pdf", view=view, d=values, figures=shown, page_format=paper
        )
        yield Document(name, values["title"], page.html)
