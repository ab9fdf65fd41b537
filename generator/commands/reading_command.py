"""`papierformer einlesen`: filled-in paper sheets, read and handed to a person where they are not sure."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from generator.basics.errors import UserError, quoted
from generator.basics.files import write_one
from generator.basics.reading import is_folder, path_of
from generator.commands.streams import Progress
from generator.production import scanned
from generator.production.scanned import Sheets
from generator.reading.papers import SCANS

_REPORTS = (".html", ".htm")
_MOST_NOTES = 40


def run(scans: Sequence[str], given: str | None, report: str | None, remove: bool, progress: Progress) -> str:
    """Reads the scans, or takes over a saved review; what to say.

    given: a rechnung.json or folder of sheets. report: a page that lists what is open beside every verdict.
    """
    if report is not None and path_of(report).suffix.lower() not in _REPORTS:
        raise UserError(f"--bericht {quoted(report)}: möglich ist eine Datei mit .html.")
    progress.step("Suche die Blätter")
    sheets = scanned.sheets_in(path_of(given or "output"))
    if remove:
        gone = scanned.delete(sheets)
        return f"Gelöscht: {sheets.kept}\n" if gone else f"In {sheets.folder} war nichts eingelesen.\n"
    files = [file for scan in scans for file in _files(path_of(scan))]
    if not files:
        raise UserError("Was soll eingelesen werden? Nötig ist zum Beispiel: papierformer einlesen scan.pdf")
    if [file.suffix.lower() for file in files] == [".json"]:
        read = scanned.reviewed(sheets, files[0])
    else:
        progress.step("Lese die Seiten")
        read = scanned.read_in(sheets, files, lambda number, of: progress.step("Lese die Seiten", number, of))
    progress.step("Schreibe die Ergebnisse")
    scanned.write(sheets, read)
    if report is not None:
        write_one(path_of(report), scanned.verdicts_page(sheets, read).encode())
    return "\n".join([scanned.summary(read), *_notes(read.notes), *_ways_on(sheets, report)]) + "\n"


def _files(path: Path) -> list[Path]:
    """A file, or the scans of a folder."""
    if not is_folder(path):
        return [path]
    return [each for each in sorted(path.iterdir()) if each.suffix.lower() in SCANS]


def _notes(notes: Sequence[str]) -> list[str]:
    shown = [f"  {note}" for note in notes[:_MOST_NOTES]]
    left = len(notes) - len(shown)
    return [*shown, f"  … und {left} weitere; alle stehen in der Durchsicht."] if left else shown


def _ways_on(sheets: Sheets, report: str | None) -> list[str]:
    return [
        f"Durchsicht: {sheets.kept / scanned.REVIEW} (im Browser öffnen, am Ende speichern)",
        f"Ergebnis: {sheets.kept / scanned.RESULT}",
        f"Jedes Urteil mit Bild: {report or sheets.kept / scanned.VERDICTS}",
        f'Alles löschen, auch die Bilder: papierformer einlesen --loeschen --mit "{sheets.folder}"',
    ]
