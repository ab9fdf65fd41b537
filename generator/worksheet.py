"""Options go in; worksheet, key, teacher's pages and rechnung.json, written together, come out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.build import Built, build
from generator.calculation_document import document_of, to_json
from generator.desk import Desk
from generator.facts import facts_of
from generator.files import folder_for, write_together
from generator.options import Options
from generator.pdf_machine import PdfUnavailable
from generator.pdf_many import PdfJob, Printers
from generator.progress import Progress
from generator.render import render
from generator.sheet import Sheet, View
from generator.stations import chosen
from generator.summary import Summary, summary_of
from generator.typeset import Typesetter

VIEWS: dict[View, str] = {"worksheet": "arbeitsblatt", "key": "loesung"}


@dataclass(frozen=True)
class Made:
    """A sheet with all its documents, not yet written. pdf_missing: the sentence on what to install."""

    built: Built
    sheet: Sheet
    files: dict[str, bytes]
    pages: int
    pdf_missing: str = ""


def make(options: Options, progress: Progress) -> Summary:
    """Make and write everything for one sentence. UserError if that cannot be; then nothing is touched."""
    made = make_files(options, progress)
    folder = folder_for(options.ausgabe, options.satz)
    progress.step("Schreibe die Dateien")
    write_together(folder, made.files)
    return summary_of(made, folder)


def make_files(options: Options, progress: Progress) -> Made:
    with Printers() as printers:  # its helper loads the PDF library while this process calculates
        progress.step("Rechne")
        built = build(options)
        sheet, desk = lay_out_sheet(built)
        facts = facts_of(desk, sheet)
        files = {"rechnung.json": to_json(document_of(built)).encode()}
        screen, paper = Typesetter("screen"), Typesetter("pdf")
        printed = []
        for view, name in VIEWS.items():
            progress.step("Setze Arbeitsblatt und Lösung")
            titled = facts | {"title": facts["title"] + (" – Lösung" if view == "key" else "")}
            files[f"{name}.html"] = render(sheet, view, screen, "screen", titled).encode()
            html = render(sheet, view, paper, "pdf", titled)
            printers.begin(PdfJob(html, titled["title"], paper.images))
            printed.append(name)
        pages, missing = 0, ""
        try:
            results = printers.finish()
            for name, result in zip(printed, results, strict=True):
                files[f"{name}.pdf"] = result.data
            pages = results[0].pages
        except PdfUnavailable as error:
            missing = str(error)
    return Made(built, sheet, files, pages, missing)


def lay_out_sheet(built: Built) -> tuple[Sheet, Desk]:
    """The sheet of the stations that the options ask for."""
    wanted = chosen(built.options.stationen, built.options.bloecke)
    desk = Desk(built, tuple(entry.id for entry in wanted))
    stations = tuple(entry.make(desk) for entry in wanted)
    return Sheet(built.options.satz, sheet_code(built.options), stations), desk


def sheet_code(options: Options) -> str:
    """A short code that tells apart sheets of other options or sentences."""
    import base64
    import hashlib
    import json

    said: dict[str, Any] = {"satz": options.satz, **options.resolved()}
    digest = hashlib.sha256(json.dumps(said, sort_keys=True, ensure_ascii=False).encode()).digest()
    return base64.b32encode(digest)[:4].decode()


__all__ = ["Made", "Path", "lay_out_sheet", "make", "make_files", "sheet_code"]
