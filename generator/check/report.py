"""What a colleague would write about a check's result, as text, Markdown or HTML."""

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cache, cached_property
from typing import Any, Final, Literal

import numpy as np
from jinja2 import Environment

from engine.judging.diagnosis import Finding
from engine.trace import place_of
from generator.basics.cell_names import cell_title, place_part, quantity_title
from generator.basics.errors import harmless, shortened
from generator.basics.templates import environment
from generator.calculation.rebuild import Rebuilt
from generator.check.check import ACCEPTED, FOLLOWS, RIGHT, UNREADABLE, WRONG, CheckedCell, Report
from generator.check.entries import why_unread
from generator.check.in_words import VERDICT_MARKS, CellsInWords, CellView, as_page, mistake_texts
from generator.check.marks import marks_of
from generator.sheet.fields import IN_WORDS, LONGEST_ANSWER

Form = Literal["txt", "md", "html"]
_MOST_LISTED: Final = 20
_FEW: Final = 3  # entries of a paper that are named among those of a class
_MARKDOWN_SIGNS = re.compile(r"([\\`*_{}\[\]()<>#+!|~&$])")


def write_report(report: Report, rebuilt: Rebuilt, form: Form, with_grade: bool = False) -> str:
    """The whole report in one of the forms; everything that a user wrote is escaped.

    with_grade: also the grade that the points give, where the calculation knows the sheet's exercises.
    """
    views = _Views(report, rebuilt).all() | {"with_grade": with_grade}
    written = _environment(form).get_template(f"report.{form}.j2").render(views)
    return as_page(written) if form == "html" else written


def unread_entries(report: Report, rebuilt: Rebuilt) -> list[str]:
    """A sentence for each entry that could not be judged: where it stands, and why; of many the first."""
    views = _Views(report, rebuilt)
    found = views.problems()
    words: Any = _environment("txt").get_template("words.j2").module
    told = [str(words.problem(views.problem(cell) | {"count": count})) for cell, count in found[:_FEW]]
    more = sum(count for _, count in found[_FEW:])
    return [*told, f"… und {more} weitere."] if more else told


class _Views(CellsInWords):
    """The report in words, for the templates."""

    def all(self) -> dict[str, Any]:
        exercises = self.rebuilt.exercises
        counts = self.report.summary()
        problems = self.problems()
        uncompared = sum(map(self.left_to_teacher, self.report.cells))
        marks = marks_of(self.report, exercises) if exercises else None
        first = self.report.first_wrong()
        known = self.known
        after = known[known.index(first) + 1 :] if first else []
        fresh = [cell for cell in after if cell.verdict == WRONG]
        views = {id(cell): self.cell(cell) for cell in known}
        own_start = next((c for c in fresh if first and c.entry.name != first.entry.name), None)
        tables = self.tables(known, views)
        written = {(cell.entry.name, cell.index) for cell in known}
        gaps = {name for each in exercises for name, index in each.cells if (name, index) not in written}
        return {
            "sentence": self.rebuilt.sentence,
            "nb": "\N{NO-BREAK SPACE}",
            "counts": counts,
            "readable": sum(cell.verdict != UNREADABLE for cell in known),
            "left_out": self.report.left_out,
            "charges": self.report.charges(),
            "first": views[id(first)] if first else None,
            "after": len(after),
            "follows_after": sum(cell.verdict == FOLLOWS for cell in after),
            "fresh_after": len(fresh),
            "uncharged": sum(cell.verdict == WRONG and not cell.charged for cell in known),
            "next_start": views[id(own_start)] if own_start else None,
            "clean": [
                t["title"] for t in tables if set(t["counts"]) <= {RIGHT, ACCEPTED} and t["name"] not in gaps
            ],
            "marks": marks,
            "unworked": [name for name, own in marks.by_station().items() if not own.worked] if marks else [],
            "prediction": self.prediction(),
            "mistakes": [self.mistake(finding) for finding in self.report.findings],
            "slips": [views[id(cell)] for cell in self.report.slips()],
            "only_first": self.report.slips() == [first],
            "tables": tables,
            "problems": [self.problem(cell) | {"count": count} for cell, count in problems[:_MOST_LISTED]],
            "more_problems": sum(count for _, count in problems[_MOST_LISTED:]),
            "unplaced": counts[UNREADABLE] - uncompared,
            "uncompared": uncompared,
            "other_sheet": self.report.other_sheet,
            "changed": self.rebuilt.changed,
            "in_words": [_answer(name, text) for name, text in self.report.in_words.items()],
        }

    def tables(self, known: Sequence[CheckedCell], views: Mapping[int, CellView]) -> list[dict[str, Any]]:
        """All written cells of a quantity as they stand in its table; None where nothing is written."""
        tables = []
        for name in dict.fromkeys(cell.entry.name for cell in known):
            cells = {cell.index: views[id(cell)] for cell in known if cell.entry.name == name}
            quantity = self.report.calculation[name]
            shape = quantity.values.shape
            places = list(np.ndindex(*shape[1:]))
            starts = [(row,) for row in range(shape[0])] if shape else [()]
            rows = [
                (
                    place_part(quantity, 0, start[0], self.model) if start else "",
                    tuple(cells.get((*start, *place)) for place in places),
                )
                for start in starts
                if any((*start, *place) in cells for place in places)
            ]
            columns = [
                ", ".join(place_part(quantity, 1 + k, i, self.model) for k, i in enumerate(place)) or "Zahl"
                for place in places
            ]
            counts = {verdict: sum(c.verdict == verdict for c in cells.values()) for verdict in VERDICT_MARKS}
            title = quantity_title(name, self.model, self.sign)
            found = {verdict: count for verdict, count in counts.items() if count}
            tables.append({"name": name, "title": title, "columns": columns, "rows": rows, "counts": found})
        return tables

    def mistake(self, finding: Finding) -> dict[str, Any]:
        """Its titles (several if they give the same numbers), where it shows first, how often."""
        texts = [mistake_texts()[i] for i in finding.ids]
        by_cell = {(cell.entry.name, cell.index): cell for cell in self.report.cells}
        return {
            "titles": [text["title"] for text in texts],
            "help": texts[0]["help"],
            "first": self.cell(by_cell[finding.first]),
            "count": len(finding.cells),
            "charged": any(by_cell[cell].charged for cell in finding.cells),
        }

    def prediction(self) -> dict[str, str] | None:
        """Only where the answers hold a complete table that says which word comes next."""
        hand = self.report.calculation.hand
        right = self.report.calculation.predicted()
        probabilities = (name for name in hand if place_of(name).last == "probability")
        for name in ("temperature1.probability", "logit", *probabilities):
            if name not in hand:
                continue
            own = {c.index[0]: c.entry.value for c in self.report.cells
                   if c.entry.name == name and c.entry.value is not None and not c.problem}  # fmt: skip
            if len(own) < hand[name].values.size:
                continue
            best = max(own, key=lambda word: own[word] or 0)
            share = place_of(name).last == "probability"
            of_key = float(np.round(hand[name].values[right] * 100, 6))
            return {
                "own": self.model.vocabulary[best],
                "own_share": self.format.text((own[best] or 0) * 100, 1) if share else "",
                "right": self.model.vocabulary[right],
                "right_share": self.format.text(of_key, 1) if share else "",
            }
        return None

    def problems(self) -> list[tuple[CheckedCell, int]]:
        """Entries that are no cell that could be judged, in the order of the lines.

        Those of one unknown name, or of one cell, are one problem; how many they are stands beside it.
        """
        found: dict[object, list[Any]] = {}
        for cell in self.report.cells:
            if cell.problem and not self.left_to_teacher(cell):
                where = () if cell.problem == "name" else (cell.entry.index_text, cell.index)
                found.setdefault((cell.problem, cell.entry.name, *where), [cell, 0])[1] += 1
        return sorted(((cell, count) for cell, count in found.values()), key=lambda each: _line(each[0]))

    def left_to_teacher(self, cell: CheckedCell) -> bool:
        """A blank of the sheet whose value is no part of the calculation."""
        return cell.problem == "name" and cell.entry.name in self.asked

    @cached_property
    def asked(self) -> set[str]:
        return {name for exercise in self.rebuilt.exercises for name, _ in exercise.cells}

    def problem(self, cell: CheckedCell) -> dict[str, Any]:
        name = cell.entry.name
        known = name in self.report.calculation.hand
        inside = cell.problem in ("number", "masked", "twice")
        title = cell_title(self.report.calculation[name], cell.index, self.model, self.sign) if inside else ""
        shape = self.report.calculation.hand[name].values.shape if known else ()
        return {
            "kind": cell.problem,
            "why": why_unread(cell.entry.text) if cell.problem == "number" else "",
            "where": cell.entry.where,
            "name": shortened(name),
            "index": shortened(cell.entry.index_text or ",".join(map(str, cell.index))),
            "text": shortened(cell.entry.text),
            "title": title,
            "shape": " × ".join(map(str, shape)),
            "near": ""
            if known
            else next(iter(get_close_matches(name, self.report.calculation.hand, 1, 0.8)), ""),
        }


def _line(cell: CheckedCell) -> int:
    """The line of a CSV file; 0 for JSON."""
    number = cell.entry.where.removeprefix("Zeile ")
    return int(number) if number.isdigit() else 0


def _answer(name: str, text: str) -> dict[str, str]:
    """An answer in words, which the teacher reads, on one line; name: of its field, `words.4a.3.1`."""
    station, _, task = name.removeprefix(IN_WORDS).partition(".")
    place = f"Station {shortened(station)}, Aufgabe {shortened(task.partition('.')[0])}"
    return {"place": place, "text": harmless(" ".join(text.split()))[:LONGEST_ANSWER]}


@cache
def _environment(form: Form) -> Environment:
    made = environment("check", form == "html", keep_trailing_newline=True).overlay()
    made.filters = made.filters | {
        "user": lambda text: _markdown(shortened(text)) if form == "md" else text,
        "whole": _markdown if form == "md" else lambda text: text,
    }
    return made


def _markdown(text: str) -> str:
    """What a user wrote, with nothing left that Markdown or HTML would understand."""
    return _MARKDOWN_SIGNS.sub(r"\\\1", text).replace("\\<", "&lt;").replace("\\>", "&gt;")
