"""The papers of a class go in, as files, as entered or as scans; out come its result, feedback, a review.

For worker processes; scans of a sheet are kept in its folder.
"""

import contextlib
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from generator.basics.errors import UserError
from generator.basics.files import write_one
from generator.calculation.rebuild import Rebuilt
from generator.check.answers import Answers
from generator.check.check import check
from generator.check.in_words import MarkedPaper, feedback
from generator.page.reviewing import entries_of, opened_sheet
from generator.page.shelf import NOT_OURS
from generator.production import scanned
from generator.production.class_files import of_manifest, read_files
from generator.production.marking import as_csv, as_html
from generator.reading.pages import names_in
from generator.reading.scan import opened

SET: Final = "klassensatz"
_LONGEST_NAME: Final = 100


def class_result(source: Mapping[str, str], files: Sequence[tuple[str, bytes]]) -> dict[str, Any]:
    """What `pruefe` says of a folder: (name, content) of each file. UserError where no paper can be read.

    source: as of `opened`, or {"klassensatz": path of its manifest}.
    """
    if SET in source:
        read = read_files(of_manifest(Path(source[SET])), files)
    else:
        same = opened_sheet(source).rebuilt
        read = read_files(lambda label: (label, "", same), files)
    return {
        "bericht": as_html(read.papers, read.unread),
        "tabelle": as_csv(read.papers),
        "rueckmeldung": _feedback([replace(p, name=p.name or p.label) for p in read.papers]),
        "arbeiten": len(read.papers),
        "ungelesen": list(read.unread),
    }


def entered_result(source: Mapping[str, str], entered: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The same for papers that were entered on the page: name, number in the set, cells, points by hand."""
    papers = [_entered(source, each) for each in entered]
    if not papers:
        raise UserError("Noch ist keine Arbeit eingetragen.")
    return {"bericht": as_html(papers, ()), "tabelle": as_csv(papers), "rueckmeldung": _feedback(papers)}


def _entered(source: Mapping[str, str], said: Mapping[str, Any]) -> MarkedPaper:
    match said:
        case {"name": str(name), "antworten": list(written), "hand": dict(given), "blatt": str(sheet)}:
            number = said.get("nummer")
            rebuilt = _sheet(source, number)
            answers = Answers(tuple(entries_of(written)), 0)
            hand = dict(_points(key, value, rebuilt) for key, value in given.items())
            report, name = check(rebuilt, answers), name[:_LONGEST_NAME]
            return MarkedPaper(str(number or ""), name, rebuilt, report, hand, sheet[:8])
    raise UserError(NOT_OURS)


def _sheet(source: Mapping[str, str], number: Any) -> Rebuilt:
    if SET not in source:
        return opened_sheet(source).rebuilt
    try:
        return of_manifest(Path(source[SET]))(str(number))[2]
    except LookupError as error:
        raise UserError(NOT_OURS) from error


def _points(key: Any, value: Any, rebuilt: Rebuilt) -> tuple[tuple[str, int], int]:
    """„4a|3“ and the points that a person gave. UserError for more than the exercise has."""
    station, _, number = str(key).partition("|")
    for exercise in rebuilt.exercises:
        if (exercise.station, str(exercise.number)) == (station, number):
            if isinstance(value, int) and 0 <= value <= exercise.points:
                return (exercise.station, exercise.number), value
            raise UserError(
                f"Station {station}, Aufgabe {number} hat {exercise.points} BE; möglich sind 0 bis "
                f"{exercise.points}."
            )
    raise UserError(NOT_OURS)


def _feedback(papers: Sequence[MarkedPaper]) -> str:
    return feedback(papers, time.strftime("%d.%m.%Y"))


_SCANS: Final = "scans"
_NAMES: Final = ".name"
_SECONDS_KEPT: Final = 3600.0


def keep(folder: str, name: str, called: str, content: bytes) -> None:
    """Puts a scan aside under a name of ours."""
    kept = Path(folder) / scanned.FOLDER / _SCANS
    kept.mkdir(parents=True, exist_ok=True)
    write_one(kept / name, content, "--mit")
    write_one(kept / f"{name}{_NAMES}", called.encode(), "--mit")


def read(folder: str, names: list[str]) -> dict[str, Any]:
    """Reads the scans named; they are deleted then, their crops stay."""
    sheets = scanned.sheets_in(Path(folder))
    kept = sheets.kept / _SCANS
    files = [kept / Path(name).name for name in names]
    if not files:
        raise UserError("Bitte wählen Sie zuerst die Scans aus.")
    try:
        called = {file: (kept / f"{file.name}{_NAMES}").read_text(encoding="utf-8") for file in files}
        found = scanned.read_in(sheets, files, lambda *_: None, called.__getitem__)
    finally:
        read_now = {name for file in files for name in (file.name, f"{file.name}{_NAMES}")}
        for path in kept.glob("*"):  # also what was sent and never read
            if path.name in read_now or path.stat().st_mtime < time.time() - _SECONDS_KEPT:
                path.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # another window's wait there
            kept.rmdir()
    return {"satz": scanned.summary(found), "hinweise": found.said, "nochmal": len(found.again)}


def decide(folder: str, key: str, replace: bool) -> None:
    """Notes whether a paper's pages that came twice replace the first ones."""
    scanned.decide(scanned.sheets_in(Path(folder)), replace, key)


def seen(content: bytes) -> tuple[str, str]:
    """Short name and code of the sheet in a photo of it. UserError where there is neither."""
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


def confirm(folder: str, said: dict[str, Any]) -> None:
    """Keeps what a person said; it is taken over when the result is asked for."""
    scanned.confirm(scanned.sheets_in(Path(folder)), said)


def review(folder: str) -> dict[str, Any]:
    """What the page of the review needs."""
    sheets = scanned.sheets_in(Path(folder))
    read_before = scanned.current(sheets)
    data = scanned.review_data(sheets, read_before)
    notes = [*read_before.missing, *read_before.notes]
    return {"data": data, "notes": notes, "heading": f"{scanned.confirmed(read_before)}."}


def result(folder: str, name: str) -> str:
    """A page of the result, with all that was said."""
    sheets = scanned.sheets_in(Path(folder))
    scanned.written(sheets)
    return (sheets.kept / name).read_text(encoding="utf-8")


def to_mark(folder: str) -> list[dict[str, Any]]:
    """What was read, for the page on which the rest is marked."""
    return scanned.to_mark(scanned.sheets_in(Path(folder)))


def delete(folder: str) -> None:
    scanned.delete(scanned.sheets_in(Path(folder)))
