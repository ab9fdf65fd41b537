"""A checked cell in German: what it is called, what was written, which slip or mistake explains it."""

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache, cached_property
from typing import Any, Final

from engine.trace import CellAddress
from generator.basics.cell_names import cell_title, place_title
from generator.basics.errors import how_many, shortened
from generator.basics.fonts import font_css
from generator.basics.numbers import DecimalSign, NumberFormat, counted
from generator.basics.reading import text_of
from generator.basics.templates import environment
from generator.calculation.contents import Exercise
from generator.calculation.rebuild import Rebuilt
from generator.check.check import ACCEPTED, FOLLOWS, RIGHT, UNREADABLE, WRONG, CheckedCell, Report
from generator.check.entries import follows_from
from generator.check.marks import Mark, Marks, grade_of, marks_of

VERDICT_MARKS: Final = {RIGHT: "✓", ACCEPTED: "(✓)", FOLLOWS: "FF", WRONG: "✗", UNREADABLE: "?"}
_POWER: Final = re.compile(r"\b(e|10)\^x")


@cache
def mistake_texts() -> dict[str, dict[str, str]]:
    """Title, short title, sentence for teachers and advice of each typical mistake, by its id."""
    texts = tomllib.loads(text_of("check/mistakes.toml"))
    return {**texts["forward"], **texts["learning"]}


@dataclass(frozen=True)
class CellView:
    """One cell in words: its title and place, what was written, what is right, from where, what slip."""

    title: str
    place: str
    verdict: str
    mark: str
    written: str
    expected: str
    low: str
    high: str
    follows: str
    charged: bool
    mistakes: tuple[Mapping[str, str], ...]
    slip: str


class CellsInWords:
    """The cells of a report, for the templates."""

    def __init__(self, report: Report, rebuilt: Rebuilt) -> None:
        self.report = report
        self.rebuilt = rebuilt
        self.model = report.words
        self.sign: DecimalSign = "punkt" if rebuilt.options.get("dezimalzeichen") == "punkt" else "komma"
        self.format = NumberFormat(self.sign)

    @property
    def known(self) -> list[CheckedCell]:
        """Every cell of the sheet that holds something."""
        return [cell for cell in self.report.cells if not cell.problem or cell.problem == "number"]

    def cell(self, cell: CheckedCell) -> CellView:
        name, index = cell.entry.name, cell.index
        quantity = self.report.calculation[name]
        places = quantity.places or 0

        def text(value: float | None) -> str:
            return "" if value is None else self.format.text(value, places)

        low, high = cell.accepted or (None, None)
        written = shortened(cell.entry.text)
        if (value := cell.entry.value) is not None:
            given = max(0, -int(value.normalize().as_tuple().exponent))
            written = self.format.text(value, max(places, min(given, 12)))
        return CellView(
            title=cell_title(quantity, index, self.model, self.sign),
            place=place_title(quantity, index, self.model),
            verdict=cell.verdict,
            mark=VERDICT_MARKS[cell.verdict],
            written=written,
            expected=text(cell.expected),
            low=text(low),
            high=text(high),
            follows=text(cell.follows),
            charged=cell.charged,
            mistakes=tuple(mistake_texts()[i] for i in (cell.mistake or "").split("|") if i),
            slip=slip_in_words(slip_of(cell, places), places),
        )


def cell_views(report: Report, rebuilt: Rebuilt) -> list[tuple[CheckedCell, CellView]]:
    """Every cell of the sheet that holds something, and the same in words."""
    words = CellsInWords(report, rebuilt)
    return [(cell, words.cell(cell)) for cell in words.known]


# --- A wrong number that would be right but for a slip of the pen: sign, decimal point, two digits, places.
#
# It is only named; it costs what any wrong number costs.


PLACES: Final = "places"


def slip_of(cell: CheckedCell, places: int) -> str:
    """Which slip makes of the key's number, or of what follows from own ones, what is written; or ""."""
    value = cell.entry.value
    if cell.verdict != WRONG or value is None:
        return ""
    rights = {counted(Decimal(repr(each)), places) for each in (cell.expected, cell.follows) if each}
    slips = (name for name, makes in _SLIPS.items() if any(makes(value, right, places) for right in rights))
    return next(slips, "")


def slip_in_words(slip: str, places: int) -> str:
    """The German sentence on a slip; "" for none."""
    said = "place" if slip == PLACES and places == 1 else slip
    return _slip_words()[said].format(places=places) if slip else ""


def _digits(value: Decimal, right: Decimal, places: int) -> bool:
    """Whether two neighbouring digits have changed places."""
    said = str(abs(right).scaleb(places).to_integral_value()).zfill(places + 1)
    swapped = (said[:i] + said[i + 1] + said[i] + said[i + 2 :] for i in range(len(said) - 1))
    return any(value == Decimal(each).scaleb(-places).copy_sign(right) for each in swapped)


def _places(value: Decimal, right: Decimal, places: int) -> bool:
    """Whether it was rounded too early."""
    written = max(0, -int(value.as_tuple().exponent))
    return written < places and counted(right, written) == value


_SLIPS: Final[dict[str, Callable[[Decimal, Decimal, int], bool]]] = {
    PLACES: _places,
    "sign": lambda value, right, places: value == -right,
    "point": lambda value, right, places: value in (right * 10, right / 10),
    "digits": _digits,
}


@cache
def _slip_words() -> dict[str, str]:
    words: dict[str, str] = tomllib.loads(text_of("check/mistakes.toml"))["slips"]
    return words


# --- Pages of reports


def as_page(html: str) -> str:
    """html: a page with an empty <style>; with our type, and with signs set as on the sheet."""
    set_ = _POWER.sub(r"\1<sup>x</sup>", html)
    rules = f"<style>\n{font_css('screen', set_)}\n{text_of('check/report.css')}</style>"
    return set_.replace("<style></style>", rules, 1)


# --- What a pupil is told of a paper, in the pupil's words and on one page: what is right, what comes next.


@dataclass(frozen=True)
class MarkedPaper:
    """What one pupil handed in, judged; label: the number of the sheet or the name of the file.

    by_hand: points that only a person can give, by station and number of the exercise. sheet: its short name.
    """

    label: str
    name: str
    rebuilt: Rebuilt
    report: Report
    by_hand: Mapping[tuple[str, int], int] = field(default_factory=dict)
    sheet: str = ""

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


def feedback(papers: Sequence[MarkedPaper], date: str) -> str:
    """A page to print: for each pupil one."""
    told = [_feedback(paper) for paper in papers]
    return as_page(environment("check").get_template("feedback.html.j2").render(pupils=told, date=date))


def task_title(cell: CellAddress, exercises: Sequence[Exercise]) -> str:
    """„Station 4a, Aufgabe 3“; "" where no exercise asks for the cell."""
    found = next((each for each in exercises if cell in each.cells), None)
    return f"Station {found.station}, Aufgabe {found.number}" if found else ""


def _feedback(paper: MarkedPaper) -> dict[str, Any]:
    exercises, marks = paper.rebuilt.exercises, paper.marks
    views = cell_views(paper.report, paper.rebuilt)
    slip = next(((cell, view) for cell, view in views if cell.charged), None)
    after = [cell for cell, _ in views[views.index(slip) + 1 :]] if slip else []
    right = {cell for cell in after if cell.verdict in (RIGHT, ACCEPTED)}
    follows = [cell for cell in after if cell.verdict == FOLLOWS]
    others = [each for each in views if slip and each[0].charged and each[0] is not slip[0]]
    mistakes = slip[1].mistakes if slip else ()
    return {
        "name": paper.name,
        "sheet": paper.sheet,
        "sentence": paper.rebuilt.sentence,
        "given": paper.given,
        "points": marks.points,
        "open": paper.open,
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
        _task(m) if not m.filled else f"{how_many(n, 'Feld', 'Felder')} in {_task(m)}"
        for m, n in missing
        if n
    ]


def _moved_by(slip: CheckedCell, cells: Sequence[CheckedCell], rebuilt: Rebuilt) -> set[CheckedCell]:
    """The cells whose right number depends on the slip."""
    assert slip.entry.value is not None, "what is charged could be read"
    changed = follows_from(rebuilt.calculation, (slip.entry.name, slip.index), slip.entry.value)
    return {cell for cell in cells if (cell.entry.name, cell.index) in changed}


def _where(found: tuple[CheckedCell, CellView], exercises: Sequence[Exercise]) -> str:
    cell, view = found
    task = task_title((cell.entry.name, cell.index), exercises)
    return f"{task}: {view.title}" if task else view.title
