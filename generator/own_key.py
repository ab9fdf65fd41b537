"""Options and a pupil's own numbers go in; the key, newly computed from those numbers onwards, comes out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from generator.build import build
from generator.desk import Desk
from generator.facts import facts_of
from generator.files import folder_for, write_together
from generator.options import Options
from generator.own_numbers import Recomputed, recomputed
from generator.pdf_machine import PdfUnavailable
from generator.pdf_many import PdfJob, Printers
from generator.progress import Progress
from generator.render import render
from generator.sheet import Sheet
from generator.stations import chosen
from generator.typeset import Typesetter
from generator.worksheet import sheet_code

NAME: Final = "loesung-mit"


def make(options: Options, given: Sequence[str], progress: Progress) -> str:
    """Write the key with the given cells ("block1.head1.weight[2,1]=0,48"); what to say on the terminal.

    UserError for a cell that does not exist or a number that cannot be read; then nothing is touched.
    """
    with Printers(1) as printers:
        progress.step("Rechne")
        built = build(options)
        own = recomputed(built.whole, given)
        wanted = chosen(options)
        desk = Desk(
            built.with_hands(own.hands),
            tuple(entry.id for entry in wanted),
            changed=own.changed | own.own,
        )
        stations = tuple(entry.make(desk) for entry in wanted)
        sheet = Sheet(options.satz, sheet_code(options), stations)
        facts = facts_of(desk, sheet)
        facts |= {"title": f"{facts['title']} – Lösung mit eigenen Zahlen", "own_numbers": ", ".join(given)}
        progress.step("Setze die Lösung")
        paper = Typesetter("pdf")
        printers.begin(PdfJob(render(sheet, "key", paper, "pdf", facts), facts["title"], paper.images))
        files = {f"{NAME}.html": render(sheet, "key", Typesetter("screen"), "screen", facts).encode()}
        missing = ""
        try:
            files[f"{NAME}.pdf"] = printers.finish()[0].data
        except PdfUnavailable as error:
            missing = f"\n{error}"
    folder = folder_for(options.ausgabe, options.satz)
    write_together(folder, files, belonging=(f"{NAME}.pdf", f"{NAME}.html"))
    return _said(folder, sorted(files), own) + missing


def _said(folder: Path, files: Sequence[str], own: Recomputed) -> str:
    follow = len(own.changed - own.own)
    return f"Fertig: {folder}\n  {', '.join(files)}\n  {follow} weitere Werte haben sich dadurch geändert."
