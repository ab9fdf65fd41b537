"""Hostile inputs by mutation of valid ones, run in this process: no status 1, nothing over its limits.

Cheap ones mostly; one in fifty is a command that makes a whole sheet, or runs in a process of its own.

python -m tests.fuzz.inputs 10000 --seed 1 --seconds 240
"""

import argparse
import contextlib
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
from dataclasses import dataclass, field
from pathlib import Path

from generator.commands import cli

SENTENCES = ("Die Katze sitzt", "Der Hund schläft", "Ich bin hier.", "a b", "Über Öl & <b>")
STRANGE = (
    "", "0", "-1", "1e999", "nan", "½", "9" * 400, "\u200e", "\x1b[31m", "\ud800", "猫", "'", '"', "<script>",
    "{{ 7 }}", "@@STYLES@@", "../../x", "None", "[", "]", "{", "}", "=", "\n", "\0", "\u202e", "e\u0301",
    "1" + "0" * 30, "true", "null", "0,5", "−1", " ", "Wort " * 300,
)  # fmt: skip
NUMERIC = (
    "dimension",
    "heads",
    "bloecke",
    "ffn",
    "nachkommastellen",
    "startwert",
    "temperatur",
    "laenge",
    "topk",
)
TEMPLATE = 'satz = "Die Katze sitzt"\ndimension = 4\nheads = 2\nnachkommastellen = 2\ntemperatur = [1, 0.5]\n'
NUMBERS = '{"block1.head1.W_Q": [[1, 0], [0, 1], [1, 1], [0, -1]]}'
ANSWERS = '{"block1.head1.weight": [[1, null, null], [0.5, 0.5, null], [0.3, 0.3, 0.4]]}'
MOST_MEMORY = 4 * 10**9  # of addresses, of which 2 GB may be used
SECONDS = 30  # of the processor: a machine that does other things is no slow input
COSTLY, APART = 0.01, 0.01  # shares of the inputs
CODE = "PF1-AAAA-BBBB-CCCC"


class TooLong(BaseException):
    pass


@dataclass
class Found:
    """How many runs ended with which status, and what should not have been."""

    statuses: Counter[int] = field(default_factory=Counter)
    bad: list[str] = field(default_factory=list)
    slowest: float = 0.0


def mutated(rng: random.Random, text: str) -> str:
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.choice((0, 1, 1, 3, 20)))
        other = rng.randrange(len(text) + 1)
        piece = rng.choice(
            (rng.choice(STRANGE), text[other : other + rng.randrange(30)], str(rng.randrange(2000)))
        )
        text = text[:start] + piece + text[end:]
    return text


def value_of(rng: random.Random) -> str:
    return rng.choice((rng.choice(STRANGE), str(rng.randrange(-2, 30)), str(rng.randrange(10**6))))


def written(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return os.fspath(path)


def words_of(rng: random.Random, folder: Path, calculation: str) -> list[str]:
    """The words of one command line; its files are written already."""
    if rng.random() < COSTLY:
        return sheet_words(rng, folder)
    kind = rng.choice(
        (
            "options",
            "options",
            "template",
            "numbers",
            "answers",
            "calculation",
            "words",
            "code",
            "class",
            "paper",
        )
    )
    sentence = rng.choice(SENTENCES)
    if kind == "code":
        return ["schluessel", mutated(rng, CODE), "--ausgabe", os.fspath(folder / "da")]
    if kind == "paper":  # refused before the work, or a mutated word that makes no difference to `vorlage`
        words = rng.choice(
            (["vorlage"], ["blatt", sentence, "--stationen", "99"], ["stresstest", "a", "--fehl"])
        )
        words[-1] = mutated(rng, words[-1]) if len(words) > 1 else words[-1]
        return words if words[-1] not in ("S", "") else ["vorlage", mutated(rng, "--help")]
    if kind == "class":
        papers = folder / "arbeiten"
        papers.mkdir(exist_ok=True)
        written(papers, f"{rng.randrange(3)}.json", mutated(rng, ANSWERS))
        return ["pruefe", written(folder, "r.json", calculation), os.fspath(papers)]
    if kind == "options":
        chosen = rng.sample(NUMERIC, rng.randrange(1, 4))
        return ["rechne", sentence, *(part for name in chosen for part in (f"--{name}", value_of(rng)))]
    if kind == "template":
        return ["rechne", sentence, "--vorlage", written(folder, "v.toml", mutated(rng, TEMPLATE))]
    if kind == "numbers":
        return ["rechne", SENTENCES[0], "--gewichte", written(folder, "g.json", mutated(rng, NUMBERS))]
    if kind == "words":
        return [mutated(rng, word) for word in ("rechne", sentence, "--heads", "2")][rng.randrange(2) :]
    answers, document = ANSWERS, calculation
    if kind == "answers":
        answers = mutated(rng, answers)
    else:
        document = mutated(rng, document)
    return ["pruefe", written(folder, "r.json", document), written(folder, "a.json", answers), "--json"]


def sheet_words(rng: random.Random, folder: Path) -> list[str]:
    """A command that makes a sheet, if it is not refused before."""
    target = ["--ausgabe", os.fspath(folder / "da")]
    sentence = mutated(rng, rng.choice(SENTENCES))
    kind = rng.choice(("blatt", "loesung", "klassensatz"))
    if kind == "blatt":
        return ["blatt", sentence, "--stationen", mutated(rng, "S"), *target]
    if kind == "loesung":
        own = mutated(rng, "block1.head1.weight[1,0]=0,48")
        return ["loesung", SENTENCES[0], "--stationen", "S", "--mit", own, *target]
    names = written(folder, "namen.csv", mutated(rng, "Name\nAnna\n"))
    return ["klassensatz", SENTENCES[0], names, "--stationen", mutated(rng, "S"), *target]


def apart(words: list[str]) -> tuple[int, str, str]:
    """The same in a process of its own, as a shell starts it."""
    raw = [word.encode("utf-8", "surrogatepass").replace(b"\0", b"") for word in words]
    done = subprocess.run(
        [sys.executable, "-m", "generator", *raw], capture_output=True, timeout=4 * SECONDS, check=False
    )
    return done.returncode, "", done.stderr.decode(errors="replace")


def run(words: list[str]) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = cli.main(words)
    return status, out.getvalue(), err.getvalue()


def fuzz(count: int, seed: int, seconds: float, folder: Path) -> Found:
    """As many inputs as the time allows. The same seed gives the same inputs in the same order."""

    def stop(*_: object) -> None:
        raise TooLong

    rng, found, began = random.Random(seed), Found(), time.monotonic()
    before = signal.signal(signal.SIGPROF, stop)
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, hard))
    try:
        _, calculation, _ = run(["rechne", SENTENCES[0]])
        for number in range(count):
            if time.monotonic() - began > seconds:
                break
            words = words_of(rng, folder, calculation)
            start = time.monotonic()
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            try:
                status, _, said = (apart if rng.random() < APART else run)(words)
            except (TooLong, subprocess.TimeoutExpired):
                status, said = -1, f"more than {SECONDS} s"
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
            found.slowest = max(found.slowest, time.monotonic() - start)
            found.statuses[status] += 1
            if status not in (0, 2) or "Arbeitsspeicher reicht nicht" in said:
                shown = [ascii(word[:80]) for word in words]
                found.bad.append(f"{number}: {status} {said.strip()[:200]!a} {' '.join(shown)}")
    finally:
        signal.signal(signal.SIGPROF, before)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=240)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = fuzz(asked.count, asked.seed, asked.seconds, Path(folder))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{dict(found.statuses)}, slowest {found.slowest:.1f} s, peak {peak} MB", *found.bad, sep="\n")
    return 1 if found.bad else 0


if __name__ == "__main__":
    sys.exit(main())
