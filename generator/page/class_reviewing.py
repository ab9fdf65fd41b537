"""The papers of a class go in, as files or as they were entered; out come its result and the feedback.

For worker processes.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from generator.basics.errors import UserError
from generator.calculation.rebuild import Rebuilt
from generator.check.answers import Answers
from generator.check.check import check
from generator.check.in_words import Judged, feedback
from generator.page.office import NOT_OURS
from generator.page.reviewing import entries_of, opened_sheet
from generator.production.handed_in import of_manifest, read_files
from generator.production.marking import Paper, as_csv, as_html

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
        "rueckmeldung": _feedback([Judged(p.name or p.label, p.rebuilt, p.report) for p in read.papers]),
        "arbeiten": len(read.papers),
        "ungelesen": list(read.unread),
    }


def entered_result(source: Mapping[str, str], entered: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The same for papers that were entered on the page: name, number in the set, cells, points by hand."""
    found = [_entered(source, each) for each in entered]
    papers = [
        Paper(str(each.get("nummer") or ""), judged.name, judged.rebuilt, judged.report, judged.by_hand)
        for each, judged in zip(entered, found, strict=True)
    ]
    if not papers:
        raise UserError("Noch ist keine Arbeit eingetragen.")
    return {"bericht": as_html(papers, ()), "tabelle": as_csv(papers), "rueckmeldung": _feedback(found)}


def _entered(source: Mapping[str, str], said: Mapping[str, Any]) -> Judged:
    match said:
        case {"name": str(name), "antworten": list(written), "hand": dict(given), "blatt": str(sheet)}:
            rebuilt = _sheet(source, said.get("nummer"))
            answers = Answers(tuple(entries_of(written)), 0)
            hand = dict(_points(key, value, rebuilt) for key, value in given.items())
            return Judged(name[:_LONGEST_NAME], rebuilt, check(rebuilt, answers), sheet[:8], hand)
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


def _feedback(papers: Sequence[Judged]) -> str:
    return feedback(papers, time.strftime("%d.%m.%Y"))
