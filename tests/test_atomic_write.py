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
REFUSED, FAILED = 3, 4

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork there")


def content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


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


def is_new(folder, at):
    """Whether the folder holds the new set after a run that came to an end somewhere."""
    if (folder / atomic_write.PLAN).exists():
        atomic_write.mend(folder)  # the next run begins with it
    found = {name: data for name, data in content(folder).items() if not name.startswith(".")}
    assert found in (OLD | OWN, NEW | OWN), at
    return found == NEW | OWN


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """With an earlier result, a file and folders of the user's.

    Nothing waits for the disk: every call is still counted, and what a killed process wrote stays.
    """
    monkeypatch.setattr(os, "fsync", lambda _: None)
    folder = tmp_path / "satz"
    write_together(folder, OLD)
    (folder / "notizen.txt").write_bytes(OWN["notizen.txt"])
    (folder / ".papierformer-abc").mkdir()  # of an earlier version
    return folder


def at_call(number, act, after=False):
    """`act` happens at this call of all that change something on the disk, before it or after it."""
    count = 0

    def wrapped(original):
        def call(*arguments, **more):
            nonlocal count
            count += 1
            own = count == number
            if own and not after:
                act()
            result = original(*arguments, **more)
            if own and after:
                act()
            return result

        return call

    for name in ("link", "rename", "replace", "unlink", "rmdir", "mkdir", "fsync", "open"):
        setattr(os, name, wrapped(getattr(os, name)))
    Path.open = wrapped(Path.open)


def fails_with(error):
    def fail():
        raise error

    return fail


ENDS = {  # what happens at a step, how the run may then end, and whether something is left to be mended
    "killed": (lambda: os.kill(os.getpid(), signal.SIGKILL), -signal.SIGKILL, True),
    "full": (fails_with(OSError(errno.ENOSPC, "full")), REFUSED, False),
    "stopped": (fails_with(KeyboardInterrupt()), FAILED, False),
}


@needs_fork
@pytest.mark.parametrize(
    ("ends", "after"),
    [(end, False) for end in ENDS] + [pytest.param("killed", True, marks=pytest.mark.thorough)],
)
def test_a_run_that_ends_at_any_step_leaves_a_whole_set(folder, ends, after):
    act, status, mended = ENDS[ends]
    states = set()
    for number in range(1, 200):

        def run(number=number):
            at_call(number, act, after)
            write_together(folder, NEW)

        ended = in_a_child(run)
        assert ended in (0, status)
        assert mended or content(folder) in (OLD | OWN, NEW | OWN), number
        states.add(is_new(folder, number))
        assert in_a_child(lambda: write_together(folder, OLD)) == 0
        assert content(folder) == OLD | OWN
        assert not [path for path in folder.parent.rglob(".papierformer-*") if path.is_dir()]
        if ended == 0 and number > 25:
            break
    assert states == {False, True}


@needs_fork
def test_runs_into_one_folder_wait_for_each_other_but_not_for_good(folder, monkeypatch):
    """Three at once, several times each: what is read is always one run's whole set."""
    sets = [dict.fromkeys(files.SHEET_FILES, b"%d" % run) for run in range(3)]
    children = []
    for own in sets:
        child = os.fork()
        if not child:
            os._exit(in_a_child(lambda own=own: [write_together(folder, own) for _ in range(5)]))
        children.append(child)
    assert all(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0 for child in children)
    assert content(folder) in [own | OWN for own in sets]
    monkeypatch.setattr(atomic_write.alone.__wrapped__, "__defaults__", (0.1,))  # its patience
    with atomic_write.alone(folder), pytest.raises(UserError, match="ein anderer Lauf schreibt gerade dort"):
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
    assert is_new(folder, "then")
