"""`papierformer pruefe`: judges one file of answers, or those of a whole class."""

import contextlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from generator.basics.errors import UserError, how_many, quoted
from generator.basics.files import report_at, write_one
from generator.basics.reading import is_folder, is_there, path_of
from generator.calculation.rebuild import Rebuilt, read_document
from generator.check.answers import read_answers
from generator.check.check import check
from generator.check.report import Form, write_report
from generator.options.sheet_code import looks_like_code
from generator.production.class_files import Source, has_several, is_manifest, of_manifest, read_papers
from generator.production.marking import as_csv, as_html
from generator.production.sheet_documents import rebuilt_from

_FORMS: dict[str, Form] = {".md": "md", ".html": "html", ".htm": "html", ".txt": "txt"}


def run(
    rechnung: str,
    antworten: str,
    *,
    as_json: bool = False,
    bericht: str | None = None,
    with_grade: bool = False,
    files: Mapping[str, Any] | None = None,
) -> str:
    """Check the answers; what to print. bericht: a file for the whole report, .html, .md or .txt.

    with_grade: the report says which grade the points give. rechnung: a file, or the code of a sheet; files:
    the options that name files of numbers, for a code.

    UserError where a file cannot be read, is none of ours, or the report cannot be written.
    """
    if is_manifest(path_of(rechnung)) or is_folder(path_of(antworten)) or has_several(path_of(antworten)):
        if as_json:
            raise UserError("--json gibt es für eine einzelne Arbeit; für eine Klasse bitte --bericht.")
        return _class_result(rechnung, path_of(antworten), bericht, files or {})
    form = _form(bericht, (path_of(rechnung), path_of(antworten)))
    rebuilt = _rebuilt(rechnung, files or {})
    report = check(rebuilt, read_answers(path_of(antworten), rebuilt.axes))
    if bericht is not None and form is not None:
        write_one(path_of(bericht), write_report(report, rebuilt, form, with_grade).encode())
    if as_json:
        return json.dumps(report.as_json(), ensure_ascii=False, allow_nan=False, indent=1) + "\n"
    return write_report(report, rebuilt, "txt", with_grade)


def _class_result(rechnung: str, answers: Path, bericht: str | None, files: Mapping[str, Any]) -> str:
    """Points of every pupil; bericht: a page (.html), and the same for a spreadsheet (.csv) beside it."""
    page = None if bericht is None else report_at(bericht, ".html", ".htm")
    source: Source
    if is_manifest(path_of(rechnung)):
        source = of_manifest(path_of(rechnung))
    else:
        same = _rebuilt(rechnung, files)

        def source(label: str) -> tuple[str, str, Rebuilt]:
            return label, "", same

    read = read_papers(source, answers)
    lines = [f"{how_many(len(read.papers), 'Arbeit', 'Arbeiten')} geprüft", *read.unread]
    for paper in read.papers:
        marks = paper.marks
        still = f", {marks.open} offen" if marks.open else ""
        pupil = f"{paper.label} {paper.name}".rstrip()
        lines.append(f"  {pupil}: {marks.given} von {marks.points} BE{still}")
    if page is not None:
        write_one(page, as_html(read.papers, read.unread).encode())
        write_one(page.with_suffix(".csv"), as_csv(read.papers).encode())
        lines.append(f"Bericht: {page}, {page.with_suffix('.csv').name}")
    return "\n".join(lines) + "\n"


def _rebuilt(rechnung: str, files: Mapping[str, Any]) -> Rebuilt:
    if looks_like_code(rechnung) and not is_there(path_of(rechnung)):
        return rebuilt_from(rechnung, files)
    return read_document(path_of(rechnung))


def _form(bericht: str | None, inputs: Sequence[Path]) -> Form | None:
    if bericht is None:
        return None
    report = report_at(bericht, *_FORMS)
    for path in inputs:
        with contextlib.suppress(OSError, RuntimeError):  # links in a circle are a RuntimeError up to 3.12
            if path.resolve() == report.resolve() or path.samefile(report):
                raise UserError(
                    f"--bericht {quoted(bericht)} ist die Datei {quoted(path)}, die geprüft wird; "
                    "nötig ist ein anderer Name."
                )
    return _FORMS[report.suffix.lower()]
