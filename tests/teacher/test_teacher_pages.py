"""What the teacher's pages say of any sheet is what stands on it: tasks, points, minutes, goals, mistakes."""

import math
import re

import pytest

from generator.basics.files import CARDS
from generator.check.marks import GRADE_PERCENT, grades
from generator.figures.parts import qr_code
from generator.teacher.teacher import marked, snippet
from teacher.sheets import KATZE, SHEETS, STEP, every_sheet, printed, taught, text_of
from tests.pdf.signs import pages_of, signs
from tests.pdf.signs import text_of as text_on

OPERATORS = ("begründ", "beurteil", "beschreib", "deut", "entw", "erklär", "vergleich")


@every_sheet
def test_every_task_is_expected_with_its_points(sheet):
    own = taught(**SHEETS[sheet])
    text = text_of(own.html["lehrkraft"])
    expected = text[text.index("Erwartungshorizont Ein Fehler") : text.index("Notenschlüssel Vorschlag")]
    for station, key, part in zip(own.sheet.stations, own.key, own.found["stations"], strict=True):
        exercises = {each.task.number: each for each in key.exercises}
        named = [row.task.number for row in part.rows]
        assert set(named) >= {number for number, each in exercises.items() if each.answers}
        assert all(list(row.answers) == exercises[row.task.number].answers for row in part.rows)
        for on in part.on_key:
            assert f"Nr. {', '.join(on.tasks)} (AFB {on.afb}, {on.points} BE)" in expected
            spans = [list(map(int, span.split("–"))) for span in on.tasks]
            there = [number for span in spans for number in range(span[0], span[-1] + 1)]
            assert on.points == sum(exercises[number].task.points for number in there)
            named += there
        assert sorted(named) == [task.number for task in station.tasks.values()]
        assert (f"{text_of(key.title)}: / {station.points} BE" in expected) == bool(station.tasks)
    rows = [row.task for part in own.found["stations"] for row in part.rows]
    shown = re.findall(r'class="words">(I+)</td><td class="words">(\d+)</td></tr>', own.html["lehrkraft"])
    assert shown == [(task.afb, str(task.points)) for task in rows if task.points] != []
    tasks = [task for station in own.sheet.stations for task in station.tasks.values()]
    routine = sum(task.points for task in tasks if task.afb == "I")
    assert f"auf die {own.sheet.points} BE" in text
    said = f"{routine} der {own.sheet.points} BE liegen im AFB I"
    assert (said in text) == (2 * routine > own.sheet.points)
    advised = re.search(r"mit Aufgaben aus AFB ([IVund ]+)\.", text)
    assert advised is None or set(advised[1].split(" und ")) == {task.afb for task in tasks} - {"I"}


@every_sheet
def test_the_minutes_are_those_of_the_rule_beside_their_counts(sheet):
    page = taught(**SHEETS[sheet]).html["lehrkraft"]
    table = page[page.index('<table class="effort">') :].partition("</table>")[0]
    rows = re.findall(r"(?s)<tr(?: class=\"sum\")?><th scope=\"row\">(\S+).*?</th>(.*?)</tr>", table)
    counts = [[int(n) for n in re.findall(r"figure-cell\">(\d+)<", row)] for _, row in rows]
    seconds = (10, 11, 4, 10, 9, 7, 12) if "sin, cos" in table else (10, 11, 4, 10, 9, 7)
    long = {"4a", "4b", "6", "10", "11"}
    for (badge, _), (*each, lines, tasks, worded, _, minutes) in zip(rows[:-1], counts, strict=False):
        reading = (
            {"lesson": 9, "both sentences": 25 if badge == "11" else 6}.get(sheet, 6) if badge in long else 3
        )
        spent = sum(n * s for n, s in zip(each, seconds, strict=True)) + 18 * lines
        assert minutes == math.ceil(round(reading + tasks + 2.5 * worded + spent / 60, 9)), badge
    assert counts[-1] == [sum(column) for column in zip(*counts[:-1], strict=True)]
    assert counts[-1][-2] == taught(**SHEETS[sheet]).sheet.points


@every_sheet
def test_what_goals_and_aims_promise_a_printed_task_asks_for(sheet):
    """By its operator, which the task prints in bold."""
    own = taught(**SHEETS[sheet])
    asked = {station.badge: operators_of(station.exercises) for station in own.key}
    texts = re.findall(
        r"(?s)<h3>(\S+) [^<]*</h3>\s*<p><b>Ziele\.</b>(.*?)<b>Vorwissen", own.html["lehrkraft"]
    )
    assert [badge for badge, _ in texts] == list(asked)
    texts = [(asked[badge], said) for badge, said in texts]
    aims = re.findall(r'(?s)<p class="aim">(.*?)</p>', own.html[CARDS])
    for card, aim in zip(own.found["cards"], aims, strict=True):
        texts.append((set().union(*(asked[part.badge] for part in card.parts)), aim))
    for operators, said in texts:
        assert {each for each in OPERATORS if re.search(rf"\b{each}[a-z]*en\b", said)} <= operators, said


def operators_of(exercises):
    bold = [word.casefold() for each in exercises for word in re.findall(r"<b>(.*?)</b>", each.wording)]
    return {each for each in OPERATORS if any(word.startswith(each) for word in bold)}


@every_sheet
def test_mistakes_belong_to_blanks_and_each_has_an_example(sheet):
    own = taught(**SHEETS[sheet])
    rows = [row for part in own.found["mistakes"] for row in part.rows]
    assert len({row.title for row in rows}) == len(rows)
    cells = [cell for row in rows for cell in row.cells]
    assert len(cells) <= len({(blank.name, blank.index) for blank in own.sheet.blanks()})
    assert all(cell.wrong for cell in cells)
    shown = own.found["mistakes_shown"]
    named = {letter for cell in cells for wrong in cell.wrong for letter in wrong.letters}
    assert named <= {mistake.letter for mistake in shown}
    assert all(str(marked(each.sentence)) in own.html["lehrkraft"] for each in shown)


SAID = [  # of a sheet, and not
    (STEP, "", "Maske Encoder Decoder d_k Selbst.gerechnet"),
    (SHEETS["both sentences"], "Maske", ""),
    (SHEETS["plain"], "", "Das.erste.Wort.gibt.sich.selbst setzt.den.Satz.fort"),
    (SHEETS["worded"], "gelernt.ist.nichts", "aus.ganz.wenigen"),
    (SHEETS["few"], "Das.vorhergesagte.Wort Hier.ist.W.O.die.Einheitsmatrix nicht.durch.√2.geteilt "
     "Von.\\d+.typischen.Fehlern Maske.vergessen", "aus.ganz.wenigen"),
    ({"stationen": "4b", "gewichte": "dezimal"}, "W.O.mischt,.was.die.Heads.liefern", "Hier.ist.W.O"),
    ({"stationen": "3,5"}, "Kopieren.arbeitsblatt.pdf Taschenrechner.mit.√,.sin.und.cos.im.Bogenmaß",
     "Einheitsmatrix je.Doppelstunde.eine.Seite"),
    ({}, "je.Doppelstunde.eine.Seite So.viel.passt.in.jede.Stunde", ""),
    ({"zeit": 10, "stationen": "1b"}, "sind.zu.wenig schon.das.Kürzeste.dauert.nach.der.Schätzung.länger",
     "So.viel.passt"),
    # an example of a mistake that began on an earlier station says so
    ({"satz": "Meine Tante kocht heute Suppe", "stationen": "2,3,4a", "gewichte": "dezimal"},
     "Der.Fehler.begann.weiter.vorn\\.", ""),
]  # fmt: skip


@pytest.mark.parametrize(("options", "said", "not_said"), SAID)
def test_the_pages_speak_of_this_sheet_and_model_alone(options, said, not_said):
    own = taught(**options)
    text = text_of(own.html["lehrkraft"])
    assert [each for each in said.split() if not re.search(each, text)] == []
    for page in (text, text_of(own.html[CARDS])):
        assert [each for each in not_said.split() if re.search(each, page)] == []
    order = ["Kopieren", "Erwartungshorizont Ein", "Notenschlüssel", "Zum Nachschlagen"]
    order[1:1] = ["Einstiegsfrage"] * (len(own.found["cards"]) == 1)
    assert sorted(order, key=text.index) == order


@pytest.mark.parametrize("points", [1, 20, 60, 129, 254])
def test_the_key_of_grades_begins_with_the_first_point_that_reaches_the_percentage(points):
    for grade, percent in zip(grades(points), GRADE_PERCENT, strict=True):
        assert grade.least * 100 >= percent * points > (grade.least - 1) * 100
    assert [grade.points for grade in grades(points)] == list(range(15, 0, -1))


def test_guessed_words_are_marked_with_lines_for_the_toml_file(tmp_path):
    sentence = "Der Blorf sieht Zzyxq"
    own = taught(sentence, stationen="4b")
    template = tmp_path / "vorlage.toml"
    template.write_text("\n".join(snippet(own.desk)), encoding="utf-8")
    guessed = [each.token for each in own.desk.built.vectors if each.origin.value == "guessed"]
    assert guessed
    assert "geraten" in own.html["lehrkraft"]
    again = taught(sentence, stationen="4b", vorlage=template).desk
    assert (again.calculation.model.embedding == own.desk.calculation.model.embedding).all()
    assert {each.origin.value for each in again.built.vectors if each.token in guessed} == {"given"}


def test_a_cell_costs_its_operations_once_on_the_whole_sheet():
    own = taught()
    work = {row.badge: row.operations for row in own.found["work"]}
    assert work["6"].divisions == 0
    cells = {(b.name, b.index) for b in own.sheet.blanks() if b.name in own.desk.calculation.hand}
    worked_out = {cell for cell in cells if not cell[0].startswith("similarity")}
    divisions = sum(own.desk.built.effort.of(*cell).divisions for cell in worked_out)
    assert work["7"].divisions + work["5"].divisions <= divisions


MM = 72 / 25.4
LONG = "Die Donaudampfschifffahrtsgesellschaftskapitänsmütze liegt heute neben dem Sofa"


@pytest.mark.parametrize(
    "options",
    [
        {"satz": LONG, "dimension": 16, "heads": 4, "stationen": "4a,8"},
        pytest.param(SHEETS["booklet"], marks=pytest.mark.thorough),
        pytest.param(
            {"stationen": "4b", "gruppen": "token", "zielsatz": "The cat", "dezimalzeichen": "punkt"},
            marks=pytest.mark.thorough,
        ),
    ],
)
def test_nothing_of_the_teachers_pages_runs_into_the_margins(options):
    pages = pages_of(printed("lehrkraft", **options).write())
    for number, page in enumerate(pages, 1):
        beyond = [s.text for s in signs(page) if not 25 * MM - 1 < s.left <= s.right < 190 * MM + 1]
        assert not beyond, (number, "".join(beyond)[:80])
        assert len(text_on(page)) > 200  # the last page may be short
    first, *_, last = map(text_on, pages)
    assert all(part in first for part in ("Lehrkraftseiten", "Kopieren", "Austeilen", "Zeit", "Geschätzt"))
    assert f'papierformer blatt "{options.get("satz", KATZE)}" --' in last
    assert qr_code("x" * 900, "too long for a code on paper") is None


def test_the_contents_name_the_page_of_every_station_and_lead_there():
    """On the screen its stations fold, in the key alone."""
    stations = ["0", "1", "3"]
    options = {"stationen": ",".join(stations)}
    layout = printed("arbeitsblatt", **options)
    named = re.findall(r"\.{5,}\s*(\d+)", text_on(pages_of(layout.write())[0]))
    ids = [f"station-{each}" for each in stations]
    pages = [next(n for n, page in enumerate(layout.anchors, 1) if each in page) for each in ids]
    assert list(map(int, named)) == pages
    for name, folded in (("arbeitsblatt", 0), ("loesung", 3)):
        html = taught(**options).html[name]
        contents = re.search(r'(?s)<ul class="contents">.*?</ul>', html).group()
        assert re.findall(r'href="#(station-[^"]+)"', contents) == ids
        assert all(html.count(f'id="{each}"') == 1 for each in ids)
        assert html.count("<details") == folded
