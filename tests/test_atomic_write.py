"""Killed or failing at any step: the folder holds the old set or the new one."""

import errno
import os
import signal
from pathlib import Path

import pytest

from generator.basics import atomic_write, files
from generator.basics.errors import UserError
from generator.basics.files import write_together

OLD = {"arbeitsblatt.pdf": b"alt 1", "loesung.pdf": b"alt 2", "rechnung.json": b"alt 3"}
NEW = {"arbeitsblatt.pdf": b"neu 1", "arbeitsblatt.html": b"neu 2", "rechnung.json": b"neu 3"}
OWN = {"notizen.txt": b"von mir"}
REFUSED, FAILED, KILLED = 3, 4, -signal.SIGKILL if hasattr(signal, "SIGKILL") else -9

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork there")


def content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def left_over(folder):
    return [path for path in folder.parent.rglob("*") if path.name.startswith(".papierformer-")]


def in_a_child(work):
    """How a child ends that does the work."""
    child = os.fork()
    if not child:
        status = FAILED
        try:
            work()
            status = 0
        except UserError as refused:
            status = REFUSED if "lässt sich nicht beschreiben" in str(refused) else FAILED
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def whole_set(folder, at):
    """What the folder holds after a run that came to an end somewhere; True if it is the new set."""
    if (folder / atomic_write.PLAN).exists():
        atomic_write.mend(folder)  # the next run begins with it
    found = {name: data for name, data in content(folder).items() if not name.startswith(".")}
    assert found in (OLD | OWN, NEW | OWN), at
    return found == NEW | OWN


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """With an earlier result, a file and a folder of the user's.

    Nothing waits for the disk: every call is still counted, and what a killed process wrote stays.
    """
    monkeypatch.setattr(os, "fsync", lambda _: None)
    folder = tmp_path / "satz"
    write_together(folder, OLD)
    (folder / "notizen.txt").write_bytes(OWN["notizen.txt"])
    (folder / "bilder").mkdir()
    (folder / ".papierformer-abc").mkdir()  # of an earlier version
    return folder


def at_call(number, act, after):
    """`act` happens at this call of all that change something on the disk, before it or after it."""
    count = 0

    def wrapped(original):
        def call(*arguments, **more):
            nonlocal count
            count += 1
            if count == number and not after:
                act()
            result = original(*arguments, **more)
            if count == number and after:
                act()
            return result

        return call

    for name in ("link", "rename", "replace", "unlink", "rmdir", "mkdir", "fsync", "open"):
        setattr(os, name, wrapped(getattr(os, name)))
    Path.open = wrapped(Path.open)


@needs_fork
@pytest.mark.parametrize("after", [False, pytest.param(True, marks=pytest.mark.thorough)])
def test_killed_at_any_step(folder, after):
    states = set()
    for number in range(1, 200):

        def killed(number=number):
            at_call(number, lambda: os._exit(9), after)
            write_together(folder, NEW)

        ended = in_a_child(killed)
        states.add(whole_set(folder, number))
        assert in_a_child(lambda: write_together(folder, OLD)) == 0
        assert content(folder) == OLD | OWN
        assert not left_over(folder)
        if ended == 0:
            break
    assert states == {False, True}
    assert number > 5


@needs_fork
@pytest.mark.parametrize(
    ("error", "status"), [(OSError(errno.ENOSPC, "full"), REFUSED), (KeyboardInterrupt(), FAILED)]
)
def test_failing_at_any_step(folder, error, status):
    """Without anything to be mended."""

    def fail():
        raise error

    for number in range(1, 30):

        def failing(number=number):
            at_call(number, fail, after=False)
            write_together(folder, NEW)

        assert in_a_child(failing) in (0, status)
        assert content(folder) in (OLD | OWN, NEW | OWN), number
        assert in_a_child(lambda: write_together(folder, OLD)) == 0


@needs_fork
def test_runs_into_one_folder_wait_for_each_other(folder):
    """Four at once, many times each: what is read is always one run's whole set."""
    sets = [dict.fromkeys(files.SHEET_FILES, b"%d" % run) for run in range(4)]
    children = []
    for own in sets:
        child = os.fork()
        if not child:
            os._exit(in_a_child(lambda own=own: [write_together(folder, own) for _ in range(6)]))
        children.append(child)
    assert all(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0 for child in children)
    assert content(folder) in [own | OWN for own in sets]


def test_somebody_who_never_ends_is_not_waited_for_for_good(folder, monkeypatch):
    monkeypatch.setattr(atomic_write.alone.__wrapped__, "__defaults__", (0.1,))  # its patience
    with (
        atomic_write.alone(folder),
        pytest.raises(UserError, match="ein anderer Lauf schreibt gerade dorthin"),
    ):
        write_together(folder, NEW)


def test_what_cannot_be_taken_back_is_finished_by_the_next_run(folder, monkeypatch):
    """The disk fails in the middle and goes on failing: nothing is deleted that is still needed."""
    replace, count = os.replace, 0

    def broken(*arguments, **more):
        nonlocal count
        count += 1
        if count > 3:
            raise OSError(errno.EIO, "broken")
        replace(*arguments, **more)

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", broken)
        with pytest.raises(UserError):
            write_together(folder, NEW)
    assert whole_set(folder, "then")
