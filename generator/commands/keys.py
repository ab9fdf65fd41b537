"""Keys alone: `papierformer schluessel` of a sheet's code, `loesung` from a pupil's own numbers onwards."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from generator.basics.errors import Unfinished, shown_path
from generator.basics.files import OWN_KEY, OWN_KEY_FILES, folder_for, write_together
from generator.calculation.build import build
from generator.check.entries import ensure_defined, recomputed
from generator.commands.streams import Progress
from generator.options.declaration import ensure_of_pages
from generator.options.options import Options
from generator.output.formulas.typeset import Typesetter
from generator.output.machine import PdfUnavailable
from generator.output.many import PdfJob, Printers, Waiting
from generator.output.render import Document, on_paper, render
from generator.output.screen import for_browsers
from generator.production.drawing import sheet_of
from generator.production.exports import export
from generator.production.sheet_documents import begin_pair, decode
from generator.production.summary import done_without
from generator.sheet.page import Page
from generator.stations.make_sheet import make_sheet

_OTHER_VERSION: Final = (
    "Diesen Code hat eine andere Version des Programms gedruckt; bitte eine Zahl mit dem Blatt vergleichen."
)


def key_of_code(code: str, options: Mapping[str, Any], progress: Progress) -> str:
    """Write the key into the sentence's folder; what to say. options: files of numbers, and where to write.

    UserError for a code that is none; then nothing is touched.
    """
    decoded = decode(code, options)
    with Printers(1) as printers:
        progress.step("Rechne")
        whole = sheet_of(decoded.options, decoded.group)
        progress.step("Setze die Lösung")
        (_, key), both = begin_pair(printers, whole, Typesetter("pdf"))
        name = f"loesung-{whole.sheet.code}" + f"-{decoded.group}" * (decoded.group > 0)
        files, said = key_files(both, name, key.page)
    target = {"ausgabe": options["ausgabe"]} if "ausgabe" in options else {}
    folder = folder_for(Options(satz=decoded.options.satz, **target).ausgabe, decoded.options.satz)
    write_together(folder, files, belonging=(f"{name}.pdf", f"{name}.html"))
    other = "" if decoded.same_version else _OTHER_VERSION
    return _closing_words(folder, files, said, other)


def own_key(options: Options, given: Sequence[str], progress: Progress) -> str:
    """Write the key with the given cells ("block1.head1.weight[2,1]=0,48"); what to say on the terminal.

    UserError for a cell that does not exist or a number that cannot be read; then nothing is touched.
    """
    ensure_of_pages(options.format, "loesung")
    with Printers(1) as printers:
        progress.step("Rechne")
        built = build(options)
        own = recomputed(built.passes, given)
        ensure_defined(own, given)
        recalculated = built.with_hands(own.hands)
        whole = make_sheet(recalculated, ranges={}, changed=own.changed | own.own)
        title = f"{whole.title} – Lösung mit eigenen Zahlen"
        values = {**whole.values, "title": title, "own_numbers": ", ".join(given)}
        progress.step("Setze die Lösung")
        paper = Typesetter("pdf")
        page = render(whole.sheet, "key", values)
        made = printers.begin(PdfJob(on_paper(page, paper), title, paper.images))
        exported = export(options.format, [Document(OWN_KEY, title, page)]) if options.format else {}
        files, said = key_files(made, OWN_KEY, page)
    files |= exported
    folder = folder_for(options.ausgabe, options.satz)
    write_together(folder, files, belonging=OWN_KEY_FILES)
    follow = f"  {len(own.changed - own.own)} weitere Werte haben sich dadurch geändert."
    return _closing_words(folder, files, said, follow, built.options.training_note)


def _closing_words(folder: Path, files: Collection[str], missing: str, *notes: str) -> str:
    """The closing words. missing: the sentence on the PDF if there is none; then they are an Unfinished."""
    done = f"{done_without(bool(missing))}: {shown_path(folder)}\n  {', '.join(sorted(files))}"
    said = "\n".join(filter(None, [done, *notes, missing]))
    if missing:
        raise Unfinished(said)
    return said


def key_files(made: Waiting, name: str, page: Page) -> tuple[dict[str, bytes], str]:
    """The files of one key by name, and the sentence on a PDF that is missing.

    made: waits for PDFs, the key's as the last; where none can be made, the screen's page stands alone.
    """
    printed, said = None, ""
    try:
        printed = made()[-1]
    except PdfUnavailable as error:
        said = str(error)
    paper = {} if printed is None else {f"{name}.pdf": printed.data}
    return {**paper, f"{name}.html": for_browsers(page, Typesetter("screen"), printed).encode()}, said
