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
from generator.options.options import Options
from generator.production.worksheet import build
from generator.sheet.whole_sheet import exercises_of
from generator.stations.make_sheet import build_sheet

WEIGHT, OUTPUT = "block1.head1.weight", "block1.head1.output"
WEIGHTS = Exercise("4b", 1, 6, tuple((WEIGHT, (2, i)) for i in range(3)))
OUTPUTS = Exercise("4b", 2, 4, tuple((OUTPUT, (2, i)) for i in range(2)))
WORDS = Exercise("4b", 3, 2, ())
ELSEWHERE = Exercise("1", 1, 3, (("token_ids", (0,)),))


@pytest.fixture(scope="module")
def calculation(contents):
    return rebuild(contents).calculation


@pytest.fixture(scope="module")
def sheet():
    return build_sheet(build(Options.from_mapping({"satz": "Die Katze sitzt auf der Matte"})))[0]


def marked(calculation, answers, *exercises):
    return marks_of(judge(calculation, answers), exercises)


def with_own(calculation, *own):
    again = recomputed(calculation, own).calculation
    return answers_of(calculation, {name: q.values for name, q in again.hand.items()})


def without(answers, *cells):
    return Answers(tuple(e for e in answers.entries if (e.name, e.index) not in cells), len(cells))


def test_a_slip_costs_once_and_what_follows_is_free(calculation):
    answers = with_own(calculation, f"{WEIGHT}[2,1]=0,84")
    weights, outputs = marked(calculation, answers, WEIGHTS, OUTPUTS).exercises
    assert (weights.given, weights.charged, weights.follows) == (4, 1, 0)
    assert (outputs.given, outputs.charged) == (4, 0)
    assert outputs.follows > 0
    again = Exercise("5", 1, 6, WEIGHTS.cells)
    assert [mark.given for mark in marked(calculation, answers, WEIGHTS, again).exercises] == [4, 6], "once"


def test_a_typical_mistake_is_charged_once(calculation):
    forgotten = next(mistake for mistake in MISTAKES if mistake.id == "scaling_forgotten")
    answers = answers_of(calculation, mistaken_numbers(calculation, forgotten, {})[0])
    scaled = [
        Exercise("4b", k, 6, tuple((f"block1.head{k}.scaled", (2, i)) for i in range(3))) for k in (1, 2)
    ]
    marks = marked(calculation, answers, *scaled)
    assert [mark.charged for mark in marks.exercises] == [1, 0]
    assert [mark.given for mark in marks.exercises] == [4, 6]
    # The answers hold more than the sheet asks for: it is charged at the first blank.
    last = Exercise("4b", 1, 6, tuple(("block1.head2.scaled", (5, i)) for i in range(6)))
    assert [mark.charged for mark in marked(calculation, answers, last).exercises] == [1]


def test_empty_blanks_earn_nothing_and_are_no_faults(calculation):
    answers = without(with_own(calculation), *WEIGHTS.cells[:2], *OUTPUTS.cells)
    weights, outputs = marked(calculation, answers, WEIGHTS, OUTPUTS).exercises
    assert (weights.given, weights.filled, weights.charged, weights.open) == (2, 1, 0, 0)
    assert (outputs.given, outputs.filled, outputs.charged, outputs.open) == (0, 0, 0, 0)


def test_what_a_person_must_judge_is_open(calculation):
    answers = with_own(calculation)
    unread = Entry(WEIGHT, (2, 0), "≈?", None)
    changed = [unread if (e.name, e.index) == (WEIGHT, (2, 0)) else e for e in answers.entries]
    marks = marked(calculation, Answers(tuple(changed), 0), WEIGHTS, WORDS, ELSEWHERE)
    assert [mark.given for mark in marks.exercises] == [4, 0, 0]
    assert [mark.open for mark in marks.exercises] == [2, 2, 3]
    assert (marks.given, marks.open, marks.points) == (4, 7, 11)


def test_no_more_points_than_there_are(calculation, sheet):
    exercises = exercises_of(sheet)
    marks = marked(calculation, with_own(calculation), *exercises)
    assert marks.points == sheet.points
    assert marks.given + marks.open == marks.points
    for mark in marks.exercises:
        assert 0 <= mark.given <= mark.given + mark.open <= mark.exercise.points


def test_grades_by_the_key():
    for reached, grade in ((95, 15), (94, 14), (45, 5), (44, 4), (20, 1), (19, 0), (0, 0)):
        assert grade_of(reached, 100) == grade


def test_exercises_there_and_back(sheet):
    exercises = exercises_of(sheet)
    again = from_document(json.loads(json.dumps({EXERCISES: as_document(exercises)})))
    for before, after in zip(exercises, again, strict=True):
        assert replace(after, cells=()) == replace(before, cells=())
        assert sorted(after.cells) == sorted(before.cells)
    assert {e.station for e in exercises} > {"0", "4a", "8", "S"}
    for station in sheet.stations:
        own = [e for e in exercises if e.station == station.id]
        assert [e.points for e in own] == [task.points for task in station.tasks.values()]
    assert from_document({}) == ()


def test_broken_exercises_are_refused(contents):
    of = {"station": "1", "nummer": 1, "be": 2}
    blanks = ([], {"input": 3}, {"input": [["<b>"]]}, {"input": [[-1]]})
    broken = [of | {"be": -1, "luecken": {}}, *(of | {"luecken": each} for each in blanks)]
    for listed in ("viele", [3], *([each] for each in broken)):
        with pytest.raises(UserError, match="aufgaben"):
            rebuild(contents | {EXERCISES: listed})


def test_the_report_shows_points_and_grade(contents, sheet, calculation):
    rebuilt = rebuild(contents | {EXERCISES: as_document(exercises_of(sheet))})
    report = judge(calculation, with_own(calculation, f"{WEIGHT}[2,1]=0,84"), rebuilt.ranges)
    text = write_report(report, rebuilt, "txt", with_grade=True)
    assert f"von {sheet.points}\N{NO-BREAK SPACE}BE" in text
    assert "Aufgabe 2: 1 von 2 (1 Fehler; " in text
    assert "Nach dem Notenschlüssel der KMK: " in text
    assert "offen: Aufgaben " in text
    markdown = write_report(report, rebuilt, "md")
    assert "| 4b | 2 | 2 | 1 |  | 1 Fehler; " in markdown
    assert "Notenschlüssel" not in markdown
    html = write_report(report, rebuilt, "html")
    assert '<th scope="row">4b</th><td>2</td><td>2</td><td>1</td>' in html


def test_blanks_beyond_the_calculation_are_left_to_the_teacher(contents, sheet, calculation):
    rebuilt = rebuild(contents | {EXERCISES: as_document(exercises_of(sheet))})
    entries = (Entry("token_ids", (1,), "2", Decimal(2)), Entry("tokenids", (1,), "2", Decimal(2)))
    text = write_report(judge(calculation, Answers(entries, 0), rebuilt.ranges), rebuilt, "txt")
    assert "1 Eintrag gehört zu Aufgaben, die das Programm nicht vergleicht." in text
    assert "„tokenids“ gibt es in dieser Rechnung nicht" in text
    assert "„token_ids“" not in text


def test_a_calculation_without_exercises_has_no_points(rechnung, answers):
    path = answers('name,index,wert\nblock1.head1.weight,"2,1",0.46\n')
    text = run(str(rechnung), str(path), with_grade=True)
    assert "BE" not in text
    assert "Punkte" not in text
