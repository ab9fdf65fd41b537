"""The examples for a server start the page with options that it knows; the document names its limits."""

import json
import re
import shlex
import shutil
import subprocess

import pytest

from generator.basics import reading
from generator.commands.command_table import COMMANDS
from generator.options.command_line import read
from generator.page import checking, connections, guard, settings, workers
from generator.page.lesson import lessons, opened, phones
from tests.page.running import ROOT

EXAMPLES = ROOT / "templates" / "examples" / "server"
UNIT = (EXAMPLES / "papierformer.service").read_text(encoding="utf-8")
CONTAINER = (EXAMPLES / "Containerfile").read_text(encoding="utf-8")


def test_the_page_knows_the_options_and_the_container_holds_what_is_in_the_wheel():
    page = next(each for each in COMMANDS if each.name == "seite")
    unit = shlex.split(re.search(r"^ExecStart=(.+)$", UNIT, re.MULTILINE)[1])
    container = json.loads(re.search(r"^ENTRYPOINT (.+)$", CONTAINER, re.MULTILINE)[1])
    for text, (_, name, *words) in ((UNIT, unit), (CONTAINER, container)):
        call = read(page, words)
        assert (name, set(call.flags), "ablage" in call.options) == ("seite", {"--ohne-browser"}, True)
        (named,) = re.findall(r'FORWARDED_ALLOW_IPS="?([^\s"]*)', text.replace("# FORWARDED_ALLOW_IPS:", ""))
        assert re.fullmatch(r"[0-9.]+", named), "only the proxy says who asks"
    names = " ".join(re.findall(r"^COPY (.+) /tmp/", CONTAINER, re.MULTILINE)).split()
    assert {"engine", "generator", "templates", "pyproject.toml", "requirements.lock"} <= set(names)
    assert [name for name in names if not (ROOT / name).exists()] == []


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
def test_systemd_finds_nothing_wrong(tmp_path):
    unit = tmp_path / "papierformer.service"
    text, number = re.subn("^(ExecStart=)\\S+", "\\1/bin/true", UNIT, flags=re.MULTILINE)
    unit.write_text(text, encoding="utf-8")
    found = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert (number, found.returncode, found.stdout + found.stderr) == (1, 0, "")


def test_the_limits_that_the_document_names_are_the_programs():
    text = " ".join((ROOT / "docs" / "server.md").read_text(encoding="utf-8").split())
    for said in (
        f"gilt {settings.SESSION // 86_400} Tage",
        f"höchstens {reading.MEMORY // 10**9} GB und {reading.SECONDS} Sekunden Rechenzeit, "
        f"{reading.PATIENCE} Sekunden im",
        f"hat {connections.SECONDS_FOR_HEAD:.0f} Sekunden, ihr Inhalt {guard.SECONDS_FOR_BODY:.0f} "
        f"(Dateien {guard.SECONDS_FOR_FILE:.0f})",
        f"{phones.GUESSES.at_once} auf einmal, dann {phones.GUESSES.a_minute} in der Minute, je",
        f"{opened.TRIES.at_once} verschiedene Zahlen je Feld, dann {opened.TRIES.a_minute} in der Minute",
        f"nach {lessons.LONGEST // 3600:.0f} Stunden",
        f"| Kinder je Stunde | {lessons.MOST_PUPILS} |",
        f"| {workers.MOST_OF_CLIENT}, {workers.MOST_OF_ADDRESS}, {workers.MOST} |",
        f"| wartende Vorschauen je Anmeldung | {workers.MOST_WAITING} |",
        f"| 0,5 MB, {guard.LARGEST_FILE // 10**6} MB, {checking.LARGEST_CALCULATION // 10**6} MB |",
        f"| {guard.TRIES.at_once} auf einmal, dann {guard.TRIES.a_minute} in der Minute |",
    ):
        assert said in text, said
