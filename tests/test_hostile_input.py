"""What people paste, mistype and point us at: one German sentence, status 2, and nothing half written."""

import contextlib
import io
import json
import os
from pathlib import Path

import pytest

from engine.forward import calculation
from generator.basics.errors import shortened
from generator.commands.cli import main
from generator.options import limits

KATZE = "Die Katze sitzt"
ROOT = Path(__file__).parents[1]


def refused(capsys, *words):
    """The one sentence on stderr; status 2."""
    assert main([str(word) for word in words]) == 2
    out, said = capsys.readouterr()
    assert out == ""
    assert said.count("\n") == 1
    assert "None" not in said
    assert "['" not in said
    assert len(said) < 400
    return said


@pytest.fixture(scope="module")
def calculated():
    """What `rechne` prints of the sentence."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        assert main(["rechne", KATZE]) == 0
    return said.getvalue()


@pytest.mark.parametrize(
    "words", [("猫 犬",), ("Die 🐈 sitzt",), (KATZE, "--zielsatz", "The 猫"), (KATZE, "--endezeichen", "犬")]
)
def test_characters_that_no_font_has_are_refused(words, capsys, tmp_path):
    assert "die unsere Schriften nicht haben" in refused(capsys, "blatt", *words, "--ausgabe", tmp_path)


def test_the_mark_of_the_styles_can_be_in_no_sentence():
    for name in ("page", "teacher"):
        assert "@@" not in (ROOT / "templates" / f"{name}.html.j2").read_text(encoding="utf-8")
    from generator.output.formulas.typeset import Typesetter
    from generator.output.render import environment, render_page
    from tests.laid_out import written

    environment().globals["x"] = "<styles/> @@STYLES@@"
    try:
        template = environment().from_string(
            "<!doctype html><html><title>{{ x }}</title><style><styles/></style></html>"
        )
        html = written(render_page(template), Typesetter("screen"))
    finally:
        del environment().globals["x"]
    assert "<title>&lt;styles/&gt; @@STYLES@@</title><style>@font-face" in html


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--uebung", ""), "--uebung „“ passt nicht: Nötig sind Wörter oder Stellen"),
        (("--dimension", "513"), "ganze Zahl von 2 bis 16"),
        (("--bloecke", "5"), "von 1 bis 4"),
        (("--ffn", "65"), "von 1 bis 64"),
        (("--gewichte", "x" * 300), "der Name ist zu lang"),
        (("--vorlage", "x" * 300), "der Name ist zu lang"),
        (("--ausgabe", "x" * 300), "der Name ist zu lang"),
        (("--richtig", "Hund", "--lernen", "ausgabe", "--ausgabe", "/proc/nichts"), "lässt sich nicht"),
    ],
)
def test_messages_are_short_and_name_the_limits_of_the_command(words, says, capsys, tmp_path):
    where = () if "--ausgabe" in words else ("--ausgabe", tmp_path / "da")
    assert says in refused(capsys, "blatt", KATZE, *words, *where)


def test_long_lists_of_names_are_cut(capsys, tmp_path):
    words = " ".join(f"Wort{number}" for number in range(120))
    said = refused(capsys, "rechne", words, "--lernen", "ausgabe", "--richtig", "Hund")
    assert "und 108 weitere" in said
    file = tmp_path / "w.json"
    file.write_text('{"qqqqqqq": 1}')
    assert "weitere" in refused(capsys, "rechne", KATZE, "--gewichte", file, "--heads", "4")


def test_what_is_quoted_is_said_as_people_say_it():
    assert shortened(None) == "nichts"
    assert shortened([1, "a", True]) == "1, a, true"
    assert shortened({"a": 1}) == "eine Tabelle"
    assert shortened(10**5000) == "eine Zahl mit sehr vielen Ziffern"
    assert shortened("\x1b[31m\u202e") == "�[31m�"


@pytest.mark.parametrize("digits", [400, 5000])
@pytest.mark.parametrize("name", ["temperatur", "topp", "dimension", "startwert", "beispiel"])
def test_monstrous_numbers_in_a_template(digits, name, capsys, tmp_path):
    file = tmp_path / "v.toml"
    file.write_text(f'satz = "{KATZE}"\n{name} = {"9" * digits}\n')
    refused(capsys, "rechne", "--vorlage", file)
    file.write_text(f'satz = "{KATZE}"\nembeddings = "{"x" * digits}"\n')
    refused(capsys, "rechne", "--vorlage", file)


@pytest.fixture(params=["fifo", "device", "loop", "folder", "socket"])
def no_file(request, tmp_path):
    path = tmp_path / "x.toml"
    if request.param == "fifo":
        os.mkfifo(path)
    elif request.param == "device":
        path = Path("/dev/zero")
    elif request.param == "loop":
        path.symlink_to(path)
    elif request.param == "folder":
        path.mkdir()
    else:
        import socket

        with socket.socket(socket.AF_UNIX) as own:
            own.bind(str(path))
    return path


@pytest.mark.skipif(os.name == "nt", reason="no such files there")
def test_what_is_no_ordinary_file_is_refused_at_once(no_file, calculated, capsys, tmp_path):
    good = tmp_path / "rechnung.json"
    good.write_text(calculated, encoding="utf-8")
    for words in (
        ("rechne", KATZE, "--vorlage", no_file),
        ("rechne", KATZE, "--gewichte", no_file),
        ("rechne", KATZE, "--embeddings", no_file),
        ("pruefe", no_file, good),
        ("pruefe", good, no_file),
    ):
        said = refused(capsys, *words)
        answers_of_a_class = words[0] == "pruefe" and Path(words[-1]).is_dir()
        assert ("ließ sich keine Arbeit prüfen" if answers_of_a_class else "lässt sich nicht lesen") in said


@pytest.mark.skipif(os.name == "nt", reason="no such links there")
def test_what_cannot_be_looked_at_is_named_as_what_it_is(calculated, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("kreis").symlink_to("kreis")
    Path("arbeit.csv").write_text("name,index,wert\n")
    assert "der Pfad führt im Kreis" in refused(capsys, "pruefe", "kreis", "arbeit.csv")
    long = "x" * 300 + ".json"
    assert "der Name ist zu lang" in refused(capsys, "pruefe", long, "arbeit.csv")
    Path("rechnung.json").write_text(calculated, encoding="utf-8")
    said = refused(capsys, "pruefe", "rechnung.json", long)
    assert "Die Antwortdatei" in said
    assert "der Name ist zu lang" in said


@pytest.mark.parametrize("which", [0, 1])
def test_a_report_never_overwrites_what_it_is_about(which, calculated, capsys, tmp_path):
    files = [tmp_path / "rechnung.txt", tmp_path / "antworten.txt"]
    files[0].write_text(calculated, encoding="utf-8")
    files[1].write_text("logit;0;1\n")
    before = [file.read_bytes() for file in files]
    said = refused(capsys, "pruefe", *files, "--bericht", tmp_path / "x" / ".." / files[which].name)
    assert "die geprüft wird" in said
    assert [file.read_bytes() for file in files] == before


def test_a_report_is_no_device(calculated, capsys, tmp_path):
    (tmp_path / "r.json").write_text(calculated, encoding="utf-8")
    (tmp_path / "a.csv").write_text("logit;0;1\n")
    os.mkfifo(tmp_path / "b.txt")
    said = refused(capsys, "pruefe", tmp_path / "r.json", tmp_path / "a.csv", "--bericht", tmp_path / "b.txt")
    assert said.startswith("--bericht")


@pytest.mark.parametrize("name", ["b.html/", "b\n.html", "b\x1b.txt", "b", "b.pdf"])
def test_a_report_has_a_name_of_a_file(name, calculated, capsys, tmp_path):
    (tmp_path / "r.json").write_text(calculated, encoding="utf-8")
    (tmp_path / "a.csv").write_text("logit;0;1\n")
    before = sorted(tmp_path.iterdir())
    said = refused(
        capsys, "pruefe", tmp_path / "r.json", tmp_path / "a.csv", "--bericht", f"{tmp_path}/{name}"
    )
    assert said.startswith("--bericht")
    assert sorted(tmp_path.iterdir()) == before


def test_links_in_a_circle_are_called_so(calculated, capsys, tmp_path):
    (tmp_path / "r.json").write_text(calculated, encoding="utf-8")
    (tmp_path / "a.csv").write_text("logit;0;1\n")
    for name, other in (("k1", "k2"), ("k2", "k1"), ("b.html", "b.html")):
        (tmp_path / name).symlink_to(other)
    for folder in ("k1", "k1/x"):
        assert "führt im Kreis" in refused(capsys, "blatt", KATZE, "--ausgabe", tmp_path / folder)
    report = tmp_path / "b.html"
    said = refused(capsys, "pruefe", tmp_path / "r.json", tmp_path / "a.csv", "--bericht", report)
    assert "führt im Kreis" in said


def test_vectors_of_equal_components_are_no_matter_of_size(capsys, tmp_path):
    vectors = {word: [number] * 4 for number, word in enumerate(KATZE.split(), 1)}
    (tmp_path / "e.json").write_text(json.dumps({"wortvektoren": vectors}), encoding="utf-8")
    own = ("--gewichte", "auswahl", "--ohne-positionen", "--embeddings", tmp_path / "e.json")
    said = refused(capsys, "blatt", KATZE, *own, "--ausgabe", tmp_path)
    assert "Alle Komponenten davor sind gleich" in said
    assert "kleineren" not in said


def test_keys_of_other_numbers_do_not_stay_beside_a_new_sheet(tmp_path):
    key = tmp_path / "die-katze-sitzt" / "loesung-mit.html"
    words = ("blatt", KATZE, "--stationen", "2", "--gewichte", "auswahl", "--ausgabe", str(tmp_path))
    assert main([*words]) == 0
    key.write_text("mit eigenen Zahlen")
    assert main([*words]) == 0
    assert key.exists()
    assert main([*words, "--startwert", "1"]) == 0
    assert not key.exists()


@pytest.mark.parametrize(
    ("place", "value"),
    [("satz", "\x1b[31mrot"), ("satz", "\ud800"), ("tokens", "\x1b[2J"), ("dimension", 10**400),
     ("hand", 10**400), ("temperatur", 10**400), ("hand", "\ud800"), ("satz", "\u202e")],
)  # fmt: skip
def test_what_was_put_into_a_calculation_never_reaches_the_terminal(
    place, value, calculated, capsys, tmp_path
):
    contents = json.loads(calculated)
    if place == "tokens":
        contents["tokens"][0] = value
    elif place == "hand":
        contents["quantities"]["logit"]["hand"][0] = value
    elif place in ("dimension", "temperatur"):
        contents["optionen"][place] = value
    else:
        contents[place] = value
    (tmp_path / "r.json").write_text(json.dumps(contents), encoding="utf-8")
    (tmp_path / "a.csv").write_text("logit;0;1\n")
    status = main(["pruefe", str(tmp_path / "r.json"), str(tmp_path / "a.csv")])
    out, said = capsys.readouterr()
    assert status == (0 if place == "hand" else 2)
    assert "\x1b" not in out + said
    assert "Unerwartet" not in said


def test_time_speaks_of_words_only_where_a_station_has_them(capsys, tmp_path):
    words = ["blatt", KATZE, "--zeit", "10", "--ausgabe", str(tmp_path), "--stationen"]
    assert main([*words, "S,0"]) == 0
    assert "sitzt" not in capsys.readouterr().out.split("gewählt")[1]


def test_numbers_whose_ranges_have_no_end_are_refused(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(calculation, "MOST_DRAWS", 3)  # with these weights all 500 end alike
    weights = tmp_path / "g.json"
    weights.write_text('{"block1.head1.W_Q": [[1, 493], [0, 1], [1, 1], [0, -1]]}', encoding="utf-8")
    assert main(["rechne", "Die Katze sitzt", "--gewichte", str(weights)]) == 2
    assert "wird zu groß" in capsys.readouterr().err


def test_a_sheet_too_large_to_print_is_refused_before_printing(capsys, tmp_path):
    words = ["blatt", KATZE, "--dimension", "16", "--heads", "16", "--bloecke", "4", "--ausgabe", tmp_path]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "MOST_PRINTED", 600)
        said = refused(capsys, *words, "--stationen", "6,7")
    assert "zu groß" in said
    assert "--stationen" in said
    assert not list(tmp_path.iterdir())
