"""Helper processes: one that hangs or dies holds nobody up; nothing of any is left, whoever ends first."""

import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from choosing import crossed
from starting import environment

from generator.basics.errors import UserError
from generator.basics.helpers import Helpers

SHORT = 0.5  # seconds
LONG = 60


def until(happens):
    """Waits for it."""
    end = time.monotonic() + LONG
    while not happens():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.fixture(autouse=True)
def scratch(tmp_path, monkeypatch):
    """Where helpers put their folders; afterwards none is there, and no process."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    yield tmp_path
    until(lambda: not [*tmp_path.glob("papierformer-*"), *processes_with(str(tmp_path))])


def processes_with(variable):
    """The processes that were begun with this in their environment."""
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if folder.name != str(os.getpid()) and variable.encode() in (folder / "environ").read_bytes():
                yield folder.name


def leaves(name):
    """A file in the helper's folder; which process wrote it."""
    Path(tempfile.gettempdir(), name).write_text("x", encoding="utf-8")
    return os.getpid()


def prints():
    print("this is no answer", flush=True)
    os.write(1, b"nor is this")
    return "answer"


class OfTwoError(Exception):
    """One that cannot be made anew from what it was made with."""

    def __init__(self, one, two):
        super().__init__(f"{one} {two}")


def refuses(error, *said):
    raise error(*said)


def test_what_a_job_gives_refuses_or_prints(scratch):
    with Helpers() as helpers:
        assert Path(helpers.submit(tempfile.gettempdir).result()).parent == scratch, "a folder of its own"
        assert helpers.submit(prints).result() == "answer"
        with pytest.raises(UserError, match="geht nicht"):
            helpers.submit(refuses, UserError, "Das geht nicht.").result()
        with pytest.raises(RuntimeError, match="so nicht"):
            helpers.submit(refuses, OfTwoError, "so", "nicht").result()
        with pytest.raises((AttributeError, pickle.PicklingError)):
            helpers.submit(lambda: 1)
        assert helpers.submit(int, "7").result() == 7


@pytest.mark.parametrize("work", [(time.sleep, LONG), (os.kill, 0, signal.SIGKILL)])
def test_one_that_hangs_or_dies_takes_nothing_from_the_others(work):
    begun = time.monotonic()
    with Helpers(2, patience=10 * SHORT) as helpers:  # the other has to start meanwhile, on a busy machine
        lost = helpers.submit(dies, *work)
        rest = [helpers.submit(leaves, str(number)) for number in range(6)]
        assert len({future.result() for future in rest}) <= 2
        with pytest.raises(BrokenExecutor):
            lost.result()
        assert helpers.submit(leaves, "later").result() == rest[-1].result()
    assert time.monotonic() - begun < LONG / 2


def dies(how, *arguments):
    """How: a function; 0 stands for this process."""
    how(*(each or os.getpid() for each in arguments))


def test_once_all_are_lost_nobody_waits():
    helpers = Helpers(2, patience=SHORT)
    lost = [helpers.submit(time.sleep, LONG) for _ in range(9)]
    begun = time.monotonic()
    for future in lost:
        with pytest.raises(BrokenExecutor):
            future.result()
    assert time.monotonic() - begun < LONG / 2, "patience is lost once for a helper, not for each job"
    with pytest.raises(BrokenExecutor):
        helpers.submit(int)
    helpers.shutdown()


@pytest.mark.parametrize("program", ["/nowhere", "/bin/yes"])
def test_one_that_cannot_start_or_is_no_python(program, monkeypatch):
    monkeypatch.setattr(sys, "executable", program)
    with Helpers(2, patience=5) as helpers, pytest.raises(BrokenExecutor):
        helpers.submit(int).result()


def test_after_so_many_jobs_a_new_process_goes_on():
    with Helpers(most_jobs=2) as helpers:
        done = [helpers.submit(leaves, "x").result() for _ in range(5)]
    assert done[0] == done[1] != done[2] == done[3] != done[4]


def test_shutdown_waits_for_what_was_begun_or_gives_it_up():
    with Helpers() as helpers:
        done = [helpers.submit(time.sleep, 0.1) for _ in range(3)]
    assert [future.result() for future in done] == [None] * 3
    begun = time.monotonic()
    with suppress(ZeroDivisionError), Helpers() as helpers:
        done = [helpers.submit(time.sleep, LONG) for _ in range(3)]
        raise ZeroDivisionError
    for future in done:
        with pytest.raises(BrokenExecutor):
            future.result(timeout=LONG)
    assert time.monotonic() - begun < LONG / 2


OWNER = """
import os, sys, time
from generator.basics.helpers import Helpers
helpers = Helpers(2)
for _ in range(2):
    helpers.submit({job})
{then}
"""
JOBS = ["time.sleep, 60", "exec, 'while True: pass'", "os.getpid"]
ENDS = ["time.sleep(60)", "os._exit(0)", "sys.exit()", "1 / 0"]


@pytest.mark.parametrize(("job", "then"), crossed(JOBS, ENDS))
def test_an_owner_that_ends_leaves_nothing(job, then, scratch):
    """However it ends: killed, without tidying up, without shutdown."""
    command = [sys.executable, "-c", OWNER.format(job=job, then=then)]
    with subprocess.Popen(command, env=environment(), stderr=subprocess.PIPE) as owner:
        if "sleep" in then:  # a folder without its helper yet would stay
            until(lambda: len(list(processes_with(str(scratch)))) >= 3)
            owner.kill()
        said = owner.communicate(timeout=LONG)[1]
    assert said.count(b"Traceback") == ("/" in then), said


def nested(folder):
    """A helper's helper is busy for good."""
    Helpers().submit(time.sleep, LONG)
    Path(folder, "nested").touch()
    time.sleep(LONG)


def test_a_helpers_helpers_end_with_it(tmp_path):
    helpers = Helpers()
    helpers.submit(nested, tmp_path)
    until((tmp_path / "nested").exists)
    helpers.shutdown(wait=False)
