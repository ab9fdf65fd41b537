"""Streams that are closed or full, file names in any encoding, no home: the program says so or goes on."""

import io
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from starting import environment, started

from generator.commands import streams
from generator.commands.cli import main

KATZE = "Die Katze sitzt"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_behind_stdout_is_an_error(unbuffered, tmp_path):
    with Path("/dev/full").open("wb") as full:
        said = {"capture_output": False, "stdout": full, "stderr": subprocess.PIPE}
        done = started("rechne", KATZE, env=environment(PYTHONUNBUFFERED=unbuffered), **said)
    assert done.returncode == 2
    assert "voll" in done.stderr.decode()


@pytest.mark.skipif(os.name == "nt", reason="no shell of this kind there")
@pytest.mark.parametrize(("closed", "status"), [(">&-", 2), ("2>&-", 0), (">&- 2>&-", 2), ("<&-", 0)])
def test_closed_streams(closed, status, tmp_path):
    words = f"exec {shlex.quote(sys.executable)} -m generator rechne '{KATZE}' {closed}"
    done = subprocess.run(
        ["sh", "-c", words], env=environment(), capture_output=True, timeout=100, check=False
    )  # fmt: skip
    assert done.returncode == status
    assert b"Traceback" not in done.stderr
    if status == 0:
        json.loads(done.stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are bytes there")
@pytest.mark.parametrize(
    "locale",
    [
        pytest.param(
            {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
            marks=pytest.mark.skipif(not sys.prefix.isascii(), reason="NumPy itself does not load then"),
        ),
        pytest.param({}, marks=pytest.mark.thorough),
    ],
)
def test_names_of_files_in_any_encoding(locale, tmp_path):
    where = environment(**locale)
    for name in ("Müller".encode(), "Müller".encode("latin-1")):
        path = os.fsencode(tmp_path) + b"/" + name + b".toml"
        Path(os.fsdecode(path)).write_text('heads = 1\nsatz = "Die Katze sitzt"\n')
        done = started("rechne", "--vorlage", path, env=where)
        assert (done.returncode, done.stderr) == (0, b"")
        assert json.loads(done.stdout)["optionen"]["vorlage"].startswith("M")
    calculation = path.replace(b".toml", b".json")
    assert "nichts zu finden" in started("pruefe", calculation, calculation, env=where).stderr.decode()
    Path(os.fsdecode(calculation)).write_bytes(done.stdout)
    checked = started("pruefe", calculation, calculation, env=where)
    assert (checked.returncode, "ist selbst eine Rechnung" in checked.stderr.decode()) == (2, True)


def test_without_a_home_nothing_is_kept_and_libraries_load(monkeypatch):
    def unknown():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setenv("HOME", "da")
    monkeypatch.setattr(Path, "home", unknown)
    streams.prepare()
    assert os.environ["HOME"] == os.devnull


def test_a_closed_stderr_stays_silent(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert main(["rechne", ""]) == 2


def test_nothing_is_said_where_not_even_the_null_device_opens(monkeypatch):
    def refuse(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(streams.os, "open", refuse)
    streams.prepare()


def test_every_database_is_closed():
    """`with` on a connection ends a transaction and does not close it, which Python 3.13 warns of."""
    tests = Path(__file__).parent.rglob("*.py")
    open_left = [file for file in tests if "with sqlite3" + ".connect" in file.read_text(encoding="utf-8")]
    assert open_left == []
