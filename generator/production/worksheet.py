"""Options go in; worksheet, key, teacher's pages and rechnung.json, written together, come out."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Final, cast

from engine.judging.teaching import Effort
from generator.basics.errors import Progress
from generator.basics.files import (
    OWN_KEY,
    OWN_KEY_FILES,
    SHEET_FILES,
    folder_for,
    read_if_there,
    write_together,
)
from generator.basics.fonts import Medium
from generator.calculation.build import Built, build
from generator.calculation.document import Ranges, document_of, to_json
from generator.options.course import STATIONS
from generator.options.further_formats import files_of_pages
from generator.options.lines_of_thought import lines_of
from generator.options.options import Options
from generator.output.formulas.typeset import Typesetter
from generator.output.machine import PdfUnavailable
from generator.output.many import PdfJob, Printers
from generator.output.pdf import PdfResult
from generator.output.render import render, render_page
from generator.output.screen import for_browsers
from generator.output.sheet_documents import (
    TO_FILL,
    VIEWS,
    Document,
    begin_both,
    lay_out_sheet,
    ranges_on_sheet,
    sheet_code,
    sheet_to_fill,
    worksheet_and_key,
)
from generator.production.summary import SheetFiles, Summary, summary_of
from generator.sheet.desk import Desk
from generator.sheet.exercises import document_of_sheet
from generator.sheet.record import RecordedStation
from generator.sheet.sheet import Sheet, View
from generator.stations.course import chosen
from generator.stations.page_values import page_values
from generator.teacher.lesson import KEY_ENDING, LessonChoice, choose, group_files, group_sheets
from generator.teacher.review import SheetReview, review
from generator.teacher.teacher import marked, teacher_parts
from generator.teacher.workload import workloads

TEACHER: Final = "lehrkraft"


def make(options: Options, progress: Progress, printers: Printers) -> Summary:
    """Make and write everything for one sentence. UserError if that cannot be; then nothing is touched."""
    made = make_files(options, progress, printers)
    folder = folder_for(options.ausgabe, options.satz)
    progress.step("Schreibe die Dateien")
    same = read_if_there(folder / "rechnung.json") == made.files["rechnung.json"]
    old_keys = () if same else OWN_KEY_FILES  # of other numbers than those of the sheet
    write_together(folder, made.files, (*SHEET_FILES, *group_files(), *old_keys))
    return summary_of(made, folder, () if same else _left_lying(folder, made.files))


def _left_lying(folder: Path, files: Container[str]) -> tuple[str, ...]:
    """Files of further formats from an earlier run; someone may have worked on them, so they stay."""
    pages = (*VIEWS.values(), TEACHER, OWN_KEY)
    return tuple(name for name in files_of_pages(pages) if name not in files and (folder / name).exists())


def make_files(options: Options, progress: Progress, printers: Printers) -> SheetFiles:
    """The documents of one sentence; the printers load the PDF library while this process calculates."""
    progress.step("Rechne")
    built, choice = fitted_to_lesson(
        build(options, tell=lambda number, of: progress.step("Trainiere das Modell", number, of))
    )
    ranges = ranges_on_sheet(built)
    sheet, desk = lay_out_sheet(built, ranges)
    reviewed = review(sheet, desk, ranges)
    groups = group_sheets(built, sheet.code, desk.ranges) if built.options.gruppen else {}
    progress.step("Setze Arbeitsblatt, Lösung und Lehrkraftseiten")
    paper, screen = Typesetter("pdf"), Typesetter("screen")
    names: list[str] = []
    printed = documents(sheet, desk, reviewed, paper, "pdf", choice)
    to_fill = forms(sheet, desk, groups, paper, "pdf")
    pair = [next(printed), next(printed)]
    names += [document.name for document in pair]
    begin_both(printers, pair, sheet, desk, paper)
    for document in chain(printed, group_documents(groups, paper, "pdf"), to_fill):
        printers.begin(PdfJob(document.html, document.title, paper.images, form=document.form))
        names.append(document.name)
    contents = document_of(built, ranges) | document_of_sheet(sheet, built.whole.hand)
    files = {"rechnung.json": to_json(contents).encode()}
    html: dict[str, str] = {}
    shown = documents(sheet, desk, reviewed, screen, "screen", choice)
    for document in chain(shown, group_documents(groups, screen, "screen")):
        html[document.name] = document.html
    for document in forms(sheet, desk, groups, screen, "screen"):
        files[f"{document.name}.html"] = document.html.encode()
    if built.options.format:
        progress.step("Schreibe weitere Formate")
        source = Typesetter("screen", with_source=True)
        made = chain(
            documents(sheet, desk, reviewed, source, "screen", choice),
            group_documents(groups, source, "screen"),
        )
        files |= _further(built.options.format, made, sheet, desk, ranges, reviewed)
    pages, missing, printed_by = 0, "", ""
    results: dict[str, PdfResult] = {}
    try:
        progress.step("Drucke die PDFs")
        results = dict(zip(names, printers.finish(), strict=True))
        pdfs, missing = _pdfs(results)
        files |= pdfs
        sheet_pdf = results[VIEWS["worksheet"]]
        pages, printed_by = sheet_pdf.pages, sheet_pdf.printed_by
    except PdfUnavailable as error:
        missing = str(error)
    files |= {f"{name}.html": for_browsers(page, results.get(name)).encode() for name, page in html.items()}
    return SheetFiles(built, sheet, files, pages, choice, missing, reviewed.certificate, printed_by)


def _further(
    names: Iterable[str],
    made: Iterable[Document],
    sheet: Sheet,
    desk: Desk,
    ranges: Ranges,
    reviewed: SheetReview,
) -> dict[str, bytes]:
    """The files of further formats."""
    from generator.output.formats.export import export
    from generator.teacher.expected_numbers import expected_numbers

    return export(names, made, expected_numbers(sheet, desk, ranges, reviewed))


def _pdfs(results: Mapping[str, PdfResult]) -> tuple[dict[str, bytes], str]:
    """The files, and what to say of those that a browser cannot make: it prints no fields."""
    lacking = [name for name, result in results.items() if result.printed_by and name.endswith(TO_FILL)]
    files = {f"{name}.pdf": result.data for name, result in results.items() if name not in lacking}
    return files, "Felder zum Ausfüllen hat nur das HTML; ein PDF damit braucht Pango." if lacking else ""


def documents(
    sheet: Sheet,
    desk: Desk,
    reviewed: SheetReview,
    typesetter: Typesetter,
    medium: Medium,
    choice: LessonChoice | None = None,
) -> Iterator[Document]:
    """Worksheet, key and teacher's pages, each as soon as it is made."""
    values = page_values(desk, sheet)
    title = values["title"]
    key: tuple[RecordedStation, ...] = ()
    for document in worksheet_and_key(sheet, desk, typesetter, medium):
        key = document.stations
        yield document
    parts = teacher_parts(sheet, desk, key, reviewed, choice)
    page = render_page("teacher.html.j2", typesetter, medium, view="key", d=values, t=parts, m=marked)
    yield Document(TEACHER, f"{title} – Lehrkraft", page.html)


def group_documents(
    groups: Mapping[str, tuple[Sheet, Desk]], typesetter: Typesetter, medium: Medium
) -> Iterator[Document]:
    """Sheet and key of every group, and of the sheet on which all put it together."""
    for name, (sheet, desk) in groups.items():
        values = page_values(desk, sheet)
        for view, ending in (("worksheet", ""), ("key", KEY_ENDING)):
            title = values["title"] + (" – Lösung" if view == "key" else "")
            page = render(sheet, cast(View, view), typesetter, medium, values | {"title": title})
            yield Document(name + ending, title, page.html, page.stations)


def forms(
    sheet: Sheet,
    desk: Desk,
    groups: Mapping[str, tuple[Sheet, Desk]],
    typesetter: Typesetter,
    medium: Medium,
) -> Iterator[Document]:
    """Every worksheet once more, to be filled in on the screen, where the options ask for that."""
    if desk.options.ausfuellbar:
        yield sheet_to_fill(sheet, desk, typesetter, medium)
        for name, (own, own_desk) in groups.items():
            yield sheet_to_fill(own, own_desk, typesetter, medium, name)


def fitted_to_lesson(built: Built) -> tuple[Built, LessonChoice | None]:
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
    choice = choose(lines_of(options, wanted), options.uebung, levels, cost, options.zeit)
    return _with(built, uebung=choice.exercises, stationen=choice.lesson.stations, stufe=choice.level), choice


def minutes_of(built: Built, effort: Effort | None = None) -> dict[str, float]:
    """The estimated minutes of every station that is asked for; effort: of the same calculation."""
    sheet, _ = lay_out_sheet(built)
    works = workloads(sheet.stations, effort or built.effort)
    return {station.id: work.minutes for station, work in zip(sheet.stations, works, strict=True)}


def _with(built: Built, **changes: Any) -> Built:
    return replace(built, options=replace(built.options, **changes))


__all__ = ["lay_out_sheet", "make", "make_files", "ranges_on_sheet", "sheet_code", "worksheet_and_key"]
