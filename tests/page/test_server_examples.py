"""The examples for a server: they start the page with options that it knows, and systemd knows every line."""

import json
import re
import shlex
import shutil
import subprocess

import pytest

from generator.commands.command_table import COMMANDS
from generator.options.command_line import read
from tests.page.running import ROOT

EXAMPLES = ROOT / "templates" / "examples" / "server"
UNIT = (EXAMPLES / "papierformer.service").read_text(encoding="utf-8")
CONTAINER = (EXAMPLES / "Containerfile").read_text(encoding="utf-8")
PROGRAM = "/opt/papierformer/.venv/bin/papierformer"


def started():
    """The words after the program in each example."""
    unit = shlex.split(re.search(r"^ExecStart=(.+)$", UNIT, re.MULTILINE)[1])
    container = json.loads(re.search(r"^ENTRYPOINT (.+)$", CONTAINER, re.MULTILINE)[1])
    return {"papierformer.service": unit[1:], "Containerfile": container[1:]}


@pytest.mark.parametrize("example", ["papierformer.service", "Containerfile"])
def test_the_page_knows_the_options(example):
    name, *words = started()[example]
    command = next(each for each in COMMANDS if each.name == name)
    call = read(command, words)
    assert {"--ohne-browser"} == set(call.flags)
    assert {"ablage"} <= set(call.options)


def test_the_container_holds_what_is_built_into_the_wheel():
    copied = re.findall(r"^COPY (.+) /tmp/", CONTAINER, re.MULTILINE)
    names = [name for line in copied for name in line.split()]
    assert {"engine", "generator", "templates", "pyproject.toml", "requirements.lock"} <= set(names)
    assert [name for name in names if not (ROOT / name).exists()] == []


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
def test_systemd_finds_nothing_wrong(tmp_path):
    assert PROGRAM in UNIT
    unit = tmp_path / "papierformer.service"
    unit.write_text(UNIT.replace(PROGRAM, "/bin/true"), encoding="utf-8")
    found = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout + found.stderr) == (0, "")
