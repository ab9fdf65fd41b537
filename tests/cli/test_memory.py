"""Memory is promised: no calculation takes more than 2 GB, and what is too large is said at once."""

import json
import os
import sys
import time

import pytest
from starting import started

from generator.commands import cli

KATZE = "Die Katze sitzt auf der Matte"
PEAK = """
import re, sys
from pathlib import Path
from generator.commands.cli import main
status = main(sys.argv[1:])
peak = re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())  # its own, not its parent's
print(peak[1], file=sys.stderr)
sys.exit(status)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss is in KiB on Linux only")
@pytest.mark.parametrize(
    ("words", "options"),
    [
        pytest.param(3, {"dimension": 512}, marks=pytest.mark.thorough),
        (128, {"dimension": 64}),
        (6, {"dimension": 4, "lernen": "alles", "zielsatz": "the cat sits on the mat"}),
    ],
)
def test_the_largest_calculations_take_no_more_than_promised(words, options):
    sentence = " ".join(f"w{n}" for n in range(words))
    flags = [text for name, value in options.items() for text in (f"--{name}", str(value))]
    run = started("rechne", sentence, *flags, code=PEAK, text=True)
    assert run.returncode == 0
    assert int(run.stderr.split()[-1]) * 1024 < 2 * 10**9


@pytest.mark.parametrize(
    "words",
    [
        ["Wort " * 129],
        [KATZE, "--dimension", "512", "--ffn", "4096", "--bloecke", "2"],
        [KATZE, "--lernen", "alles", "--dimension", "512"],
    ],
)
def test_too_much_is_refused_at_once(words, capsys):
    start = time.process_time()
    assert cli.main(["rechne", *words]) == 2
    assert time.process_time() - start < 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("Die Rechnung wäre zu groß: Sie hätte etwa ")
    assert err.count("\n") == 1


def test_a_calculation_edited_to_1000_tokens_is_refused_at_once(tmp_path, capsys):
    assert cli.main(["rechne", KATZE]) == 0
    contents = json.loads(capsys.readouterr().out)
    words = ["Wort"] * 1000
    contents |= {"satz": " ".join(words), "tokens": words}
    contents["optionen"]["satz"] = contents["satz"]
    file, answers = tmp_path / "rechnung.json", tmp_path / "antworten.json"
    file.write_text(json.dumps(contents), encoding="utf-8")
    answers.write_text("{}", encoding="utf-8")
    start = time.process_time()
    assert cli.main(["pruefe", os.fspath(file), os.fspath(answers)]) == 2
    assert time.process_time() - start < 1
    assert "Die Rechnung wäre zu groß" in capsys.readouterr().err
