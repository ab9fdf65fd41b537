"""A list of sentences: one a line, with the line's number where one cannot be used; they take turns."""

import json

import pytest

from generator.basics.errors import UserError
from generator.calculation.build import build
from generator.commands import cli
from generator.production import class_set
from generator.production.class_files import read_sentences
from generator.stations.make_sheet import build_sheet


def listed(tmp_path, content):
    path = tmp_path / "sätze.txt"
    path.write_bytes(content)
    return path


def test_a_sentence_a_line(tmp_path):
    path = listed(tmp_path, "Vögel singen\r\n\r\n  Der  Hund bellt \r\nVögel singen".encode("cp1252"))
    assert read_sentences(path) == ((1, "Vögel singen"), (3, "Der Hund bellt"))


@pytest.mark.parametrize("content", [b"", b"\n \n", "\n".join(f"Satz {n}" for n in range(101)).encode()])
def test_none_and_too_many_are_refused(content, tmp_path):
    with pytest.raises(UserError, match="Satzliste"):
        read_sentences(listed(tmp_path, content))


def test_a_sentence_that_cannot_be_used_is_named_with_its_line(tmp_path, capsys):
    path = listed(tmp_path, b"Vogel singen\n\nHund\n")
    call = ["klassensatz", "--saetze", str(path), "--anzahl", "3", "--ausgabe", str(tmp_path / "x")]
    assert cli.main(call) == 2
    assert "Zeile 3" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


def test_sentences_take_turns_and_names_may_stand_alone_beside_them(tmp_path, capsys):
    path = listed(tmp_path, b"Die Katze sitzt\nDer Hund liegt auf dem Sofa\n")
    names = tmp_path / "namen.csv"
    names.write_text("Ada\nBob\nCem\n", encoding="utf-8")
    call = ["klassensatz", "--saetze", str(path), str(names), "--stationen", "5", "--ausgabe", str(tmp_path)]
    call += ["--gewichte", "ganzzahlig"]
    assert cli.main(call) == 0
    assert "zu 2 Sätzen" in capsys.readouterr().out
    (folder,) = tmp_path.glob("*-klasse")
    manifest = json.loads((folder / class_set.MANIFEST).read_text(encoding="utf-8"))
    found = [(each["name"], each["satz"].split()[1], each["startwert"]) for each in manifest["varianten"]]
    assert [each[:2] for each in found] == [("Ada", "Katze"), ("Bob", "Hund"), ("Cem", "Katze")]
    assert found[0][2] != found[2][2]
    for number, each in enumerate(manifest["varianten"], 1):
        calculation = (folder / f"rechnungen/{number}.json").read_text(encoding="utf-8")
        assert json.loads(calculation)["satz"] == each["satz"]


@pytest.mark.parametrize(("minutes", "warned"), [((40, 41), False), ((40, 60), True)])
def test_sentences_of_unequal_work_are_told(minutes, warned):
    variants = [{"minuten": each, "be": 10, "satz": f"Satz {each}", "code": f"{each}"} for each in minutes]
    manifest = {"varianten": variants, "optionen": {"gewichte": "ganzzahlig"}}
    said = " ".join(class_set.differences(manifest))
    assert ("40 bis 60 Minuten" in said) is warned
    assert bool(said) is warned


def test_the_sheets_of_a_class_are_as_short_as_the_lesson():
    asked = {"satz": "Die Katze sitzt auf der Matte", "gewichte": "ganzzahlig"}
    for time, short in ({"zeit": "45"}, True), ({"stationen": "4a"}, False):
        (station,) = build_sheet(build(class_set.class_options(asked | time)))[0].stations
        assert station.id == "4a"
        assert (getattr(station.parts, "entry", None) is None) is short
