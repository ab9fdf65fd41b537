import math
import re
from pathlib import Path

import pytest

from generator.basics.files import CARDS
from generator.check.marks import GRADE_PERCENT, grades
from generator.options.course import COURSE
from generator.output.render import environment
from generator.teacher.teacher import marked, snippet
from teacher.sheets import made, parts, recorded, text_of


def test_each_task_stands_in_the_erwartungshorizont_with_its_points():
    sheet, _, found = parts(stationen="4a,4b,8,S")
    for station, part in zip(sheet.stations, found["stations"], strict=True):
        named = [row.task.number for row in part.rows]
        for span in (each for on in part.on_key for each in on.tasks):
            first, _, last = span.partition("–")
            named += range(int(first), int(last or first) + 1)
        assert sorted(named) == [task.number for task in station.tasks.values()]
        assert part.points == station.points
    assert [each.points for each in found["graded"]] == [sheet.points]


def test_words_are_expected_here_and_numbers_stand_on_the_key_alone():
    _, _, found = parts(stationen="4b,5,8")
    key = recorded(stationen="4b,5,8")
    for part, station in zip(found["stations"], key, strict=True):
        by_number = {exercise.task.number: exercise for exercise in station.exercises}
        assert {row.task.number for row in part.rows} >= {n for n, each in by_number.items() if each.answers}
        for row in part.rows:
            assert list(row.answers) == by_number[row.task.number].answers
    page = text_of(made(stationen="4b,5,8")[2]["lehrkraft"])
    expected = page[page.index("Erwartungshorizont Ein Fehler") : page.index("Notenschlüssel Vorschlag")]
    for part in found["stations"]:
        for on in part.on_key:
            assert f"Nr. {', '.join(on.tasks)} (AFB {on.afb}, {on.points} BE)" in expected


def test_the_teacher_reads_of_nothing_that_the_sheet_has_not():
    for stations in ("4a,4b", "8", "5"):
        page = text_of(made(stationen=stations)[2]["lehrkraft"])
        assert ("Das vorhergesagte Wort" in page) == ("setzt den Satz fort" in page) == (stations == "8")
        sheet, _, found = parts(stationen=stations)
        levels = {task.afb for station in sheet.stations for task in station.tasks.values()} - {"I"}
        advised = re.search(r"mit Aufgaben aus AFB ([IVund ]+)\.", page)
        assert advised is None or set(advised[1].split(" und ")) == levels
        assert ("je Doppelstunde eine Seite" in page) == (len(found["cards"]) > 1)


def test_the_minutes_are_those_of_the_rule_beside_their_counts():
    page = made()[2]["lehrkraft"]
    table = page[page.index('<table class="effort">') :]
    heads = [text_of(head).strip() for head in re.findall(r"<th scope=\"col\">(.*?)</th>", table)[1:13]]
    assert (heads[0], heads[-6:]) == ("Zahlen", ["sin, cos", "Zeilen", "Aufg.", "W", "BE", "Min."])
    rows = re.findall(
        r"<tr(?: class=\"sum\")?><th scope=\"row\">.*?</tr>", table[: table.index("</table>")], re.S
    )
    counts = [[int(n) for n in re.findall(r"figure-cell\">(\d+)<", row)] for row in rows]
    for *each, lines, tasks, worded, _, minutes in counts[:-1]:
        seconds = sum(n * s for n, s in zip(each, (10, 11, 4, 10, 9, 7, 12), strict=True)) + 18 * lines
        assert minutes in [
            math.ceil(round(reading + tasks + 2.5 * worded + seconds / 60, 9)) for reading in (3, 6)
        ]
    assert counts[-1] == [sum(column) for column in zip(*counts[:-1], strict=True)]


@pytest.mark.parametrize("points", [1, 20, 60, 129, 254])
def test_the_key_of_grades_begins_with_the_first_point_that_reaches_the_percentage(points):
    for grade, percent in zip(grades(points), GRADE_PERCENT, strict=True):
        assert grade.least * 100 >= percent * points > (grade.least - 1) * 100
    assert [grade.points for grade in grades(points)] == list(range(15, 0, -1))


def test_guessed_words_are_marked_with_lines_for_the_toml_file(tmp_path):
    sentence = "Der Blorf sieht Zzyxq"
    _, desk, html = made(satz=sentence, stationen="4b")
    text = "\n".join(snippet(desk))
    guessed = [v.token for v in desk.built.vectors if v.origin.value == "guessed"]
    assert guessed
    assert all(word in text for word in guessed)
    assert "geraten" in html["lehrkraft"]
    template = tmp_path / "vorlage.toml"
    template.write_text(text, encoding="utf-8")
    _, again, _ = made(satz=sentence, stationen="4b", vorlage=template)
    assert (again.calculation.model.embedding == desk.calculation.model.embedding).all()
    assert {v.origin.value for v in again.built.vectors if v.token in guessed} == {"given"}


def test_the_pages_name_mistakes_with_their_numbers():
    _, _, html = made(stationen="4b")
    text = text_of(html["lehrkraft"])
    assert "wurde nicht durch √2 geteilt" in text
    assert re.search(r"Von 1\d typischen Fehlern, die auf diesem Blatt vorkommen können", text)
    examples = [str(marked(each.sentence)) for each in parts(stationen="4b")[2]["mistakes_shown"]]
    assert [each for each in examples if each not in html["lehrkraft"]] == []


def test_mistakes_belong_to_rows_of_blanks_and_stand_once():
    sheet, _, found = parts(stationen="4a,4b")
    rows = [row for part in found["mistakes"] for row in part.rows]
    assert len({row.title for row in rows}) == len(rows) > 15
    cells = [cell for row in rows for cell in row.cells]
    assert len(cells) <= len({(b.name, b.index) for b in sheet.blanks()})
    assert all(cell.wrong for cell in cells)
    named = {letter for cell in cells for wrong in cell.wrong for letter in wrong.letters}
    assert named <= {mistake.letter for mistake in found["mistakes_shown"]}
    assert {"Maske vergessen", "nicht durch √2"} <= {mistake.short for mistake in found["mistakes_shown"]}


def test_an_example_of_a_mistake_that_began_earlier_says_so():
    def told(**options):
        shown = parts(gewichte="dezimal", **options)[2]["mistakes_shown"]
        return [mistake.letter for mistake in shown if "Der Fehler begann weiter vorn." in mistake.sentence]

    assert told(satz="Meine Tante kocht heute Suppe", stationen="2,3,4a")
    assert not told(stationen="4a")


def test_what_holds_of_the_model_at_hand_is_answered():
    drawn = text_of(made(stationen="0,4a,8")[2]["lehrkraft"])
    assert "gelernt ist nichts" in drawn
    assert "aus ganz wenigen" not in drawn
    mixed = [
        ("Hier ist W O die Einheitsmatrix", {"stationen": "4b"}),
        ("W O mischt, was die Heads liefern", {"stationen": "4b", "gewichte": "dezimal"}),
    ]
    pages = [text_of(made(**options)[2]["lehrkraft"]) for _, options in mixed]
    for words, _ in mixed:
        assert [words in page for page in pages].count(True) == 1
    plain = text_of(made(stationen="3,4b", positionen=False, maske=False)[2]["lehrkraft"])
    assert "Das erste Wort gibt sich selbst" not in plain
    assert "Bogenmaß" not in plain[plain.index("Die Stationen im Unterricht Lehrplan") :]


def test_a_cell_costs_its_operations_once_on_the_whole_sheet():
    sheet, desk, found = parts()
    work = {row.badge: row.operations for row in found["work"]}
    assert work["6"].divisions == 0
    cells = {(b.name, b.index) for b in sheet.blanks() if b.name in desk.calculation.hand}
    worked_out = {cell for cell in cells if not cell[0].startswith("similarity")}
    divisions = sum(desk.built.effort.of(*cell).divisions for cell in worked_out)
    assert work["7"].divisions + work["5"].divisions <= divisions
    assert found["work_total"].minutes == sum(row.minutes for row in found["work"])


def test_many_points_for_routine_are_named_below_the_grades():
    sheet, _, found = parts()
    first = sum(task.points for s in sheet.stations for task in s.tasks.values() if task.afb == "I")
    assert found["graded"][0].routine == first > sheet.points / 2
    said = [row.task for part in found["stations"] for row in part.rows]
    said += [on for part in found["stations"] for on in part.on_key]
    assert sum(each.points for each in said if each.afb == "I") == first
    assert sum(each.points for each in said) == sheet.points
    assert f"{first} der {sheet.points} BE liegen im AFB I" in text_of(made()[2]["lehrkraft"])
    assert parts(stationen="0")[2]["graded"][0].routine == 0


def test_every_station_has_what_pages_and_cards_of_teachers_read():
    needed = {"goals", "before", "questions", "aim", "opening", "board"}
    for stop in COURSE:
        said = environment().get_template(f"stations/{stop.name}/teachers.html.j2")
        source = Path(said.filename).read_text(encoding="utf-8")
        assert needed <= set(re.findall(r"\{%-? (?:set|macro) (\w+)", source)), stop.name


OPERATORS = ("begründ", "beurteil", "beschreib", "deut", "entw", "erklär", "vergleich")


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"stationen": "2,3,4b,7", "positionen": False, "maske": False, "heads": 1},
        {"stationen": "1b,7", "bloecke": 2},
        {"stationen": "10,11", "zielsatz": "The cat sits", "lernen": "alles"},
        {"satz": "Der Hund holt den Ball", "gewichte": "gelernt", "stationen": "4a,4b,5,7,8,9,S"},
    ],
)
def test_what_goals_and_aims_promise_a_printed_task_asks_for(options):
    """By its operator, which the task prints in bold."""
    asked = {station.badge: operators_of(station.exercises) for station in recorded(**options)}
    pages = made(**options)[2]
    texts = re.findall(r"(?s)<h3>(\S+) [^<]*</h3>\s*<p><b>Ziele\.</b>(.*?)<b>Vorwissen", pages["lehrkraft"])
    assert [badge for badge, _ in texts] == list(asked)
    aims = re.findall(r'(?s)<p class="aim">(.*?)</p>', pages[CARDS])
    texts = [(asked[badge], said) for badge, said in texts]
    for card, aim in zip(parts(**options)[2]["cards"], aims, strict=True):
        texts.append((set().union(*(asked[part.badge] for part in card.parts)), aim))
    for operators, said in texts:
        assert {each for each in OPERATORS if re.search(rf"\b{each}[a-z]*en\b", said)} <= operators, said


def operators_of(exercises):
    bold = [word.casefold() for each in exercises for word in re.findall(r"<b>(.*?)</b>", each.wording)]
    return {each for each in OPERATORS if any(word.startswith(each) for word in bold)}
