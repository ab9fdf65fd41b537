"""Options go in; worksheet, key, teacher's pages and rechnung.json, written together, come out."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from typing import Any, Final, cast

from generator.accepted_ranges import Cell, ranges_on_key
from generator.build import Built, build
from generator.calculation_document import Ranges, document_of, ranges_of, to_json
from generator.desk import Desk
from generator.exercises import document_of_sheet
from generator.facts import facts_of
from generator.files import SHEET_FILES, folder_for, write_together
from generator.fonts import Medium
from generator.groups import KEY_ENDING, group_files, group_sheets
from generator.judged import Judged, judge
from generator.lesson import Choice, choose
from generator.lines_of_thought import lines_of
from generator.made import Made
from generator.options import STATIONS, Options
from generator.pdf_machine import PdfUnavailable
from generator.pdf_many import PdfJob, Printers
from generator.progress import Progress
from generator.render import render, render_page
from generator.sheet import Sheet, View
from generator.stations import chosen
from generator.summary import Summary, summary_of
from generator.teacher import marked, teacher_parts
from generator.typeset import Typesetter
from generator.workload import workloads

VIEWS: Final[dict[View, str]] = {"worksheet": "arbeitsblatt", "key": "loesung"}
TEACHER: Final = "lehrkraft"


def make(options: Options, progress: Progress, printers: Printers) -> Summary:
    """Make and write everything for one sentence. UserError if that cannot be; then nothing is touched."""
    made = make_files(options, progress, printers)
    folder = folder_for(options.ausgabe, options.satz)
    progress.step("Schreibe die Dateien")
    write_together(folder, made.files, (*SHEET_FILES, *group_files()))
    return summary_of(made, folder)


def make_files(options: Options, progress: Progress, printers: Printers) -> Made:
    """The documents of one sentence; the printers load the PDF library while this process calculates."""
    progress.step("Rechne")
    built, choice = fitted(build(options))
    ranges = ranges_of(built.whole)
    sheet, desk = lay_out_sheet(built, ranges)
    judged = judge(sheet, desk, ranges)
    groups = group_sheets(built, sheet.code, desk.accepted) if built.options.gruppen else {}
    progress.step("Setze Arbeitsblatt, Lösung und Lehrkraftseiten")
    paper, screen = Typesetter("pdf"), Typesetter("screen")
    names = []
    printed = documents(sheet, desk, judged, paper, "pdf", choice)
    for document in chain(printed, group_documents(groups, paper, "pdf")):
        printers.begin(PdfJob(document.html, document.title, paper.images))
        names.append(document.name)
    contents = document_of(built, ranges) | document_of_sheet(sheet, built.whole.hand)
    files = {"rechnung.json": to_json(contents).encode()}
    shown = documents(sheet, desk, judged, screen, "screen", choice)
    for document in chain(shown, group_documents(groups, screen, "screen")):
        files[f"{document.name}.html"] = document.html.encode()
    pages, missing = 0, ""
    try:
        progress.step("Drucke die PDFs")
        results = dict(zip(names, printers.finish(), strict=True))
        files |= {f"{name}.pdf": result.data for name, result in results.items()}
        pages = results[VIEWS["worksheet"]].pages
    except PdfUnavailable as error:
        missing = str(error)
    return Made(built, sheet, files, pages, choice, missing, judged.certificate)


@dataclass(frozen=True)
class Document:
    """One document; name: of its files, without an ending."""

    name: str
    title: str
    html: str


def documents(
    sheet: Sheet,
    desk: Desk,
    judged: Judged,
    typesetter: Typesetter,
    medium: Medium,
    choice: Choice | None = None,
) -> Iterator[Document]:
    """Worksheet, key and teacher's pages, each as soon as it is made."""
    facts = facts_of(desk, sheet)
    title = facts["title"]
    html = ""
    for view, name in VIEWS.items():
        titled = f"{title} – Lösung" if view == "key" else title
        html = render(sheet, view, typesetter, medium, facts | {"title": titled})
        yield Document(name, titled, html)
    parts = teacher_parts(sheet, desk, html, judged, choice)
    html = render_page("teacher.html.j2", typesetter, medium, view="key", d=facts, t=parts, m=marked)
    yield Document(TEACHER, f"{title} – Lehrkraft", html)


def group_documents(
    groups: Mapping[str, tuple[Sheet, Desk]], typesetter: Typesetter, medium: Medium
) -> Iterator[Document]:
    """Sheet and key of every group, and of the sheet on which all put it together."""
    for name, (sheet, desk) in groups.items():
        facts = facts_of(desk, sheet)
        for view, ending in (("worksheet", ""), ("key", KEY_ENDING)):
            title = facts["title"] + (" – Lösung" if view == "key" else "")
            html = render(sheet, cast(View, view), typesetter, medium, facts | {"title": title})
            yield Document(name + ending, title, html)


def fitted(built: Built) -> tuple[Built, Choice | None]:
    """The same with only the stations, tokens and help that fit a lesson, where --zeit names one."""
    options = built.options
    if options.zeit is None:
        return built, None

    @cache
    def cost(stations: tuple[str, ...], tokens: tuple[int, ...], level: int) -> float:
        return sum(minutes_of(_with(built, stationen=stations, uebung=tokens, stufe=level)).values())

    levels = (2, 1) if options.stufe == 2 else (options.stufe,)
    wanted = [entry.id for entry in chosen(options) if entry.id in STATIONS]
    choice = choose(lines_of(options, wanted), options.uebung, levels, cost, options.zeit)
    return _with(built, uebung=choice.exercises, stationen=choice.lesson.stations, stufe=choice.level), choice


def minutes_of(built: Built) -> dict[str, float]:
    """The estimated minutes of every station that is asked for."""
    sheet, _ = lay_out_sheet(built)
    works = workloads(sheet.stations, built.calculation.model, built.two_model)
    return {station.id: work.minutes for station, work in zip(sheet.stations, works, strict=True)}


def _with(built: Built, **changes: Any) -> Built:
    return replace(built, options=replace(built.options, **changes))


def lay_out_sheet(built: Built, ranges: Ranges | None = None) -> tuple[Sheet, Desk]:
    """The sheet of the stations that the options ask for; ranges: printed on the key where they are wide."""
    wanted = chosen(built.options)
    accepted: Mapping[Cell, str] = {}
    if ranges:
        accepted = ranges_on_key(built.whole, ranges, built.options.number_format)
    desk = Desk(built, tuple(entry.id for entry in wanted), accepted)
    stations = tuple(entry.make(desk) for entry in wanted)
    return Sheet(built.options.satz, sheet_code(built.options), stations), desk


def sheet_code(options: Options) -> str:
    """A short code that tells apart sheets of other options or sentences."""
    said: dict[str, Any] = {"satz": options.satz, **options.resolved()}
    digest = hashlib.sha256(json.dumps(said, sort_keys=True, ensure_ascii=False).encode()).digest()
    return base64.b32encode(digest)[:4].decode()


__all__ = ["lay_out_sheet", "make", "make_files", "sheet_code"]
