"""A process begins, speaks and ends well: whatever the locale, the streams, the home; Ctrl-C at any time."""

import io
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from starting import ROOT, environment, started

from generator.commands import cli, streams
from generator.commands.streams import Progress

SENTENCE = "Die Katze sitzt"
RECHNE = ("rechne", SENTENCE, "--gewichte", "ganzzahlig")
PLAIN = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
ABORTED = ("", "Abgebrochen.\n")


def test_what_is_asked_of_the_program_itself(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for words in ([], ["--hilfe"], ["blatt", "--help"], ["--version"], ["vorlage"]):
        assert cli.main(words) == 0
        out, err = capsys.readouterr()
        assert (bool(out), err) == (True, ""), words
    assert list(tmp_path.iterdir()) == []


MAIN = "from generator.commands import cli; assert cli.main({}) == 0"
SHEETS = {"weasyprint", "sympy", "ziamath", "fontTools", "PIL"}
CALCULATES = SHEETS | {"numpy", "HanTa"}


@pytest.mark.parametrize(
    ("code", "unloaded"),
    [
        ("import generator", CALCULATES | {"jinja2"}),
        ("import generator.page.server, generator.commands.handlers", CALCULATES),
        (MAIN.format(["vorlage"]), CALCULATES | {"jinja2"}),
        (MAIN.format(["blatt", "--hilfe"]), CALCULATES | {"jinja2"}),
        (MAIN.format([*RECHNE]), SHEETS | {"jinja2"}),
    ],
)  # fmt: skip
def test_only_what_is_needed_is_loaded(code, unloaded, tmp_path):
    """A help is there at once, the page itself does not calculate, and `rechne` writes nothing."""
    code = f"{code}; import sys; print({unloaded} & set(sys.modules), file=sys.stderr)"
    done = started(code=code, cwd=tmp_path)
    assert done.stderr == b"set()\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not str(ROOT).isascii(), reason="from such a folder Python itself does not begin then")
@pytest.mark.skipif(os.name == "nt", reason="arguments are text there")
@pytest.mark.parametrize(
    ("words", "says"),
    [(("blatt", "Müßig"), "Der Satz hat 1 Token"), (("rechne", b"M\xfcller"), "gültiges UTF-8")],
)
def test_whatever_the_locale_arguments_are_utf8_and_so_is_what_is_said(words, says):
    run = started(*words, env=environment(**PLAIN))
    assert (run.returncode, says in run.stderr.decode("utf-8")) == (2, True)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_behind_stdout_is_an_error():
    with Path("/dev/full").open("wb") as full:
        done = started(*RECHNE, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, b"voll" in done.stderr) == (2, True)


@pytest.mark.skipif(os.name == "nt", reason="no shell of this kind there")
@pytest.mark.parametrize(("closed", "status"), [("2>&- <&-", 0), (">&- 2>&-", 2)])
def test_closed_streams(closed, status):
    words = ["sh", "-c", f"exec {shlex.join([sys.executable, '-m', 'generator', *RECHNE])} {closed}"]
    done = subprocess.run(words, env=environment(), capture_output=True, timeout=100, check=False)
    assert (done.returncode, b"Traceback" in done.stderr) == (status, False)
    if status == 0:
        json.loads(done.stdout)


@pytest.mark.skipif(os.name == "nt", reason="pipes close differently there")
def test_a_reader_that_goes_away_is_no_message():
    reading, writing = os.pipe()
    os.close(reading)
    run = started("vorlage", capture_output=False, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert (run.returncode, run.stderr) == (1, b"")


def test_without_a_home_the_program_goes_on(monkeypatch):
    """Nothing is kept, and libraries load."""

    def refuse(*_):
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setenv("HOME", "da")
    monkeypatch.setattr(Path, "home", refuse)
    streams.prepare()
    assert os.environ["HOME"] == os.devnull


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (ZeroDivisionError("innen"), 1, "Unerwarteter Fehler (ZeroDivisionError); mit PAPIERFORMER_DEBUG=1"),
        (KeyboardInterrupt(), 130, "Abgebrochen"),
        (MemoryError(), 2, "Arbeitsspeicher"),
    ],
)
def test_other_ends(error, status, said, capsys, monkeypatch):
    def fails(commands):
        raise error

    monkeypatch.setattr(cli, "program_help", fails)
    monkeypatch.delenv("PAPIERFORMER_DEBUG", raising=False)
    assert cli.main([]) == status
    err = capsys.readouterr().err
    assert (said in err, err.count("\n")) == (True, 1)
    if status == 1:
        monkeypatch.setenv("PAPIERFORMER_DEBUG", "1")
        assert cli.main([]) == 1
        assert "Traceback" in capsys.readouterr().err


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_one_line_that_is_overwritten_and_goes_away_after_an_error_too():
    """It is silent where nobody looks, and where it is quick."""
    terminal, end = Terminal(), time.monotonic() + 60
    with suppress(ZeroDivisionError), Progress(terminal, after=0.01) as progress:
        progress.step("Rechne")
        while "Rechne …" not in terminal.getvalue():
            assert time.monotonic() < end
            time.sleep(0.01)
        progress.step("Setze die Lösung", 2, 3)
        assert "Setze die Lösung … (2 von 3)" in terminal.getvalue()
        raise ZeroDivisionError
    assert "\n" not in terminal.getvalue()
    assert terminal.getvalue().endswith("\r" + " " * 72 + "\r")
    for stream in (io.StringIO(), Terminal()):
        with Progress(stream, after=30) as progress:
            progress.step("Rechne")
        assert stream.getvalue() == ""


# Ctrl-C comes exactly when the named module is looked for, whatever the machine's speed.
WHILE_READING = """
import os, signal, sys
wanted = sys.argv.pop(1)
class Finder:
    def find_spec(self, name, *_):
        if name == wanted:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
from generator.__main__ import main
sys.exit(main())
"""


@pytest.fixture
def as_from_a_terminal():
    """Whoever runs the tests in the background has Ctrl-C ignored, and every child would inherit that."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("as_from_a_terminal")
@pytest.mark.parametrize("module", ["generator.commands.cli", "engine.judging.ranges"])
def test_ctrl_c_while_modules_are_read(module):
    run = started(module, *RECHNE, code=WHILE_READING, text=True)
    assert (run.returncode, run.stdout, run.stderr in ABORTED) == (130, "", True)


@pytest.mark.usefixtures("as_from_a_terminal")
@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="nothing can be held back there")
def test_ctrl_c_before_the_first_line_of_ours_is_held_back():
    """As `papierformer` starts the program, and also while Python itself is read."""
    with subprocess.Popen(
        [sys.executable, "-m", "generator", *RECHNE],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}),
    ) as run:
        run.send_signal(signal.SIGINT)
        _, err = run.communicate(timeout=60)
    assert (run.returncode, err in ABORTED) == (130, True)


def test_ctrl_c_is_ignored_where_whoever_started_it_ignores_it():
    code = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n" + WHILE_READING
    run = started("generator.commands.cli", "--version", code=code, text=True)
    assert (run.returncode, run.stderr) == (0, "")
