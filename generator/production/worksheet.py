"""One sheet: worksheet, key, teacher's pages and rechnung.json, written together or as notebooks ask."""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple, cast

from engine.judging.teaching import Effort
from generator.basics.errors import Unfinished, UserError
from generator.basics.files import (
    CARDS,
    OWN_KEY,
    OWN_KEY_FILES,
    SHEET_FILES,
    TEACHER,
    folder_for,
    write_together,
)
from generator.basics.reading import read_bytes
from generator.calculation.build import Built, build
from generator.options.course import STATIONS, lines_of
from generator.options.declaration import FORMATS, KEY_ENDING, files_of_pages
from generator.options.limits import for_poster
from generator.options.options import Options
from generator.output.formulas.typeset import Typesetter
from generator.output.machine import PdfUnavailable
from generator.output.many import Printers
from generator.output.render import VIEWS, Document, render, render_page
from generator.output.screen import for_browsers, for_filling
from generator.production.press import Press, Prints
from generator.production.sheet_documents import posters, sheet_to_fill, worksheet_and_key
from generator.production.summary import SheetFiles
from generator.reading import blank_map
from generator.sheet.desk import Desk
from generator.sheet.page import Objects
from generator.sheet.sheet import View
from generator.sheet.whole_sheet import WholeSheet
from generator.stations.make_sheet import build_sheet, chosen, make_sheet
from generator.stations.self_attention.station import takes_a_lesson
from generator.teacher.jigsaw import GroupSheet
from generator.teacher.lesson import LessonPlan, choose, group_files, group_sheets
from generator.teacher.plan import group_work, workloads
from generator.teacher.review import SheetReview, review
from generator.teacher.teacher import marked, teacher_parts


class Jigsaw(NamedTuple):
    """The sheets of the groups by name of the file, and what is said of their numbers."""

    sheets: Mapping[str, WholeSheet]
    reviews: Mapping[str, SheetReview]


def make(options: Options, tell: Callable[..., None], printers: Printers) -> str:
    """Make and write everything for one sentence; what to say. UserError; then nothing is touched.

    Unfinished with all that is to be said where the PDFs are missing.
    """
    made = make_files(options, tell, printers)
    folder = folder_for(options.ausgabe, options.satz)
    tell("Schreibe die Dateien")
    same, record = False, made.files["rechnung.json"]
    with suppress(UserError):  # none lies there, or another
        same = read_bytes(folder / "rechnung.json", "Die Rechnung", len(record)) == record
    old_keys = () if same else OWN_KEY_FILES  # of other numbers than those of the sheet
    write_together(folder, made.files, (*SHEET_FILES, *group_files(), *old_keys))
    said = made.said(folder, () if same else _left_lying(folder, made.files))
    if made.pdf_missing:
        raise Unfinished(said)
    return said


def _left_lying(folder: Path, files: Container[str]) -> tuple[str, ...]:
    """Files of further formats from an earlier run; someone may have worked on them, so they stay."""
    pages = (*VIEWS.values(), TEACHER, OWN_KEY)
    return tuple(name for name in files_of_pages(pages) if name not in files and (folder / name).exists())


def make_files(options: Options, tell: Callable[..., None], printers: Printers) -> SheetFiles:
    """Numbers, sheet, documents, print, files of one sentence.

    tell: what is being done from now on, and the how manieth of how many steps it is.
    """
    for_poster(options)
    tell("Rechne")
    built, choice = fitted_to_lesson(build(options, tell=partial(tell, "Trainiere das Modell")))
    whole = make_sheet(built)
    tell("Setze Arbeitsblatt, Lösung und Lehrkraftseiten")
    press = Press(printers)
    pages = press.begin_pair(whole)
    reviewed, jigsaw = review(whole.sheet, whole.desk, whole.ranges), jigsaw_of(whole)
    for document in beside(pages, whole, reviewed, choice, jigsaw):
        press.begin(document)
        pages.append(document)
    to_fill = [*forms(whole, jigsaw.sheets)]
    for document in (*to_fill, *posters(whole)):
        press.begin(document)
    screen = Typesetter("screen")
    filled = {f"{each.name}.html": for_filling(each, screen).encode() for each in to_fill}
    tell("Drucke die PDFs")
    try:
        printed = press.finish()
    except PdfUnavailable as error:
        printed = Prints({}, str(error))
    files = {"rechnung.json": whole.record_json(), **filled}
    if printed.sheet is not None:
        own = (whole.sheet.code, 0, "rechnung.json", blank_map.map_of(printed.sheet))
        files[blank_map.FILE] = blank_map.document_of([own])
    files |= {f"{name}.pdf": result.data for name, result in printed.results.items()}
    if options.format:
        from generator.production.exports import asked_of, export

        tell("Schreibe weitere Formate")
        asking = any(FORMATS[name].whole for name in options.format)
        further = [each for each in pages if each.name != CARDS]
        files |= export(options.format, further, asked_of(whole) if asking else None, printed.results)
    for page in pages:
        result = printed.results.get(page.name)
        html = for_browsers(page.page, screen, result, sides=printed.sides)
        files[f"{page.name}.html"] = html.encode()
    groups = group_work(whole.desk, jigsaw.sheets)
    return SheetFiles(
        built, whole.sheet, files, printed.pages, choice, printed.missing, reviewed.certificate, groups
    )


def documents(
    whole: WholeSheet, reviewed: SheetReview, choice: LessonPlan | None = None, jigsaw: Jigsaw | None = None
) -> Iterator[Document]:
    """Worksheet, key, the sheets of a jigsaw, teacher's pages and the cards of the lessons."""
    pair = worksheet_and_key(whole)
    jigsaw = jigsaw_of(whole) if jigsaw is None else jigsaw
    yield from (*pair, *beside(pair, whole, reviewed, choice, jigsaw))


def beside(
    pair: Sequence[Document],
    whole: WholeSheet,
    reviewed: SheetReview,
    choice: LessonPlan | None,
    jigsaw: Jigsaw,
) -> Iterator[Document]:
    """What comes with worksheet and key: the sheets of a jigsaw, teacher's pages, cards."""
    shared = [*group_documents(jigsaw.sheets, pair[1].page.objects)]
    yield from shared
    yield from teachers_documents(whole, reviewed, pair[1], choice, taught(jigsaw, shared))


def teachers_documents(
    whole: WholeSheet,
    reviewed: SheetReview,
    key: Document,
    choice: LessonPlan | None,
    jigsaw: Sequence[GroupSheet],
) -> Iterator[Document]:
    """Teacher's pages and cards."""
    parts = teacher_parts(whole.sheet, whole.desk, key.stations, reviewed, choice, jigsaw)
    for template, name, title in (("teacher", TEACHER, "Lehrkraft"), ("card", CARDS, "Stundenkarte")):
        file, objects = f"{template}.html.j2", key.page.objects
        page = render_page(file, objects, view="key", d=whole.values, t=parts, m=marked)
        yield Document(name, f"{whole.title} – {title}", page)


def jigsaw_of(whole: WholeSheet) -> Jigsaw:
    """Without sheets where --gruppen does not ask for them."""
    sheets = group_sheets(whole.built, whole.ranges) if whole.built.options.gruppen else {}
    reviews = {name: review(own.sheet, own.desk, own.ranges) for name, own in sheets.items()}
    return Jigsaw(sheets, reviews)


def group_documents(groups: Mapping[str, WholeSheet], objects: Objects) -> Iterator[Document]:
    """Sheet and key of every group, and of the sheet on which all put it together."""
    for name, whole in groups.items():
        for view, ending in (("worksheet", ""), ("key", KEY_ENDING)):
            title = whole.title + (" – Lösung" if view == "key" else "")
            page = render(whole.sheet, cast(View, view), {**whole.values, "title": title}, objects)
            yield Document(name + ending, title, page)


def taught(jigsaw: Jigsaw, documents: Sequence[Document]) -> list[GroupSheet]:
    """The groups' sheets with what their keys, among the documents, ask for."""
    keys = {document.name: document.stations for document in documents}
    return [
        GroupSheet(name, whole, keys[name + KEY_ENDING][0], jigsaw.reviews[name])
        for name, whole in jigsaw.sheets.items()
    ]


def forms(whole: WholeSheet, groups: Mapping[str, WholeSheet]) -> Iterator[Document]:
    """Every worksheet once more, to be filled in on the screen, where the options ask for that."""
    if whole.built.options.ausfuellbar:
        yield sheet_to_fill(whole)
        for name, own in groups.items():
            yield sheet_to_fill(own, name)


def fitted_to_lesson(built: Built) -> tuple[Built, LessonPlan | None]:
    """The same with only the stations, tokens and help that fit a lesson, where --zeit names one."""
    options = built.options
    if options.zeit is None:
        return built, None

    @cache
    def cost(stations: tuple[str, ...], tokens: tuple[int, ...], level: int) -> float:
        tried = _with(built, stationen=stations, uebung=tokens, stufe=level)
        return sum(minutes_of(tried, built.effort).values())

    levels = (2, 1) if options.stufe == 2 else (options.stufe,)
    wanted = [id_ for id_ in chosen(options) if id_ in STATIONS]
    lines = lines_of(wanted, options.stationen, options.zielsatz, options.lernen)
    choice = choose(lines, options.uebung, levels, cost, options.zeit)
    rest = built
    if takes_a_lesson(Desk(_with(built, stationen=choice.lesson.stations), choice.lesson.stations)):
        last = len(options.tokens)
        choice = replace(choice, exercises=(last,), without=())
        if options.beispiel == last:  # a lesson works nothing at the example, and asks for the last word
            rest = _with(built, beispiel=1, uebung=None)
    return _with(rest, uebung=choice.exercises, stationen=choice.lesson.stations, stufe=choice.level), choice


def minutes_of(built: Built, effort: Effort | None = None) -> dict[str, float]:
    """The estimated minutes of every station that is asked for; effort: of the same calculation."""
    sheet, _ = build_sheet(built)
    works = workloads(sheet.stations, effort or built.effort)
    return {station.id: work.minutes for station, work in zip(sheet.stations, works, strict=True)}


def _with(built: Built, **changes: Any) -> Built:
    return replace(built, options=replace(built.options, **changes))
