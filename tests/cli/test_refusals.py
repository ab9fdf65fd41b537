"""What people paste, mistype and point us at: one German sentence at once, status 2, nothing half written."""

import contextlib
import io
import json
import os
import socket
import time
from pathlib import Path

import pytest
from starting import started

from engine.forward import calculation
from generator.commands.cli import main
from generator.commands.command_table import COMMANDS
from generator.options import limits
from generator.options.option_kinds import Switch
from generator.options.options import TABLE
from tests.fuzz.plain import ensure_plain

KATZE = "Die Katze sitzt"
LONG = "x" * 300
MATRIX = [[1, 0, 0, 0], [0, 1, 0, 0]]
STEEP = {"block1.head1.W_Q": [[99999, 99999]] * 4, "block1.head1.W_K": [[99999, 1]] * 4}
ALIKE = {"wortvektoren": {word: [number] * 4 for number, word in enumerate(KATZE.split(), 1)}}
MONSTROUS = ("temperatur", "topp", "dimension", "startwert", "beispiel")
FILES = {
    "a.csv": "logit;0;1\n",
    "broken.toml": 'dimension = "vier',
    "binary.json": b"\x00\xff\xfe\x00",
    "shape.json": json.dumps({"block1.W_O": MATRIX}),
    "steep.json": json.dumps(STEEP),
    "alike.json": json.dumps(ALIKE),
    "names.json": '{"qqqqqqq": 1}',
    "long.toml": f'satz = "{KATZE}"\nembeddings = "{"x" * 5000}"\n',
    "durchsicht.json": "{}",
    "9999.toml": f'satz = "{KATZE}"\ndimension = {"9" * 9999}\n',
    **{f"{name}400.toml": f'satz = "{KATZE}"\n{name} = {"9" * 400}\n' for name in MONSTROUS},
}
LINKS = {"kreis": "kreis", "k1": "k2", "k2": "k1", "b.html": "b.html"}
NO_FILES = ("fifo", "/dev/zero", "kreis", "ordner", "socket")

MANY = " ".join(f"Wort{number}" for number in range(120))
LARGE = ("--dimension", "512", "--ffn", "4096", "--bloecke", "2")
LEARNT = ("--lernen", "ausgabe", "--richtig", "Hund")
CIRCLE, TOO_LONG = "führt im Kreis", "der Name ist zu lang"
SHEETS = [  # what follows `blatt`
    (("",), "Der Satz"),
    (("Wort " * 5000,), "Der Satz"),
    (("Die", "Katze"), "in Anführungszeichen"),
    (("Die \x1b[31mKatze\x1b[0m",), "Der Satz"),
    *((words, "die unsere Schriften nicht haben") for words in (
        ("猫 犬",), ("Die 🐈 sitzt",), (KATZE, "--zielsatz", "The 猫"), (KATZE, "--endezeichen", "犬"))),
    *(((KATZE, *words), says) for words, says in (
        (("--heads", "3", "--dimension", "4"), "teilt --dimension 4 nicht"),
        (("--uebung", ""), "--uebung „“ passt nicht: Nötig sind Wörter oder Stellen"),
        (("--dimension", "513"), "ganze Zahl von 2 bis 16"),
        (("--ffn", "65"), "von 1 bis 64"),
        (("--vorlage", "broken.toml"), "kein gültiges TOML"),
        (("--vorlage", "/dev/null/x"), "ein Teil des Pfades ist eine Datei"),
        (("--vorlage", LONG), TOO_LONG),
        (("--gewichte", LONG), TOO_LONG),
        (("--gewichte", "binary.json"), "UTF-8"),
        (("--embeddings", "shape.json"), "nötig sind 4 Zeilen"),
        (("--gewichte", "auswahl", "--ohne-positionen", "--embeddings", "alike.json"),
         "Alle Komponenten davor sind gleich"),
        (("--ausgabe", LONG), TOO_LONG),
        (("--ausgabe", "a.csv"), "lässt sich nicht beschreiben"),
        (("--ausgabe", "k1"), CIRCLE),
        (("--ausgabe", "k1/x"), CIRCLE),
        (("--lernen", "ausgabe", "--richtig", "Hund", "--ausgabe", "/proc/nichts"), "lässt sich nicht"),
    )),
]  # fmt: skip
NUMBERS = [  # what follows `rechne`
    (("x", "--dimnsion", "4"), "gemeint ist vielleicht --dimension"),
    (("x", "-q"), "papierformer rechne --hilfe nennt alle"),
    (("--satz", "x"), "SATZ steht ohne Option da"),
    (("x", "--dimension", "--heads", "2"), "--dimension braucht einen Wert, zum Beispiel --dimension 4"),
    (("x", "--maske=ja"), "--maske steht ohne Wert"),
    (("x", "--zielsatz"), 'zum Beispiel --zielsatz "The cat".'),
    ((MANY, *LEARNT), "und 108 weitere"),
    ((KATZE, "--gewichte", "names.json", "--heads", "4"), "weitere"),
    ((KATZE, "--gewichte", "steep.json"), "Station 4a"),
    (("--vorlage", "long.toml"), TOO_LONG),
    *((("--vorlage", f"{name}400.toml"), f"--{name}") for name in MONSTROUS),
    (("--vorlage", "9999.toml"), "kein gültiges TOML"),
    *(((KATZE, option, file), "lässt sich nicht lesen") for file in NO_FILES
      for option in ("--vorlage", "--gewichte", "--embeddings")),
    *((words, "Die Rechnung wäre zu groß: Sie hätte etwa ") for words in (
        ("Wort " * 129,), (KATZE, *LARGE), (KATZE, "--lernen", "alles", "--dimension", "512"))),
]  # fmt: skip
CHECKS = [  # what follows `pruefe`
    *(((file, "a.csv"), "lässt sich nicht lesen") for file in NO_FILES),
    *((("rechnung.json", file), "lässt sich nicht lesen") for file in NO_FILES if file != "ordner"),
    (("rechnung.json", "ordner"), "ließ sich keine Arbeit prüfen"),
    (("kreis", "a.csv"), CIRCLE),
    ((LONG + ".json", "a.csv"), TOO_LONG),
    (("rechnung.json", LONG + ".json"), "Die Antwortdatei"),
    (("large.json", "a.csv"), "Die Rechnung wäre zu groß"),
    *((("rechnung.json", "a.csv", "--bericht", name), "--bericht") for name in (
        "b.html/", "b\n.html", "b\x1b.txt", "b", "b.pdf", "fifo.txt")),
    *((("rechnung.txt", "a.txt", "--bericht", f"ordner/../{name}"), "die geprüft wird") for name in (
        "rechnung.txt", "a.txt")),
    (("rechnung.json", "a.csv", "--bericht", "b.html"), CIRCLE),
]  # fmt: skip
OTHERS = [
    (("blat", KATZE), "gemeint ist vielleicht"),
    (("--dimension",), "--dimension"),
    (("blatt",), "Satz"),
    (("einlesen", "durchsicht.json"), "braucht es --mit"),
    (("loesung", KATZE, "--mit", "block1.head1.weight[2,1]=0,48", "--ausgabe", "a.csv"), "nicht beschreiben"),
    *((("klassensatz", "x", f"--{option.name}"), f"papierformer blatt mit demselben Satz und --{option.name}")
      for option in TABLE if option.not_of_class),
    *(((command.name, f"--{option.name}"), f"zum Beispiel --{option.name} ") for command in COMMANDS
      for option in command.options
      if not isinstance(option.kind, Switch) and not getattr(option.kind, "alone", "")),
]  # fmt: skip
CASES = [
    *((("blatt", *words), says) for words, says in SHEETS),
    *((("rechne", *words), says) for words, says in NUMBERS),
    *((("pruefe", *words), says) for words, says in CHECKS),
    *OTHERS,
]


@pytest.fixture(scope="module")
def calculated():
    """What `rechne` prints of the sentence."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        assert main(["rechne", KATZE]) == 0
    return said.getvalue()


@pytest.fixture
def folder(tmp_path, monkeypatch, calculated):
    """Where all these files lie."""
    monkeypatch.chdir(tmp_path)
    large = json.loads(calculated)
    large |= {"satz": "Wort " * 1000, "tokens": ["Wort"] * 1000}
    large["optionen"]["satz"] = large["satz"]
    more = {"rechnung.json": calculated, "rechnung.txt": calculated, "a.txt": FILES["a.csv"]}
    for name, content in (FILES | more | {"large.json": json.dumps(large)}).items():
        Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    for name, target in LINKS.items():
        Path(name).symlink_to(target)
    Path("ordner").mkdir()
    os.mkfifo("fifo")
    os.mkfifo("fifo.txt")
    with socket.socket(socket.AF_UNIX) as own:
        own.bind("socket")
    return tmp_path


def held(folder):
    return {str(path): (path.lstat().st_size, path.lstat().st_mtime_ns) for path in folder.rglob("*")}


@pytest.mark.skipif(os.name == "nt", reason="no such files there")
def test_each_is_one_sentence_at_once_and_leaves_nothing(folder, capsys):
    before = held(folder)
    for words, says in CASES:
        begun = time.process_time()
        assert main([*words]) == 2, words
        assert time.process_time() - begun < 2, words
        out, said = capsys.readouterr()
        assert (out, says in said, held(folder) == before) == ("", True, True), (words, said)
        ensure_plain(said, folder)


@pytest.mark.parametrize(
    ("option", "name", "content"),
    [("--vorlage", "hostile.toml", "a" + " = {a" * 3000), ("--gewichte", "deep.json", "[" * 100_000)],
)
def test_a_process_with_what_could_end_it_says_one_sentence_too(option, name, content, tmp_path):
    (tmp_path / name).write_text(content, encoding="utf-8")
    before = held(tmp_path)
    done = started("blatt", KATZE, option, name, cwd=tmp_path, text=True)
    assert (done.returncode, done.stdout, held(tmp_path)) == (2, "", before)
    ensure_plain(done.stderr, tmp_path)


@pytest.mark.parametrize(
    ("place", "value"),
    [("satz", "\x1b[31mrot"), ("satz", "\ud800"), ("tokens", "\x1b[2J"), ("dimension", 10**400),
     ("hand", 10**400), ("temperatur", 10**400), ("hand", "\ud800"), ("satz", "\u202e")],
)  # fmt: skip
def test_what_was_put_into_a_calculation_never_reaches_the_terminal(place, value, folder, capsys):
    contents = json.loads(Path("rechnung.json").read_text(encoding="utf-8"))
    of = {"tokens": contents["tokens"], "hand": contents["quantities"]["logit"]["hand"], "satz": contents}
    of.get(place, contents["optionen"])[{"tokens": 0, "hand": 0}.get(place, place)] = value
    Path("r.json").write_text(json.dumps(contents), encoding="utf-8")
    assert main(["pruefe", "r.json", "a.csv"]) == (0 if place == "hand" else 2)
    said = "".join(capsys.readouterr())
    assert "\x1b" not in said
    assert "Unerwartet" not in said


def test_a_sheet_too_large_to_print_is_refused_before_printing(folder, capsys, monkeypatch):
    monkeypatch.setattr(limits, "MOST_PRINTED", 100)
    before = held(folder)
    assert main(["blatt", KATZE, "--gewichte", "auswahl", "--stationen", "4b,6"]) == 2
    assert "--stationen" in capsys.readouterr().err
    assert held(folder) == before


def test_numbers_whose_ranges_have_no_end_are_refused(folder, capsys, monkeypatch):
    monkeypatch.setattr(calculation, "MOST_DRAWS", 3)  # with these weights all 500 end alike
    Path("g.json").write_text('{"block1.head1.W_Q": [[1, 493], [0, 1], [1, 1], [0, -1]]}', encoding="utf-8")
    assert main(["rechne", KATZE, "--gewichte", "g.json"]) == 2
    assert "wird zu groß" in capsys.readouterr().err
