"""The set-up's steps: each one ends, and the log says how."""

import contextlib
import shutil
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAMS = ("sh", "sleep", "cat", "cut", "perl", "mkdir")


@pytest.mark.parametrize("with_timeout", [True, False], ids=["timeout", "perl"])
def test_a_step_that_hangs_is_ended_with_all_that_it_started(tmp_path, with_timeout):
    if missing := [name for name in (*PROGRAMS, *["timeout"] * with_timeout) if shutil.which(name) is None]:
        pytest.skip(f"not here: {missing}")
    programs, log = tmp_path / "Programme", tmp_path / ".setup" / "log"
    for folder in (programs, log.parent):
        folder.mkdir()
    for name in (*PROGRAMS, *["timeout"] * with_timeout):
        (programs / name).symlink_to(shutil.which(name))
    shutil.copy(ROOT / "setup.sh", tmp_path)
    deaf = 'trap "" TERM; sleep 600 & echo $! >"$root/child"; echo begun; sleep 600'
    script = f"""root='{tmp_path}'; . "$root/setup.sh"
    step gut echo Collecting; echo $?; step schlecht false; echo $?
    limit=1 step lange sh -c '{deaf}'; echo $?"""
    done = subprocess.run(
        ["sh", "-c", script],
        env={"PATH": str(programs)},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.stdout.split() == ["0", "1", "137"]
    gut, schlecht, lange = done.stderr.splitlines()
    assert (gut, schlecht) == ("  gut . fertig", "  schlecht  gescheitert")
    assert lange == f"  lange  nach 0 Minuten abgebrochen (Einzelheiten: {log})"
    assert "begun" in log.read_text(encoding="utf-8")
    until = time.monotonic() + 60
    while _runs((tmp_path / "child").read_text().strip()) and time.monotonic() < until:
        time.sleep(0.1)
    assert time.monotonic() < until


def _runs(process: str) -> bool:
    with contextlib.suppress(OSError):
        return Path("/proc", process, "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False
