"""`papierformer schluessel`: a sheet's code goes in; the key of exactly that sheet comes out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from generator.basics.files import folder_for, write_together
from generator.options.options import Options
from generator.output.formulas.typeset import Typesetter
from generator.output.many import Printers
from generator.output.sheet_documents import begin_both, worksheet_and_key
from generator.production.from_code import decode, key_files
from generator.production.progress import Progress
from generator.stations.make_sheet import make_sheet

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
        whole = make_sheet(decoded.options)
        progress.step("Setze die Lösung")
        paper, screen = Typesetter("pdf"), Typesetter("screen")
        begin_both(printers, list(worksheet_and_key(whole, paper, "pdf")), whole, paper)
        _, shown = worksheet_and_key(whole, screen, "screen")
        name = f"loesung-{whole.sheet.code}"
        files, said = key_files(printers, name, shown.html)
    target = {"ausgabe": options["ausgabe"]} if "ausgabe" in options else {}
    folder = folder_for(Options(satz=decoded.options.satz, **target).ausgabe, decoded.options.satz)
    write_together(folder, files, belonging=(f"{name}.pdf", f"{name}.html"))
    other = "" if decoded.same_version else _OTHER_VERSION
    return "\n".join(filter(None, [f"Fertig: {folder}\n  {', '.join(sorted(files))}", said, other]))
