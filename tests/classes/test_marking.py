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
from tests.classes.bound import calculation_of, manifest_of
from tests.sheets import reading


@pytest.fixture(scope="module")
def class_folder(tmp_path_factory):
    """A set as `klassensatz` leaves it, without its PDFs."""
    folder = tmp_path_factory.mktemp("klasse")
    (folder / "rechnungen").mkdir()
    variants = []
    for number, (seed, name) in enumerate([(1, "Zoë"), (2, "=1+1"), (3, "<b>Bo</b>")], 1):
        options = Options(satz="Die Katze sitzt", stationen=("4b",), gewichte="ganzzahlig", startwert=seed)
        whole = make_sheet(options)
        (folder / f"rechnungen/{number}.json").write_bytes(whole.record_json())
        code = sheet_code(options)
        variants.append({"nummer": number, "name": name, "blatt": whole.sheet.code, "code": code})
    (folder / "klassensatz.json").write_text(json.dumps({"varianten": variants}), encoding="utf-8")
    return folder


def answers_of(folder, number):
    """What an honest pupil writes: the blanks of all exercises, by name and index."""
    contents = calculation_of(folder, number)
    return {
        (name, tuple(index)): reading.cell(contents["quantities"][name]["hand"], index)
        for exercise in contents["aufgaben"]
        for name, cells in exercise["luecken"].items()
        for index in cells
    }


def as_lines(answers, label=""):
    return [
        f"{label}{name};{','.join(map(str, index))};{str(value).replace('.', ',')}"
        for (name, index), value in answers.items()
    ]


@pytest.mark.parametrize("form", ["folder", "csv"])
def test_a_class_from_answers_to_report(form, class_folder, tmp_path, capsys):
    """One has all right, one a slip, one has forgotten to divide the scores of head 1."""
    variants = manifest_of(class_folder)
    right, slip, unscaled = (answers_of(class_folder, number) for number in (1, 2, 3))
    slip[next(each for each in slip if each[0] == "block1.head1.weight")] += 5
    for name, index in unscaled:
        if name.endswith("head1.scaled"):
            unscaled[name, index] = unscaled.get((name.replace("scaled", "score"), index), 0.0)
    pupils = {"1": right, variants[1]["blatt"]: slip, variants[2]["code"]: unscaled, "99": {("x", (0,)): 1}}
    given = tmp_path / ("antworten" if form == "folder" else "antworten.csv")
    if form == "folder":
        given.mkdir()
        for label, answers in pupils.items():
            lines = ["name;index;wert", *as_lines(answers)]
            (given / f"{label}.csv").write_text("\n".join(lines), encoding="utf-8")
    else:
        lines = [line for label, each in pupils.items() for line in as_lines(each, f"{label};")]
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
