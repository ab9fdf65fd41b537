"""Ctrl-C at any moment, from the first millisecond on: status 130 and no traceback."""

import signal
import subprocess
import sys
import time

import pytest
from starting import started

KATZE = "Die Katze sitzt auf der Matte"
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


@pytest.fixture(autouse=True)
def as_from_a_terminal():
    """Whoever runs the tests in the background has Ctrl-C ignored, and every child would inherit that."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("module", ["generator.commands.cli", "numpy", "engine.judging.ranges"])
def test_while_modules_are_read(module):
    run = started(module, "rechne", KATZE, code=WHILE_READING, text=True)
    assert run.returncode == 130
    assert run.stdout == ""
    assert run.stderr in ("", "Abgebrochen.\n")


@pytest.mark.parametrize("after", [0.03, pytest.param(0.06, marks=pytest.mark.thorough), 0.1])
def test_soon_after_the_start(after):
    # The interpreter's own start is before any line of ours: a word from the first one says that it is over.
    code = "print('da', flush=True); import sys; from generator.__main__ import main; sys.exit(main())"
    with subprocess.Popen(
        [sys.executable, "-c", code, "rechne", KATZE],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == "da\n"
        time.sleep(after)
        run.send_signal(signal.SIGINT)
        _, err = run.communicate(timeout=60)
    assert run.returncode == 130
    assert err in ("", "Abgebrochen.\n")


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="nothing can be held back there")
@pytest.mark.parametrize("after", [0.0, pytest.param(0.01, marks=pytest.mark.thorough), 0.02])
def test_before_the_first_line_of_ours_it_is_held_back(after):
    """As `papierformer` starts the program, and also while Python itself is read."""
    with subprocess.Popen(
        [sys.executable, "-m", "generator", "rechne", KATZE],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}),
    ) as run:
        time.sleep(after)
        run.send_signal(signal.SIGINT)
        _, err = run.communicate(timeout=60)
    assert run.returncode == 130
    assert err in ("", "Abgebrochen.\n")


def test_ignored_where_whoever_started_it_ignores_it():
    code = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n" + WHILE_READING
    run = started("generator.commands.cli", "--version", code=code, text=True)
    assert run.returncode == 0
    assert run.stderr == ""
