"""A list of sentences: one a line, with the line's number where one cannot be used; they take turns."""

import pytest

from generator.basics.errors import UserError
from generator.calculation.build import build
from generator.commands import cli
from generator.production import class_set
from generator.production.class_files import read_sentences
from generator.production.workshop import Workshop
from generator.stations.make_sheet import build_sheet


@pytest.fixture
def listed(tmp_path):
    def write(content):
        (tmp_path / "sätze.txt").write_bytes(content)
        return tmp_path / "sätze.txt"

    return write


def test_a_sentence_a_line(listed):
    path = listed("Vögel singen\r\n\r\n  Der  Hund bellt \r\nVögel singen".encode("cp1252"))
    assert read_sentences(path) == ((1, "Vögel singen"), (3, "Der Hund bellt"))
    for content in (b"\n \n", "\n".join(f"Satz {n}" for n in range(101)).encode()):
        with pytest.raises(UserError, match="Satzliste"):
            read_sentences(listed(content))


def test_a_sentence_that_cannot_be_used_is_named_with_its_line(listed, tmp_path, capsys):
    path = listed(b"Vogel singen\n\nHund\n")
    call = ["klassensatz", "--saetze", str(path), "--anzahl", "3", "--ausgabe", str(tmp_path / "x")]
    assert cli.main(call) == 2
    assert "Zeile 3" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


def test_sentences_take_turns_and_names_may_stand_alone_beside_them(listed, tmp_path, monkeypatch):
    path, ordered = listed(b"Die Katze sitzt\nDer Hund bellt\n"), []
    (tmp_path / "namen.csv").write_text("Ada\nBob\nCem\n", encoding="utf-8")

    def stop(_, orders):
        ordered.extend(orders)
        raise UserError("genug")

    monkeypatch.setattr(Workshop, "make", stop)  # what becomes of an order: test_class_set.py
    call = ["klassensatz", "--saetze", str(path), str(tmp_path / "namen.csv"), "--stationen", "5"]
    assert cli.main([*call, "--ausgabe", str(tmp_path / "x"), "--gewichte", "ganzzahlig"]) == 2
    found = [(each.name, each.options.satz.split()[1]) for each in ordered]
    assert found == [("Ada", "Katze"), ("Bob", "Hund"), ("Cem", "Katze")]
    assert ordered[0].options.startwert != ordered[2].options.startwert


def test_sentences_of_unequal_work_are_told():
    for minutes, told in (((40, 41), ""), ((40, 60), "40 bis 60 Minuten")):
        variants = [
            {"minuten": each, "be": 10, "satz": f"Satz {each}", "code": f"{each}"} for each in minutes
        ]
        manifest = {"varianten": variants, "optionen": {"gewichte": "ganzzahlig"}}
        said = " ".join(class_set.differences(manifest))
        assert (told in said, bool(said)) == (True, bool(told))


def test_the_sheets_of_a_class_are_as_short_as_the_lesson():
    asked = {"satz": "Die Katze sitzt auf der Matte", "gewichte": "ganzzahlig"}
    for time, short in ({"zeit": "45"}, True), ({"stationen": "4a"}, False):
        (station,) = build_sheet(build(class_set.class_options(asked | time)))[0].stations
        assert station.id == "4a"
        assert (getattr(station.parts, "entry", None) is None) is short
