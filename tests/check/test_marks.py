"""Points: charged once, Folgefehler free, empty blanks earn nothing, what a person must judge stays open."""

import json
from dataclasses import replace
from decimal import Decimal

import pytest
from judging import answers_of, judge

from engine.judging.mistakes import MISTAKES, mistaken_numbers
from generator.basics.errors import UserError
from generator.calculation.contents import EXERCISES, Exercise, as_document, from_document
from generator.calculation.rebuild import rebuild
from generator.check.answers import Answers
from generator.check.entries import Entry, recomputed
from generator.check.marks import grade_of, marks_of
from generator.check.report import write_report
from generator.commands.check_command import run
from generator.sheet.whole_sheet import exercises_of
from tests.laid_out import sheet_of

WEIGHT, OUTPUT = "block1.head1.weight", "block1.head1.output"
WEIGHTS = Exercise("4b", 1, 6, tuple((WEIGHT, (2, i)) for i in range(3)))
OUTPUTS = Exercise("4b", 2, 4, tuple((OUTPUT, (2, i)) for i in range(2)))
WORDS = Exercise("4b", 3, 2, ())
ELSEWHERE = Exercise("1", 1, 3, (("token_ids", (0,)),))
SLIP = f"{WEIGHT}[2,1]=0,84"


@pytest.fixture(scope="module")
def exercises():
    return exercises_of(sheet_of()[0])


@pytest.fixture(scope="module")
def rebuilt(contents, exercises):
    return rebuild(contents | {EXERCISES: as_document(exercises)})


def marked(calculation, answers, *exercises):
    return marks_of(judge(calculation, answers), exercises)


def with_own(calculation, *own):
    again = recomputed(calculation, own).calculation
    return answers_of(calculation, {name: q.values for name, q in again.hand.items()})


def given_and_charged(marks):
    return [(mark.given, mark.charged) for mark in marks.exercises]


def test_a_slip_costs_once_and_what_follows_is_free(calculation):
    answers = with_own(calculation, SLIP)
    again = Exercise("5", 1, 6, WEIGHTS.cells)
    marks = marked(calculation, answers, WEIGHTS, OUTPUTS, again)
    assert given_and_charged(marks) == [(4, 1), (4, 0), (6, 0)]
    assert [mark.follows > 0 for mark in marks.exercises[:2]] == [False, True]


def test_a_typical_mistake_is_charged_once(calculation):
    forgotten = next(mistake for mistake in MISTAKES if mistake.id == "scaling_forgotten")
    answers = answers_of(calculation, mistaken_numbers(calculation, forgotten, {})[0])
    scaled = [
        Exercise("4b", k, 6, tuple((f"block1.head{k}.scaled", (2, i)) for i in range(3))) for k in (1, 2)
    ]
    assert given_and_charged(marked(calculation, answers, *scaled)) == [(4, 1), (6, 0)]
    # The answers hold more than the sheet asks for: it is charged at the first blank.
    last = Exercise("4b", 1, 6, tuple(("block1.head2.scaled", (5, i)) for i in range(6)))
    assert [mark.charged for mark in marked(calculation, answers, last).exercises] == [1]


def test_something_charged_costs_a_point_at_least(calculation):
    many = Exercise("4b", 1, 2, tuple((WEIGHT, (row, i)) for row in range(1, 6) for i in range(row)))
    assert given_and_charged(marked(calculation, with_own(calculation, SLIP), many)) == [(1, 1)]


def test_empty_blanks_earn_nothing_and_what_a_person_must_judge_is_open(calculation):
    whole, left_out = with_own(calculation), {*WEIGHTS.cells[:2], *OUTPUTS.cells}
    kept = tuple(e for e in whole.entries if (e.name, e.index) not in left_out)
    weights, outputs = marked(calculation, Answers(kept, 4), WEIGHTS, OUTPUTS).exercises
    assert (weights.given, weights.filled, weights.charged, weights.open) == (2, 1, 0, 0)
    assert (outputs.given, outputs.filled, outputs.charged, outputs.open) == (0, 0, 0, 0)
    unread = Entry(WEIGHT, (2, 0), "≈?", None)
    changed = [unread if (e.name, e.index) == (WEIGHT, (2, 0)) else e for e in whole.entries]
    marks = marked(calculation, Answers(tuple(changed), 0), WEIGHTS, WORDS, ELSEWHERE)
    assert [(mark.given, mark.open) for mark in marks.exercises] == [(4, 2), (0, 2), (0, 3)]
    assert (marks.given, marks.open, marks.points) == (4, 7, 11)


def test_no_more_points_than_there_are_and_grades_by_the_key(calculation, exercises):
    marks = marked(calculation, with_own(calculation), *exercises)
    assert marks.given + marks.open == marks.points == sheet_of()[0].points
    for mark in marks.exercises:
        assert 0 <= mark.given <= mark.given + mark.open <= mark.exercise.points
    for reached, grade in ((95, 15), (94, 14), (45, 5), (44, 4), (20, 1), (19, 0), (0, 0)):
        assert grade_of(reached, 100) == grade


def test_exercises_there_and_back_and_broken_ones_refused(contents, exercises):
    again = from_document(json.loads(json.dumps({EXERCISES: as_document(exercises)})))
    for before, after in zip(exercises, again, strict=True):
        assert replace(after, cells=()) == replace(before, cells=())
        assert sorted(after.cells) == sorted(before.cells)
    for station in sheet_of()[0].stations:
        own = [e.points for e in exercises if e.station == station.id]
        assert own == [task.points for task in station.tasks.values()]
    assert from_document({}) == ()
    of = {"station": "1", "nummer": 1, "be": 2}
    blanks = ([], {"input": 3}, {"input": [["<b>"]]}, {"input": [[-1]]})
    broken = [of | {"be": -1, "luecken": {}}, *(of | {"luecken": each} for each in blanks)]
    for listed in ("viele", [3], *([each] for each in broken)):
        with pytest.raises(UserError, match="aufgaben"):
            from_document({EXERCISES: listed})
    with pytest.raises(UserError, match="aufgaben"):
        rebuild(contents | {EXERCISES: "viele"})


def test_the_report_shows_points_and_grade_and_what_is_left_to_the_teacher(rebuilt):
    written = with_own(rebuilt.calculation, SLIP)
    report = judge(rebuilt.calculation, written, rebuilt.ranges)
    text = write_report(report, rebuilt, "txt", with_grade=True)
    assert f"von {sheet_of()[0].points}\N{NO-BREAK SPACE}BE" in text
    assert "Aufgabe 2: 1 von 2 (1 Fehler; " in text
    assert "Nach dem Notenschlüssel der KMK: " in text
    assert "offen: Aufgaben " in text
    markdown = write_report(report, rebuilt, "md")
    assert "| 4b | 2 | 2 | 1 |  | 1 Fehler; " in markdown
    assert "Notenschlüssel" not in markdown
    html = write_report(report, rebuilt, "html")
    assert '<th scope="row">4b</th><td>2</td><td>2</td><td>1</td>' in html
    beyond = tuple(Entry(name, (1,), "2", Decimal(2)) for name in ("token_ids", "tokenids"))
    text = write_report(judge(rebuilt.calculation, Answers(beyond, 0), rebuilt.ranges), rebuilt, "txt")
    assert "1 Eintrag gehört zu Aufgaben, die das Programm nicht vergleicht." in text
    assert "„tokenids“ gibt es in dieser Rechnung nicht" in text
    assert "„token_ids“" not in text


def test_a_calculation_without_exercises_has_no_points(rechnung, answers):
    path = answers('name,index,wert\nblock1.head1.weight,"2,1",0.46\n')
    text = run(str(rechnung), str(path), with_grade=True)
    assert "BE" not in text
    assert "Punkte" not in text
