"""The answers of a class, each judged against its own sheet: points, grades and what to talk about.

For `pruefe` and for the page.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from generator.basics.cell_names import cell_title
from generator.basics.templates import environment
from generator.check.check import ACCEPTED, FOLLOWS, RIGHT, UNREADABLE, WRONG
from generator.check.in_words import MarkedPaper, as_page, task_title

_MOST_PLACES = 12


def as_csv(papers: Sequence[MarkedPaper], person: str = "Name") -> str:
    """One line for each pupil, as a German spreadsheet opens it; no cell begins a formula.

    person: what a pupil is called by.
    """
    heads = ["Blatt", person, "BE", "offen", "von", "Prozent", "Notenpunkte", "Notenpunkte höchstens"]
    heads += [RIGHT, ACCEPTED, FOLLOWS, WRONG, UNREADABLE, "Fehler", "typische Fehler"]
    lines: list[list[object]] = [[*heads]]
    for paper in papers:
        points, counts = paper.marks.points, paper.report.summary()
        share = f"{100 * paper.given / points:.1f}".replace(".", ",") if points else ""
        lines.append(
            [
                *(paper.label, paper.name, paper.given, paper.open, points, share, *paper.grades),
                *(counts[verdict] for verdict in (RIGHT, ACCEPTED, FOLLOWS, WRONG, UNREADABLE)),
                *(paper.report.charges(), "; ".join(paper.mistakes)),
            ]
        )
    return "\ufeff" + "".join(";".join(map(_cell, line)) + "\r\n" for line in lines)


def _cell(value: object) -> str:
    text = str(value)
    if text[:1] in ("=", "+", "-", "@", "\t", "\r"):
        text = "'" + text
    return '"' + text.replace('"', '""') + '"' if any(sign in text for sign in ';"\r\n') else text


class ResultBar(NamedTuple):
    """One bar of a chart: what it stands for, what is written beside it, its length in percent."""

    title: str
    text: str
    length: int


def as_html(papers: Sequence[MarkedPaper], unread: Sequence[str], person: str = "Name") -> str:
    """A page for the teacher: every pupil's points and grade, mistakes, stations, answers to talk about."""
    rows = [(paper, paper.report.summary()) for paper in papers]
    marks = [mark for paper in papers for mark in paper.marks.exercises]
    return as_page(
        environment("classes")
        .get_template("class_report.html.j2")
        .render(
            title=f"Ergebnis der Klasse: „{papers[0].rebuilt.sentence}“",
            rows=rows,
            person=person,
            numbered=any(paper.label for paper in papers),
            mistakes=_mistakes(papers),
            stations=_stations(papers),
            places=_places(papers),
            unread=unread,
            asked=sum(mark.asked for mark in marks),
            empty=sum(mark.asked - mark.filled for mark in marks),
        )
    )


def _mistakes(papers: Sequence[MarkedPaper]) -> list[ResultBar]:
    count = Counter(title for paper in papers for title in set(paper.mistakes))
    return _bars(count.most_common(), len(papers))


def _stations(papers: Sequence[MarkedPaper]) -> list[ResultBar]:
    """The share of points reached, of those who worked there; the hardest first."""
    reached: dict[str, list[float]] = {}
    for paper in papers:
        for station, marks in paper.marks.by_station().items():
            given, possible = marks.in_worked
            if possible > 0:
                reached.setdefault(station, []).append(given / possible)
    shares = sorted((sum(each) / len(each), station) for station, each in reached.items())
    return [
        ResultBar(f"Station {s}", f"{100 * share:.0f} % der BE", round(100 * share)) for share, s in shares
    ]


def _places(papers: Sequence[MarkedPaper]) -> list[ResultBar]:
    """The cells where most went wrong by themselves: answers to talk about."""
    count: Counter[str] = Counter()
    for paper in papers:
        model = paper.report.words
        for cell in paper.report.cells:
            if cell.charged:
                quantity = paper.report.calculation[cell.entry.name]
                task = task_title((cell.entry.name, cell.index), paper.rebuilt.exercises)
                title = cell_title(quantity, cell.index, model)
                count[f"{task}: {title}" if task else title] += 1
    return _bars(count.most_common(_MOST_PLACES), len(papers))


def _bars(counted: Sequence[tuple[str, int]], of: int) -> list[ResultBar]:
    return [ResultBar(title, f"{number} von {of}", round(100 * number / of)) for title, number in counted]
