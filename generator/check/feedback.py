"""What a pupil is told of a paper, in the pupil's words and on one page: what is right, what comes next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.trace import CellAddress
from generator.basics.errors import shortened
from generator.basics.templates import environment
from generator.calculation.contents import Exercise
from generator.calculation.rebuild import Rebuilt
from generator.check.check import ACCEPTED, FOLLOWS, RIGHT, WRONG, CheckedCell, Report
from generator.check.in_words import CellView, as_page, cell_views
from generator.check.marks import Mark, Marks, marks_of
from generator.check.own_numbers import follows_from


@dataclass(frozen=True)
class Judged:
    """A paper with its verdicts.

    sheet: its short name. by_hand: points that a person has given, by station and number of the exercise.
    """

    name: str
    rebuilt: Rebuilt
    report: Report
    sheet: str = ""
    by_hand: Mapping[tuple[str, int], int] = field(default_factory=dict)


def feedback(papers: Sequence[Judged], date: str) -> str:
    """A page to print: for each pupil one."""
    told = [_told(paper) for paper in papers]
    html = environment("check").get_template("feedback.html.j2").render(pupils=told, date=date)
    return as_page(html)


def task_title(cell: CellAddress, exercises: Sequence[Exercise]) -> str:
    """„Station 4a, Aufgabe 3“; "" where no exercise asks for the cell."""
    found = next((each for each in exercises if cell in each.cells), None)
    return f"Station {found.station}, Aufgabe {found.number}" if found else ""


def _told(paper: Judged) -> dict[str, Any]:
    exercises = paper.rebuilt.exercises
    views = cell_views(paper.report, paper.rebuilt)
    marks = marks_of(paper.report, exercises)
    slip = next(((cell, view) for cell, view in views if cell.charged), None)
    after = [cell for cell, _ in views[views.index(slip) + 1 :]] if slip else []
    right = {cell for cell in after if cell.verdict in (RIGHT, ACCEPTED)}
    follows = [cell for cell in after if cell.verdict == FOLLOWS]
    others = [each for each in views if slip and each[0].charged and each[0] is not slip[0]]
    mistakes = slip[1].mistakes if slip else ()
    given = marks.given + sum(paper.by_hand.values())
    still_open = sum(
        m.open for m in marks.exercises if (m.exercise.station, m.exercise.number) not in paper.by_hand
    )
    return {
        "name": paper.name,
        "sheet": paper.sheet,
        "sentence": paper.rebuilt.sentence,
        "given": given,
        "points": marks.points,
        "open": still_open,
        "count": len(views),
        "right": sum(cell.verdict not in (WRONG, "unlesbar") for cell, _ in views),
        "unread": [_where(each, exercises) for each in views if each[0].verdict == "unlesbar"],
        "whole": [_task(mark) for mark in marks.exercises if _is_whole(mark)],
        "slip": slip[1] if slip else None,
        "own": shortened(slip[0].entry.text) if slip else "",
        "where": _where(slip, exercises) if slip else "",
        "mistake": mistakes[0] if mistakes else None,
        "others": [text["title"] for text in mistakes[1:]],
        "follows": len(follows),
        "unmoved": len(right & _moved_by(slip[0], after, paper.rebuilt)) if slip else 0,
        "more": [_where(each, exercises) for each in others],
        "empty": _empty(marks),
    }


def _task(mark: Mark) -> str:
    return f"Station {mark.exercise.station}, Aufgabe {mark.exercise.number}"


def _is_whole(mark: Mark) -> bool:
    """Whether every blank of an exercise is filled and right."""
    return 0 < mark.asked == mark.filled and not mark.charged and not mark.open


def _empty(marks: Marks) -> list[str]:
    """What is empty, of those stations where something is filled in: a whole exercise or so many blanks."""
    worked = {mark.exercise.station for mark in marks.exercises if mark.filled}
    missing = [(m, m.asked - m.filled) for m in marks.exercises if m.exercise.station in worked]
    return [
        _task(m) if not m.filled else f"{n} {'Feld' if n == 1 else 'Felder'} in {_task(m)}"
        for m, n in missing
        if n
    ]


def _moved_by(slip: CheckedCell, cells: Sequence[CheckedCell], rebuilt: Rebuilt) -> set[CheckedCell]:
    """Those of the cells that depend on the slip."""
    assert slip.entry.value is not None, "what is charged could be read"
    changed = follows_from(rebuilt.calculation, (slip.entry.name, slip.index), slip.entry.value)
    return {cell for cell in cells if (cell.entry.name, cell.index) in changed}


def _where(found: tuple[CheckedCell, CellView], exercises: Sequence[Exercise]) -> str:
    cell, view = found
    task = task_title((cell.entry.name, cell.index), exercises)
    return f"{task}: {view.title}" if task else view.title
