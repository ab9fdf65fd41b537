"""Whether extreme choices end in time and memory: `python -m tests.training_table.extremes [--anzahl 300]`.

Drawn options at their largest go through `papierformer blatt`, each in an empty home. A line each: seconds
on the clock, processor seconds, megabytes of the largest process, exit status, what was said last. Then
the slowest and the largest ten.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from tests.training_table import arguments

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 400
WORDS = r"gern Der ein den regnet im weil heute C:\x. und Haus läuft 3 nie Straße schön , Ö Donaudampfschiff"


def drawn(random: Random) -> list[str]:
    """A command line, mostly beyond what a class would calculate."""
    words = WORDS.split()
    sentence = [random.choice(words) for _ in range(random.choice((2, 5, 9, 13, 18, 24)))]
    width = random.choice((2, 3, 4, 6, 8, 10, 12, 16))
    command = [" ".join(sentence), f"--dimension={width}"]
    command.append(f"--heads={random.choice([h for h in range(1, width + 1) if width % h == 0])}")
    command.append(f"--bloecke={random.choice((1, 1, 2, 3, 4))}")
    for flag in ("--ohne-maske", "--ohne-skalierung", "--ohne-positionen"):
        if random.random() < 0.3:
            command.append(flag)
    if random.random() < 0.3:
        command.append(f"--weiter={random.choice(words)}")
    if random.random() < 0.35:
        target = " ".join(random.choice([*words, "the", "a", "<end>"]) for _ in range(random.randint(1, 16)))
        command.append(f"--zielsatz={target}")
    if random.random() < 0.3:
        command.append(f"--lernen={random.choice(('ausgabe', 'attention', 'alles'))}")
    if random.random() < 0.3:
        command.append(f"--ffn={random.choice((1, 3, 16, 40))}")
    if random.random() < 0.6:
        command.append(f"--stationen={random.choice(('1b,5', '2', '4a,4b', '9', '8', '3,6,7'))}")
    elif random.random() < 0.3:
        command.append(f"--zeit={random.choice((45, 90, 600))}")
    return command


def tried(command: list[str]) -> tuple[float, float, float, int | None, str]:
    """Seconds, processor seconds, megabytes of the largest process, exit status, last line."""
    with tempfile.TemporaryDirectory() as folder:
        home = {"HOME": folder, "PAPIERFORMER_CACHE": ""}
        whole = [sys.executable, "-m", "generator", "blatt", *command, f"--ausgabe={folder}/out"]
        begun, before = time.monotonic(), os.times()
        code = (
            "import resource, subprocess, sys\n"
            "status = subprocess.run(sys.argv[1:]).returncode\n"
            "print('\\n', resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n"
            "sys.exit(status)"
        )
        try:
            done = subprocess.run(
                [sys.executable, "-c", code, *whole],
                capture_output=True,
                text=True,
                cwd=ROOT,
                env=os.environ | home,
                timeout=PATIENCE,
            )
        except subprocess.TimeoutExpired:
            return PATIENCE, 0.0, 0.0, None, "not ended"
        after = os.times()
        cpu = after.children_user + after.children_system - before.children_user - before.children_system
        largest = int(done.stdout.split()[-1]) / 1024
        said = [line for line in done.stderr.splitlines() if line.strip()] or [""]
        return time.monotonic() - begun, cpu, largest, done.returncode, said[-1][:100]


def main() -> None:
    wanted, rows = arguments(anzahl=300, ab=0, startwert=1), []
    for number in range(wanted.ab, wanted.anzahl):
        command = drawn(Random(f"{wanted.startwert} {number}"))
        rows.append((*tried(command), number, command))
        seconds, cpu, largest, status, said, *_ = rows[-1]
        print(f"{number}: {seconds:.1f} s, {cpu:.1f} CPU s, {largest:.0f} MB, {status}, {said}", flush=True)
    for place, title in ((0, "slowest"), (2, "largest")):
        print(title)
        for row in sorted(rows, key=lambda row: -row[place])[:10]:
            print(f"  {row[0]:.1f} s, {row[1]:.1f} CPU s, {row[2]:.0f} MB, {row[3]}: {row[-1]}")


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    main()
