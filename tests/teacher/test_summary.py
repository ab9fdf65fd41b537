import shlex
from pathlib import Path

import pytest

from engine.judging.teaching import Operations
from generator.commands.command_table import COMMANDS
from generator.options.command_line import read
from generator.options.options import Options
from generator.options.sheet_code import command_again
from generator.production.summary import closing_words
from generator.production.worksheet import SheetFiles
from generator.teacher.plan import Workload
from generator.teacher.review import review
from teacher.sheets import made


def test_the_closing_words():
    work = Workload(12, 30, Operations(multiplications=1, divisions=8, exponentials=6), 21.6)
    text = closing_words(Path("aus"), ("b.pdf", "a.pdf"), 1, work, ("Es fehlt etwas.",))
    assert text.splitlines() == [
        "Fertig: aus",
        "  a.pdf, b.pdf",
        "  1 Seite, 30 Lücken, 12 BE",
        "  1 Multiplikation, 8 Divisionen, 6 Exponentialwerte; "
        "geschätzt etwa 18 bis 22\N{NO-BREAK SPACE}Minuten für die Lernenden",
        "Es fehlt etwas.",
    ]


def test_what_is_hard_about_given_numbers_is_named_on_the_terminal():
    sheet, desk, _ = made(satz="May the force", stationen="4b", gewichte="ganzzahlig", skalierung=False)
    certificate = review(sheet, desk, desk.built.ranges()).certificate
    noted = SheetFiles(desk.built, sheet, {}, 0, certificate=certificate).notes()
    assert [*certificate.unfriendly, *certificate.confused] == list(noted)


KATZE = "Die Katze sitzt auf der Matte"


def options_of(command):
    """The options that the command line gives when a shell has split it."""
    words = shlex.split(command)
    assert words[:2] == ["papierformer", "blatt"]
    call = read(next(c for c in COMMANDS if c.name == "blatt"), words[2:])
    return Options.asked({"satz": call.arguments["SATZ"]} | call.options).settled("gelernt")


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"dimension": 6, "heads": 3, "ffn": 5, "maske": False, "positionen": False, "skalierung": False},
        {"temperatur": (0.7, 1.0), "stationen": "4b,4a,S", "gewichte": "dezimal", "startwert": 12},
        {"beispiel": "Matte", "uebung": ("Katze", 3), "stufe": 1, "gewichte": "auswahl"},
        {"beispiel": "der", "nachkommastellen": 3, "dezimalzeichen": "punkt", "bloecke": 2},
    ],
)
def test_the_command_gives_the_same_options(given):
    options = Options(satz=KATZE, **{"gewichte": "gelernt"} | given)
    assert options_of(command_again(options)) == options


@pytest.mark.parametrize(
    "sentence", ['Er sagt "ja" zu $HOME', "Was kostet das? 5 %!", "`id` \\ 'x'", "Ja nein"]
)
def test_no_sign_of_a_sentence_means_anything_to_the_shell(sentence):
    options = Options(satz=sentence)
    assert options_of(command_again(options)).satz == options.satz


def test_defaults_are_not_said_and_of_a_file_only_its_name(tmp_path):
    assert command_again(Options(satz=KATZE, gewichte="gelernt")) == f'papierformer blatt "{KATZE}"'
    template = tmp_path / "meine vorlage.toml"
    template.write_text("stufe = 3\n")
    said = command_again(Options.asked({"satz": KATZE, "vorlage": template}).settled("gelernt"))
    assert said == f'papierformer blatt "{KATZE}" --vorlage "meine vorlage.toml" --stufe 3'
