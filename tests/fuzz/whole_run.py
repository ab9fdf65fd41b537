"""A whole `blatt` over an earlier one, each of its calls that write failing once: the old set or the new one.

Every call of the run that creates, writes, renames, links, removes or syncs a file is its last (KILL) or
fails (no space, a broken disk), put in by strace. Layouts are kept, so that one process does it all.

python -m tests.fuzz.whole_run [--faults signal=KILL error=ENOSPC error=EIO]
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from generator.basics import atomic_write as one_switch
from tests.test_injected_faults import CALLS

COMMAND = (sys.executable, "-m", "generator", "blatt", "Die Katze sitzt", "--stationen", "4a", "--startwert")
_CALL = re.compile(r"^\d+ +(\w+)\((.*)")


def run(folder: Path, seed: int, *traced: str) -> tuple[int, str]:
    """Status of a run into the folder, under strace if asked; what it said."""
    words = [*traced, *COMMAND, str(seed), "--ausgabe", str(folder)]
    ended = subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)
    return ended.returncode, ended.stderr


def content(folder: Path) -> dict[str, bytes]:
    """Every visible file below the folder with its bytes."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    }


def leftovers(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob(".papierformer-*")]


def places(folder: Path) -> Iterator[tuple[str, int]]:
    """Name and number of every call of the first process that writes to a file."""
    log = folder.parent / "calls.txt"
    watched = ",".join("?" + call for call in CALLS)
    status, said = run(folder, 2, "strace", "-f", "-o", str(log), "-e", f"trace={watched}")
    assert status == 0, said
    lines = log.read_text(errors="replace").splitlines()
    first = lines[0].split()[0]
    count: Counter[str] = Counter()
    for line in lines:
        found = _CALL.match(line)
        if not found or line.split()[0] != first:
            continue
        call, given = found.groups()
        count[call] += 1
        reads = call == "openat" and not re.search("O_WRONLY|O_RDWR|O_CREAT", given)
        speaks = call == "write" and re.match("[12],", given)
        if not reads and not speaks:
            yield call, count[call]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--faults", nargs="+", default=["signal=KILL", "error=ENOSPC", "error=EIO"])
    faults = parser.parse_args().faults
    ended: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["PAPIERFORMER_CACHE"] = str(Path(scratch) / "cache")
        folder = Path(scratch) / "out"
        sets = {}
        for seed in (1, 2, 1, 2):  # the second time from kept layouts
            shutil.rmtree(folder, ignore_errors=True)
            assert run(folder, seed)[0] == 0
            sets[seed] = content(folder)
        every = list(places(folder))
        for fault in faults:
            for call, number in every:
                shutil.rmtree(folder)
                assert run(folder, 1)[0] == 0
                place = f"inject={call}:{fault}:when={number}"
                traced = ("strace", "-f", "-o", os.devnull, "-e", f"trace={call}", "-e", place)
                status, said = run(folder, 2, *traced)
                for plan in folder.rglob(one_switch._PLAN):
                    one_switch.mend(plan.parent)  # as the next run begins
                found = content(folder)
                state = "new" if found == sets[2] else "old" if found == sets[1] else "MIXED"
                torn = "Traceback" in said or state == "MIXED" or (status == 0 and state == "old")
                ended[f"{fault}: status {status}, {state}"] += 1
                if torn:
                    print(f"BAD {fault} {call} {number}: {status}, {state}: {said[-300:]}", flush=True)
        assert run(folder, 1)[0] == 0
        print(f"{len(every)} calls; left after the next run: {leftovers(folder)}")
    for how, times in sorted(ended.items()):
        print(f"{times:5d}  {how}")


if __name__ == "__main__":
    main()
