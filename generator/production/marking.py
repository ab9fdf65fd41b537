"""The answers of a class, each judged against its own sheet: points, grades and what to talk about.

For `pruefe` and for the page.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from generator.basics.cell_names import cell_title
from generator.basics.errors import UserError, quoted
from generator.basics.fonts import folder
from generator.basics.reading import is_folder, is_there, read_bytes
from generator.calculation.rebuild import Rebuilt, read_document
from generator.check.answers import Answers, answers_in, decoded, from_csv, read_answers
from generator.check.check import ACCEPTED, FOLLOWS, RIGHT, UNREADABLE, WRONG, Report, check
from generator.check.feedback import task_title
from generator.check.form_answers import is_pdf
from generator.check.marks import Marks, grade_of, marks_of
from generator.check.report import mistake_texts, unread_entries
from generator.check.report_page import as_page
from generator.production.class_set import CALCULATIONS, MANIFEST

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


@dataclass(frozen=True)
class Bar:
    """One bar of a chart: what it stands for, what is written beside it, its length in percent."""

    title: str
    text: str
    length: int


def as_html(papers: Sequence[Paper], unread: Sequence[str], person: str = "Name") -> str:
    """A page for the teacher: every pupil's points and grade, mistakes, stations, answers to talk about."""
    rows = [(paper, paper.report.summary()) for paper in papers]
    return as_page(
        _environment()
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
        )
    )


def _mistakes(papers: Sequence[Paper]) -> list[Bar]:
    count = Counter(title for paper in papers for title in set(paper.mistakes))
    return _bars([(title, number) for title, number in count.most_common()], len(papers))


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
        model = paper.report.named
        for cell in paper.report.cells:
            if cell.charged:
                quantity = paper.report.calculation[cell.entry.name]
                task = task_title((cell.entry.name, cell.index), paper.rebuilt.exercises)
                title = cell_title(quantity, cell.index, model)
                count[f"{task}: {title}" if task else title] += 1
    return _bars(count.most_common(_MOST_PLACES), len(papers))


def _bars(counted: Sequence[tuple[str, int]], of: int) -> list[Bar]:
    return [Bar(title, f"{number} von {of}", round(100 * number / of)) for title, number in counted]


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(folder().parent / "classes"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


_LARGEST: Final = 64_000_000
_LABELS: Final = ("code", "blatt", "blattcode", "nummer", "nr", "nr.")
_ENDINGS: Final = (".csv", ".json", ".txt", ".tsv", ".pdf")
Source = Callable[[str], tuple[str, str, Rebuilt]]
"""The label of a paper -> how to call it, the pupil's name, the calculation. LookupError if there is none."""
Handed = tuple[str, str, Callable[[Mapping[str, int]], Answers]]
"""Label of a paper, where it stands, and what reads its answers."""


@dataclass(frozen=True)
class Papers:
    """What could be judged, and a sentence for every file of which something could not."""

    papers: tuple[Paper, ...]
    unread: tuple[str, ...]


def is_manifest(path: Path) -> bool:
    """Whether this is a class set's folder or its manifest."""
    return path.name == MANIFEST or (is_folder(path) and is_there(path / MANIFEST))


def of_manifest(path: Path) -> Source:
    """Papers by number, name of the sheet or code, as the manifest of a class set has them."""
    file = path / MANIFEST if is_folder(path) else path
    try:
        contents = json.loads(read_bytes(file, "Der Klassensatz", _LARGEST))
        known: dict[str, dict[str, Any]] = {}
        for each in contents["varianten"]:
            for label in (int(each["nummer"]), each["blatt"], each["code"]):
                known[str(label).upper()] = {"nummer": int(each["nummer"]), "name": str(each["name"])}
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise UserError(f"{quoted(file)} ist kein vollständiger Klassensatz; bitte neu machen.") from error

    def source(label: str) -> tuple[str, str, Rebuilt]:
        plain = re.sub(r"[\s–-]", "", label).upper()
        first = re.split(r"[\s_–-]", label.strip())[0].upper()
        found = next((known[key] for key in (plain, first, first.lstrip("0")) if key in known), None)
        if found is None:
            raise LookupError
        number = str(found["nummer"])
        return number, found["name"], read_document(file.parent / CALCULATIONS / f"{number}.json")

    return source


def read_papers(source: Source, answers: Path) -> Papers:
    """Judges every file of a folder, or every code of one CSV file."""
    if is_folder(answers):
        handed = _in_folder(answers)
    else:
        handed = _in_table(read_bytes(answers, "Die Antwortdatei", _LARGEST), quoted(answers.name))
    return _judged(source, handed, quoted(answers))


def read_files(source: Source, files: Sequence[tuple[str, bytes]]) -> Papers:
    """The same for files that came without a folder: (name, content) of each."""
    if len(files) == 1 and not is_pdf(files[0][1]) and _label_column(decoded(files[0][1])) is not None:
        return _judged(source, _in_table(files[0][1], quoted(files[0][0])), "der Datei")
    handed: list[Handed] = []
    for name, content in sorted(files):
        if Path(name).suffix.lower() in _ENDINGS:
            handed.append((Path(name).stem, quoted(name), partial(answers_in, content, quoted(name))))
    return _judged(source, handed, "diesen Dateien")


def _judged(source: Source, handed: Iterable[Handed], title: str) -> Papers:
    papers: list[Paper] = []
    unread: list[str] = []
    for label, where, read in handed:
        try:
            number, name, rebuilt = source(label)
            report = check(rebuilt, read(rebuilt.axes))
        except LookupError:
            unread.append(f"{where}: Zu {quoted(label)} gibt es in diesem Klassensatz kein Blatt.")
        except UserError as error:
            unread.append(str(error) if where in str(error) else f"{where}: {error}")
        else:
            papers.append(Paper(number, name, rebuilt, report))
            if told := unread_entries(report, rebuilt):
                unread.append(f"{where}: {' '.join(told)}")
    if not papers:
        raise UserError(f"In {title} ließ sich keine Arbeit prüfen. {' '.join(unread[:1])}".rstrip())
    return Papers(tuple(sorted(papers, key=_order)), tuple(unread))


def _order(paper: Paper) -> tuple[int, str]:
    return (int(paper.label), "") if paper.label.isdigit() else (0, paper.label)


def _in_folder(path: Path) -> Iterator[Handed]:
    for file in sorted(path.iterdir()):
        if file.suffix.lower() in _ENDINGS and not file.name.startswith("."):
            yield file.stem, quoted(file.name), partial(read_answers, file)


def _in_table(content: bytes, title: str) -> Iterator[Handed]:
    """One table for a whole class: lines of one label belong together. UserError without such a column."""
    text = decoded(content)
    column = _label_column(text)
    if column is None:
        raise UserError(
            f"Die Antwortdatei {title} braucht für eine Klasse eine Spalte „Code“ oder „Nummer“; "
            "möglich ist auch ein Ordner mit einer Datei je Person."
        )
    rows = _rows(text)
    lines: dict[str, list[list[str]]] = {}
    for row in rows[1:]:
        label = row[column].strip() if column < len(row) else ""
        lines.setdefault(label, []).append(row[:column] + row[column + 1 :])
    head = rows[0][:column] + rows[0][column + 1 :]
    for label, own in lines.items():
        said = io.StringIO()
        csv.writer(said, delimiter=";").writerows([head, *own])
        yield label, title, partial(from_csv, said.getvalue(), title="der Klasse")


def _label_column(text: str) -> int | None:
    rows = _rows(text.partition("\n")[0])
    heads = [head.strip().lower() for head in rows[0]] if rows else []
    return next((heads.index(label) for label in _LABELS if label in heads), None)


def _rows(text: str) -> list[list[str]]:
    first = text.partition("\n")[0]
    separator = ";" if ";" in first else "\t" if "\t" in first else ","
    return [row for row in csv.reader(io.StringIO(text), delimiter=separator) if any(map(str.strip, row))]
