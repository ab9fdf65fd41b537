"""Faults that the system puts in (strace): whichever call of a switch fails or is its last, the set is whole.

The run is a child of the test that is stopped, traced, and goes on: its first call is the first that counts.
"""

import ctypes
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter

import pytest

from generator.basics import atomic_write as one_switch
from generator.basics.errors import UserError
from generator.basics.files import write_together

OLD = {"arbeitsblatt.pdf": b"alt 1", "loesung.pdf": b"alt 2", "rechnung.json": b"alt 3"}
NEW = {"arbeitsblatt.pdf": b"neu 1", "arbeitsblatt.html": b"neu 2", "rechnung.json": b"neu 3"}
OWN = {"notizen.txt": b"von mir"}
CALLS = (
    "write", "openat", "rename", "renameat", "renameat2", "link", "linkat", "unlink", "unlinkat", "rmdir",
    "mkdir", "fsync", "chmod", "fchmod", "fchmodat", "utimensat", "flock",
)  # fmt: skip
REFUSED, FAILED, KILLED = 3, 4, -signal.SIGKILL
_SET_PTRACER, _ANYBODY = 0x59616D61, ctypes.c_ulong(-1)

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("strace") is None, reason="no strace here"
)


def traced(folder, files, *options):
    """How a child ends that writes the files, and what strace printed."""
    child = os.fork()
    if not child:
        ctypes.CDLL(None).prctl(_SET_PTRACER, _ANYBODY, 0, 0, 0)
        os.kill(os.getpid(), signal.SIGSTOP)
        status = FAILED
        try:
            write_together(folder, files)
            status = 0
        except UserError:
            status = REFUSED
        finally:
            os._exit(status)
    os.waitpid(child, os.WUNTRACED)
    strace = subprocess.Popen(
        ["strace", "-p", str(child), *options], stderr=subprocess.PIPE, text=True, errors="replace"
    )
    attached = strace.stderr.readline()
    os.kill(child, signal.SIGCONT)
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    said = strace.communicate()[1]
    if "attached" not in attached:
        pytest.skip("strace may not trace here")
    return ended, said


def places(folder):
    """Every call that writes, by name and number."""
    watched = ",".join("?" + call for call in CALLS)
    ended, said = traced(folder, NEW, "-e", f"trace={watched}")
    assert ended == 0
    count = Counter(re.findall(r"^(\w+)\(", said, re.MULTILINE))
    return [(call, number + 1) for call, most in sorted(count.items()) for number in range(most)]


def content(folder):
    found = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    return {name: data for name, data in found.items() if not name.startswith(".")}


def earlier(folder, own_folder):
    write_together(folder, OLD)
    (folder / "notizen.txt").write_bytes(OWN["notizen.txt"])
    if own_folder:  # what lies there cannot be exchanged in one step
        (folder / "bilder").mkdir(exist_ok=True)


@pytest.mark.parametrize(
    ("fault", "own_folder"),
    [
        ("signal=KILL", False),
        ("signal=KILL", True),
        ("error=ENOSPC", False),
        pytest.param("error=ENOSPC", True, marks=pytest.mark.thorough),
        pytest.param("error=EIO", False, marks=pytest.mark.thorough),
        ("error=EIO", True),
    ],
)
def test_at_every_call_the_folder_is_the_old_set_or_the_new_one(tmp_path, fault, own_folder):
    folder = tmp_path / "satz"
    earlier(folder, own_folder)
    every = places(folder)
    assert len(every) > 15
    states = set()
    for call, number in every:
        earlier(folder, own_folder)
        assert content(folder) == OLD | OWN
        ended, _ = traced(folder, NEW, "-e", f"trace={call}", "-e", f"inject={call}:{fault}:when={number}")
        assert ended in ((0, KILLED) if fault == "signal=KILL" else (0, REFUSED)), (call, number)
        if (folder / one_switch._PLAN).exists():
            one_switch.mend(folder)  # as the next run begins
        found = content(folder)
        assert found in (OLD | OWN, NEW | OWN), (call, number)
        assert ended != 0 or found == NEW | OWN, (call, number)
        states.add(found == NEW | OWN)
    earlier(folder, own_folder)
    assert not [path for path in tmp_path.rglob("*") if path.name.startswith(".papierformer-")]
    assert states == {False, True}
