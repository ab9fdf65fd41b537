"""A sheet and what pupils wrote go in; the exercises to show them, verdicts, the class result come out.

For worker processes. What is right says `check`, what a class did says `classes.marking`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from generator.basics.cell_names import cell_title
from generator.basics.errors import UserError
from generator.check.answers import Answers
from generator.check.check import Report, check
from generator.check.marks import marks_of
from generator.check.report import mistake_texts
from generator.page.reviewing import Opened, entries_of, opened_sheet
from generator.production.marking import Paper, as_csv, as_html
from generator.sheet.record import Exercise, RecordedStation

_LONGEST: Final = 40


def exercises(source: Mapping[str, str]) -> dict[str, Any]:
    """What the pupils' page shows: stations with exercises, each with the cells that are compared.

    No number of the sheet's own is among it. UserError where nothing on the sheet can be compared.
    """
    sheet = opened_sheet(source)
    known: set[tuple[str, str]] = set()
    stations = [_station(sheet, station, known) for station in sheet.stations]
    stations = [station for station in stations if station["aufgaben"]]
    if not stations:
        raise UserError("Auf diesem Blatt steht keine Aufgabe mit Zahlen, die sich vergleichen lassen.")
    return {"satz": sheet.rebuilt.sentence, "stationen": stations, "felder": len(known)}


def _station(sheet: Opened, station: RecordedStation, known: set[tuple[str, str]]) -> dict[str, Any]:
    tasks = [_exercise(sheet, exercise, known) for exercise in station.exercises]
    return {
        "id": station.id,
        "titel": station.title,
        "aufgaben": [task for task in tasks if task["felder"]],
    }


def _exercise(sheet: Opened, exercise: Exercise, known: set[tuple[str, str]]) -> dict[str, Any]:
    """Each cell once, where it is asked for first; what is only copied is not asked for again."""
    calculation = sheet.rebuilt.calculation
    fields = []
    for asked in exercise.numbers:
        number = asked.number
        cell = (number.name, ",".join(map(str, number.index)))
        if number.copied or number.name not in calculation.hand or cell in known:
            continue
        known.add(cell)
        title = cell_title(calculation[number.name], number.index, sheet.rebuilt.words)
        fields.append({"name": cell[0], "stelle": cell[1], "titel": title})
    return {
        "nummer": exercise.task.number,
        "be": exercise.task.points,
        "text": str(exercise.wording),
        "felder": fields,
    }


def judged(source: Mapping[str, str], papers: Mapping[str, Any], named: bool = True) -> dict[str, Any]:
    """papers: name of a pupil -> [name, index, text] of each cell. For each pupil verdicts and points.

    named: with typical mistakes and hints, which takes several times as long.
    """
    sheet = opened_sheet(source)
    return {pupil: _verdicts(sheet, _report(sheet, written, named)) for pupil, written in papers.items()}


def _report(sheet: Opened, written: Any, named: bool = True) -> Report:
    return check(sheet.rebuilt, Answers(tuple(entries_of(written)), 0), named=named)


def _verdicts(sheet: Opened, report: Report) -> dict[str, Any]:
    texts = mistake_texts()
    marks = marks_of(report, sheet.rebuilt.exercises)
    return {
        "zellen": [
            {
                "name": cell.entry.name,
                "stelle": ",".join(map(str, cell.index)),
                "urteil": cell.verdict,
                "kostet": cell.charged,
                "hilfe": texts[cell.mistake.split("|")[0]]["help"] if cell.mistake else "",
            }
            for cell in report.cells
        ],
        "be": marks.given,
        "offen": marks.open,
        "von": marks.points,
        "fehler": [
            " oder ".join(texts[each]["title"] for each in finding.ids) for finding in report.findings
        ],
    }


def class_result(source: Mapping[str, str], papers: Mapping[str, Any]) -> dict[str, str]:
    """The result of `pruefe` over a class, as a page and a table. UserError where nobody wrote anything."""
    sheet = opened_sheet(source)
    found = [
        Paper(str(number), pupil, sheet.rebuilt, _report(sheet, written))
        for number, (pupil, written) in enumerate(papers.items(), 1)
        if written
    ]
    if not found:
        raise UserError("In dieser Stunde hat noch niemand etwas eingetragen.")
    return {"html": as_html(found, ()), "csv": as_csv(found)}
