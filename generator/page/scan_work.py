"""Reading scans for the page, in a process of its own: a sheet's folder goes in, plain data comes out."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from pathlib import Path
from typing import Any, Final

from generator.basics.errors import UserError
from generator.basics.files import write_one
from generator.production import scanned
from generator.reading.pages import names_in
from generator.reading.papers import Class, needs_packages
from generator.reading.scan import opened

_SCANS: Final = "scans"
_NAMES: Final = ".name"
_SAID: Final = "durchsicht.json"


def keep(folder: str, name: str, called: str, content: bytes) -> None:
    """Puts a scan aside under a name of ours."""
    kept = Path(folder) / scanned.FOLDER / _SCANS
    kept.mkdir(parents=True, exist_ok=True)
    write_one(kept / name, content)
    write_one(kept / f"{name}{_NAMES}", called.encode())


def read(folder: str, names: list[str]) -> dict[str, Any]:
    """Reads the scans named; they are deleted then, their crops stay."""
    sheets = scanned.sheets_in(Path(folder))
    kept = sheets.kept / _SCANS
    files = [kept / Path(name).name for name in names]
    if not files:
        raise UserError("Bitte wählen Sie zuerst die Scans aus.")
    try:
        found = scanned.read_in(sheets, files, lambda *_: None)
        for file in files:
            with contextlib.suppress(OSError):
                called = (kept / f"{file.name}{_NAMES}").read_text(encoding="utf-8")
                found.notes = [note.replace(file.name, called) for note in found.notes]
    finally:
        shutil.rmtree(kept, ignore_errors=True)
    (sheets.kept / _SAID).unlink(missing_ok=True)
    scanned.write(sheets, found)
    return {"satz": scanned.summary(found), "hinweise": found.notes}


def seen(content: bytes) -> tuple[str, str]:
    """Short name and code of the sheet in a photo of it. UserError where there is neither."""
    needs_packages()
    with tempfile.TemporaryDirectory(prefix="papierformer-") as folder:
        path = Path(folder) / "foto"
        path.write_bytes(content)
        try:
            found = names_in(opened(str(path), 0))
        except UserError as error:
            raise UserError(f"Das Foto {error}.") from error
    if not any(found):
        raise UserError(
            "Auf dem Foto ist kein Code eines Blatts zu erkennen; nötig ist die erste Seite, hell und scharf."
        )
    return found


def confirm(folder: str, said: bytes) -> None:
    """Keeps what a person said; it is taken over when the result is asked for."""
    write_one(Path(folder) / scanned.FOLDER / _SAID, said)


def review(folder: str) -> dict[str, Any]:
    """What the page of the review needs."""
    sheets = scanned.sheets_in(Path(folder))
    read_before = _with_said(sheets)
    data = scanned.review_data(sheets, read_before)
    return {"data": data, "notes": read_before.notes, "heading": f"{scanned.confirmed(read_before)}."}


def result(folder: str, name: str) -> str:
    """A page of the result, with all that was said."""
    sheets = scanned.sheets_in(Path(folder))
    scanned.write(sheets, _with_said(sheets))
    return (sheets.kept / name).read_text(encoding="utf-8")


def delete(folder: str) -> None:
    scanned.delete(scanned.sheets_in(Path(folder)))


def _with_said(sheets: scanned.Sheets) -> Class:
    file = sheets.kept / _SAID
    return scanned.reviewed(sheets, file) if file.is_file() else Class.load(sheets.kept)
