"""The answers of a class, each judged against its own sheet: points, grades and what to talk about.

For `pruefe` and for the page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from generator.basics.cell_names import cell_title
from generator.basics.reading import environment
from generator.calculation.rebuild import Rebuilt
from generator.check.check import ACCEPTED, FOLLOWS, RIGHT, UNREADABLE, WRONG, Report
from generator.check.in_words import as_page, mistake_texts, task_title
from generator.check.marks import Marks, grade_of, marks_of

_MOST_PLACES = 12


@dataclass(frozen=True)
class Paper:
    """What one pupil handed in, judged; label: the number of the sheet or the name of the file.

    by_hand: points that only a person can give, by station and number of the exercise.
    """

    label: str
    name: str
    rebuilt: Rebuilt
    report: Report
    by_hand: Mapping[tuple[str, int], int] = field(default_factory=dict)

    @cached_property
    def marks(self) -> Marks:
        return marks_of(self.report, self.rebuilt.exercises)

    @property
    def given(self) -> int:
        return self.marks.given + sum(self.by_hand.values())

    @property
    def open(self) -> int:
        """Points that nobody has decided about yet."""
        decided = self.by_hand.keys()
        return sum(
            m.open for m in self.marks.exercises if (m.exercise.station, m.exercise.number) not in decided
        )

    @property
    def grades(self) -> tuple[int, int]:
        """The grade of what is given, and with all open points."""
        points = self.marks.points
        return grade_of(self.given, points), grade_of(self.given + self.open, points)

    @property
    def mistakes(self) -> list[str]:
        """Titles of the typical mistakes found."""
        return [" oder ".join(mistake_texts()[i]["title"] for i in f.ids) for f in self.report.findings]


def as_csv(papers: Sequence[Paper], person: str = "Name") -> str:
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


class Bar(NamedTuple):
    """One bar of a chart: what it stands for, what is written beside it, its length in percent."""

    title: str
    text: str
    length: int


def as_html(papers: Sequence[Paper], unread: Sequence[str], person: str = "Name") -> str:
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


def _mistakes(papers: Sequence[Paper]) -> list[Bar]:
    count = Counter(title for paper in papers for title in set(paper.mistakes))
    return _bars(count.most_common(), len(papers))


def _stations(papers: Sequence[Paper]) -> list[Bar]:
    """The share of points reached, of those who worked there; the hardest first."""
    reached: dict[str, list[float]] = {}
    for paper in papers:
        for station, marks in paper.marks.by_station().items():
            given, possible = marks.in_worked
            if possible > 0:
                reached.setdefault(station, []).append(given / possible)
    shares = sorted((sum(each) / len(each), station) for station, each in reached.items())
    return [Bar(f"Station {s}", f"{100 * share:.0f} % der BE", round(100 * share)) for share, s in shares]


def _places(papers: Sequence[Paper]) -> list[Bar]:
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


def _bars(counted: Sequence[tuple[str, int]], of: int) -> list[Bar]:
    return [Bar(title, f"{number} von {of}", round(100 * number / of)) for title, number in counted]
