"""Options and a pupil's own numbers go in; the key, newly computed from those numbers onwards, comes out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from generator.basics.errors import Progress, shown_path
from generator.basics.files import OWN_KEY, OWN_KEY_FILES, folder_for, write_together
from generator.calculation.build import build
from generator.check.own_numbers import Recomputed, recomputed
from generator.options.further_formats import ensure_written
from generator.options.options import Options
from generator.output.formats.export import export
from generator.output.formulas.typeset import Typesetter
from generator.output.many import PdfJob, Printers
from generator.output.render import render
from generator.output.sheet_documents import Document
from generator.production.from_code import key_files
from generator.production.worksheet import sheet_code
from generator.sheet.desk import Desk
from generator.sheet.sheet import Sheet
from generator.stations.course import chosen, stations_of
from generator.stations.page_values import page_values


def make(options: Options, given: Sequence[str], progress: Progress) -> str:
    """Write the key with the given cells ("block1.head1.weight[2,1]=0,48"); what to say on the terminal.

    UserError for a cell that does not exist or a number that cannot be read; then nothing is touched.
    """
    ensure_written(options.format, "loesung", whole=False)
    with Printers(1) as printers:
        progress.step("Rechne")
        built = build(options)
        own = recomputed(built.whole, given)
        desk = Desk(built.with_hands(own.hands), chosen(options), changed=own.changed | own.own)
        stations, desk = stations_of(desk)
        sheet = Sheet(options.satz, sheet_code(options), stations)
        values = page_values(desk, sheet)
        values |= {"title": f"{values['title']} – Lösung mit eigenen Zahlen", "own_numbers": ", ".join(given)}
        progress.step("Setze die Lösung")
        paper = Typesetter("pdf")
        printers.begin(PdfJob(render(sheet, "key", paper, "pdf", values).html, values["title"], paper.images))
        page = render(sheet, "key", Typesetter("screen"), "screen", values)
        exported: dict[str, bytes] = {}
        if options.format:
            source = render(sheet, "key", Typesetter("screen", with_source=True), "screen", values)
            exported = export(options.format, [Document(OWN_KEY, values["title"], source.html)])
        files, said = key_files(printers, OWN_KEY, page.html)
    files |= exported
    folder = folder_for(options.ausgabe, options.satz)
    write_together(folder, files, belonging=OWN_KEY_FILES)
    return "\n".join(filter(None, [_said(folder, sorted(files), own), said]))


def _said(folder: Path, files: Sequence[str], own: Recomputed) -> str:
    follow = len(own.changed - own.own)
    done = f"Fertig: {shown_path(folder)}\n  {', '.join(files)}"
    return f"{done}\n  {follow} weitere Werte haben sich dadurch geändert."
