"""Hostile inputs in, statuses out: no status 1, nothing over its limits of memory and time.

Each runs in a child of this process, which has imported what commands need; some in a process of their own.

python -m tests.fuzz.inputs 10000 --seed 1 --seconds 3600
"""

import argparse
import contextlib
import importlib
import io
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from generator.commands import cli
from tests.fuzz.mutations import ANSWERS, SENTENCES, words_of, written

MOST_ADDRESSES = 4 * 10**9
MOST_BYTES = 2 * 10**9
SECONDS = 60  # of the processor: a machine that does other things is no slow input
APART = 0.01  # the share of inputs that a process of their own gets, as a shell starts it


@dataclass(frozen=True)
class Ended:
    status: int
    said: str
    seconds: float  # of the processor
    most_bytes: int

    def is_bad(self) -> bool:
        """A crash, or more than what was promised."""
        over = self.seconds > SECONDS or self.most_bytes > MOST_BYTES
        return over or self.status not in (0, 2) or "Arbeitsspeicher reicht nicht" in self.said


@dataclass
class Found:
    """How many runs ended with which status, and what should not have been."""

    statuses: Counter[int] = field(default_factory=Counter)
    bad: list[str] = field(default_factory=list)
    slowest: float = 0.0
    largest: int = 0
    apart: int = 0

    def add(self, number: int, words: list[str], ended: Ended) -> None:
        self.statuses[ended.status] += 1
        self.slowest, self.largest = max(self.slowest, ended.seconds), max(self.largest, ended.most_bytes)
        if ended.is_bad():
            shown = " ".join(ascii(word[:80]) for word in words)
            what = f"{ended.status} {ended.seconds:.0f} s {ended.most_bytes >> 20} MB {ended.said[-200:]!a}"
            self.bad.append(f"{number}: {what} {shown}")

    def summary(self) -> str:
        most = f"slowest {self.slowest:.1f} s, largest {self.largest >> 20} MB"
        done = f"{self.statuses.total()} inputs, {self.apart} of them in a process of their own"
        return "\n".join([f"{done}: {dict(self.statuses)}, {most}", *self.bad])


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MOST_ADDRESSES, MOST_ADDRESSES))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS + 1, SECONDS + 2))


def awaited(child: int, said: Path) -> Ended:
    """The end of a process, killed where it sleeps for ever."""
    signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
    signal.alarm(10 * SECONDS)
    _, status, used = os.wait4(child, 0)
    signal.alarm(0)
    text = said.read_text(encoding="utf-8", errors="replace").strip()
    seconds = used.ru_utime + used.ru_stime
    return Ended(os.waitstatus_to_exitcode(status), text, seconds, used.ru_maxrss * 1024)


def forked(words: list[str], folder: Path) -> Ended:
    child = os.fork()
    if child:
        return awaited(child, folder / "said")
    status = 1
    try:
        for number, name in ((1, "printed"), (2, "said")):
            os.dup2(os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", closefd=False)  # noqa: SIM115
        limited()
        status = cli.main(words)
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


def apart(words: list[str], folder: Path) -> Ended:
    raw = [word.encode("utf-8", "surrogatepass").replace(b"\0", b"") for word in words]
    with (folder / "printed").open("wb") as out, (folder / "said").open("wb") as err:
        child = subprocess.Popen(
            [sys.executable, "-m", "generator", *raw], stdout=out, stderr=err, preexec_fn=limited
        )
        ended = awaited(child.pid, folder / "said")
        child.returncode = ended.status  # `wait4` has it; else Python warns of a process still running
        return ended


def imported(folder: Path) -> str:
    """A calculation's text; what its commands import is here from now on, so that no child does it again."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        cli.main(["rechne", SENTENCES[0]])
    calculation, answers = written(folder, "r.json", printed.getvalue()), written(folder, "a.json", ANSWERS)
    with contextlib.redirect_stdout(io.StringIO()):
        cli.main(["pruefe", calculation, answers])
    importlib.import_module("generator.production.worksheet")
    return printed.getvalue()


def fuzz(count: int, seed: int, seconds: float, folder: Path, tell: Callable[[str], object] = len) -> Found:
    """As many inputs as the time allows. The same seed gives the same inputs in the same order."""
    rng, found, began = random.Random(seed), Found(), time.monotonic()
    calculation = imported(folder)
    for number in range(count):
        if time.monotonic() - began > seconds:
            break
        words = words_of(rng, folder, calculation)
        alone = rng.random() < APART
        found.apart += alone
        found.add(number, words, (apart if alone else forked)(words, folder))
        if number % 200 == 199:
            tell(found.summary())
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=240)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = fuzz(
            asked.count, asked.seed, asked.seconds, Path(folder), lambda text: print(text, flush=True)
        )
    print(found.summary())
    return 1 if found.bad else 0


if __name__ == "__main__":
    sys.exit(main())
