"""What is typed is read in any order; help and template name every option in German, and can be read back."""

import dataclasses
import re
import shlex
import tomllib

import pytest

from generator.basics.errors import UserError
from generator.commands import cli
from generator.options.command_line import (
    Argument,
    Call,
    Command,
    Flag,
    command_help,
    program_help,
    read,
    template,
)
from generator.options.numbers_file import read_given
from generator.options.options import NAMES, TABLE, Options
from tests.laid_out import KATZE

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
    for sentence in ("-5 Grad sind kalt", "-", "-- so ist es --", "", "-12"):
        assert read(RECHNE, [sentence]).arguments == {"SATZ": sentence}
    assert read(RECHNE, ["x", "--dimension", "-1"]).options == {"dimension": "-1"}


def test_a_command_with_its_own_flag_and_needed_arguments():
    wanted = (Argument("RECHNUNG.json", "die Rechnung"), Argument("ANTWORTEN", "die Antworten"))
    pruefe = Command("pruefe", "vergleicht", print, wanted, flags=(Flag("--json", "gibt JSON aus"),))
    call = read(pruefe, ["r.json", "a.csv", "--json"])
    assert call == Call({"RECHNUNG.json": "r.json", "ANTWORTEN": "a.csv"}, {}, frozenset({"--json"}))
    for words, says in ((["r.json"], "ANTWORTEN fehlt"), (["r.json", "a.csv", "b.csv"], "zu viel")):
        with pytest.raises(UserError, match=says):
            read(pruefe, words)
    assert "--json" in command_help(pruefe)


def test_help_names_everything_in_german_and_its_examples_can_be_read():
    assert all(read(RECHNE, ["x", flag]).wants_help for flag in ("-h", "--help", "--hilfe"))
    text = program_help(cli.COMMANDS) + "".join(map(command_help, cli.COMMANDS))
    for option in TABLE:
        assert option.flag in text
        assert " ".join(option.help.split()) in " ".join(text.split())
    assert not re.search(ENGLISH, text.lower().replace("optionen", ""))
    assert max(map(len, text.splitlines())) <= 100
    assert "(voreingestellt: )" not in text
    for command in cli.COMMANDS:
        assert f"  {command.name} " in text
        for example in command.examples:
            assert f"  papierformer {command.name} {example}" in text
            read(command, shlex.split(example))


# The template that `vorlage` prints.


def switched_on(text):
    """The template with every commented line that is TOML switched on."""
    lines, inside = [], False
    for line in text.splitlines():
        bare = line.removeprefix("# ")
        name = bare.split(" = ")[0].strip('"')
        known = name in (*NAMES, "embedding", "Katze", "geht's") or name.startswith("block")
        begins = " = " in bare and known
        inside = begins or bare == "[wortvektoren]" or (inside and line.startswith(("#   [", "# ]")))
        lines.append(bare if inside else line)
    return "\n".join(lines) + "\n"


def test_the_template_gives_the_defaults_and_its_examples_work(tmp_path):
    def with_template(text):
        path = tmp_path / "vorlage.toml"
        path.write_text(text, encoding="utf-8")
        return Options.from_mapping({"satz": KATZE, "vorlage": str(path)})

    options = with_template(template())
    assert dataclasses.replace(options, vorlage=None) == Options(satz=KATZE)
    given = read_given(options)
    assert (given.embedding, given.word_vectors, given.weights) == (None, {}, {})
    text = switched_on(template())
    assert set(NAMES) - {"vorlage"} <= set(tomllib.loads(text))
    text = re.sub(r"(?m)^(embeddings|texte|weiter) = .*$", "", text)  # a file; and what belongs to training
    options = with_template(text)
    assert (options.ffn, options.beispiel, options.uebung) == (8, 2, (3, 5))
    given = read_given(options)
    assert given.embedding.shape == (6, 4)
    assert given.weights["block1.head1.W_Q"].tolist() == [[1, 0], [0, 1], [0, 0], [0, 0]]
    assert given.word_vectors["Katze"] == pytest.approx((0, 0.9, 0.1, 0.2), abs=0)


def test_a_flag_whose_value_may_be_left_out_leaves_the_sentence_alone():
    (blatt,) = (command for command in cli.COMMANDS if command.name == "blatt")
    for words, wanted in (([], "a3"), (["a4"], "a4"), (["a3"], "a3")):
        call = read(blatt, ["--plakat", *words, KATZE])
        assert (call.options["plakat"], call.arguments["SATZ"]) == (wanted, KATZE)
