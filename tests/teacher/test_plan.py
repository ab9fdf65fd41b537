"""The first page and the plan of lessons: what a teacher needs, the same as the terminal says."""

import re
from pathlib import Path

import pytest

from generator.basics.numbers import about
from generator.options.options import Options
from generator.output.formulas.typeset import Typesetter
from generator.production.summary import SheetFiles
from generator.stations.make_sheet import make_sheet
from generator.teacher.plan import chosen_of, group_work, pace, total, workloads
from teacher.sheets import KATZE, fitted, made, parts, text_of
from tests.laid_out import documents_of, laid_out


def chosen_pages(**options):
    """The teacher's pages and the closing words of a run with --zeit."""
    built, choice = fitted(**options)
    whole = make_sheet(built)
    html = documents_of(whole, Typesetter("screen"), choice=choice)["lehrkraft"].html
    return text_of(html), SheetFiles(built, whole.sheet, {}, 0, choice).said(Path("aus")), choice


@pytest.mark.parametrize(
    ("length", "around"), [(20, 7), (45, 22), pytest.param(90, 20, marks=pytest.mark.thorough)]
)
def test_page_and_terminal_name_the_same_minutes_and_stations(length, around):
    page, said, choice = chosen_pages(zeit=length)
    minutes = about(choice.lesson.minutes).replace("\xa0", " ")
    said = said.replace("\xa0", " ")
    assert choice.lesson.minutes + around <= length
    assert abs(int(re.findall(r"\d+", minutes)[-1]) - choice.lesson.minutes) <= 2.5
    assert f"{length} Minuten, davon {minutes} Arbeit und {around} für Einstieg und Vergleich" in page
    assert f"Das sind {minutes} Arbeit" in said
    assert f"geschätzt {minutes} für die Lernenden" in said
    for later in chosen_of(choice, made()[1]).later:
        assert f"{later.words} ({later.about}".replace("\xa0", " ") in page
    assert "Formelsammlung" in said
    assert "Station S" not in said + page


def test_the_first_page_says_what_to_copy_and_what_a_calculator_needs():
    _, _, html = made(stationen="3,5")
    page = text_of(html["lehrkraft"])
    assert "Kopieren arbeitsblatt.pdf" in page
    assert "Taschenrechner mit √, sin und cos im Bogenmaß" in page
    order = ["Kopieren", "Einstiegsfrage", "Erwartungshorizont Ein", "Notenschlüssel", "Zum Nachschlagen"]
    assert sorted(order, key=page.index) == order
    assert "--" not in page[: page.index("Im Terminal")]


@pytest.mark.parametrize(
    ("wish", "words"),
    [("heads", ["Head 1", "Head 2", ""]), (3, ["„Die“ und „der“", "„sitzt“ und „Matte“", "„auf“", ""])],
)
def test_with_groups_their_sheets_and_minutes_are_named(wish, words):
    sheets = group_work(laid_out(Options(satz=KATZE, gruppen=wish, stationen="4b"))[1])
    assert [each.words for each in sheets] == words
    assert all(5 < each.minutes < 60 for each in sheets)
    page = text_of(made(gruppen=wish, stationen="4b")[2]["lehrkraft"])
    for each in sheets:
        said = f"{each.file}.pdf ({each.words}) " if each.words else f"{each.file}.pdf "
        assert f"{said}{about(each.minutes)}".replace("\xa0", " ") in page


def test_an_estimate_is_told_no_finer_than_it_is():
    for minutes, said in {1: "1", 8: "7 bis 8", 33: "27 bis 33", 89: "75 bis 90", 366: "295 bis 370"}.items():
        assert about(minutes).replace("\xa0", " ") == f"etwa {said} Minuten"


def test_the_page_says_how_minutes_are_estimated_and_double_lessons_are_called_so():
    sheet, desk, html = made()
    page = text_of(html["lehrkraft"])
    for number in pace(desk).values():
        assert f" {number} " in page[page.index("geschätzt , am oberen Ende") :][:400]
    assert re.search(
        r"etwa \d+ bis \d+ Minuten Arbeit, also \d+ Stunden zu 45 Minuten oder \d+ Doppelstunden mit", page
    )
    assert about(total(workloads(sheet.stations, desk.built.effort)).minutes).replace("\xa0", " ") in page


def test_a_lesson_that_is_too_short_is_not_called_enough():
    easy = text_of(made(stationen="2,4a,4b")[2]["lehrkraft"])
    assert "So viel passt in jede Stunde" in easy
    tight, _, _ = chosen_pages(zeit=10, stationen="1b")
    assert "schon das Kürzeste dauert nach der Schätzung länger" in tight
    assert "sind zu wenig, siehe hinten" in tight
    assert "So viel passt" not in tight


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"bloecke": 2, "zielsatz": "The cat", "lernen": "ausgabe", "stufe": 1, "stationen": "7,10,11"},
    ],
)
def test_the_points_of_sheet_erwartungshorizont_and_grades_agree(options):
    sheet, _, html = made(**options)
    on_sheet = [
        int(n) for n in re.findall(r"</span>/(?:&nbsp;|\s)*(\d+)(?:&nbsp;|\s)*BE", html["arbeitsblatt"])
    ]
    assert on_sheet[0] == sum(on_sheet[1:]) == sheet.points  # the cover says it first
    page = text_of(html["lehrkraft"])
    part = page[page.index("Erwartungshorizont Ein") : page.index("Notenschlüssel Vorschlag")]
    assert [int(n) for n in re.findall(r": / (\d+) BE ", part)] == [
        s.points for s in sheet.stations if s.tasks
    ]
    rows = [row.task for part in parts(**options)[2]["stations"] for row in part.rows]
    last = re.findall(r'class="words">(I+)</td><td class="words">(\d+)</td></tr>', html["lehrkraft"])
    assert last == [(task.afb, str(task.points)) for task in rows] != []
    assert f"auf die {sheet.points} BE" in page
    effort = page[page.index("Aufwand Station") : page.index("Gezählt ist")]
    assert re.search(rf"zusammen (?:\d+ ){{9,10}}{sheet.points} \d+", effort)
