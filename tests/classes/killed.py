"""In: how often. Out: whether a class set that is killed at random points and begun again comes out whole.

python -m tests.classes.killed --anzahl 20   (kills the program and its helpers, each time a little later)
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pypdfium2

from generator.production import class_set

SENTENCE = "Die Katze sitzt auf der Matte"
SHEETS = 6


def command(target: Path) -> list[str]:
    own = [sys.executable, "-m", "generator", "klassensatz", SENTENCE, "--anzahl", str(SHEETS)]
    return [*own, "--stationen", "5", "--ausgabe", str(target)]


def begun(target: Path) -> subprocess.Popen[bytes]:
    """The program in a session of its own, so that its helpers can be killed with it."""
    return subprocess.Popen(
        command(target), start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def finished(target: Path) -> dict[str, object]:
    """What the files of the set say, by their names; empty where there is none.

    Of PDFs their pages' words: written with one layout or another, they need not be the same bytes.
    """
    folders = list(target.glob("*-klasse"))
    if not folders:
        return {}
    return {str(p.relative_to(folders[0])): said(p) for p in folders[0].rglob("*") if p.is_file()}


def said(path: Path) -> object:
    """What a file says."""
    if path.suffix != ".pdf":
        return path.read_bytes()
    return [page.get_textpage().get_text_range().split() for page in pypdfium2.PdfDocument(path)]


def notes(target: Path) -> dict[str, int]:
    """What is done so far, with the time it was written."""
    return {str(path): path.stat().st_mtime_ns for path in target.glob(".papierformer-*/*-note.json")}


def half_written(target: Path) -> bool:
    """Whether something done lacks a file."""
    return any(
        not Path(note.replace("-note.json", f"-{ending}")).exists()
        for note in notes(target)
        for ending in ("arbeitsblatt.pdf", "loesung.pdf", "rechnung.json")
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="Class sets killed at random points.")
    parser.add_argument("--anzahl", type=int, default=20)
    parser.add_argument("--startwert", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.startwert)
    with tempfile.TemporaryDirectory() as whole, tempfile.TemporaryDirectory() as killed:
        started = time.monotonic()
        subprocess.run(command(Path(whole)), check=True, stdout=subprocess.DEVNULL)
        length = time.monotonic() - started
        wanted, target, wrong = finished(Path(whole)), Path(killed), 0
        for turn in range(arguments.anzahl):
            before = notes(target)
            process = begun(target)
            time.sleep(rng.uniform(0.05, 1.0) * length)
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            again = [path for path, when in notes(target).items() if before.get(path, when) != when]
            state = finished(target)
            bad = half_written(target) or again or state not in ({}, wanted)
            wrong += bool(bad)
            print(turn, f"{len(notes(target))} sheets done, {len(state)} files,", "WRONG" if bad else "right")
            if state == wanted:
                for path in target.glob("*-klasse"):
                    subprocess.run(["rm", "-r", str(path)], check=True)
        subprocess.run(command(target), check=True, stdout=subprocess.DEVNULL)
        same = finished(target) == wanted and len(wanted) == len(class_set.FILES) + SHEETS
        left = [path.name for path in target.iterdir() if path.name.startswith(".papierformer")]
    print(
        f"{arguments.anzahl} kills, {wrong} wrong states; at the end {'the same' if same else 'ANOTHER'} set"
    )
    print(f"left over: {left}")
    return 0 if same and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
