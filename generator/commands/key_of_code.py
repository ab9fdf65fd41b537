"""`papierformer schluessel`: a sheet's code goes in; the key of exactly that sheet comes out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from generator.basics.errors import Progress
from generator.basics.files import folder_for, write_together
from generator.calculation.build import build
from generator.options.options import Options
from generator.output.formulas.typeset import Typesetter
from generator.output.many import Printers
from generator.output.sheet_documents import begin_both, lay_out_sheet, ranges_on_sheet, worksheet_and_key
from generator.production.from_code import decode, key_files

_OTHER_VERSION: Final = (
    "Diesen Code hat eine andere Version des Programms gedruckt; bitte eine Zahl mit dem Blatt vergleichen."
)


def make(code: str, options: Mapping[str, Any], progress: Progress) -> str:
    """Write the key into the sentence's folder; what to say. options: files of numbers, and where to write.

    UserError for a code that is none; then nothing is touched.
    """
    decoded = decode(code, options)
    with Printers(1) as printers:
        progress.step("Rechne")
        built = build(decoded.options)
        sheet, desk = lay_out_sheet(built, ranges_on_sheet(built))
        progress.step("Setze die Lösung")
        paper, screen = Typesetter("pdf"), Typesetter("screen")
        begin_both(printers, list(worksheet_and_key(sheet, desk, paper, "pdf")), sheet, desk, paper)
        _, shown = worksheet_and_key(sheet, desk, screen, "screen")
        name = f"loesung-{sheet.code}"
        files, said = key_files(printers, name, shown.html)
    target = {"ausgabe": options["ausgabe"]} if "ausgabe" in options else {}
    folder = folder_for(Options(satz=built.options.satz, **target).ausgabe, built.options.satz)
    write_together(folder, files, belonging=(f"{name}.pdf", f"{name}.html"))
    other = "" if decoded.same_version else _OTHER_VERSION
    return "\n".join(filter(None, [f"Fertig: {folder}\n  {', '.join(sorted(files))}", said, other]))
