"""A class set as a jigsaw: teams have numbers of their own, and each person the sheet of a group."""

import json
import re

import pypdfium2
import pytest

from generator.basics.errors import UserError
from generator.basics.helpers import ThisProcess
from generator.calculation.build import build
from generator.calculation.rebuild import read_document
from generator.options.options import Options
from generator.output.formulas.typeset import Typesetter
from generator.production import class_set
from generator.production.class_files import of_manifest, read_papers
from generator.production.drawing import sheet_of
from generator.production.seats import Seat, seats_for
from generator.production.sheet_documents import rebuilt_from
from generator.production.workshop import Workshop
from generator.sheet.whole_sheet import exercises_of
from generator.teacher.lesson import group_sheets
from tests.classes.bound import calculation_of, manifest_of, silent, text_on, wrong_in
from tests.laid_out import pair_of

ASKED = {"satz": "Die Katze sitzt", "gruppen": "heads", "gewichte": "dezimal"}
WHO = (("Elif", 1), ("Jonas", 2), ("Sara", 1))


def test_in_each_team_is_someone_of_each_group_and_who_is_left_over_joins_one():
    assert seats_for(3, [0]) == [Seat(0, 0), Seat(1, 0), Seat(2, 0)]
    assert seats_for(5, [2]) == [Seat(0, 1), Seat(0, 2), Seat(1, 1), Seat(1, 2), Seat(0, 1)]
    assert seats_for(6, [2, 3]) == [Seat(0, 1), Seat(0, 2), Seat(1, 1), Seat(1, 2), Seat(1, 3), Seat(0, 1)]
    for groups, people in ((2, 29), (5, 28), (16, 40)):
        seats = seats_for(people, [groups])
        teams = [[seat.group for seat in seats if seat.team == team] for team in {s.team for s in seats}]
        assert sum(map(len, teams)) == people
        assert all(set(team) == set(range(1, groups + 1)) for team in teams)
        assert max(map(len, teams)) - min(map(len, teams)) <= groups - 1


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A set of five for two groups."""
    options = class_set.class_options(ASKED | {"ausgabe": str(tmp_path_factory.mktemp("jigsaw"))})
    return class_set.make(options, ["Ada", "Bob", "Cem", "", "Eva"], ThisProcess(), silent)


def test_a_team_has_the_same_numbers_and_each_group_its_exercises(folder):
    variants = manifest_of(folder)
    assert [(each["team"], each["gruppe"]) for each in variants] == [(1, 1), (1, 2), (2, 1), (2, 2), (1, 1)]
    marks = [each["blatt"] for each in variants]
    assert marks[0] == marks[1] == marks[4] != marks[2] == marks[3]
    of_teams = {
        seed: group_sheets(build(Options.asked(ASKED | {"startwert": seed})), {})
        for seed in {each["startwert"] for each in variants}
    }
    for each in variants:
        rebuilt = read_document(folder / class_set.CALCULATIONS / f"{each['nummer']}.json")
        alone = of_teams[each["startwert"]]
        wanted = [
            exercise
            for name in (f"gruppe-{each['gruppe']}", "zusammen")
            for exercise in exercises_of(alone[name].sheet)
        ]
        assert [set(own.cells) for own in rebuilt.exercises] == [set(own.cells) for own in wanted]
        assert each["be"] == sum(exercise.points for exercise in wanted)


def test_its_pages_say_the_numbers_of_its_files_and_who_works_with_whom(folder):
    assert not list(wrong_in(folder))
    papers = pypdfium2.PdfDocument(folder / "arbeitsblaetter.pdf")
    variants, start = manifest_of(folder), 0
    for each in variants:
        said = text_on(papers[start])
        assert all(
            words in said for words in (f"Gruppe {each['gruppe']}", f"Blatt {each['blatt']}", each["name"])
        )
        start += each["seiten"] + each["seiten"] % 2
    entries = pypdfium2.PdfDocument(folder / "loesungen.pdf").get_toc()
    titles = [each.get_title() for each in entries if not each.level]
    assert [title.partition(" – ")[0] for title in titles] == ["1, 5", "2", "3", "4"]
    html = " ".join((folder / "uebersicht.html").read_text(encoding="utf-8").split())
    assert f"<td>{variants[0]['blatt']}</td><td>Ada, Eva</td><td>Bob</td>" in html
    assert f"<td>{variants[2]['blatt']}</td><td>Cem</td><td>Nr. 4</td>" in html
    assert all(words in html for words in ("Station 4b, Gruppe 2", "2 Teams"))
    assert re.search(r"Plan für \d+ Minuten", html)
    points = sum(each["be"] for each in calculation_of(folder, 2)["aufgaben"] if each["station"] == "4b")
    assert f"/ {points}</td>" in html


def test_papers_are_judged_by_number_or_by_sheet_and_group(folder, tmp_path):
    sheet = manifest_of(folder)[1]["blatt"]
    hand = read_document(folder / class_set.CALCULATIONS / "2.json").calculation.hand
    line = f"block1.head2.output;2,0;{hand['block1.head2.output'].values[2, 0]}"
    file, alone = tmp_path / "antworten.csv", tmp_path / f"{sheet}-2.csv"
    file.write_text(f"Code;name;index;wert\n2;{line}\n{sheet}-2;{line}", encoding="utf-8")
    alone.write_text(f"name;index;wert\n{line}", encoding="utf-8")
    papers = [paper for each in (file, alone) for paper in read_papers(of_manifest(folder), each).papers]
    assert [(paper.name, paper.report.summary()["richtig"]) for paper in papers] == [("Bob", 1)] * 3
    file.write_text(f"Code;name;index;wert\n{sheet};{line}", "utf-8")
    with pytest.raises(UserError, match=r"haben mehrere: .* Bob.*; bitte die Nummer"):
        read_papers(of_manifest(folder), file)


def test_a_paper_that_two_people_may_have_written_is_given_to_neither(tmp_path):
    names = [{"name": name, "blatt": "ABCD", "code": "x", "gruppe": group} for name, group in WHO]
    manifest = {"varianten": [{"nummer": number, **each} for number, each in enumerate(names, 1)]}
    (tmp_path / class_set.MANIFEST).write_text(json.dumps(manifest), "utf-8")
    with pytest.raises(UserError, match="„ABCD-1“ haben mehrere: 1 Elif und 3 Sara; bitte die Nummer"):
        of_manifest(tmp_path)("ABCD-1")


def test_a_code_is_of_one_person(folder):
    variant = manifest_of(folder)[1]
    printed = read_document(folder / class_set.CALCULATIONS / "2.json")
    assert rebuilt_from(variant["code"], {}).exercises == printed.exercises
    with pytest.raises(UserError, match="Gruppe 3 gibt es hier nicht"):
        rebuilt_from(variant["code"].removesuffix("2") + "3", {})
    with pytest.raises(UserError, match=r"kurze Name.*klassensatz\.json"):
        rebuilt_from(variant["blatt"], {})


def test_a_team_alone_has_no_neighbours_and_what_does_not_count_is_said(tmp_path, monkeypatch):
    ordered = []

    def stop(_, orders):
        ordered.extend(orders)
        raise UserError("genug")

    monkeypatch.setattr(Workshop, "make", stop)
    options = class_set.class_options(ASKED | {"zeit": 45, "stationen": "4a", "ausgabe": str(tmp_path)})
    for people in (2, 4):
        with pytest.raises(UserError, match="genug"):
            class_set.make(options, [""] * people, ThisProcess(), silent)
    assert [(order.group, order.alone) for order in ordered] == [
        (1, True),
        (2, True),
        *[(1, False), (2, False)] * 2,
    ]
    wholes = (sheet_of(order.options, order.group, order.alone) for order in ordered[1:4:2])
    pages = [pair_of(whole, Typesetter("screen"))[0].html for whole in wholes]
    assert [bool(re.search("anderen Zahlen|erkennst du", page)) for page in pages] == [False, True]
    variant = {"code": "A-1", "satz": "", "minuten": 40, "be": 9, "team": 1}
    variants = [variant | {"gruppe": group} for group in (1, 2)]
    said = " ".join(class_set.differences({"optionen": options.resolved(), "varianten": variants}))
    assert "Gewählte Stationen gelten im Gruppenpuzzle nicht" in said
    assert "Die gewählte Zeit kürzt ein Gruppenpuzzle kaum" in said
    assert "übrig" not in said


def test_too_few_people_leave_no_folder_behind(tmp_path):
    options = Options.from_mapping(ASKED | {"ausgabe": str(tmp_path / "output")})
    with pytest.raises(UserError, match=r"mindestens 2 Personen.*--anzahl.*--gruppen"):
        class_set.make(options, [""], ThisProcess(), silent)
    assert not list(tmp_path.iterdir())
