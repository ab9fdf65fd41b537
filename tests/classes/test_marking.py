"""A class of simulated pupils, from the set to the report: every verdict as planned."""

import csv
import io
import json

import pytest

from generator.commands import check_command, cli
from generator.options.options import Options
from generator.options.sheet_code import sheet_code
from generator.production import marking
from generator.stations.make_sheet import make_sheet
from tests.sheets import reading

SENTENCE = "Die Katze sitzt auf der Matte"


@pytest.fixture(scope="module")
def class_folder(tmp_path_factory):
    """A set as `klassensatz` leaves it, without its PDFs."""
    folder = tmp_path_factory.mktemp("klasse")
    (folder / "rechnungen").mkdir()
    variants = []
    for number, (seed, name) in enumerate([(1, "Zoë"), (2, "=1+1"), (3, "<b>Bo</b>")], 1):
        options = Options(satz=SENTENCE, stationen=("4b",), gewichte="ganzzahlig", startwert=seed)
        whole = make_sheet(options)
        (folder / f"rechnungen/{number}.json").write_bytes(whole.record_json())
        code = sheet_code(options)
        variants.append({"nummer": number, "name": name, "blatt": whole.sheet.code, "code": code})
    (folder / "klassensatz.json").write_text(json.dumps({"varianten": variants}), encoding="utf-8")
    return folder


def answers_of(folder, number):
    """What an honest pupil writes: the blanks of all exercises, by name and index."""
    path = folder / f"rechnungen/{number}.json"
    contents = json.loads(path.read_text(encoding="utf-8"))
    answers = {}
    for exercise in contents["aufgaben"]:
        for name, cells in exercise["luecken"].items():
            if name in contents["quantities"]:
                for index in cells:
                    answers[name, tuple(index)] = reading.cell(contents["quantities"][name]["hand"], index)
    return answers


def as_lines(answers, label=""):
    before = f"{label};" if label else ""
    return [
        f"{before}{name};{','.join(map(str, index))};{str(value).replace('.', ',')}"
        for (name, index), value in answers.items()
    ]


def without_scaling(folder, number):
    """The answers with the typical mistake from `scaled` on, in head 1: the scores are left undivided."""
    answers = answers_of(folder, number)
    for (name, index), _ in list(answers.items()):
        if name.endswith("head1.scaled"):
            answers[name, index] = answers.get((name.replace("scaled", "score"), index), 0.0)
    return answers


@pytest.mark.parametrize("form", ["folder", "csv"])
def test_a_class_from_answers_to_report(form, class_folder, tmp_path, capsys):
    variants = json.loads((class_folder / "klassensatz.json").read_text(encoding="utf-8"))["varianten"]
    slip = answers_of(class_folder, 2)
    cell = next(each for each in slip if each[0] == "block1.head1.weight")
    slip[cell] += 5
    pupils = {1: answers_of(class_folder, 1), 2: slip, 3: without_scaling(class_folder, 3)}
    labels = {1: "1", 2: variants[1]["blatt"], 3: variants[2]["code"]}
    if form == "folder":
        given = tmp_path / "antworten"
        given.mkdir()
        for number, answers in pupils.items():
            lines = "\n".join(["name;index;wert", *as_lines(answers)])
            (given / f"{labels[number]}.csv").write_text(lines, encoding="utf-8")
        (given / "99.csv").write_text("name;index;wert\nx;0;1\n", encoding="utf-8")
    else:
        given = tmp_path / "antworten.csv"
        lines = [line for number, each in pupils.items() for line in as_lines(each, labels[number])]
        lines.append("99;x;0;1")
        given.write_bytes("\r\n".join(["Code;name;index;wert", *lines]).encode("utf-8-sig"))
    page = tmp_path / "klasse.html"
    assert cli.main(["pruefe", str(class_folder), str(given), "--bericht", str(page)]) == 0
    said = capsys.readouterr().out
    assert "3 Arbeiten geprüft" in said
    assert "„99“" in said

    table = page.with_suffix(".csv").read_bytes().decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(table), delimiter=";"))
    assert [row["Blatt"] for row in rows] == ["1", "2", "3"]
    assert rows[1]["Name"] == "'=1+1"
    assert [row["falsch"] for row in rows][:2] == ["0", "1"]
    assert [row["Fehler"] for row in rows][:2] == ["0", "1"]
    assert rows[0]["BE"] == str(int(rows[0]["von"]) - int(rows[0]["offen"]))
    assert int(rows[1]["BE"]) < int(rows[1]["von"]) - int(rows[1]["offen"])
    assert "," in rows[0]["Prozent"]
    assert rows[2]["typische Fehler"]
    html = page.read_text(encoding="utf-8")
    assert "&lt;b&gt;Bo" in html
    assert "<b>Bo" not in html
    assert rows[2]["typische Fehler"].split(" oder ")[0] in html


def test_one_sheet_for_all(class_folder, tmp_path):
    given = tmp_path / "antworten"
    given.mkdir()
    for name in ("Anna", "Jörg"):
        (given / f"{name}.csv").write_text("\n".join(as_lines(answers_of(class_folder, 1))), encoding="utf-8")
    said = check_command.run(str(class_folder / "rechnungen/1.json"), str(given))
    assert "Anna" in said
    assert "Jörg" in said
    assert marking.as_csv([]).count("\n") == 1
