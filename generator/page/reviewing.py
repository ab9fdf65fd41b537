"""A sheet's code or calculation and a pupil's numbers go in; the sheet to write on, and verdicts, come out.

For worker processes. What is right says `check`; the fields stand where the sheet has its blanks.
"""

import contextlib
import json
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from html import escape
from pathlib import Path
from typing import Any, Final

import numpy as np

from generator.basics.cell_names import cell_title
from generator.basics.errors import UserError, quoted
from generator.calculation.build import Built, build
from generator.calculation.contents import GROUP, given_of_file, options_of_file
from generator.calculation.rebuild import Rebuilt, read_document
from generator.check.answers import Answers, answers_in
from generator.check.check import FOLLOWS, CheckedCell, Report, check
from generator.check.entries import Entry, follows_from, number_of
from generator.check.in_words import cell_views, mistake_texts
from generator.check.marks import Marks, grades, marks_of
from generator.check.report import unread_entries, write_report
from generator.options.sheet_code import short_mark
from generator.output.render import Document
from generator.output.screen import for_frame
from generator.page.form import sheet_title
from generator.page.shelf import NOT_OURS
from generator.production.sheet_documents import decode, rebuilt_from, worksheet_and_key
from generator.sheet.fields import NO_FIELD, Field, Fields
from generator.sheet.record import RecordedStation
from generator.sheet.sheet import Number
from generator.stations.make_sheet import make_sheet
from generator.teacher.lesson import group_sheets, member_sheet
from generator.teacher.plan import group_work

PART: Final = "teil"
_KEPT, _KEPT_CALCULATIONS = 4, 40  # a class set has so many
_MOST_SOURCES: Final = 40  # charged cells whose consequences are shown
_LONGEST: Final = 40
_ENDINGS: Final = (".csv", ".json", ".pdf", ".txt")


@dataclass(frozen=True)
class Opened:
    """A sheet with all that checking it needs, and what its exercises ask.

    group: of a jigsaw, where it is the sheet of one person in a team, 0 for none.
    """

    built: Built
    group: int
    rebuilt: Rebuilt
    document: Document

    @cached_property
    def html(self) -> str:
        """The worksheet with a field in every blank that is compared."""
        return for_frame(self.document.page, fields=_Entries(self.rebuilt))

    @property
    def stations(self) -> tuple[RecordedStation, ...]:
        return self.document.stations


def sheets_of_jigsaw(source: Mapping[str, str]) -> list[tuple[str, str]]:
    """Name and title of each sheet of a jigsaw; none where the sheet is no jigsaw's, or is named already."""
    opened_now = opened_sheet(source)
    built = opened_now.built
    if PART in source or opened_now.group or not built.options.gruppen:
        return []
    return [
        (each.file, sheet_title(each.file, each.words))
        for each in group_work(make_sheet(built, ranges={}).desk)
    ]


def opened(source: Mapping[str, str]) -> dict[str, Any]:
    """source: {"code": …} or {"rechnung": text of the file}, of a jigsaw also its sheet („teil“, "" for the
    single one); where that is missing, what there is to choose from. UserError where it is no sheet.
    """
    sheet = opened_sheet(source)
    if of_jigsaw := sheets_of_jigsaw(source):
        whole = ("", "Das einzelne Blatt für eine Person")
        return {"auswahl": [{PART: name, "titel": title} for name, title in (*of_jigsaw, whole)]}
    exercises = sheet.rebuilt.exercises
    if not exercises:
        raise UserError(
            "Diese Rechnung gehört zu keinem Blatt; nötig ist rechnung.json aus dem Ordner eines Blatts."
        )
    return {
        "html": sheet.html,
        "satz": sheet.rebuilt.sentence,
        "blatt": short_mark(sheet.built.options),
        "noten": [[grade.points, grade.least] for grade in grades(sum(each.points for each in exercises))],
        "be": sum(exercise.points for exercise in exercises),
        "stationen": list(dict.fromkeys(exercise.station for exercise in exercises)),
        "geaendert": len(sheet.rebuilt.changed),
    }


def checked(source: Mapping[str, str], written: Any) -> dict[str, Any]:
    """written: [name, index, text] of each cell. The verdicts, what follows from what, points, the report."""
    rebuilt = rebuilt_sheet(source)
    report = check(rebuilt, Answers(tuple(entries_of(written)), 0))
    marks = marks_of(report, rebuilt.exercises)
    return {
        "zellen": [_cell(cell, view) for cell, view in cell_views(report, rebuilt)],
        "folgen": _consequences(report, rebuilt),
        "fehler_typisch": _mistakes(report),
        "punkte": _points(marks),
        "anderes_blatt": report.other_sheet,
        "bericht": write_report(report, rebuilt, "html", with_grade=True),
    }


def read_file(source: Mapping[str, str], name: str, content: bytes) -> dict[str, Any]:
    """The entries of an answers file that was dropped, and what of it cannot be one. UserError for none."""
    ending = Path(name).suffix.lower()
    if ending not in _ENDINGS:
        raise UserError("Antworten lassen sich aus Dateien mit .csv, .json oder .pdf lesen.")
    rebuilt = rebuilt_sheet(source)
    answers = answers_in(content, quoted(Path(name).name), rebuilt.axes)
    report = check(rebuilt, answers, named=False)
    cells = [cell for cell in report.cells if cell.problem in ("", "number")]
    return {
        "antworten": [[cell.entry.name, list(cell.index), cell.entry.text] for cell in cells],
        "nicht": " ".join(unread_entries(report, rebuilt)),
    }


def key(source: Mapping[str, str]) -> str:
    """The key of a sheet, for the frame."""
    built = opened_sheet(source).built
    part = source.get(PART, "")
    whole = group_sheets(built, built.ranges())[part] if part else make_sheet(built)
    return for_frame(worksheet_and_key(whole)[1].page)


def opened_sheet(source: Mapping[str, str]) -> Opened:
    """A sheet to review, as `opened` reads it; those opened last are kept."""
    try:
        return _opened(*_asked(source))
    except UserError as error:
        if "datei" not in source:
            raise
        raise UserError(
            f"{quoted(source['datei'])} ist nicht die Rechnung eines Blatts; nötig ist die Datei "
            "rechnung.json, so wie sie im Ordner des Blatts liegt."
        ) from error


def rebuilt_sheet(source: Mapping[str, str]) -> Rebuilt:
    """The same without the page: what it takes to judge numbers."""
    return _rebuilt(*_asked(source))


def _asked(source: Mapping[str, str]) -> tuple[str, str, str]:
    return source.get("code", ""), source.get("rechnung", ""), source.get(PART, "")


@lru_cache(_KEPT)
def _opened(code: str, document: str, part: str) -> Opened:
    rebuilt = _rebuilt(code, document, part)
    contents = json.loads(document) if document else {}
    decoded = None if document else decode(code, {})
    built = build(decoded.options) if decoded else _built(contents)
    group = decoded.group if decoded else int(contents.get(GROUP, 0))
    return Opened(built, group, rebuilt, _worksheet(built, part, group))


def _built(contents: Mapping[str, Any]) -> Built:
    """The sheet's calculation. A trained model learns once more: its sheet tells what it has read, and has
    tasks on it. Where it comes out otherwise (another machine, another version) the sheet goes without.
    """
    options = options_of_file(contents)
    read = build(options, given_of_file(contents, options))
    if not options.learns:
        return read
    with tempfile.TemporaryDirectory(prefix="papierformer-") as folder:
        texts = Path(folder) / "texte.txt"
        texts.write_text("\n".join(map(str, contents.get("texte", ()))), encoding="utf-8")
        for again in (replace(options, living=None), replace(options, living=None, texte=texts)):
            with contextlib.suppress(UserError):
                built = build(again)
                if _same(built, read):
                    return built
    return read


def _same(one: Built, other: Built) -> bool:
    hand, others = one.passes.hand, other.passes.hand
    if hand.keys() != others.keys():
        return False
    return all(np.array_equal(quantity.values, others[name].values) for name, quantity in hand.items())


@lru_cache(_KEPT_CALCULATIONS)
def _rebuilt(code: str, document: str, part: str) -> Rebuilt:
    if part:
        built = _opened(code, document, "").built
        try:
            return group_sheets(built, built.ranges())[part].rebuilt()
        except KeyError as error:
            raise UserError(NOT_OURS) from error
    if not document:
        return rebuilt_from(code, {})
    with tempfile.TemporaryDirectory(prefix="papierformer-") as folder:
        path = Path(folder) / "rechnung.json"
        path.write_text(document, encoding="utf-8")
        return read_document(path)


def _worksheet(built: Built, part: str, group: int) -> Document:
    if group:
        whole = member_sheet(built, group)
    else:
        whole = group_sheets(built, built.ranges())[part] if part else make_sheet(built)
    return worksheet_and_key(whole)[0]


class _Entries(Fields):
    """A field in every blank that is compared."""

    def __init__(self, rebuilt: Rebuilt) -> None:
        self._hand, self._words = rebuilt.calculation.hand, rebuilt.words

    def number(self, number: Number, station: str, task: int, row: str = "") -> Field:
        if number.name not in self._hand:
            return NO_FIELD
        title = escape(cell_title(self._hand[number.name], number.index, self._words), quote=True)
        cell = f'data-q="{number.name}" data-i="{number.address}"'
        said = f'aria-label="{title}" autocomplete="off" maxlength="{_LONGEST}"'
        return Field(control=f'<input class="entry" {cell} {said}>')


def entries_of(written: Any) -> Iterator[Entry]:
    """[name, index, text] of each cell. UserError for anything else."""
    for each in written if isinstance(written, list) else ():
        match each:
            case [str(name), list(index), str(text)] if all(isinstance(i, int) and i >= 0 for i in index):
                yield Entry(name, tuple(index), text[:_LONGEST], number_of(text[:_LONGEST]))
            case _:
                raise UserError(NOT_OURS)


def on_screen(title: str) -> str:
    """A cell's title without raw formulas."""
    return title.replace("e^x", "eˣ").replace("√d_k", "√dₖ")


def _cell(cell: CheckedCell, view: Any) -> dict[str, Any]:
    return {
        "name": cell.entry.name,
        "index": list(cell.index),
        "urteil": cell.verdict,
        "zeichen": view.mark,
        "titel": on_screen(view.title),
        "richtig": view.expected,
        "von": view.low,
        "bis": view.high,
        "folgt": view.follows if cell.verdict == FOLLOWS else "",
        "kostet": cell.charged,
        "hinweis": view.slip,
        "typisch": [text["title"] for text in view.mistakes],
    }


def _consequences(report: Report, rebuilt: Rebuilt) -> list[dict[str, Any]]:
    """For each cell that costs something, the written cells that change with it."""
    written = {(cell.entry.name, cell.index) for cell in report.cells if not cell.problem}
    sources = [cell for cell in report.cells if cell.charged][:_MOST_SOURCES]
    found = []
    for cell in sources:
        own = (cell.entry.name, cell.index)
        assert cell.entry.value is not None, "what is charged could be read"
        changed = follows_from(rebuilt.calculation, own, cell.entry.value) & written
        found.append({"von": own, "zu": sorted(changed)})
    return found


def _mistakes(report: Report) -> list[dict[str, Any]]:
    texts = mistake_texts()
    return [
        {
            "titel": [texts[id_]["title"] for id_ in finding.ids],
            "hilfe": texts[finding.ids[0]]["help"],
            "zuerst": finding.first,
            "anzahl": len(finding.cells),
        }
        for finding in report.findings
    ]


def _points(marks: Marks) -> dict[str, Any]:
    low, high = marks.grades
    return {
        "erreicht": marks.given,
        "von": marks.points,
        "offen": marks.open,
        "note": low,
        "note_bis": high,
        "aufgaben": [
            {
                "station": mark.exercise.station,
                "nummer": mark.exercise.number,
                "von": mark.exercise.points,
                "erreicht": mark.given,
                "offen": mark.open,
                "gefragt": mark.asked,
                "ausgefuellt": mark.filled,
            }
            for mark in marks.exercises
        ],
    }
