"""A sheet and what pupils wrote go in; the exercises to show them, verdicts, the class result come out.

For worker processes. What is right says `check`, what a class did says `production.marking`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.forward.calculation import Calculation
from engine.trace import Quantity
from generator.basics.cell_names import SheetWords, cell_title
from generator.basics.errors import UserError
from generator.basics.numbers import NumberFormat
from generator.calculation.rebuild import Rebuilt
from generator.check.answers import Answers
from generator.check.check import CheckedCell, Report, check
from generator.check.in_words import PLACES, MarkedPaper, mistake_texts, slip_in_words, slip_of
from generator.check.marks import marks_of
from generator.options.sheet_code import short_mark
from generator.output.blocks import text
from generator.output.formulas.typeset import Typesetter
from generator.output.html import Html
from generator.page.lesson.opened import FORM
from generator.page.reviewing import Opened, entries_of, on_screen, opened_sheet, rebuilt_sheet
from generator.production.marking import as_csv, as_html
from generator.sheet.record import Exercise, RecordedStation
from generator.sheet.sheet import CellContent, Number, Words
from generator.stations.make_sheet import sentence_shown
from generator.stations.next_word import NO_SUM

_LONGEST: Final = 40
_EMPTY: Final[tuple[Any, ...]] = ([], [{}], [{"text": NO_SUM.text}])


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
    options = sheet.built.options
    facts = {"satz": sentence_shown(options), "blatt": short_mark(options)}  # as they stand on the paper
    return facts | {"felder": len(known), "fassung": FORM, "stationen": stations}


def _station(sheet: Opened, station: RecordedStation, known: set[tuple[str, str]]) -> dict[str, Any]:
    tasks = [_exercise(sheet, exercise, known) for exercise in station.exercises]
    return {"id": station.id, "titel": station.title, "aufgaben": [task for task in tasks if task["felder"]]}


def _exercise(sheet: Opened, exercise: Exercise, known: set[tuple[str, str]]) -> dict[str, Any]:
    """Each cell once, where it is asked for first; what is only copied is not asked for again."""
    calculation = sheet.rebuilt.calculation
    shown = Html(sheet.document.page.objects, Typesetter("screen"))
    fields = []
    for number in exercise.numbers:
        cell = (number.name, ",".join(map(str, number.index)))
        if number.copied or number.name not in calculation.hand or cell in known:
            continue
        known.add(cell)
        title = _title(calculation[number.name], number.index, sheet.rebuilt.words)
        fields.append({"name": cell[0], "stelle": cell[1], "titel": title, "kurz": _short(title)})
    return {
        "nummer": exercise.task.number,
        "be": exercise.task.points,
        "text": shown.markup(exercise.wording),
        "felder": fields,
        **_tables(exercise, {(each["name"], each["stelle"]): i for i, each in enumerate(fields)}, shown),
    }


def _title(quantity: Quantity, index: tuple[int, ...], words: SheetWords) -> str:
    return on_screen(cell_title(quantity, index, words))


def _short(title: str) -> str:
    """Without what its exercise says already: „Gewicht „Katze“ zu „Die““ of „Head 1, …“."""
    return title.split(", ", 1)[-1] if "„" not in title.partition(", ")[0] else title


def _tables(exercise: Exercise, places: Mapping[tuple[str, str], int], shown: Html) -> dict[str, Any]:
    """The tables of the paper, with the places of the fields in them; and the fields that stand in none.

    Of what is printed only given numbers and words; columns with nothing beside a field are left out.
    """
    tables: list[dict[str, Any]] = []
    left = dict(places)
    for grid in exercise.grids:
        rows = [(row.head, [_cell(cell, left) for cell in row.cells]) for row in grid.table.rows]
        wide = max((len(cells) for _, cells in rows), default=0)
        asked = [cells for _, cells in rows if any("feld" in cell for cell in cells)]
        used = [i for i in range(wide) if any(cells[i : i + 1] not in _EMPTY for cells in asked)]
        if not used:
            continue
        tables.append(
            {
                "kopf": [
                    shown.heading(head)
                    for place, head in enumerate(grid.heads)
                    if not place or place - 1 in used
                ],
                "zeilen": [
                    {
                        "kopf": shown.heading(text(head)),
                        "zellen": [cells[i] if i < len(cells) else {} for i in used],
                    }
                    for head, cells in rows
                ],
            }
        )
    return {"tabellen": tables, "lose": list(left.values())}


def _cell(cell: CellContent, left: dict[tuple[str, str], int]) -> dict[str, Any]:
    """What stands in a cell: a field, each once, or what is given."""
    if isinstance(cell, Number) and cell.blank:
        place = left.pop((cell.name, ",".join(map(str, cell.index))), None)
        return {} if place is None else {"feld": place}
    return {"text": cell.text} if isinstance(cell, Number | Words) and cell.text else {}


def judged(papers: Mapping[str, tuple[Mapping[str, str], Any]], named: bool) -> dict[str, Any]:
    """Verdicts and points by the pupil's name. papers: source of the sheet, [name, index, text] of each cell.

    named: with typical mistakes and hints, which takes several times as long.
    """
    return {pupil: _verdicts(*_judged(source, written, named)) for pupil, (source, written) in papers.items()}


def _judged(source: Mapping[str, str], written: Any, named: bool = True) -> tuple[Rebuilt, Report]:
    sheet = rebuilt_sheet(source)
    return sheet, check(sheet, Answers(tuple(entries_of(written)), 0), named=named)


def _verdicts(sheet: Rebuilt, report: Report) -> dict[str, Any]:
    texts = mistake_texts()
    marks = marks_of(report, sheet.exercises)
    return {
        "zellen": [
            {
                "name": cell.entry.name,
                "stelle": ",".join(map(str, cell.index)),
                "urteil": cell.verdict,
                "kostet": cell.charged,
                "hilfe": texts[cell.mistake.split("|")[0]]["help"] if cell.mistake else "",
                **_slip(cell, sheet.calculation),
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


def _slip(cell: CheckedCell, calculation: Calculation) -> dict[str, str]:
    """What is said of a slip of the pen; how many places are meant, everybody may hear."""
    known = cell.entry.name in calculation.hand
    places = (calculation[cell.entry.name].places or 0) if known else 0
    slip = slip_of(cell, places)
    said = slip_in_words(slip, places)
    return {"stellen": said, "hinweis": ""} if slip == PLACES else {"stellen": "", "hinweis": said}


def solution(source: Mapping[str, str], station: str, number: int) -> list[list[str]]:
    """What is right in an exercise's cells, each with its title: for all to see when the teacher shows it."""
    rebuilt = rebuilt_sheet(source)
    cells = (
        cell for e in rebuilt.exercises if (e.station, e.number) == (station, number) for cell in e.cells
    )
    known = [cell for cell in cells if cell[0] in rebuilt.calculation.hand]
    quantities = {name: rebuilt.calculation[name] for name, _ in known}
    return [
        [
            _short(_title(quantities[name], index, rebuilt.words)),
            NumberFormat().text(float(quantities[name].values[index]), quantities[name].places),
        ]
        for name, index in known
    ]


def class_result(papers: Sequence[tuple[str, str, Mapping[str, str], Any]]) -> dict[str, str]:
    """The result of `pruefe` over a class, as a page and a table. UserError where nobody wrote anything.

    papers: number of the sheet, name of the pupil, source of the sheet, [name, index, text] of each cell.
    """
    handed = [paper for paper in papers if paper[-1]]
    found = [
        MarkedPaper(number, pupil, *_judged(source, written)) for number, pupil, source, written in handed
    ]
    if not found:
        raise UserError("In dieser Stunde hat noch niemand etwas eingetragen.")
    return {"html": as_html(found, (), "Tier"), "csv": as_csv(found, "Tier")}
