import shlex

import pytest

from generator.commands.command_table import COMMANDS
from generator.options.command_line import read
from generator.options.options import Options
from generator.options.sheet_code import command_again

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
        {"dimension": 6, "heads": 3, "ffn": 5},
        {"maske": False, "positionen": False, "skalierung": False},
        {"temperatur": (0.7, 1.0), "stationen": "4b,4a,S", "gewichte": "dezimal", "startwert": 12},
        {"beispiel": "Matte", "uebung": ("Katze", 3), "stufe": 1, "gewichte": "auswahl"},
        {"beispiel": "der", "uebung": ("Katze", 3), "nachkommastellen": 3},
        {"dezimalzeichen": "punkt", "bloecke": 2},
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


def test_defaults_are_not_said():
    assert command_again(Options(satz=KATZE, gewichte="gelernt")) == f'papierformer blatt "{KATZE}"'


def test_of_a_file_only_its_name_is_said(tmp_path):
    template = tmp_path / "meine vorlage.toml"
    template.write_text("stufe = 3\n")
    said = command_again(Options.asked({"satz": KATZE, "vorlage": template}).settled("gelernt"))
    assert said == f'papierformer blatt "{KATZE}" --vorlage "meine vorlage.toml" --stufe 3'
