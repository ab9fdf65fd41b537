"""`papierformer pruefe`: a calculation's file and an answers file go in, the report's text comes out."""

from __future__ import annotations

import json
from pathlib import Path

from generator.answers import read_answers
from generator.check import check
from generator.check_report import Form, write_report
from generator.errors import UserError, quoted
from generator.files import write_together
from generator.rebuild import read_document

_FORMS: dict[str, Form] = {".md": "md", ".html": "html", ".htm": "html", ".txt": "txt"}


def run(
    rechnung: str,
    antworten: str,
    *,
    as_json: bool = False,
    bericht: str | None = None,
    with_grade: bool = False,
) -> str:
    """Check the answers; what to print. bericht: a file for the whole report, .html, .md or .txt.

    with_grade: the report says which grade the points give.

    UserError where a file cannot be read, is none of ours, or the report cannot be written.
    """
    form = _form(bericht)
    rebuilt = read_document(Path(rechnung))
    calculation = rebuilt.calculation
    axes = {name: len(quantity.axes) for name, quantity in calculation.hand.items()}
    answers = read_answers(Path(antworten), axes)
    report = check(calculation, answers, rebuilt.ranges, rebuilt.printed(), rebuilt.words, rebuilt.asked())
    if bericht is not None and form is not None:
        target = Path(bericht)
        content = write_report(report, rebuilt, form, with_grade).encode("utf-8")
        write_together(target.parent, {target.name: content}, belonging=())
    if as_json:
        return json.dumps(report.as_json(), ensure_ascii=False, allow_nan=False, indent=1) + "\n"
    return write_report(report, rebuilt, "txt", with_grade)


def _form(bericht: str | None) -> Form | None:
    if bericht is None:
        return None
    form = _FORMS.get(Path(bericht).suffix.lower())
    if form is None:
        raise UserError(f"--bericht {quoted(bericht)}: möglich sind Dateien mit .html, .md oder .txt.")
    return form
