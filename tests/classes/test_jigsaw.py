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
from generator.production import class_set
from generator.production.class_files import of_manifest, read_papers
from generator.production.seats import Seat, seats_for
from generator.production.sheet_documents import rebuilt_from
from generator.sheet.whole_sheet import exercises_of
from generator.teacher.lesson import group_sheets
from tests.classes.sweeps import wrong_in

WHO = (("Elif", 1), ("Jonas", 2), ("Sara", 1))
SENTENCE = "Die Katze sitzt auf der Matte"


def test_neighbours_are_a_team_and_who_is_left_over_joins_one():
    assert seats_for(3, [0]) == [Seat(0, 0), Seat(1, 0), Seat(2, 0)]
    assert seats_for(5, [2]) == [Seat(0, 1), Seat(0, 2), Seat(1, 1), Seat(1, 2), Seat(0, 1)]
    assert seats_for(6, [2, 3]) == [Seat(0, 1), Seat(0, 2), Seat(1, 1), Seat(1, 2), Seat(1, 3), Seat(0, 1)]


@pytest.mark.parametrize("groups", [2, 5, 16])
def test_in_each_team_is_someone_of_each_group(groups):
    for people in range(groups, 41):
        seats = seats_for(people, [groups])
        assert len(seats) == people
        for team in {seat.team for seat in seats}:
            assert {seat.group for seat in seats if seat.team == team} == set(range(1, groups + 1))
        sizes = [sum(seat.team == team for seat in seats) for team in {seat.team for seat in seats}]
        assert max(sizes) - min(sizes) <= max(1, groups - 1)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A set of five for two groups, its manifest."""
    target = tmp_path_factory.mktemp("jigsaw")
    options = class_set.class_options(
        {"satz": SENTENCE, "gruppen": "heads", "gewichte": "dezimal", "ausgabe": str(target)}
    )
    names = ["Ada", "Bob", "Cem", "", "Eva"]
    folder = class_set.make(options, names, ThisProcess(), lambda *_: None)
    return folder, json.loads((folder / class_set.MANIFEST).read_text(encoding="utf-8"))


def test_a_team_has_the_same_numbers_and_each_group_its_exercises(made):
    folder, manifest = made
    variants = manifest["varianten"]
    assert [(each["team"], each["gruppe"]) for each in variants] == [(1, 1), (1, 2), (2, 1), (2, 2), (1, 1)]
    marks = [each["blatt"] for each in variants]
    assert marks[0] == marks[1] == marks[4] != marks[2] == marks[3]
    asked = {"satz": SENTENCE, "gruppen": "heads", "gewichte": "dezimal"}
    of_teams = {
        seed: group_sheets(build(Options.asked({**asked, "startwert": seed})), {})
        for seed in {each["startwert"] for each in variants}
    }
    for each in variants:
        rebuilt = read_document(folder / class_set.CALCULATIONS / f"{each['nummer']}.json")
        alone = of_teams[each["startwert"]]
        own = exercises_of(alone[f"gruppe-{each['gruppe']}"].sheet)
        shared = exercises_of(alone["zusammen"].sheet)
        cells = [set(exercise.cells) for exercise in rebuilt.exercises]
        assert cells == [set(exercise.cells) for exercise in (*own, *shared)]
        assert each["be"] == sum(exercise.points for exercise in (*own, *shared))


def test_its_pages_say_the_numbers_of_its_files(made):
    folder, manifest = made
    assert not list(wrong_in(folder))
    papers = pypdfium2.PdfDocument(folder / "arbeitsblaetter.pdf")
    start = 0
    for each in manifest["varianten"]:
        said = papers[start].get_textpage().get_text_range()
        for words in (f"Gruppe {each['gruppe']}", f"Blatt {each['blatt']}", each["name"]):
            assert words in said
        start += each["seiten"] + each["seiten"] % 2
    titles = [
        each.get_title()
        for each in pypdfium2.PdfDocument(folder / "loesungen.pdf").get_toc()
        if not each.level
    ]
    assert [title.partition(" – ")[0] for title in titles] == ["1, 5", "2", "3", "4"]


def test_the_overview_says_who_works_with_whom(made):
    folder, manifest = made
    html = " ".join((folder / "uebersicht.html").read_text(encoding="utf-8").split())
    first, second = manifest["varianten"][0]["blatt"], manifest["varianten"][2]["blatt"]
    assert f"<td>{first}</td><td>Ada, Eva</td><td>Bob</td>" in html
    assert f"<td>{second}</td><td>Cem</td><td>Nr. 4</td>" in html
    assert "Station 4b, Gruppe 2" in html
    assert "2 Teams" in html
    assert re.search(r"Plan für \d+ Minuten", html)
    own = json.loads((folder / class_set.CALCULATIONS / "2.json").read_text(encoding="utf-8"))["aufgaben"]
    assert f"/ {sum(each['be'] for each in own if each['station'] == '4b')}</td>" in html


def test_papers_are_judged_by_number_or_by_sheet_and_group(made, tmp_path):
    folder, manifest = made
    hand = read_document(folder / class_set.CALCULATIONS / "2.json").calculation.hand
    output = hand["block1.head2.output"].values
    lines = ["Code;name;index;wert"]
    for label in ("2", f"{manifest['varianten'][1]['blatt']}-2"):
        lines.append(f"{label};block1.head2.output;2,0;{output[2, 0]}")
    file = tmp_path / "antworten.csv"
    file.write_text("\n".join(lines), encoding="utf-8")
    papers = read_papers(of_manifest(folder), file).papers
    alone = tmp_path / f"{manifest['varianten'][1]['blatt']}-2.csv"
    alone.write_text(f"name;index;wert\nblock1.head2.output;2,0;{output[2, 0]}", encoding="utf-8")
    papers += read_papers(of_manifest(folder), alone).papers
    assert [(paper.name, paper.report.summary()["richtig"]) for paper in papers] == [("Bob", 1)] * 3
    file.write_text(
        f"Code;name;index;wert\n{manifest['varianten'][1]['blatt']};block1.head2.output;2,0;1", "utf-8"
    )
    with pytest.raises(UserError, match=r"haben mehrere: .* Bob.*; bitte die Nummer"):
        read_papers(of_manifest(folder), file)


def test_a_paper_that_two_people_may_have_written_is_given_to_neither(tmp_path):
    names = [{"name": name, "blatt": "ABCD", "code": "x", "gruppe": group} for name, group in WHO]
    manifest = {"varianten": [{"nummer": number, **each} for number, each in enumerate(names, 1)]}
    (tmp_path / class_set.MANIFEST).write_text(json.dumps(manifest), "utf-8")
    with pytest.raises(UserError, match="„ABCD-1“ haben mehrere: 1 Elif und 3 Sara; bitte die Nummer"):
        of_manifest(tmp_path)("ABCD-1")


def test_a_code_is_of_one_person(made):
    folder, manifest = made
    code = manifest["varianten"][1]["code"]
    printed = read_document(folder / class_set.CALCULATIONS / "2.json")
    assert rebuilt_from(code, {}).exercises == printed.exercises
    assert rebuilt_from(code.removesuffix("-2"), {}).exercises != printed.exercises
    with pytest.raises(UserError, match="Gruppe 3 gibt es hier nicht"):
        rebuilt_from(code.removesuffix("2") + "3", {})
    with pytest.raises(UserError, match=r"kurze Name.*klassensatz\.json"):
        rebuilt_from(manifest["varianten"][1]["blatt"], {})


def test_a_team_alone_has_no_neighbours_and_what_does_not_count_is_said(tmp_path):
    asked = {"satz": SENTENCE, "gruppen": "heads", "gewichte": "dezimal", "ausgabe": str(tmp_path)}
    options = class_set.class_options(asked | {"zeit": 45, "stationen": "4a"})
    folder = class_set.make(options, ["", ""], ThisProcess(), lambda *_: None)
    pages = pypdfium2.PdfDocument(folder / "arbeitsblaetter.pdf")
    text = " ".join(page.get_textpage().get_text_range() for page in pages)
    assert not re.search("anderen Zahlen|erkennst du", text)
    said = " ".join(class_set.differences(json.loads((folder / class_set.MANIFEST).read_text("utf-8"))))
    assert "Gewählte Stationen gelten im Gruppenpuzzle nicht" in said
    assert "Die gewählte Zeit kürzt ein Gruppenpuzzle kaum" in said
    assert "übrig" not in said


def test_too_few_people_leave_no_folder_behind(tmp_path):
    options = Options(satz=SENTENCE, gruppen="heads", gewichte="dezimal", ausgabe=tmp_path / "output")
    with pytest.raises(UserError, match=r"mindestens 2 Personen.*--anzahl.*--gruppen"):
        class_set.make(options, [""], ThisProcess(), lambda *_: None)
    assert not list(tmp_path.iterdir())
