import re
import shlex

import pytest

from generator.basics.errors import UserError
from generator.commands import cli
from generator.options.command_line import Argument, Call, Command, Flag, command_help, program_help, read
from generator.options.options import TABLE

RECHNE = next(command for command in cli.COMMANDS if command.name == "rechne")
ENGLISH = "usage|error|show this|optional|positional arg|argument:|options|required|default"


def test_options_and_sentence_in_any_order():
    expected = Call({"SATZ": "Die Katze"}, {"heads": "1", "maske": False, "temperatur": ["0,5", "2"]})
    for words in (
        "'Die Katze' --heads 1 --ohne-maske --temperatur 0,5 --temperatur=2",
        "--heads=1 --ohne-maske --temperatur 0,5 'Die Katze' --temperatur 2",
        "--temperatur=0,5 --temperatur=2 --maske --heads 3 --heads=1 --ohne-maske -- 'Die Katze'",
    ):
        assert read(RECHNE, shlex.split(words)) == expected


def test_a_hyphen_begins_sentences_and_negative_numbers_too():
    for sentence in ("-5 Grad sind kalt", "-", "-- so ist es --", "", "-12"):
        assert read(RECHNE, [sentence]).arguments == {"SATZ": sentence}
    assert read(RECHNE, ["x", "--dimension", "-1"]).options == {"dimension": "-1"}


def test_help_names_everything_in_german():
    assert all(read(RECHNE, ["x", flag]).wants_help for flag in ("-h", "--help", "--hilfe"))
    text = program_help(cli.COMMANDS) + "".join(map(command_help, cli.COMMANDS))
    for command in cli.COMMANDS:
        assert f"  {command.name} " in text
    for option in TABLE:
        assert option.flag in text
        assert " ".join(option.help.split()) in " ".join(text.split())
    assert not re.search(ENGLISH, text.lower().replace("optionen", ""))
    assert max(map(len, text.splitlines())) <= 100


def test_a_command_with_its_own_flag_and_needed_arguments():
    seen = []
    pruefe = Command(
        "pruefe",
        "vergleicht Antworten",
        seen.append,
        (Argument("RECHNUNG.json", "die Rechnung"), Argument("ANTWORTEN", "die Antworten")),
        flags=(Flag("--json", "gibt JSON aus"),),
    )
    call = read(pruefe, ["r.json", "a.csv", "--json"])
    assert call == Call({"RECHNUNG.json": "r.json", "ANTWORTEN": "a.csv"}, {}, frozenset({"--json"}))
    with pytest.raises(UserError, match="ANTWORTEN fehlt"):
        read(pruefe, ["r.json"])
    with pytest.raises(UserError, match="zu viel"):
        read(pruefe, ["r.json", "a.csv", "b.csv"])
    assert "--json" in command_help(pruefe)


def test_help_has_no_empty_default_and_its_examples_can_be_read():
    for command in cli.COMMANDS:
        text = command_help(command)
        assert "(voreingestellt: )" not in text
        for example in command.examples:
            assert f"  papierformer {command.name} {example}" in text
            read(command, shlex.split(example))
