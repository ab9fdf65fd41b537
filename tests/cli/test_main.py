import io
import os
import subprocess
import sys
import time

import pytest
from starting import ROOT, environment, started

from generator.commands import cli
from generator.commands.streams import Progress

KATZE = "Die Katze sitzt auf der Matte"


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ([], 0),
        (["--hilfe"], 0),
        (["blatt", "--help"], 0),
        (["--version"], 0),
        (["vorlage"], 0),
        (["blat", KATZE], 2),
        (["--dimension"], 2),
        (["blatt"], 2),
    ],
)
def test_status_and_one_sentence(words, status, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cli.main(words) == status
    out, err = capsys.readouterr()
    if status:
        assert out == ""
        assert err.count("\n") == 1
        assert err.strip().isprintable()
    else:
        assert out
        assert err == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not str(ROOT).isascii(), reason="from such a folder Python itself does not begin then")
def test_ascii_locale_neither_breaks_output_nor_arguments():
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    run = started("blatt", "Müßig", env=environment(**plain))
    assert run.stderr.decode("utf-8") == (
        "Der Satz hat 1 Token, Satzzeichen mitgezählt; auf ein Arbeitsblatt passen 2 bis 24.\n"
    )


@pytest.mark.skipif(os.name == "nt", reason="arguments are text there")
def test_arguments_that_are_no_utf8():
    run = started("rechne", b"Die M\xfcller sitzen")
    assert run.returncode == 2
    assert "kein gültiges UTF-8" in run.stderr.decode("utf-8")


@pytest.mark.skipif(os.name == "nt", reason="pipes close differently there")
def test_a_reader_that_goes_away_is_no_message():
    reading, writing = os.pipe()
    os.close(reading)
    run = subprocess.run(
        [sys.executable, "-m", "generator", "vorlage"], stdout=writing, stderr=-1, timeout=60, check=False
    )
    os.close(writing)
    assert (run.returncode, run.stderr) == (1, b"")


def test_unexpected_failures(capsys, monkeypatch):
    def fails(commands):
        raise ZeroDivisionError("innen")

    monkeypatch.setattr(cli, "program_help", fails)
    monkeypatch.delenv("PAPIERFORMER_DEBUG", raising=False)
    assert cli.main([]) == 1
    assert capsys.readouterr().err.startswith(
        "Unerwarteter Fehler (ZeroDivisionError); mit PAPIERFORMER_DEBUG=1"
    )
    monkeypatch.setenv("PAPIERFORMER_DEBUG", "1")
    assert cli.main([]) == 1
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "status"), [(KeyboardInterrupt(), 130), (MemoryError(), 2), (RecursionError(), 1)]
)
def test_other_ends(error, status, capsys, monkeypatch):
    def fails(commands):
        raise error

    monkeypatch.setattr(cli, "program_help", fails)
    assert cli.main([]) == status
    assert capsys.readouterr().err.count("\n") == 1


def test_help_starts_without_the_libraries_of_the_sheets():
    code = (
        "import sys; from generator.commands import cli; status = cli.main(sys.argv[1:]); "
        "print([name for name in ('numpy', 'weasyprint', 'sympy', 'jinja2', 'HanTa', 'ziamath') "
        "if name in sys.modules], file=sys.stderr)"
    )
    for words in (["vorlage"], ["blatt", "--hilfe"], ["rechne", "x", "--heads", "3"]):
        assert started(*words, code=code).stderr.decode().splitlines()[-1] == "[]"


class Terminal(io.StringIO):
    def isatty(self):
        return True


def until(stream, text):
    for _ in range(500):
        if text in stream.getvalue():
            return True
        time.sleep(0.01)
    return False


def test_silent_where_nobody_looks_and_when_it_is_quick():
    file, terminal = io.StringIO(), Terminal()
    for stream in (file, terminal):
        with Progress(stream, after=30) as progress:
            progress.step("Rechne")
        assert stream.getvalue() == ""


def test_one_line_that_is_overwritten_and_goes_away():
    terminal = Terminal()
    with Progress(terminal, after=0.01) as progress:
        progress.step("Rechne")
        assert until(terminal, "Rechne …")
        progress.step("Setze die Lösung", 2, 3)
        assert "Setze die Lösung … (2 von 3)" in terminal.getvalue()
    assert "\n" not in terminal.getvalue()
    assert terminal.getvalue().endswith("\r" + " " * 72 + "\r")


def test_it_goes_away_after_an_error_too():
    terminal = Terminal()
    try:
        with Progress(terminal, after=0.01) as progress:
            progress.step("Rechne")
            assert until(terminal, "Rechne")
            raise ValueError
    except ValueError:
        pass
    assert terminal.getvalue().endswith(" \r")


def test_a_review_that_belongs_to_no_sheets_asks_for_them(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "durchsicht.json").write_text("{}", encoding="utf-8")
    assert cli.main(["einlesen", "durchsicht.json"]) == 2
    assert "braucht es --mit" in capsys.readouterr().err
